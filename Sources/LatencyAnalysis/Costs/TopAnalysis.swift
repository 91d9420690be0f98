package import KeyModel
package import TraceFormat
import TracePresses

/// The responders with the costliest `keyCommands`, and the calls that each cache policy would have saved and the
/// answers that it would have got wrong.
package struct TopAnalysis: Hashable, Sendable {
    package var info: TraceInfo
    /// Presses and repeats in which any responder was asked.
    package var ticks: UInt64
    /// By id. `order` sorts them.
    package var responders: [ResponderCosts]
    /// In the order press, responder, chain.
    package var policies: [PolicyEffect]
    /// The trace was recorded with this policy: its reads are those that the policy left.
    package var recordedPolicy: String?
    /// False where no calls were recorded.
    package var hasCalls: Bool
    /// Responders were asked for key equivalents, of which no list could be kept, in place of key commands.
    package var asksForKeyEquivalents = false

    package enum Order: String, CaseIterable, Sendable {
        /// Time without the calls made inside it.
        case `self`
        /// Time with them.
        case total
        case calls
    }

    package func sorted(by order: Order) -> [ResponderCosts] {
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

/// Costs of one responder.
package struct ResponderCosts: Hashable, Sendable {
    package var calls: ResponderCalls
    /// Effect of keeping its list until it is invalidated.
    package var kept: PolicyEffect
}

/// Effect of a cache policy on the reads that were recorded.
package struct PolicyEffect: Hashable, Sendable {
    package var policy: String
    package var callsSaved: UInt64 = 0
    /// Own time of the calls saved; `nil` where no call was timed.
    package var timeSaved: TraceDuration?
    /// Reads that it would have answered with something that was no longer true.
    package var staleAnswers: UInt64 = 0
    /// The first presses that would have got one, ascending.
    package var stalePresses: [UInt32] = []
    package static let pressLimit = 20

    /// A read that was served from the kept list, `isWrong` where that is no longer true.
    @inline(__always) mutating func serve(isWrong: Bool, _ time: TraceDuration?, _ press: UInt32) {
        callsSaved = callsSaved.addingSaturated(1)
        if let time { timeSaved = (timeSaved ?? .zero) + time }
        if isWrong { mislead(press) }
    }

    mutating func mislead(_ press: UInt32) {
        staleAnswers = staleAnswers.addingSaturated(1)
        guard stalePresses.last != press, stalePresses.count < PolicyEffect.pressLimit else { return }
        stalePresses.append(press)
    }
}

/// Collects a `TopAnalysis`.
package struct TopAnalyzer: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var accumulator = CallAccumulator()
    private var caches = CacheSimulation()
    /// The cache policy that the trace was recorded with.
    private var policy: String?
    private var sawCalls = false
    private var asksForKeyEquivalents = false
    private var ticks: UInt64 = 0
    private var lastTick: PressTick?

    package init() {}

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        policy = PressContext(entries).environment["cache"]
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        if case .call(let call) = record.body {
            note(call, selfTime: accumulator.add(call, definitions: definitions))
        } else if case .invocation(let invocation) = record.body {
            accumulator.add(invocation, definitions: definitions)
            note(invocation)
        } else {
            follow(record)
        }
    }

    /// A record that is no call.
    mutating func follow(_ record: TraceRecord) {
        switch record.body {
        case .invalidation(let invalidation): caches.answers.invalidate(invalidation)
        case .link, .firstResponder, .keyWindow, .presentation: caches.answers.chainMayHaveChanged()
        case .environment(let fact): if fact.name == "cache" { policy = fact.value }
        default: break
        }
    }

    private mutating func note(_ invocation: InvocationRecord) {
        sawCalls = true
        guard invocation.kind == .keyEquivalent, invocation.occasion != .release else { return }
        asksForKeyEquivalents = true
        note(invocation.at)
    }

    @inline(__always) mutating func note(_ call: CallRecord, selfTime: TraceDuration?) {
        sawCalls = true
        guard call.kind == .keyCommands, call.occasion == .down || call.occasion == .repeatTick else { return }
        note(call.at)
        caches.serve(call, selfTime: selfTime)
    }

    @inline(__always) private mutating func note(_ tick: PressTick) {
        guard lastTick != tick else { return }
        lastTick = tick
        if tick.press > 0 { ticks = ticks.addingSaturated(1) }
    }

    package func analysis(of file: TraceFileFacts = TraceFileFacts(), definitions: TraceDefinitions) -> TopAnalysis {
        analysis(facts.info(of: file), calls: accumulator.finished(), definitions)
    }

    /// Analysis for a caller that has the facts of the trace and counts its calls itself.
    func analysis(_ info: TraceInfo, calls: CallCounts, _ definitions: TraceDefinitions) -> TopAnalysis {
        let kept = caches.byResponder(definitions)
        return TopAnalysis(
            info: info, ticks: ticks,
            responders: calls.responders.map { calls in
                ResponderCosts(calls: calls, kept: kept[ByteName(calls.id)] ?? PolicyEffect(policy: "responder"))
            }.sorted { $0.calls.id < $1.calls.id },
            policies: [caches.press, caches.responder, caches.chain], recordedPolicy: policy,
            hasCalls: sawCalls || info.level == .calls, asksForKeyEquivalents: asksForKeyEquivalents)
    }
}
