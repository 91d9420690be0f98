public import KeyModel
public import TraceFormat

/// The slow presses: where their own time went, against that of all the others, and what they have in common.
///
/// The p99 of each stage would be another press in each line; these are the stages of the same presses.
public struct TailAnalysis: Hashable, Sendable {
    /// From where on a press is slow.
    public enum Threshold: Hashable, Sendable {
        /// In thousandths: 990 is p99.
        case percentile(perMille: Int)
        case duration(TraceDuration)
    }

    public var info: TraceInfo
    public var threshold: Threshold
    /// The limit that came of it; `nil` where no press has a time, or too few have one for the percentile.
    public var limit: TraceDuration?
    /// Presses with a total; repeats are not among them.
    public var presses: UInt64
    /// What all of them took; `nil` where none has a total.
    public var total: TraceDuration?
    /// Presses that took the limit or longer, the slowest first.
    public var slow: [SlowPress]
    public var slowCount: UInt64
    /// By `LatencyStage.rawValue`: the mean over the slow and over the others; `nil` for a stage that none of them has.
    public var slowMean: [TraceDuration?]
    public var otherMean: [TraceDuration?]
    /// Mean time before the app was reached, and after.
    public var slowQueueing: TraceDuration?
    public var slowService: TraceDuration?
    /// Slow presses that waited for an earlier one.
    public var slowWaiting: UInt64
    public var common: [Feature]
    public var advice: Advice?

    /// So many slow presses are named.
    public static let slowLimit = 10

    public struct SlowPress: Hashable, Sendable {
        public var press: UInt32
        public var time: TraceTime
        public var chord: PressChord
        public var total: TraceDuration
        public var slowestStage: LatencyStage
    }

    /// Something that many slow presses share and few others do.
    public struct Feature: Hashable, Sendable {
        public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            case firstResponder, keyWindow, chord, outcome, target, costliest
        }
        public var kind: Kind
        public var value: String
        public var slow: UInt64
        public var all: UInt64
        /// Of `costliest`: the shortest time that its `keyCommands` took in a slow press, and how often it was asked.
        public var atLeast: TraceDuration?
        public var passes: UInt64?
    }

    /// Keeping the list of the costliest responder.
    public struct Advice: Hashable, Sendable {
        public var responder: String
        /// What the percentile, or the longest total, would come down to; `before` is what it is.
        public var before: TraceDuration
        public var after: TraceDuration
        public var staleAnswers: UInt64
    }
}

/// Collects a `TailAnalysis`. Memory grows with the number of presses, about two hundred bytes for each.
public struct TailAnalyzer: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var assembler = TickAssembler()
    private var caches = CacheSimulation()
    private var rows: [TailRow] = []
    private var words: [String: UInt32] = [:]
    private var texts: [String] = []
    private var filter: PressFilter?

    public init(where filter: PressFilter? = nil) { self.filter = filter }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { assembler = TickAssembler(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        if case .invalidation(let invalidation) = record.body { caches.invalidate(invalidation) }
        assembler.consume(record)
        takeClosed(definitions)
    }

    private mutating func takeClosed(_ definitions: TraceDefinitions) {
        for tick in assembler.takeClosed() { note(tick, definitions) }
    }

    private mutating func note(_ tick: DecidedTick, _ names: TraceDefinitions) {
        var costs = CallCosts()
        for call in tick.calls where call.kind == .keyCommands {
            let own = costs.add(call)
            costs.note(call, own, caches.serve(call, selfTime: own)?.responder)
        }
        guard !tick.isRepeat, !tick.resolutions.isEmpty, let total = tick.stages.total else { return }
        if let filter, !filter.matches(tick, names) { return }
        let chord = tick.chord(names)
        var row = TailRow(press: tick.at.press, time: tick.time, chord: chord, total: total, stages: tick.stages)
        row.features[0] = word(names.id(of: tick.start) ?? "nobody")
        let window = tick.resolution?.keyWindow ?? tick.context.keyWindow?.window
        row.features[1] = word(names.id(of: window) ?? "")
        row.features[2] = word(chord.text ?? "")
        row.features[3] = word(tick.resolution?.outcome.name ?? "")
        row.features[4] = word(tick.resolution.map { $0.target == nil ? "" : names.deed($0) } ?? "")
        if let costliest = costs.costliest {
            row.features[5] = word(names.name(costliest.responder))
            row.costliestTime = costliest.time
            row.costliestCalls = costliest.calls
            row.savedTime = costliest.saved
            row.isWrong = costliest.isWrong
        }
        rows.append(row)
    }

    private mutating func word(_ text: String) -> UInt32 {
        if let known = words[text] { return known }
        let number = UInt32(clamping: texts.count)
        texts.append(text)
        words[text] = number
        return number
    }

    public mutating func analysis(
        above threshold: TailAnalysis.Threshold, of file: TraceFileFacts = TraceFileFacts(),
        definitions: TraceDefinitions
    ) -> TailAnalysis {
        assembler.finish()
        takeClosed(definitions)
        return TailSummary(rows: rows, texts: texts).analysis(above: threshold, info: facts.info(of: file))
    }
}

