package import KeyModel
package import TraceFormat
import TracePresses

/// Effect of a change on a recording: resolutions first, then times.
package struct WhatIfResult: Hashable, Sendable {
    /// The change as written in the command, such as `cache=nav`.
    package var question: String
    /// Presses and repeats that were compared.
    package var compared: UInt64
    package var changes: [Change]
    /// Presses at which a kept answer would have been wrong, ascending; `nil` if the change is not about a cache.
    package var stalePresses: [UInt32]?
    package var callsSaved: UInt64?
    /// Totals of first presses.
    package var before: DurationStatistics?
    package var after: DurationStatistics?
    /// Both sides are replays, whose calls take the mean of the recorded ones; else the recorded values are used.
    package var isReplayed: Bool

    /// A press with another outcome.
    package struct Change: Hashable, Sendable {
        package var press: UInt32
        package var isRepeat: Bool
        /// By position; `nil` when masked.
        package var chord: String?
        package var before: String
        package var after: String

        package init(press: UInt32, isRepeat: Bool, chord: String?, before: String, after: String) {
            self.press = press
            self.isRepeat = isRepeat
            self.chord = chord
            self.before = before
            self.after = after
        }
    }

    package init(question: String) {
        self.question = question
        compared = 0
        changes = []
        isReplayed = false
    }
}

/// Changes to what calls cost, and to how often they are made.
package struct CostChanges: Hashable, Sendable {
    /// `press`, `responder` or `chain`; `nil` keeps no lists.
    package var policy: String?
    /// Responders whose lists are kept until they are invalidated.
    package var kept: Set<String> = []
    /// Time of each call of one kind by one responder, and of an action at its target.
    package var costs: [Place: TraceDuration] = [:]

    package struct Place: Hashable, Sendable {
        package var responder: String
        /// `keyCommands`, `canPerformAction`, `validate`, `buildMenu`, a message such as `keyEquivalent`, or an action.
        package var call: String

        package init(responder: String, call: String) {
            self.responder = responder
            self.call = call
        }
    }

    package init() {}

    /// Lists that were answered are kept, and looked at again.
    package var keepLists: Bool { policy != nil || !kept.isEmpty }
}

