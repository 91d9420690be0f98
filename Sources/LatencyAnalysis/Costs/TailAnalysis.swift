package import KeyModel
package import TraceFormat
import TracePresses

/// The slow presses: where their own time went, against that of all the others, and what they have in common.
///
/// The p99 of each stage would be another press in each line; these are the stages of the same presses.
package struct TailAnalysis: Hashable, Sendable {
    /// From where on a press is slow.
    package enum Threshold: Hashable, Sendable {
        /// In thousandths: 990 is p99.
        case percentile(perMille: Int)
        case duration(TraceDuration)
    }

    package var info: TraceInfo
    package var threshold: Threshold
    /// The limit that came of it; `nil` where no press has a time, or too few have one for the percentile.
    package var limit: TraceDuration?
    /// Presses with a total; repeats are not among them.
    package var presses: UInt64
    /// Time of all of them; `nil` where none has a total.
    package var total: TraceDuration?
    /// Presses that took the limit or longer, the slowest first.
    package var slow: [SlowPress]
    package var slowCount: UInt64
    /// By `LatencyStage.rawValue`: the mean over the slow and over the others; `nil` for a stage that none of them has.
    package var slowMean: [TraceDuration?]
    package var otherMean: [TraceDuration?]
    /// Stages that are, at some press, the time of the calls that belong there, since no record gives them.
    package var derived: Set<LatencyStage> = []
    /// Mean time before the app was reached, and after.
    package var slowQueueing: TraceDuration?
    package var slowService: TraceDuration?
    /// Slow presses that waited for an earlier one.
    package var slowWaiting: UInt64
    package var common: [Feature]
    package var advice: Advice?

    /// Fewer presses give no advice.
    static let fewestForAdvice = 10

    /// Most slow presses that are named.
    package static let slowLimit = 10

    package struct SlowPress: Hashable, Sendable {
        package var press: UInt32
        package var time: TraceTime
        package var chord: PressChord
        package var total: TraceDuration
        package var slowestStage: LatencyStage
    }

    /// Something that many slow presses share and few others do.
    package struct Feature: Hashable, Sendable {
        package enum Kind: UInt8, CaseIterable, Hashable, Sendable {
            case firstResponder, keyWindow, chord, outcome, target, costliest
            /// What most samples of the stack were in, of the app's own code where they were there.
            case function
        }
        package var kind: Kind
        package var value: String
        package var slow: UInt64
        package var all: UInt64
        /// The shortest time of `costliest`'s `keyCommands` in a slow press, and the number of calls.
        package var atLeast: TraceDuration?
        package var passes: UInt64?
    }

    /// Keeping the list of the costliest responder.
    package struct Advice: Hashable, Sendable {
        package var responder: String
        /// The percentile, or the longest total, before and after the change.
        package var before: TraceDuration
        package var after: TraceDuration
        package var staleAnswers: UInt64
    }
}

/// Collects a `TailAnalysis`. Memory grows with the number of presses that have a time: about 130 bytes for each, of at
/// most `limit`.
package struct TailAnalyzer: TraceConsumer, Sendable {
    package static let limit = 1 << 20
    /// More presses than `most`: only the first ones are reported.
    package var isTooLong: Bool { presses.rows.count > most }
    private let most: Int
    private var facts = TraceInfoBuilder()
    private var assembler = PressAssembler([.decision, .samples], .decided)
    private var kept = KeptLists()
    private var costs = CallCosts()
    private var presses = TailRows()
    private var filter: PressFilter?

    /// `limit`: presses with a time that it takes.
    package init(where filter: PressFilter? = nil, limit: Int = TailAnalyzer.limit) {
        self.filter = filter
        most = limit
    }

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        assembler = PressAssembler([.decision, .samples], .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        follow(record)
        assembler.consume(record)
        while let tick = assembler.next() { note(tick, definitions) }
    }

    /// A record before the presses that it ends are noted.
    mutating func follow(_ record: TraceRecord) {
        if case .invalidation(let invalidation) = record.body { kept.invalidate(invalidation) }
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions) {
        costs.removeAll()
        for call in tick.calls where call.kind == .keyCommands {
            let own = costs.add(call)
            var isWrong: Bool?
            if case .commands(let list) = call.answer { isWrong = kept.serve(call.responder, list) }
            costs.note(call, own, isWrong: isWrong)
        }
        guard !isTooLong, !tick.isRepeat, tick.isPressOrRepeat, let total = tick.stages.total else { return }
        if let filter, !filter.matches(tick, names) { return }
        var row = TailRow(press: tick.at.press, time: tick.time, total: total)
        let costliest = costs.costliest
        if let costliest {
            row.costliestTime = costliest.time
            row.costliestCalls = UInt32(clamping: costliest.calls)
            row.savedTime = costliest.saved
            row.isWrong = costliest.isWrong
        }
        presses.append(row, tick, costliest: costliest?.responder, names)
    }

    package mutating func analysis(
        above threshold: TailAnalysis.Threshold, of file: TraceFileFacts = TraceFileFacts(),
        definitions: TraceDefinitions
    ) -> TailAnalysis {
        assembler.finish()
        while let tick = assembler.next() { note(tick, definitions) }
        return analysis(above: threshold, facts.info(of: file))
    }

    /// Analysis for a caller that has the facts of the trace and assembles its presses itself.
    func analysis(above threshold: TailAnalysis.Threshold, _ info: TraceInfo) -> TailAnalysis {
        TailSummary(presses: presses).analysis(above: threshold, info: info)
    }
}

/// The `keyCommands` of one press, by responder.
struct CallCosts: Sendable {
    struct Cost: Sendable {
        var responder: ResponderRef
        var time: TraceDuration
        var calls: UInt64
        var saved = TraceDuration(nanoseconds: 0)
        var isWrong = false
    }
    private var costs: [Cost] = []
    private var accumulator = NestedTimes()
    /// Index of the responder that was asked last.
    private var last = 0

    mutating func removeAll() {
        costs.removeAll(keepingCapacity: true)
        accumulator = NestedTimes()
        last = 0
    }

    mutating func add(_ call: CallRecord) -> TraceDuration? { accumulator.selfTime(of: call) }

    /// `isWrong`: a kept answer would have been wrong; `nil` where none was kept.
    mutating func note(_ call: CallRecord, _ own: TraceDuration?, isWrong: Bool?) {
        guard let own else { return }
        let at = place(of: call.responder)
        last = at
        costs[at].time = costs[at].time + own
        costs[at].calls += 1
        guard let isWrong else { return }
        costs[at].saved = costs[at].saved + own
        if isWrong { costs[at].isWrong = true }
    }

    private mutating func place(of responder: ResponderRef) -> Int {
        // Every pass asks them in the same order.
        let next = last + 1 < costs.count ? last + 1 : 0
        if next < costs.count, costs[next].responder == responder { return next }
        if let known = costs.firstIndex(where: { $0.responder == responder }) { return known }
        costs.append(Cost(responder: responder, time: TraceDuration(nanoseconds: 0), calls: 0))
        return costs.count - 1
    }

    /// The first of those that cost the most.
    var costliest: Cost? {
        var found: Cost?
        for cost in costs where cost.time.nanoseconds > found?.time.nanoseconds ?? 0 { found = cost }
        return found
    }
}
