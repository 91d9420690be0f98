public import KeyModel
public import TraceFormat

/// The facts that `stats` prints.
public struct TraceStatistics: Hashable, Sendable {
    public var info: TraceInfo
    /// Presses that were decided; at level `keys`, where nothing is, the downs of non-modifier keys.
    public var presses: UInt64
    /// Repeats that were decided.
    public var repeats: UInt64
    /// Stages of first presses.
    public var stages: StageStatistics
    /// Stages of repeats, which would hide the presses among them.
    public var repeatStages: StageStatistics
    /// `nil` when calls were not recorded.
    public var calls: CallCounts?
    /// `nil` when nothing is known of a cache.
    public var cache: CacheEffectiveness?
    /// Presses and repeats of which nothing was decided; `nil` where everything was, or nothing at all.
    public var undecided: Undecided?
    /// How presses and repeats ended, the most frequent first.
    public var outcomes: [OutcomeCount]

    public struct OutcomeCount: Hashable, Sendable {
        public var outcome: Outcome
        public var count: UInt64
    }

    /// Keys that went down and never came to a resolution.
    public struct Undecided: Hashable, Sendable {
        public var presses: UInt64
        /// Served together with a later one, or not at all.
        public var repeats: UInt64
        /// Keys that the system took back, decided or not.
        public var cancelled: UInt64
    }
}

/// Collects `TraceStatistics` from a trace as it is read. Memory grows by eight bytes for each stage of a press,
/// for exact percentiles, and with the number of different responders and lists.
public struct TraceStatisticsBuilder: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var ticks = TickLedger()
    private var calls = CallLedger()
    private var cache = CacheEffectiveness()
    private var sawCall = false
    private var sawCache = false
    private var downs: UInt64 = 0
    private var repeated: UInt64 = 0
    private var outcomes: [Outcome: UInt64] = [:]

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        for case .record(.environment(let fact)) in entries { note(fact) }
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        switch record.body {
        case .key(let key):
            note(key)
        case .environment(let fact): note(fact)
        case .stage(let stage): ticks.add(stage)
        case .call(let call): note(call, definitions)
        case .cache(let record):
            sawCache = true
            cache.add(record)
        case .resolution(let resolution):
            ticks.resolve(resolution.at)
            outcomes[resolution.outcome, default: 0] += 1
        default: break
        }
    }

    public mutating func visit(keys: PlacedKeys, _ definitions: TraceDefinitions) {
        for placed in keys {
            facts.visit(placed.key, at: placed.time, sequence: placed.sequence)
            note(placed.key)
        }
    }

    public mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions) {
        pass(calls)
        for placed in calls { note(placed.call, definitions) }
    }

    mutating func pass(_ calls: UnsafeBufferPointer<PlacedCall>) { facts.pass(calls) }

    public mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions) {
        facts.pass(stages)
        for placed in stages { ticks.add(placed.stage) }
    }

    private mutating func note(_ fact: EnvironmentRecord) {
        if fact.name == "cache" { cache.policy = fact.value }
    }

    private mutating func note(_ key: KeyRecord) {
        guard key.press != nil else { return }
        if key.phase == .down { downs = downs.addingSaturated(1) }
        if key.phase == .repeat { repeated = repeated.addingSaturated(1) }
    }

    /// The time inside the call without the calls made in there, where it was timed.
    @discardableResult
    @inline(__always) mutating func note(_ call: CallRecord, _ definitions: TraceDefinitions?) -> TraceDuration? {
        sawCall = true
        let selfTime = calls.add(call, definitions: definitions)
        if call.occasion == .down || call.occasion == .repeatTick { ticks.add(call) }
        return selfTime
    }

    /// Reads a trace to its end, by the reader's fastest way.
    public mutating func read(_ reader: inout TraceReader) { reader.feed(&self) }

    /// What was counted of calls so far.
    var callCounts: CallCounts { calls.finished() }

    /// The statistics of everything consumed. Consumes the builder's samples: call it once, at the end.
    public mutating func statistics(of file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        ticks.closeAll()
        calls.notePerPress(ticks.mostCalls)
        let info = facts.info(of: file)
        let first = ticks.first.statistics()
        let repeats = ticks.repeats.statistics()
        let hasCalls = sawCall || info.level == .calls
        return TraceStatistics(
            info: info, presses: info.resolutions == 0 ? max(downs, first.presses) : first.presses,
            repeats: repeats.presses, stages: first, repeatStages: repeats, calls: hasCalls ? calls.finished() : nil,
            cache: sawCache || cache.policy != nil ? cache : nil,
            undecided: undecided(info, first.presses, repeats.presses),
            outcomes: outcomes.map { TraceStatistics.OutcomeCount(outcome: $0.key, count: $0.value) }
                .sorted { $0.count != $1.count ? $0.count > $1.count : $0.outcome.rawValue < $1.outcome.rawValue })
    }
}

