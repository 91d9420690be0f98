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

/// Collects a `TailAnalysis`. Memory grows with the number of presses: about two hundred bytes for each
/// while they are read.
public struct TailAnalyzer: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var assembler = TickAssembler()
    private var caches = CacheSimulation()
    private var presses = TailRows()
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
        func word(_ text: String) -> UInt32 { presses.word(text) }
        var row = TailRow(press: tick.at.press, time: tick.time, total: total)
        row.features[0] = word(names.id(of: tick.start) ?? "nobody")
        let window = tick.resolution?.keyWindow ?? tick.context.keyWindow?.window
        row.features[1] = word(names.id(of: window) ?? "")
        row.features[2] = word(chord.text ?? "")
        row.features[3] = word(tick.resolution?.outcome.name ?? "")
        row.features[4] = word(tick.resolution.map { $0.target == nil ? "" : names.deed($0) } ?? "")
        if let costliest = costs.costliest {
            row.features[5] = word(names.name(costliest.responder))
            row.costliestTime = costliest.time
            row.costliestCalls = UInt32(clamping: costliest.calls)
            row.savedTime = costliest.saved
            row.isWrong = costliest.isWrong
        }
        presses.append(row, chord, tick.stages)
    }

    public mutating func analysis(
        above threshold: TailAnalysis.Threshold, of file: TraceFileFacts = TraceFileFacts(),
        definitions: TraceDefinitions
    ) -> TailAnalysis {
        assembler.finish()
        takeClosed(definitions)
        return TailSummary(presses: presses).analysis(above: threshold, info: facts.info(of: file))
    }
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