/// Takes recorded times, changes what calls cost, and runs the queue of the presses again: a press that is served
/// faster keeps the next one waiting for less.
package struct WhatIfTimes: TraceConsumer, Sendable {
    private let changes: CostChanges
    private var assembler = PressAssembler(.decision, .decided)
    private var caches = PolicyAnswers()
    private var before = DurationPercentiles()
    private var after = DurationPercentiles()
    private var queueBefore = VirtualQueue()
    private var queueAfter = VirtualQueue()
    private var stale: Set<UInt32> = []
    package private(set) var callsSaved: UInt64 = 0

    /// One thread that serves presses in the order of their arrival.
    private struct VirtualQueue: Sendable {
        private var idleFrom = TraceTime.zero

        /// Wait of an arrival that is then served for `service`.
        mutating func wait(arrival: TraceTime, service: TraceDuration) -> TraceDuration {
            let wait = arrival < idleFrom ? idleFrom.since(arrival) : .zero
            idleFrom = max(arrival, idleFrom).advanced(by: service)
            return wait
        }
    }

    package init(_ changes: CostChanges) { self.changes = changes }

    package mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressAssembler(.decision, .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        switch record.body {
        case .invalidation(let invalidation):
            caches.invalidate(invalidation)
            refused.invalidate(invalidation)
        case .link, .firstResponder, .keyWindow, .presentation:
            caches.chainMayHaveChanged()
            if changes.policy == "chain" { refused.removeAll() }
        case .key(let key): refused.note(key)
        case .invocation(let message): note(message, definitions)
        // The caches see every read when it is made, also of presses that never end.
        case .call(let call): note(call, definitions)
        default: break
        }
        assembler.consume(record)
        while let tick = assembler.next() { close(tick, definitions) }
    }

    /// Time saved in the calls of open ticks, by tick.
    private var savings: [PressTick: Int64] = [:]
    private var nested = NestedTimes()
    private var nestedMessages = NestedTimes()
    private var refused = RefusedEquivalents()
    /// True for responders whose list is kept by name.
    private var keeps = HandleTable<ResponderDefinition, Bool>()

    private mutating func isKept(_ responder: ResponderRef, _ names: TraceDefinitions) -> Bool {
        if let known = keeps[responder] { return known }
        let found = changes.kept.contains(names.id(of: responder) ?? "")
        keeps[responder] = found
        return found
    }

    private mutating func note(_ call: CallRecord, _ names: TraceDefinitions) {
        guard call.occasion == .down || call.occasion == .repeatTick else { return }
        let own = nested.selfTime(of: call)
        var isSpared = false
        if call.kind == .keyCommands, let served = caches.serve(call) {
            if let isWrong = isKept(call.responder, names) ? served.responder : served[changes.policy] {
                isSpared = true
                callsSaved += 1
                if isWrong { stale.insert(call.at.press) }
            }
        }
        guard let own else { return }
        var now = isSpared ? TraceDuration(nanoseconds: 0) : own
        if !isSpared, !changes.costs.isEmpty {
            let responder = names.id(of: call.responder) ?? ""
            now = changes.costs[CostChanges.Place(responder: responder, call: call.kind.name)] ?? own
        }
        guard now != own else { return }
        save(own.nanoseconds.saturatingSubtracting(now.nanoseconds), at: call.at)
    }

    /// Key equivalents are what an AppKit app is asked for in place of lists.
    private mutating func note(_ message: InvocationRecord, _ names: TraceDefinitions) {
        guard message.at.press > 0, message.occasion == .down || message.occasion == .repeatTick else { return }
        let own = nestedMessages.selfTime(at: message.at, depth: Int(message.depth), of: message.duration)
        var now: TraceDuration? = own
        if changes.policy == "responder" || changes.policy == "chain" || isKept(message.responder, names),
            let isWrong = refused.serve(message)
        {
            now = .zero
            callsSaved += UInt64(message.count)
            if isWrong { stale.insert(message.at.press) }
        } else if !changes.costs.isEmpty {
            let place = CostChanges.Place(responder: names.id(of: message.responder) ?? "", call: message.kind.name)
            if let cost = changes.costs[place] {
                let (all, overflow) = cost.nanoseconds.multipliedReportingOverflow(by: Int64(message.count))
                now = TraceDuration(nanoseconds: min(overflow ? .max : all, WhatIfTimes.longest))
            }
        }
        guard let own, let now, now != own else { return }
        save(own.nanoseconds.saturatingSubtracting(now.nanoseconds), at: message.at)
    }

    private mutating func save(_ nanoseconds: Int64, at tick: PressTick) {
        savings[tick] = (savings[tick] ?? 0).saturatingAdding(nanoseconds)
    }

    /// A hundred days: what one message takes, so that sums stay far from the limits.
    private static let longest: Int64 = 1 << 53

    private mutating func close(_ tick: TracePress, _ names: TraceDefinitions) {
        var saved = savings.removeValue(forKey: tick.at) ?? 0
        guard tick.isPressOrRepeat, let total = tick.stages.total, let service = tick.stages.service else {
            return
        }
        if !changes.costs.isEmpty, let action = tick.resolution?.action.flatMap({ names[$0] }),
            let took = tick.stages[.action],
            let cost = changes.costs[
                CostChanges.Place(responder: names.name(tick.resolution?.target), call: action)]
        {
            saved = saved.saturatingAdding(took.nanoseconds.saturatingSubtracting(cost.nanoseconds))
        }
        let served = TraceDuration(nanoseconds: max(0, service.nanoseconds.saturatingSubtracting(saved)))
        let waited = queueBefore.wait(arrival: tick.time, service: service)
        let waits = queueAfter.wait(arrival: tick.time, service: served)
        guard !tick.isRepeat else { return }
        before.add(total)
        let shorter = waited.nanoseconds.saturatingSubtracting(waits.nanoseconds)
            .saturatingAdding(service.nanoseconds.saturatingSubtracting(served.nanoseconds))
        after.add(TraceDuration(nanoseconds: max(0, total.nanoseconds.saturatingSubtracting(shorter))))
    }

    /// The threshold of a tail, or the longest total for one that is a duration, as it was and as it would be.
    package mutating func measure(
        _ threshold: TailAnalysis.Threshold
    ) -> (before: TraceDuration, after: TraceDuration)? {
        let (was, would) =
            switch threshold {
            case .percentile(let perMille): (before.value(perMille: perMille), after.value(perMille: perMille))
            case .duration: (before.statistics()?.max, after.statistics()?.max)
            }
        guard let was, let would else { return nil }
        return (was, would)
    }

    /// Adds what was found to a result.
    package mutating func finish(_ result: inout WhatIfResult, definitions: TraceDefinitions) {
        assembler.finish()
        while let tick = assembler.next() { close(tick, definitions) }
        result.before = before.statistics()
        result.after = after.statistics()
        guard changes.keepLists else { return }
        result.callsSaved = callsSaved
        result.stalePresses = stale.sorted()
    }
}
