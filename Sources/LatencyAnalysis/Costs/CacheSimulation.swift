import KeyModel
import TraceFormat
import TracePresses

/// Lists that a cache policy keeps: the first answer of each responder.
struct KeptLists: Sendable {
    private var lists = LastLists()

    /// Looks up a read; `nil` where the policy must ask, and keeps the answer.
    ///
    /// - Returns: True when the kept list is wrong now.
    @inline(__always) mutating func serve(_ responder: ResponderRef, _ list: CommandListRef) -> Bool? {
        guard let known = lists[responder] else {
            lists[responder] = list
            return nil
        }
        return known != list
    }

    mutating func removeAll() { lists.removeAll() }

    /// Removes the kept lists; under the policy `responder`, a list is kept until it is invalidated.
    mutating func invalidate(_ record: InvalidationRecord) {
        guard record.scope == .responder else { return }
        if let responder = record.responder { lists[responder] = nil } else { lists.removeAll() }
    }
}

/// Runs the three cache policies beside the reads of a recording: which of them each policy would have spared, and
/// which it would have answered wrongly.
struct PolicyAnswers: Sendable {
    private var ofPress = KeptLists()
    private var ofResponder = KeptLists()
    private var ofChain = KeptLists()
    private var press: UInt32?

    /// True for each policy whose kept list is wrong at one read; `nil` where it must ask.
    struct Served: Sendable {
        var press: Bool?
        var responder: Bool?
        var chain: Bool?

        /// By the name of the policy; `nil` keeps nothing.
        subscript(policy: String?) -> Bool? {
            switch policy {
            case "press": press
            case "responder": responder
            case "chain": chain
            default: nil
            }
        }
    }

    @inline(__always) mutating func serve(_ call: CallRecord) -> Served? {
        guard case .commands(let list) = call.answer else { return nil }
        // Repeats use the lists of their press. Reads at no press have none to be kept for.
        if press != call.at.press || call.at.press == 0 {
            press = call.at.press
            ofPress.removeAll()
        }
        return Served(
            press: ofPress.serve(call.responder, list), responder: ofResponder.serve(call.responder, list),
            chain: ofChain.serve(call.responder, list))
    }

    mutating func invalidate(_ record: InvalidationRecord) {
        guard record.scope == .responder else { return }
        ofChain.removeAll()
        ofPress.removeAll()
        ofResponder.invalidate(record)
    }

    /// The index of a chain holds only while the chain is the same.
    mutating func chainMayHaveChanged() { ofChain.removeAll() }
}

/// The policies, with what each of them would have done.
struct CacheSimulation: Sendable {
    private(set) var press = PolicyEffect(policy: "press")
    private(set) var responder = PolicyEffect(policy: "responder")
    private(set) var chain = PolicyEffect(policy: "chain")
    var answers = PolicyAnswers()
    private var savings = HandleTable<ResponderDefinition, Savings>()
    private var savers: [ResponderRef] = []
    /// Effects by responder whose kept list would have been wrong.
    private var misled: [ResponderRef: PolicyEffect] = [:]

    private struct Savings: Sendable {
        var calls: UInt64 = 0
        var time: TraceDuration?
    }

    mutating func serve(_ call: CallRecord, selfTime: TraceDuration?) {
        guard let served = answers.serve(call) else { return }
        let number = call.at.press
        if let isWrong = served.press { press.serve(isWrong: isWrong, selfTime, number) }
        if let isWrong = served.chain { chain.serve(isWrong: isWrong, selfTime, number) }
        guard let isWrong = served.responder else { return }
        responder.serve(isWrong: isWrong, selfTime, number)
        let known = savings[call.responder]
        if known == nil { savers.append(call.responder) }
        var own = known ?? Savings()
        own.calls = own.calls.addingSaturated(1)
        if let selfTime { own.time = (own.time ?? TraceDuration(nanoseconds: 0)) + selfTime }
        savings[call.responder] = own
        if isWrong { misled[call.responder, default: PolicyEffect(policy: "responder")].mislead(number) }
    }

    func byResponder(_ names: TraceDefinitions) -> [ByteName: PolicyEffect] {
        var found: [ByteName: PolicyEffect] = [:]
        for saver in savers {
            var effect = misled[saver] ?? PolicyEffect(policy: "responder")
            effect.callsSaved = savings[saver]?.calls ?? 0
            effect.timeSaved = savings[saver]?.time
            found[ByteName(names.id(of: saver) ?? "")] = effect
        }
        return found
    }
}
