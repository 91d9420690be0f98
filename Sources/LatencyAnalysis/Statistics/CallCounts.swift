package import KeyModel
package import TraceFormat
package import TracePresses

/// Numbers of questions to responders, and costs of their `keyCommands`. Reads made only to check a cache
/// (occasion `shadow`) are counted apart and nowhere else; so are reads at the release of a key.
package struct CallCounts: Hashable, Sendable {
    /// By `CallKind.rawValue`.
    package var kinds: [Kind] = Array(repeating: Kind(), count: CallKind.allCases.count)
    /// `keyCommands` per responder: the costliest first, then the most often called, then by id.
    package var responders: [ResponderCalls] = []
    package var shadowReads: UInt64 = 0
    /// Messages that hooks saw at key-downs and repeats; `nil` where an app was not recorded by an adapter.
    package var messages: Messages?

    /// Messages at key-downs and at repeats; those at no press are left out.
    package struct Messages: Hashable, Sendable {
        package var total = InvocationCounts()
        /// The part of `total` sent at repeats.
        package var onRepeat = InvocationCounts()
        /// The most for one key-down or one repeat.
        package var perPressMax = InvocationCounts()
    }

    /// The question counted in `responders`.
    package var askedFor: String { answersWithLists ? "keyCommands" : "key equivalents" }

    /// False for key equivalents, to which the answer is yes or no.
    package var answersWithLists: Bool { messages == nil || self[.keyCommands].total > 0 }

    package subscript(_ kind: CallKind) -> Kind { kinds[Int(kind.rawValue)] }

    /// The calls of one kind.
    package struct Kind: Hashable, Sendable {
        /// Calls at key-downs, at repeats and at no press.
        package var total: UInt64 = 0
        /// The part of `total` made at repeats.
        package var onRepeat: UInt64 = 0
        /// The part of `total` made at no press: between presses, or about a text without a key.
        package var withoutPress: UInt64 = 0
        /// Calls at key-ups, not part of `total`.
        package var onRelease: UInt64 = 0
        /// The most for one key-down or one repeat.
        package var perPressMax: UInt64 = 0

        /// The part of `total` made at key-downs.
        package var onDown: UInt64 { total &- onRepeat &- withoutPress }
    }
}

/// Counts the messages of key-downs and repeats. A message may come after its press was decided, so that those of the
/// last few are counted on.
struct MessageCounter: Sendable {
    private(set) var messages = CallCounts.Messages()
    /// The most of one press or repeat that are calls under another name, by `CallKind.rawValue`.
    private(set) var mostAsCalls = SIMD4<UInt64>()
    private var ticks: [(at: PressTick, counts: InvocationCounts, asCalls: SIMD4<UInt64>)] = []
    private static let limit = 64

    mutating func add(_ message: InvocationRecord) {
        let at = message.at
        guard at.press > 0, message.occasion == .down || message.occasion == .repeatTick else { return }
        messages.total.add(message.count, of: message.kind)
        if message.occasion == .repeatTick { messages.onRepeat.add(message.count, of: message.kind) }
        var place = ticks.lastIndex { $0.at == at } ?? ticks.count
        if place == ticks.count {
            if place == MessageCounter.limit { ticks.removeFirst() }
            ticks.append((at, InvocationCounts(), SIMD4()))
            place = ticks.count - 1
        }
        ticks[place].counts.add(message.count, of: message.kind)
        if let kind = message.kind.callKind { ticks[place].asCalls[Int(kind.rawValue) & 3] &+= UInt64(message.count) }
        messages.perPressMax = messages.perPressMax.maximum(ticks[place].counts)
        mostAsCalls = pointwiseMax(mostAsCalls, ticks[place].asCalls)
    }
}

/// The `keyCommands` calls of one responder at key-downs, at repeats and at no press.
package struct ResponderCalls: Hashable, Sendable {
    package var id: String
    /// Kind or class name.
    package var kind: String
    package var calls: UInt64 = 0
    /// The part of `calls` made at no press.
    package var withoutPress: UInt64 = 0
    /// Calls with a recorded or declared duration.
    package var timedCalls: UInt64 = 0
    /// Time inside its `keyCommands` without the calls made in there; `nil` when none was timed.
    package var selfTime: TraceDuration?
    /// Time inside its `keyCommands`, nested calls included; `nil` when none was timed.
    package var totalTime: TraceDuration?
    /// Different lists it answered with.
    package var distinctResults: UInt64 = 0
    /// Answers that were the same list as its answer before.
    package var unchangedResults: UInt64 = 0
}

