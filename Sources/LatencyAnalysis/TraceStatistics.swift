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

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        switch record.body {
        case .key(let key):
            note(key)
        case .environment(let fact):
            if fact.name == "cache" { cache.policy = fact.value }
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

    private mutating func note(_ key: KeyRecord) {
        guard key.press != nil else { return }
        if key.phase == .down { downs = downs.addingSaturated(1) }
        if key.phase == .repeat { repeated = repeated.addingSaturated(1) }
    }

    private mutating func note(_ call: CallRecord, _ definitions: TraceDefinitions?) {
        sawCall = true
        calls.add(call, definitions: definitions)
        if call.occasion == .down || call.occasion == .repeatTick { ticks.add(call) }
    }

    /// Names the responders of records that were visited.
    private mutating func name(_ definitions: TraceDefinitions) { calls.name(definitions) }

    /// Reads a trace to its end, by the reader's fastest way.
    public mutating func read(_ reader: inout TraceReader) {
        reader.read(into: &self)
        name(reader.definitions)
    }

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

/// Records as they are decoded, without a `TraceRecord` for each.
extension TraceStatisticsBuilder: RecordVisitor {
    public mutating func visit(_ key: KeyRecord, at time: TraceTime, sequence: UInt64) {
        facts.visit(key, at: time, sequence: sequence)
        note(key)
    }

    public mutating func visit(_ stage: StageRecord, at time: TraceTime, sequence: UInt64) {
        facts.pass(.stages, at: time, sequence: sequence)
        ticks.add(stage)
    }

    public mutating func visit(_ call: CallRecord, at time: TraceTime, sequence: UInt64) {
        facts.pass(.calls, at: time, sequence: sequence)
        note(call, nil)
    }

    public mutating func visit(_ record: TraceRecord) { consume(record, definitions: TraceDefinitions()) }
}

/// Follows presses from their first decision record to their resolution, though presses may overlap, and hands
/// each one's stages to the samples. A press stays open until another one's record comes, since a press whose
/// action runs twice is resolved twice.
struct TickLedger: Sendable {
    private(set) var mostCalls = [UInt64](repeating: 0, count: CallKind.allCases.count)
    var first = StageSamples()
    var repeats = StageSamples()
    private var current: Account?
    private var parked: [PressTick: Account] = [:]
    /// Presses waiting for their resolution. Real ones overlap by a handful; a damaged trace may never resolve
    /// any, and must not keep them all.
    private static let parkedLimit = 1024

    fileprivate struct Account: Sendable {
        var at: PressTick
        var split = StageSplit()
        var calls = [UInt64](repeating: 0, count: CallKind.allCases.count)
        var isResolved = false
    }

    mutating func add(_ stage: StageRecord) {
        select(stage.at)
        current?.split.add(stage.duration, to: stage.stage)
    }

    mutating func add(_ call: CallRecord) {
        select(call.at)
        current?.calls[Int(call.kind.rawValue)] += 1
    }

    mutating func resolve(_ at: PressTick) {
        select(at)
        current?.isResolved = true
    }

    mutating func closeAll() {
        if let account = current { close(account) }
        current = nil
        closeParked()
    }

    private mutating func select(_ at: PressTick) {
        if current?.at == at { return }
        if current?.isResolved == true {
            if let account = current { close(account) }
            // Most presses follow each other: the account is used again.
            if parked.isEmpty {
                current?.reuse(for: at)
                return
            }
        } else if let account = current {
            parked[account.at] = account
            if parked.count > TickLedger.parkedLimit { closeParked() }
        }
        current = parked.removeValue(forKey: at) ?? Account(at: at)
    }

    private mutating func closeParked() {
        for at in parked.keys.sorted() {
            if let account = parked[at] { close(account) }
        }
        parked.removeAll()
    }

    private mutating func close(_ account: Account) {
        for kind in mostCalls.indices { mostCalls[kind] = max(mostCalls[kind], account.calls[kind]) }
        // Press 0 is text that came without a key.
        guard account.at.press != 0 else { return }
        if account.at.tick == 0 {
            first.add(account.split)
        } else {
            repeats.add(account.split)
        }
    }
}

extension TickLedger.Account {
    fileprivate mutating func reuse(for next: PressTick) {
        at = next
        isResolved = false
        split.removeAll()
        for kind in calls.indices { calls[kind] = 0 }
    }
}
