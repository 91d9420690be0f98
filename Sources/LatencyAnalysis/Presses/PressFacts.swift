public import KeyModel
public import TraceFormat

/// Everything that a trace tells of one press, of one repeat of it, or of one text that came without a key.
public struct PressFacts: Sendable {
    /// Press 0 is text that came without a key, its n-th one with tick n.
    public var at: PressTick
    /// Of the key; of its first record where the key is not in the recording.
    public var time: TraceTime
    /// The down, or the repeat; `nil` for text, and where it is not in the recording.
    public var key: KeyRecord?
    /// When the key came up; `nil` for repeats and for what is still down.
    public var release: TraceTime?
    public var isCancelled = false
    /// How much the trace told when it came.
    public var level: TraceLevel
    public var stages = StageSplit()
    /// At least one; more where an action ran more than once.
    public var runs = [Run()]
    /// The records of its release may be missing: it had to leave before its key came up.
    public var isCutShort = false

    public init(at: PressTick, time: TraceTime, level: TraceLevel) {
        self.at = at
        self.time = time
        self.level = level
    }

    /// What was asked and decided up to one resolution.
    public struct Run: Sendable {
        /// Who got the press, in order.
        public var receivers: [ReceiverRecord] = []
        public var candidates: [CandidateRecord] = []
        public var effects: [EffectRecord] = []
        /// A responder did not pass the press on.
        public var isSwallowed = false
        /// By `CallKind.rawValue`, at the down or the repeat.
        public var calls = SIMD4<UInt64>()
        /// `keyCommands` at the release.
        public var callsOnRelease: UInt64 = 0
        public var shadowReads: UInt64 = 0
        /// The release's lookups included; `nil` where nothing was recorded of a cache.
        public var cache: CacheEffectiveness?
        /// `nil` where nothing was decided, or nothing recorded of it.
        public var resolution: ResolutionRecord?

        /// Most runs have a receiver each for the responders, and little else.
        public init() {}
    }

    public var isRepeat: Bool { at.press > 0 && at.tick > 0 }
    public var isText: Bool { at.press == 0 }
    public var resolution: ResolutionRecord? { runs.first?.resolution }
    /// Of all runs.
    public var cache: CacheEffectiveness? {
        guard runs.count > 1 else { return runs.first?.cache }
        var sum: CacheEffectiveness?
        for case let cache? in runs.map(\.cache) {
            var whole = sum ?? CacheEffectiveness()
            whole.add(cache)
            sum = whole
        }
        return sum
    }
    /// By position; `nil` for a masked key and where there is none.
    public var chord: Chord? { key.flatMap { key in key.key.usage.map { Chord(modifiers: key.modifiers, usage: $0) } } }
}

/// Puts `PressFacts` together while a trace is read, and hands them over in the order in which presses, repeats and
/// texts came. A press leaves when its key has come up, since what is asked then belongs to it, and what came after it
/// waits for that: at most `limit` of them.
public struct PressFactsBuilder: Sendable {
    /// What is kept waiting. A key that is held for longer than so many repeats leaves without its release.
    public static let limit = 16_384

    private var level: TraceLevel
    private var waiting: [Draft] = []
    /// Those before it have left.
    private var first = 0
    /// How many were removed from the beginning of `waiting`.
    private var removed = 0
    /// By tick, counted from the beginning of the reading.
    private var places: [PressTick: Int] = [:]
    /// Of each press that is open, the last tick.
    private var lastTicks: [UInt32: UInt32] = [:]
    private var finished: [PressFacts] = []
    /// Where the facts are that the last record belonged to: most records that follow belong there as well.
    private var last: (at: PressTick, place: Int)?
    /// Receivers, candidates and effects are kept.
    private let keepsParts: Bool

    private struct Draft: Sendable {
        var facts: PressFacts
        /// Its key or text is in the recording.
        var isArrived = false
        var isReleased = false
        /// Something was decided about it under its tick.
        var isDecided = false
        /// Another press took its number, which only a damaged trace does.
        var isAbandoned = false
    }

