public import KeyModel
public import TraceFormat

/// Whose `keyCommands` cost most, and what each cache policy would have saved and broken.
public struct TopAnalysis: Hashable, Sendable {
    public var info: TraceInfo
    /// Presses and repeats in which anybody was asked.
    public var ticks: UInt64
    /// By id. `order` sorts them.
    public var responders: [ResponderCosts]
    /// In the order press, responder, chain.
    public var policies: [PolicyEffect]
    /// The trace was recorded with this policy: its reads are those that the policy left.
    public var recordedPolicy: String?
    /// Nothing was recorded of calls.
    public var hasCalls: Bool

    public enum Order: String, CaseIterable, Sendable {
        /// Time without the calls made inside it.
        case `self`
        /// Time with them.
        case total
        case calls
    }

    public func sorted(by order: Order) -> [ResponderCosts] {
        func cost(_ responder: ResponderCosts) -> Int64 {
            switch order {
            case .self: responder.calls.selfTime?.nanoseconds ?? -1
            case .total: responder.calls.totalTime?.nanoseconds ?? -1
            case .calls: Int64(clamping: responder.calls.calls)
            }
        }
        return responders.sorted { a, b in
            let (costA, costB) = (cost(a), cost(b))
            if costA != costB { return costA > costB }
            return a.calls.calls != b.calls.calls ? a.calls.calls > b.calls.calls : a.calls.id < b.calls.id
        }
    }
}

/// What one responder cost.
public struct ResponderCosts: Hashable, Sendable {
    public var calls: ResponderCalls
    /// What would have been saved if its list had been kept until it was invalidated.
    public var kept: PolicyEffect
}

/// What a cache policy would have done to the reads that were recorded.
public struct PolicyEffect: Hashable, Sendable {
    public var policy: String
    public var callsSaved: UInt64 = 0
    /// Own time of the calls saved; `nil` where no call was timed.
    public var timeSaved: TraceDuration?
    /// Reads that it would have answered with something that was no longer true.
    public var staleAnswers: UInt64 = 0
    /// The first presses that would have got one, ascending.
    public var stalePresses: [UInt32] = []
    public static let pressLimit = 20

    public init(policy: String) { self.policy = policy }

    mutating func save(_ time: TraceDuration?) {
        callsSaved = callsSaved.addingSaturated(1)
        if let time { timeSaved = (timeSaved ?? .zero) + time }
    }

    mutating func mislead(_ press: UInt32) {
        staleAnswers = staleAnswers.addingSaturated(1)
        guard stalePresses.last != press, stalePresses.count < PolicyEffect.pressLimit else { return }
        stalePresses.append(press)
    }
}

/// Collects a `TopAnalysis`.
public struct TopAnalyzer: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var ledger = CallLedger()
    private var caches = CacheSimulation()
    private var context = ChainContext()
    private var sawCalls = false
    private var ticks: UInt64 = 0
    private var lastTick: PressTick?

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { context = ChainContext(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        switch record.body {
        case .call(let call):
            sawCalls = true
            let selfTime = ledger.add(call, definitions: definitions)
            guard call.kind == .keyCommands, call.occasion == .down || call.occasion == .repeatTick else { break }
            if lastTick != call.at {
                lastTick = call.at
                ticks = ticks.addingSaturated(1)
            }
            caches.serve(call, selfTime: selfTime)
        case .invalidation(let invalidation): caches.invalidate(invalidation)
        case .link, .firstResponder, .keyWindow, .presentation: caches.chainMayHaveChanged()
        default: break
        }
        context.consume(record)
    }

    public func analysis(of file: TraceFileFacts = TraceFileFacts(), definitions: TraceDefinitions) -> TopAnalysis {
        let info = facts.info(of: file)
        let kept = caches.byResponder(definitions)
        return TopAnalysis(
            info: info, ticks: ticks,
            responders: ledger.finished().responders.map { calls in
                ResponderCosts(calls: calls, kept: kept[calls.id] ?? PolicyEffect(policy: "responder"))
            }.sorted { $0.calls.id < $1.calls.id },
            policies: [caches.press, caches.responder, caches.chain], recordedPolicy: context.environment["cache"],
            hasCalls: sawCalls || info.level == .calls)
    }
}

/// Runs the three cache policies beside the reads of a recording: which of them each policy would have spared, and
/// which it would have answered wrongly.
struct CacheSimulation: Sendable {
    private(set) var press = PolicyEffect(policy: "press")
    private(set) var responder = PolicyEffect(policy: "responder")
    private(set) var chain = PolicyEffect(policy: "chain")
    private var ofPress: [ResponderRef: CommandListRef] = [:]
    private var ofResponder: [ResponderRef: CommandListRef] = [:]
    private var ofChain: [ResponderRef: CommandListRef] = [:]
    private var effects: [ResponderRef: PolicyEffect] = [:]
    private var tick: PressTick?

    /// An answer that a policy has kept for a read.
    struct Kept: Sendable {
        var isWrong: Bool
    }

    /// What each policy has for one read; `nil` where it must ask.
    struct Served: Sendable {
        var press: Kept?
        var responder: Kept?
        var chain: Kept?

        /// By the name of the policy; `nil` keeps nothing.
        subscript(policy: String?) -> Kept? {
            switch policy {
            case "press": press
            case "responder": responder
            case "chain": chain
            default: nil
            }
        }
    }

    @discardableResult
    mutating func serve(_ call: CallRecord, selfTime: TraceDuration?) -> Served? {
        guard case .commands(let list) = call.answer else { return nil }
        if tick != call.at {
            tick = call.at
            ofPress.removeAll(keepingCapacity: true)
        }
        let number = call.at.press
        var served = Served()
        served.press = CacheSimulation.serve(&ofPress, &press, call.responder, list, selfTime, number)
        served.chain = CacheSimulation.serve(&ofChain, &chain, call.responder, list, selfTime, number)
        served.responder = CacheSimulation.serve(&ofResponder, &responder, call.responder, list, selfTime, number)
        if let kept = served.responder {
            var own = effects[call.responder] ?? PolicyEffect(policy: "responder")
            own.save(selfTime)
            if kept.isWrong { own.mislead(number) }
            effects[call.responder] = own
        }
        return served
    }

    private static func serve(
        _ kept: inout [ResponderRef: CommandListRef], _ effect: inout PolicyEffect, _ responder: ResponderRef,
        _ list: CommandListRef, _ time: TraceDuration?, _ press: UInt32
    ) -> Kept? {
        guard let known = kept[responder] else {
            kept[responder] = list
            return nil
        }
        effect.save(time)
        if known != list { effect.mislead(press) }
        return Kept(isWrong: known != list)
    }

    mutating func invalidate(_ record: InvalidationRecord) {
        guard record.scope == .responder else { return }
        ofChain.removeAll()
        ofPress.removeAll()
        if let responder = record.responder { ofResponder[responder] = nil } else { ofResponder.removeAll() }
    }

    /// The index of a chain holds only while the chain is the same.
    mutating func chainMayHaveChanged() { ofChain.removeAll() }

    func byResponder(_ names: TraceDefinitions) -> [String: PolicyEffect] {
        var found: [String: PolicyEffect] = [:]
        for (responder, effect) in effects { found[names.id(of: responder) ?? ""] = effect }
        return found
    }
}