/// What is kept of one press.
struct TailRow: Sendable {
    var press: UInt32
    var time: TraceTime
    var chord: PressChord
    var total: TraceDuration
    var stages: StageSplit
    /// By `TailAnalysis.Feature.Kind.rawValue`: the number of the word.
    var features: [UInt32?] = Array(repeating: nil, count: TailAnalysis.Feature.Kind.allCases.count)
    var costliestTime: TraceDuration?
    var costliestCalls: UInt64 = 0
    /// What keeping the costliest responder's list would have spared this press.
    var savedTime = TraceDuration.zero
    var isWrong = false
}

/// The `keyCommands` of one press, by responder.
struct CallCosts {
    struct Cost {
        var responder: ResponderRef
        var time: TraceDuration
        var calls: UInt64
        var saved = TraceDuration.zero
        var isWrong = false
    }
    private var costs: [Cost] = []
    private var ledger = NestedTimes()

    mutating func add(_ call: CallRecord) -> TraceDuration? { ledger.selfTime(of: call) }

    mutating func note(_ call: CallRecord, _ own: TraceDuration?, _ kept: CacheSimulation.Kept?) {
        guard let own else { return }
        let at: Int
        if let known = costs.firstIndex(where: { $0.responder == call.responder }) {
            at = known
        } else {
            at = costs.count
            costs.append(Cost(responder: call.responder, time: .zero, calls: 0))
        }
        costs[at].time = costs[at].time + own
        costs[at].calls += 1
        guard let kept else { return }
        costs[at].saved = costs[at].saved + own
        if kept.isWrong { costs[at].isWrong = true }
    }

    /// The first of those that cost the most.
    var costliest: Cost? {
        var found: Cost?
        for cost in costs where cost.time > (found?.time ?? .zero) { found = cost }
        return found
    }
}

/// Puts a `TailAnalysis` together.
struct TailSummary {
    let rows: [TailRow]
    let texts: [String]

    func analysis(above threshold: TailAnalysis.Threshold, info: TraceInfo) -> TailAnalysis {
        let limit = self.limit(threshold, rows.map(\.total))
        let slow = limit.map { limit in rows.filter { $0.total >= limit } } ?? []
        let others = limit.map { limit in rows.filter { $0.total < limit } } ?? rows
        var analysis = TailAnalysis(
            info: info, threshold: threshold, limit: limit, presses: UInt64(rows.count),
            total: rows.isEmpty ? nil : rows.map(\.total).reduce(.zero, +), slow: named(slow),
            slowCount: UInt64(slow.count), slowMean: means(slow), otherMean: means(others), slowQueueing: nil,
            slowService: nil, slowWaiting: 0, common: common(slow), advice: nil)
        analysis.slowQueueing = mean(slow.compactMap { $0.stages[.inputDelay] }, of: slow.count)
        analysis.slowService = mean(slow.compactMap(\.stages.service), of: slow.count)
        analysis.slowWaiting = UInt64(slow.count { ($0.stages[.inputDelay]?.nanoseconds ?? 0) > 0 })
        analysis.advice = advice(threshold, slow)
        return analysis
    }

    private func limit(_ threshold: TailAnalysis.Threshold, _ totals: [TraceDuration]) -> TraceDuration? {
        switch threshold {
        case .duration(let duration): return duration
        case .percentile(let perMille):
            // Below that it would be the slowest one under another name.
            guard !totals.isEmpty, perMille >= 0, perMille < 1000, totals.count * (1000 - perMille) >= 1000 else {
                return nil
            }
            let sorted = totals.map(\.nanoseconds).sorted()
            let rank = (sorted.count * perMille + 999) / 1000
            return TraceDuration(nanoseconds: sorted[min(max(rank, 1), sorted.count) - 1])
        }
    }

