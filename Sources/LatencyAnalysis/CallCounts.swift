public import KeyModel
public import TraceFormat

/// How often the system asked responders, and what their `keyCommands` cost. Reads made only to check a cache
/// (occasion `shadow`) are counted apart and nowhere else; so are reads at the release of a key.
public struct CallCounts: Hashable, Sendable {
    /// By `CallKind.rawValue`.
    public var kinds: [Kind] = Array(repeating: Kind(), count: CallKind.allCases.count)
    /// `keyCommands` per responder: the costliest first, then the most often called, then by id.
    public var responders: [ResponderCalls] = []
    public var shadowReads: UInt64 = 0

    public init() {}

    public subscript(_ kind: CallKind) -> Kind { kinds[Int(kind.rawValue)] }

    /// The calls of one kind.
    public struct Kind: Hashable, Sendable {
        /// Calls at key-downs and at repeats.
        public var total: UInt64 = 0
        /// The part of `total` made at repeats.
        public var onRepeat: UInt64 = 0
        /// Calls at key-ups, not part of `total`.
        public var onRelease: UInt64 = 0
        /// The most for one key-down or one repeat.
        public var perPressMax: UInt64 = 0
        public init() {}
    }
}

/// The `keyCommands` calls of one responder at key-downs and repeats.
public struct ResponderCalls: Hashable, Sendable {
    public var id: String
    /// Kind or class name.
    public var kind: String
    public var calls: UInt64 = 0
    /// Calls with a recorded or declared duration.
    public var timedCalls: UInt64 = 0
    /// Time inside its `keyCommands` without the calls made in there; `nil` when none was timed.
    public var selfTime: TraceDuration?
    /// Time inside its `keyCommands`, nested calls included; `nil` when none was timed.
    public var totalTime: TraceDuration?
    /// Different lists it answered with.
    public var distinctResults: UInt64 = 0
    /// Answers that were the same list as its answer before.
    public var unchangedResults: UInt64 = 0

    public init(id: String, kind: String) {
        self.id = id
        self.kind = kind
    }
}

/// Collects `CallCounts`.
///
/// Calls come in the order in which they returned, so a call made inside another one comes before it, one deeper:
/// when a call of depth d arrives, everything of depth d + 1 since the last call of depth d or less was inside it.
struct CallLedger: Sendable {
    private var counts = CallCounts()
    /// By handle: handles are dense, and a lookup per call is most of what counting costs.
    private var responders: [Entry?] = []
    /// Calls of responders that nothing defines.
    private var undefined: [ResponderRef: Entry] = [:]
    private var nested = NestedTimes()
    private static let mostNamedLater = 1 << 20

    fileprivate struct Entry: Sendable {
        var calls: ResponderCalls
        var results: Set<CommandListRef> = []
        var last: CommandListRef?
    }

    /// Gives the time inside the call without the calls made in there; `nil` where it was not timed. Without
    /// definitions, responders get their names later.
    @discardableResult
    mutating func add(_ call: CallRecord, definitions: TraceDefinitions?) -> TraceDuration? {
        switch call.occasion {
        case .shadow:
            guard call.kind == .keyCommands else { return nil }
            counts.shadowReads = counts.shadowReads.addingSaturated(1)
            return nil
        case .release:
            let kind = Int(call.kind.rawValue)
            counts.kinds[kind].onRelease = counts.kinds[kind].onRelease.addingSaturated(1)
            return nil
        case .down, .repeatTick: break
        }
        let kind = Int(call.kind.rawValue)
        counts.kinds[kind].total = counts.kinds[kind].total.addingSaturated(1)
        if call.occasion == .repeatTick { counts.kinds[kind].onRepeat = counts.kinds[kind].onRepeat.addingSaturated(1) }
        let selfTime = nested.selfTime(of: call)
        if call.kind == .keyCommands { charge(call, selfTime: selfTime, definitions: definitions) }
        return selfTime
    }

    mutating func notePerPress(_ calls: [UInt64]) {
        for (kind, count) in calls.enumerated() {
            counts.kinds[kind].perPressMax = max(counts.kinds[kind].perPressMax, count)
        }
    }

    /// Names the responders of calls that were added without definitions.
    mutating func name(_ definitions: TraceDefinitions) {
        for at in responders.indices where responders[at]?.calls.id.isEmpty == true {
            let responder = ResponderRef(rawValue: UInt32(truncatingIfNeeded: at))
            responders[at]?.calls.id = definitions.id(of: responder) ?? ""
            responders[at]?.calls.kind = definitions[responder]?.kind ?? ""
        }
    }

    private mutating func charge(_ call: CallRecord, selfTime: TraceDuration?, definitions: TraceDefinitions?) {
        let at = Int(call.responder.rawValue)
        if at < responders.count, responders[at] != nil {
            responders[at]?.note(call, selfTime: selfTime)
            return
        }
        let id = definitions?.id(of: call.responder) ?? ""
        var entry = Entry(calls: ResponderCalls(id: id, kind: definitions?[call.responder]?.kind ?? ""))
        // A reading gives handles in the order of definitions, so none is far beyond those before it.
        guard at < definitions?.responders.count ?? CallLedger.mostNamedLater else {
            undefined[call.responder, default: entry].note(call, selfTime: selfTime)
            return
        }
        entry.note(call, selfTime: selfTime)
        while responders.count <= at { responders.append(nil) }
        responders[at] = entry
    }

    func finished() -> CallCounts {
        var finished = counts
        finished.responders = (responders.compactMap { $0 } + Array(undefined.values)).map { entry in
            var calls = entry.calls
            calls.distinctResults = UInt64(entry.results.count)
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

/// Tells the time inside a call from that inside the calls it made.
package struct NestedTimes: Sendable {
    /// By depth: time of the returned calls whose caller has not returned yet.
    private var nested: [TraceDuration] = []
    private var tick: PressTick?
    /// Deeper calls than any real program makes are not told apart.
    private static let deepest = 255

    package init() {}

    package mutating func selfTime(of call: CallRecord) -> TraceDuration? {
        if tick != call.at {
            tick = call.at
            nested.removeAll(keepingCapacity: true)
        }
        let depth = min(Int(call.depth), NestedTimes.deepest)
        let inside = depth + 1 < nested.count ? nested[depth + 1] : .zero
        if nested.count > depth + 1 { nested.removeSubrange((depth + 1)...) }
        guard let duration = call.duration else { return nil }
        let whole = max(duration, .zero)
        // Most calls are made by the system itself and are inside nothing.
        if depth > 0 {
            while nested.count <= depth { nested.append(.zero) }
            nested[depth] = nested[depth] + whole
        }
        return TraceDuration(nanoseconds: max(0, whole.nanoseconds - inside.nanoseconds))
    }
}

extension CallLedger.Entry {
    fileprivate mutating func note(_ call: CallRecord, selfTime: TraceDuration?) {
        calls.calls = calls.calls.addingSaturated(1)
        if let selfTime, let duration = call.duration {
            calls.timedCalls = calls.timedCalls.addingSaturated(1)
            calls.selfTime = (calls.selfTime ?? .zero) + selfTime
            calls.totalTime = (calls.totalTime ?? .zero) + max(duration, .zero)
        }
        guard case .commands(let list) = call.answer else { return }
        if last == list {
            calls.unchangedResults = calls.unchangedResults.addingSaturated(1)
        } else {
            results.insert(list)
        }
        last = list
    }
}
