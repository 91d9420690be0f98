package import KeyModel
package import TraceFormat
import TracePresses

/// The facts that `stats` prints.
package struct TraceStatistics: Hashable, Sendable {
    package var info: TraceInfo
    /// Those of `info`; of presses that were chosen, the decided ones.
    package var presses: UInt64
    /// Those of `info`, and not fewer than were decided; of presses that were chosen, the decided ones.
    package var repeats: UInt64
    /// Stages of first presses.
    package var stages: StageStatistics
    /// Stages of repeats, which would hide the presses among them.
    package var repeatStages: StageStatistics
    /// Of presses and repeats; empty where their allocations were not counted.
    package var allocations: [StageAllocations] = []
    /// `nil` when calls were not recorded.
    package var calls: CallCounts?
    /// `nil` when no cache was recorded.
    package var cache: CacheEffectiveness?
    package var invalidated: [CacheEffectiveness.Invalidated] = []
    /// Presses and repeats of which nothing was decided; `nil` where everything was, or nothing at all.
    package var undecided: Undecided?
    /// Outcomes of presses and repeats, the most frequent first.
    package var outcomes: [OutcomeCount]

    package struct OutcomeCount: Hashable, Sendable {
        package var outcome: Outcome
        package var count: UInt64
    }

    /// Presses and repeats that have no resolution.
    package struct Undecided: Hashable, Sendable {
        package var presses: UInt64
        /// Served together with a later one, or not at all.
        package var repeats: UInt64
        /// Keys that the system took back, decided or not.
        package var cancelled: UInt64
    }
}

extension [TraceStatistics.OutcomeCount] {
    /// Counts one more of this outcome; those that are new come last.
    mutating func add(_ outcome: Outcome) {
        let place = firstIndex { $0.outcome == outcome } ?? endIndex
        if place == endIndex { append(TraceStatistics.OutcomeCount(outcome: outcome, count: 0)) }
        self[place].count += 1
    }
}

/// Collects `TraceStatistics` from a trace as it is read. Memory grows by eight bytes for each stage of a press,
/// for exact percentiles, and with the number of different responders and lists.
package struct TraceStatisticsBuilder: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    /// Presses and repeats from their first call or stage to their resolution.
    private var assembler = PressAssembler([.keys, .texts, .resolutions, .costs], .decided)
    private var first = StageSamples()
    private var repeats = StageSamples()
    private var allocations: [LatencyStage: (counts: DurationPercentiles, bytes: UInt64)] = [:]
    /// Most calls of a press or repeat, by `CallKind.rawValue`.
    private var mostCalls = SIMD4<UInt64>()
    private var calls = CallAccumulator()
    /// `nil` until there is a message.
    private var messages: MessageCounter?
    private var cache = CacheEffectiveness()
    private var invalidations = InvalidationCounter()
    private var sawCall = false
    private var sawCache = false
    private var outcomes: [Outcome: UInt64] = [:]

    package init() {}

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        for case .record(.environment(let fact)) in entries { note(fact) }
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        follow(record, definitions)
    }

    /// The result is the time inside a call without the calls made in there, where it was timed.
    @discardableResult
    mutating func follow(_ record: TraceRecord, _ definitions: TraceDefinitions) -> TraceDuration? {
        facts.consume(record, definitions: definitions)
        assembler.consume(record)
        countDecided()
        switch record.body {
        case .environment(let fact): note(fact)
        case .call(let call):
            sawCall = true
            return calls.add(call, definitions: definitions)
        case .invocation(let invocation):
            sawCall = true
            messages = messages ?? MessageCounter()
            messages?.add(invocation)
            calls.add(invocation, definitions: definitions)
        case .cache(let record):
            sawCache = true
            cache.add(record)
        case .invalidation(let record): invalidations.add(record, definitions)
        default: break
        }
        return nil
    }

    private mutating func countDecided() {
        while let press = assembler.next() {
            // An action that ran more than once leaves one outcome.
            if press.isPressOrRepeat, let outcome = press.resolution?.outcome { outcomes[outcome, default: 0] += 1 }
            guard !press.isText else { continue }
            for (stage, made) in press.costs?.ordered ?? [] {
                var sums = allocations.removeValue(forKey: stage) ?? (DurationPercentiles(), 0)
                sums.counts.add(TraceDuration(nanoseconds: Int64(clamping: made.count)))
                sums.bytes = sums.bytes.addingSaturated(made.bytes)
                allocations[stage] = sums
            }
            mostCalls = pointwiseMax(mostCalls, press.callCounts &+ press.messagesAsCalls)
            if press.isRepeat {
                repeats.add(press.stages, isRemainder: press.isRemainder)
            } else {
                first.add(press.stages, isRemainder: press.isRemainder)
            }
        }
    }

    private mutating func note(_ fact: EnvironmentRecord) {
        if fact.name == "cache" { cache.policy = fact.value }
    }

    /// Counts of calls so far.
    var callCounts: CallCounts { calls.finished() }

    /// The statistics of everything consumed. Consumes the builder's samples: call it once, at the end.
    package mutating func statistics(of file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        assembler.finish()
        countDecided()
        calls.notePerPress(pointwiseMax(mostCalls, messages?.mostAsCalls ?? SIMD4()))
        let info = facts.info(of: file)
        let first = self.first.statistics()
        let repeats = self.repeats.statistics()
        let hasCalls = sawCall || info.level == .calls
        var counts = hasCalls ? calls.finished() : nil
        counts?.messages = messages?.messages
        return TraceStatistics(
            info: info, presses: info.numberedPresses, repeats: max(info.repeats, repeats.presses), stages: first,
            repeatStages: repeats,
            allocations: LatencyStage.allCases.compactMap { stage in
                guard var made = allocations[stage], let counts = made.counts.statistics() else { return nil }
                return StageAllocations(stage: stage, counts: counts, bytes: made.bytes)
            }, calls: counts,
            cache: sawCache || cache.policy != nil ? cache : nil, invalidated: invalidations.sorted,
            undecided: undecided(info, first.presses, repeats.presses),
            outcomes: outcomes.map { TraceStatistics.OutcomeCount(outcome: $0.key, count: $0.value) }
                .sorted { $0.count != $1.count ? $0.count > $1.count : $0.outcome.rawValue < $1.outcome.rawValue })
    }
}

extension TraceStatisticsBuilder {
    private func undecided(_ info: TraceInfo, _ presses: UInt64, _ repeats: UInt64) -> TraceStatistics.Undecided? {
        let lost = TraceStatistics.Undecided(
            presses: info.numberedPresses - min(info.numberedPresses, presses),
            repeats: info.repeats - min(info.repeats, repeats),
            cancelled: info.cancels)
        let isAny = lost.presses > 0 || lost.repeats > 0 || lost.cancelled > 0
        return isAny && info.resolutions > 0 && info.presses > 0 ? lost : nil
    }
}