    private func named(_ slow: [TailRow]) -> [TailAnalysis.SlowPress] {
        let sorted = slow.sorted { $0.total != $1.total ? $0.total > $1.total : $0.press < $1.press }
        return sorted.prefix(TailAnalysis.slowLimit).map { row in
            TailAnalysis.SlowPress(
                press: row.press, time: row.time, chord: row.chord, total: row.total,
                slowestStage: row.stages.longest ?? .collect)
        }
    }

    private func means(_ rows: [TailRow]) -> [TraceDuration?] {
        LatencyStage.allCases.map { stage in mean(rows.compactMap { $0.stages[stage] }, of: rows.count) }
    }

    /// `nil` where none has it; those that do not have it count as none, so that means of stages add up.
    private func mean(_ durations: [TraceDuration], of count: Int) -> TraceDuration? {
        guard !durations.isEmpty, count > 0 else { return nil }
        let sum = durations.reduce(TraceDuration.zero, +)
        return TraceDuration(nanoseconds: sum.nanoseconds / Int64(count))
    }

    /// What at least half of the slow share, and what is at least half as frequent again among them as among all.
    private func common(_ slow: [TailRow]) -> [TailAnalysis.Feature] {
        guard slow.count > 1, slow.count < rows.count else { return [] }
        return TailAnalysis.Feature.Kind.allCases.compactMap { kind in
            var counts: [UInt32: UInt64] = [:]
            for row in slow { if let word = row.features[Int(kind.rawValue)] { counts[word, default: 0] += 1 } }
            let most = counts.max { a, b in a.value != b.value ? a.value < b.value : text(a.key) > text(b.key) }
            guard let most, !text(most.key).isEmpty, most.value * 2 >= UInt64(slow.count) else { return nil }
            let all = UInt64(rows.count { $0.features[Int(kind.rawValue)] == most.key })
            let (shareOfSlow, shareOfAll) = (
                Double(most.value) / Double(slow.count), Double(all) / Double(rows.count)
            )
            guard shareOfSlow >= 1.5 * shareOfAll else { return nil }
            var feature = TailAnalysis.Feature(kind: kind, value: text(most.key), slow: most.value, all: all)
            if kind == .costliest {
                let mine = slow.filter { $0.features[Int(kind.rawValue)] == most.key }
                feature.atLeast = mine.compactMap(\.costliestTime).min()
                feature.passes = mine.map(\.costliestCalls).max()
            }
            return feature
        }
    }

    private func text(_ word: UInt32) -> String { Int(word) < texts.count ? texts[Int(word)] : "" }

    private func advice(_ threshold: TailAnalysis.Threshold, _ slow: [TailRow]) -> TailAnalysis.Advice? {
        let place = Int(TailAnalysis.Feature.Kind.costliest.rawValue)
        var savings: [UInt32: Int64] = [:]
        for row in slow {
            if let word = row.features[place] { savings[word, default: 0] += row.savedTime.nanoseconds }
        }
        let best = savings.max { a, b in a.value != b.value ? a.value < b.value : text(a.key) > text(b.key) }
        guard let best, best.value > 0 else { return nil }
        let improved = rows.map { row in
            row.features[place] == best.key
                ? TraceDuration(nanoseconds: max(0, row.total.nanoseconds - row.savedTime.nanoseconds)) : row.total
        }
        let measure: ([TraceDuration]) -> TraceDuration? = { totals in
            if case .percentile = threshold { limit(threshold, totals) } else { totals.max() }
        }
        guard let before = measure(rows.map(\.total)), let after = measure(improved), after < before else { return nil }
        return TailAnalysis.Advice(
            responder: text(best.key), before: before, after: after,
            staleAnswers: UInt64(rows.count { $0.features[place] == best.key && $0.isWrong }))
    }
}

extension StageSplit {
    /// The first of the stages that took the longest; `nil` when there is none.
    public var longest: LatencyStage? {
        var found: (stage: LatencyStage, duration: TraceDuration)?
        for stage in LatencyStage.allCases {
            guard let duration = self[stage] else { continue }
            if let found, found.duration >= duration { continue }
            found = (stage, duration)
        }
        return found?.stage
    }
}