/// Collects `CallCounts`.
///
/// Calls come in the order in which they returned, so a call made inside another one comes before it, one deeper:
/// when a call of depth d arrives, everything of depth d + 1 since the last call of depth d or less was inside it.
struct CallAccumulator: Sendable {
    /// By `CallKind.rawValue`.
    private var totals = SIMD4<UInt64>()
    private var onRepeat = SIMD4<UInt64>()
    private var onRelease = SIMD4<UInt64>()
    private var withoutPress = SIMD4<UInt64>()
    private var mostPerPress = SIMD4<UInt64>()
    private var shadowReads: UInt64 = 0
    /// Index of a responder in the lists that follow, in the order in which they were asked first.
    private var places = HandleTable<ResponderDefinition, Int>()
    private var tallies: [Tally] = []
    /// Without numbers, which are in `tallies`.
    private var responders: [ResponderCalls] = []
    private var results: [Set<CommandListRef>] = []
    private var nested = NestedTimes()
    /// Apart from calls: the depth of each counts its own kind alone.
    private var nestedMessages = NestedTimes()

    /// `keyCommands` of one responder, in numbers alone.
    fileprivate struct Tally: Sendable {
        var calls: UInt64 = 0
        var withoutPress: UInt64 = 0
        var timedCalls: UInt64 = 0
        var selfTime = TraceDuration.zero
        var totalTime = TraceDuration.zero
        var unchangedResults: UInt64 = 0
        var last: CommandListRef?
    }

    /// Gives the time inside the call without the calls made in there; `nil` where it was not timed.
    @discardableResult
    @inline(__always) mutating func add(_ call: CallRecord, definitions: TraceDefinitions) -> TraceDuration? {
        let kind = Int(call.kind.rawValue) & 3
        switch call.occasion {
        case .shadow:
            if call.kind == .keyCommands { shadowReads &+= 1 }
            return nil
        case .release:
            onRelease[kind] &+= 1
            return nil
        case .down, .repeatTick: break
        }
        totals[kind] &+= 1
        if call.at.press == 0 {
            withoutPress[kind] &+= 1
        } else if call.occasion == .repeatTick {
            onRepeat[kind] &+= 1
        }
        let selfTime = nested.selfTime(of: call)
        if call.kind == .keyCommands { charge(call, selfTime: selfTime, definitions: definitions) }
        return selfTime
    }

    /// Counts a message that is a call under another name, and charges key equivalents to their receivers.
    mutating func add(_ invocation: InvocationRecord, definitions: TraceDefinitions) {
        if invocation.occasion == .down || invocation.occasion == .repeatTick {
            let call = CallRecord(invocation)
            let selfTime = nestedMessages.selfTime(of: call)
            if invocation.kind == .keyEquivalent {
                charge(call, times: UInt64(invocation.count), selfTime: selfTime, definitions: definitions)
            }
        }
        guard let kind = invocation.kind.callKind.map({ Int($0.rawValue) & 3 }) else { return }
        switch invocation.occasion {
        case .shadow: break
        case .release: onRelease[kind] &+= UInt64(invocation.count)
        case .down, .repeatTick:
            totals[kind] &+= UInt64(invocation.count)
            if invocation.at.press == 0 {
                withoutPress[kind] &+= UInt64(invocation.count)
            } else if invocation.occasion == .repeatTick {
                onRepeat[kind] &+= UInt64(invocation.count)
            }
        }
    }

    mutating func notePerPress(_ calls: SIMD4<UInt64>) { mostPerPress = pointwiseMax(mostPerPress, calls) }

    @inline(__always) private mutating func charge(
        _ call: CallRecord, times: UInt64 = 1, selfTime: TraceDuration?, definitions: TraceDefinitions
    ) {
        let at = places[call.responder] ?? open(call.responder, definitions)
        let isNew = tallies[at].note(call, selfTime)
        tallies[at].calls &+= times &- 1
        if call.at.press == 0 { tallies[at].withoutPress &+= times }
        if isNew, let list = tallies[at].last { results[at].insert(list) }
    }