    /// `level`: what the trace tells at its beginning. `keepsParts`: without them, facts have no receivers, candidates
    /// and effects, and are made at a fraction of the cost.
    public init(level: TraceLevel, keepsParts: Bool = true) {
        self.level = level
        self.keepsParts = keepsParts
    }

    public mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .level(let change): level = change.level
        case .key(let key):
            guard let press = key.press else { return }
            note(key, press, record.time)
        case .text:
            open(PressTick(press: 0, tick: nextTick(of: 0)), record.time, nil)
            waiting[waiting.count - 1].isArrived = true
        case .receiver(let receiver):
            // Modifier keys climb as well, and are no presses.
            guard receiver.phase == .down, receiver.at.press > 0 else { return }
            let keepsParts = keepsParts
            run(of: receiver.at, record.time) { run in
                if receiver.isSwallowed { run.isSwallowed = true }
                if keepsParts { run.receivers.append(receiver) }
            }
        case .candidate(let candidate):
            let keepsParts = keepsParts
            run(of: candidate.at, record.time) { if keepsParts { $0.candidates.append(candidate) } }
        case .effect(let effect):
            let keepsParts = keepsParts
            run(of: effect.at, record.time) { if keepsParts { $0.effects.append(effect) } }
        case .call(let call): consume(call, at: record.time)
        case .stage(let stage): consume(stage, at: record.time)
        case .cache(let counts):
            // Lookups at the release belong to the press as well.
            runAsItIs(of: counts.at, record.time) { run in
                var sum = run.cache ?? CacheEffectiveness()
                sum.add(counts)
                run.cache = sum
            }
        case .resolution(let resolution): run(of: resolution.at, record.time) { $0.resolution = resolution }
        default: break
        }
    }

    /// Calls that follow each other.
    public mutating func consume(_ calls: UnsafeBufferPointer<PlacedCall>) {
        var index = 0
        while index < calls.count {
            let placed = calls[index]
            guard placed.call.occasion == .down || placed.call.occasion == .repeatTick else {
                consume(placed.call, at: placed.time)
                index += 1
                continue
            }
            // Those of one press are counted together.
            var counts = SIMD4<UInt64>()
            while index < calls.count {
                let call = calls[index].call
                guard call.at == placed.call.at, call.occasion == placed.call.occasion else { break }
                counts[Int(call.kind.rawValue) & 3] &+= 1
                index += 1
            }
            run(of: placed.call.at, placed.time) { $0.calls &+= counts }
        }
    }

    public mutating func consume(_ stage: StageRecord, at time: TraceTime) {
        let place = place(of: stage.at, time)
        waiting[place].facts.stages.add(stage.duration, to: stage.stage)
    }

    /// There is something to take.
    public var hasFinished: Bool { !finished.isEmpty }

    /// Those that became whole since the last call, in order.
    public mutating func takeFinished() -> [PressFacts] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll() }
        return finished
    }

    /// Hands over what waits, at the end of a reading.
    public mutating func finish() {
        while first < waiting.count { leave() }
        compact()
    }

    private mutating func note(_ key: KeyRecord, _ press: UInt32, _ time: TraceTime) {
        // Whatever the keys before it asked for at their release stands before this record.
        flush()
        switch key.phase {
        case .down: open(PressTick(press: press, tick: 0), time, key)
        case .repeat: open(PressTick(press: press, tick: nextTick(of: press)), time, key)
        case .up, .cancel:
            guard let place = places[PressTick(press: press, tick: 0)] else { return }
            waiting[place - removed].facts.release = time
            waiting[place - removed].facts.isCancelled = key.phase == .cancel
            waiting[place - removed].isReleased = true
        }
    }

    public mutating func consume(_ call: CallRecord, at time: TraceTime) {
        switch call.occasion {
        case .down, .repeatTick: run(of: call.at, time) { $0.calls[Int(call.kind.rawValue)] += 1 }
        case .release:
            if call.kind == .keyCommands { runAsItIs(of: call.at, time) { $0.callsOnRelease += 1 } }
        case .shadow:
            if call.kind == .keyCommands { runAsItIs(of: call.at, time) { $0.shadowReads += 1 } }
        }
    }

    private func nextTick(of press: UInt32) -> UInt32 { (lastTicks[press] ?? 0) &+ 1 }

    private mutating func open(_ at: PressTick, _ time: TraceTime, _ key: KeyRecord?) {
        last = nil
        if let former = places[at] { waiting[former - removed].isAbandoned = true }
        var facts = PressFacts(at: at, time: time, level: level)
        facts.key = key
        places[at] = removed + waiting.count
        lastTicks[at.press] = at.tick
        waiting.append(Draft(facts: facts, isArrived: key != nil))
        if waiting.count - first > PressFactsBuilder.limit {
            waiting[first].facts.isCutShort = waiting[first].facts.at.tick == 0
            leave()
        }
        compact()
    }

    /// Where the facts of a tick are in `waiting`; they begin now where nothing came of its key.
    @inline(__always) private mutating func place(of at: PressTick, _ time: TraceTime) -> Int {
        if let last, last.at == at { return last.place }
        let place = find(at, time)
        last = (at, place)
        return place
    }

    private mutating func find(_ at: PressTick, _ time: TraceTime) -> Int {
        if let place = places[at] {
            waiting[place - removed].isDecided = true
            return place - removed
        }
        // A part of a trace may begin amid repeats: the first decision tells which one the last key was.
        if let last = lastTicks[at.press], let place = places[PressTick(press: at.press, tick: last)], last > 0,
            !waiting[place - removed].isDecided
        {
            places[waiting[place - removed].facts.at] = nil
            places[at] = place
            lastTicks[at.press] = at.tick
            waiting[place - removed].facts.at = at
            waiting[place - removed].isDecided = true
            return place - removed
        }
        open(at, time, nil)
        waiting[waiting.count - 1].isDecided = true
        return waiting.count - 1
    }

    /// What comes after a resolution is another run of the same press, unless its key is up.
    private mutating func run(of at: PressTick, _ time: TraceTime, _ change: (inout PressFacts.Run) -> Void) {
        let place = place(of: at, time)
        let last = waiting[place].facts.runs.count - 1
        if waiting[place].facts.runs[last].resolution != nil, !waiting[place].isReleased {
            waiting[place].facts.runs.append(PressFacts.Run())
            change(&waiting[place].facts.runs[last + 1])
        } else {
            change(&waiting[place].facts.runs[last])
        }
    }

    private mutating func runAsItIs(
        of at: PressTick, _ time: TraceTime, _ change: (inout PressFacts.Run) -> Void
    ) {
        let place = place(of: at, time)
        change(&waiting[place].facts.runs[waiting[place].facts.runs.count - 1])
    }

    private func isWhole(_ draft: Draft) -> Bool {
        if draft.isAbandoned { return true }
        // A text that nobody took is never decided.
        if draft.facts.isText { return draft.facts.resolution != nil || !draft.isDecided }
        if draft.facts.resolution == nil, draft.facts.level > .keys { return false }
        return draft.facts.at.tick > 0 || draft.isReleased || draft.facts.key == nil
    }

    private mutating func flush() {
        while first < waiting.count, isWhole(waiting[first]) { leave() }
        compact()
    }

    private mutating func leave() {
        last = nil
        let draft = waiting[first]
        let at = draft.facts.at
        if places[at] == removed + first { places[at] = nil }
        if at.press > 0, at.tick == 0 || lastTicks[at.press] == at.tick, draft.isReleased || draft.facts.key == nil {
            lastTicks[at.press] = nil
        }
        first += 1
        // Late records of a press that has left tell of nothing by themselves.
        if draft.isArrived || draft.facts.resolution != nil { finished.append(draft.facts) }
    }

    /// Forgets those that have left, now and then.
    private mutating func compact() {
        guard first == waiting.count || first >= 1_024 else { return }
        last = nil
        removed += first
        waiting.removeFirst(first)
        first = 0
    }
}