extension TraceStatisticsBuilder {
    private func undecided(_ info: TraceInfo, _ presses: UInt64, _ repeats: UInt64) -> TraceStatistics.Undecided? {
        let lost = TraceStatistics.Undecided(
            presses: downs > presses ? downs - presses : 0, repeats: repeated > repeats ? repeated - repeats : 0,
            cancelled: info.cancels)
        let isAny = lost.presses > 0 || lost.repeats > 0 || lost.cancelled > 0
        return isAny && info.resolutions > 0 && downs > 0 ? lost : nil
    }
}

/// Follows presses from their first decision record to their resolution, though presses may overlap, and hands
/// each one's stages to the samples. A press stays open until another one's record comes, since a press whose
/// action runs twice is resolved twice.
struct TickLedger: Sendable {
    /// By `CallKind.rawValue`.
    private(set) var mostCalls = SIMD4<UInt64>()
    var first = StageSamples()
    var repeats = StageSamples()
    /// The one that records come of, where `isOpen`.
    private var current = Account(at: PressTick(press: 0, tick: 0))
    private var isOpen = false
    private var parked: [PressTick: Account] = [:]
    /// Presses waiting for their resolution. Real ones overlap by a handful; a damaged trace may never resolve
    /// any, and must not keep them all.
    private static let parkedLimit = 1024

    private struct Account: Sendable {
        var at: PressTick
        var split = StageSplit()
        /// By `CallKind.rawValue`.
        var calls = SIMD4<UInt64>()
        var isResolved = false
    }

    @inline(__always) mutating func add(_ stage: StageRecord) {
        if !isOpen || current.at != stage.at { select(stage.at) }
        current.split.add(stage.duration, to: stage.stage)
    }

    @inline(__always) mutating func add(_ call: CallRecord) {
        if !isOpen || current.at != call.at { select(call.at) }
        current.calls[Int(call.kind.rawValue) & 3] &+= 1
    }

    mutating func resolve(_ at: PressTick) {
        if !isOpen || current.at != at { select(at) }
        current.isResolved = true
    }

    mutating func closeAll() {
        if isOpen { close(current) }
        isOpen = false
        closeParked()
    }

    private mutating func select(_ at: PressTick) {
        if isOpen {
            if current.isResolved {
                close(current)
            } else {
                parked[current.at] = current
                if parked.count > TickLedger.parkedLimit { closeParked() }
            }
        }
        isOpen = true
        // Most presses follow each other.
        current = (parked.isEmpty ? nil : parked.removeValue(forKey: at)) ?? Account(at: at)
    }

    private mutating func closeParked() {
        for at in parked.keys.sorted() {
            if let account = parked[at] { close(account) }
        }
        parked.removeAll()
    }

    private mutating func close(_ account: Account) {
        mostCalls = pointwiseMax(mostCalls, account.calls)
        // Press 0 is text that came without a key.
        guard account.at.press != 0 else { return }
        if account.at.tick == 0 {
            first.add(account.split)
        } else {
            repeats.add(account.split)
        }
    }
}