    private mutating func open(_ responder: ResponderRef, _ definitions: TraceDefinitions) -> Int {
        places[responder] = tallies.count
        tallies.append(Tally())
        results.append([])
        responders.append(
            ResponderCalls(id: definitions.id(of: responder) ?? "", kind: definitions[responder]?.kind ?? ""))
        return tallies.count - 1
    }

    func finished() -> CallCounts {
        var finished = CallCounts()
        finished.shadowReads = shadowReads
        for kind in finished.kinds.indices {
            finished.kinds[kind].total = totals[kind]
            finished.kinds[kind].onRepeat = onRepeat[kind]
            finished.kinds[kind].withoutPress = withoutPress[kind]
            finished.kinds[kind].onRelease = onRelease[kind]
            finished.kinds[kind].perPressMax = mostPerPress[kind]
        }
        finished.responders = tallies.indices.map { at in
            let tally = tallies[at]
            var calls = responders[at]
            calls.calls = tally.calls
            calls.withoutPress = tally.withoutPress
            calls.timedCalls = tally.timedCalls
            if tally.timedCalls > 0 {
                (calls.selfTime, calls.totalTime) = (tally.selfTime, tally.totalTime)
            }
            calls.unchangedResults = tally.unchangedResults
            calls.distinctResults = UInt64(results[at].count)
            return calls
        }.sorted { a, b in
            let unknown = TraceDuration(nanoseconds: -1)
            let (costA, costB) = (a.selfTime ?? unknown, b.selfTime ?? unknown)
            if costA != costB { return costA > costB }
            return a.calls != b.calls ? a.calls > b.calls : a.id < b.id
        }
        return finished
    }
}

/// Separates the time inside a call from that inside the calls it made.
package struct NestedTimes: Sendable {
    /// By depth: time of the returned calls whose caller has not returned yet.
    private var nested: [TraceDuration] = []
    /// Until there is one, nothing is nested that could be of another.
    private var at = PressTick(press: 0, tick: 0)
    /// Deeper calls than any real program makes are not distinguished.
    private static let deepest = 255

    package init() {}

    @inline(__always) package mutating func selfTime(of call: CallRecord) -> TraceDuration? {
        selfTime(at: call.at, depth: Int(call.depth), of: call.duration)
    }

    /// Self time of a call or a message of this depth that took `duration`.
    @inline(__always) package mutating func selfTime(
        at tick: PressTick, depth: Int, of duration: TraceDuration?
    ) -> TraceDuration? {
        if at != tick {
            at = tick
            if !nested.isEmpty { nested.removeAll(keepingCapacity: true) }
        }
        // Most calls are made by the system itself, with nothing inside.
        guard depth > 0 || !nested.isEmpty else {
            return duration.map { TraceDuration(nanoseconds: max($0.nanoseconds, 0)) }
        }
        return selfTimeAmongOthers(min(depth, NestedTimes.deepest), duration)
    }

    private mutating func selfTimeAmongOthers(_ depth: Int, _ duration: TraceDuration?) -> TraceDuration? {
        let inside = depth + 1 < nested.count ? nested[depth + 1] : .zero
        if nested.count > depth + 1 { nested.removeSubrange((depth + 1)...) }
        guard let duration else { return nil }
        let whole = max(duration, .zero)
        if depth > 0 {
            while nested.count <= depth { nested.append(.zero) }
            nested[depth] = nested[depth] + whole
        }
        return TraceDuration(nanoseconds: max(0, whole.nanoseconds - inside.nanoseconds))
    }
}

extension CallAccumulator.Tally {
    /// True where the answer is another list than the one before.
    @inline(__always) fileprivate mutating func note(_ call: CallRecord, _ selfTime: TraceDuration?) -> Bool {
        calls &+= 1
        if let selfTime, let duration = call.duration {
            timedCalls &+= 1
            self.selfTime = self.selfTime + selfTime
            totalTime = totalTime + max(duration, .zero)
        }
        guard case .commands(let list) = call.answer else { return false }
        if last == list {
            unchangedResults &+= 1
            return false
        }
        last = list
        return true
    }
}

extension CallRecord {
    /// A message as a call, for the time inside it without that of the messages sent inside.
    package init(_ invocation: InvocationRecord) {
        self.init(
            at: invocation.at, kind: .keyCommands, occasion: invocation.occasion, responder: invocation.responder,
            pass: 0, depth: UInt16(invocation.depth), duration: invocation.duration, action: nil, answer: .none)
    }
}
