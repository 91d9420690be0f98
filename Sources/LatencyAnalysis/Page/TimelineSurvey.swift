package import KeyModel
package import TraceFormat
import TracePresses

/// Data of a page about a whole trace, apart from its single presses, in one reading.
///
/// The records are assembled to presses once, for all analyses of presses.
package struct TimelineSurvey: TraceConsumer, Sendable {
    private var statistics = TraceStatisticsBuilder()
    private var tail = TailAnalyzer()
    private var top = TopAnalyzer()
    private var lint = LintScanner()
    private var bindings = BindingsAnalyzer()
    private var assembler = PressAssembler(.decision, .decided)
    /// Presses and repeats in the order in which they were decided.
    package private(set) var ticks: [Timed] = []
    /// Durations of presses over time; repeats are not among them.
    package private(set) var map = LatencyMap()

    /// A press or repeat and how long it took; `nil` where no stage is known.
    package struct Timed: Hashable, Sendable {
        package var at: PressTick
        package var total: TraceDuration?
    }

    package init() {}

    /// More presses than the page can report.
    package var isTooLong: Bool { tail.isTooLong || ticks.count > 4 * TailAnalyzer.limit }

    package mutating func begin(_ entries: [ContextEntry]) {
        statistics.begin(entries)
        top.begin(entries)
        lint.begin(entries)
        assembler = PressAssembler(.decision, .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        let selfTime = statistics.follow(record, definitions)
        if case .call(let call) = record.body {
            top.note(call, selfTime: selfTime)
        } else {
            tail.follow(record)
            top.follow(record)
        }
        lint.follow(record, assembler.context, definitions)
        assembler.consume(record)
        takeClosed(definitions)
    }

    private mutating func takeClosed(_ definitions: TraceDefinitions) {
        while let tick = assembler.next() {
            tail.note(tick, definitions)
            lint.inspect(tick, definitions)
            bindings.note(tick, definitions)
            guard tick.isOfPage, !isTooLong else { continue }
            ticks.append(Timed(at: tick.at, total: tick.stages.total))
            if !tick.isRepeat, let total = tick.stages.total { map.add(tick.time, total) }
        }
    }

    /// The result. Call it once, at the end. A press is slow from `threshold` on; without one, from the highest of
    /// p99, p90 and p50 that so many presses have.
    package mutating func facts(
        above threshold: TailAnalysis.Threshold?, of file: TraceFileFacts, definitions: TraceDefinitions
    ) -> TimelineFacts {
        assembler.finish()
        takeClosed(definitions)
        let threshold = threshold ?? .percentile(perMille: map.presses >= 100 ? 990 : map.presses >= 10 ? 900 : 500)
        let counted = statistics.statistics(of: file)
        return TimelineFacts(
            statistics: counted, tail: tail.analysis(above: threshold, counted.info),
            top: top.analysis(counted.info, calls: statistics.callCounts, definitions),
            findings: lint.findings(definitions: definitions), bindings: bindings.found, map: map, ticks: ticks)
    }
}

/// Result of a `TimelineSurvey`.
package struct TimelineFacts: Sendable {
    package var statistics: TraceStatistics
    package var tail: TailAnalysis
    package var top: TopAnalysis
    package var findings: [Finding]
    package var bindings: BindingsAnalysis
    package var map: LatencyMap
    package var ticks: [TimelineSurvey.Timed]

    package var info: TraceInfo { statistics.info }
}

extension TracePress {
    /// True if the press has a line of its own: in a trace without resolutions, if it has a time.
    var isOfPage: Bool { !resolutions.isEmpty || !stages.isEmpty }
}

/// Numbers of presses by duration and time: a grid whose columns get wider as the recording gets longer, so that its
/// size does not grow.
package struct LatencyMap: Hashable, Sendable {
    package static let columnCount = 160
    /// By row and column; empty rows are left out.
    private var counts: [Int: [UInt32]] = [:]
    /// Nanoseconds per column.
    package private(set) var width: Int64 = 1_000_000
    package private(set) var first: TraceTime?
    package private(set) var presses: UInt64 = 0

    package struct Cell: Hashable, Sendable {
        package var column: Int
        package var row: Int
        package var presses: UInt32
    }

    mutating func add(_ time: TraceTime, _ total: TraceDuration) {
        let start = first ?? time
        first = start
        // Presses are decided nearly in the order of time; one from before the first is counted with the first.
        let since = max(0, time.since(start).nanoseconds)
        while since / width >= Int64(LatencyMap.columnCount), width <= .max / 2 { widen() }
        let column = min(LatencyMap.columnCount - 1, Int(since / width))
        let row = LatencyMap.row(of: total)
        presses += 1
        counts[row, default: Array(repeating: 0, count: LatencyMap.columnCount)][column] &+= 1
    }

    /// Columns twice as wide.
    private mutating func widen() {
        width *= 2
        for row in counts.keys {
            let old = counts[row] ?? []
            var new = Array(repeating: UInt32(0), count: LatencyMap.columnCount)
            for (column, count) in old.enumerated() { new[column / 2] &+= count }
            counts[row] = new
        }
    }

    /// Cells with presses, by row, then by column.
    package var cells: [Cell] {
        counts.keys.sorted().flatMap { row in
            (counts[row] ?? []).enumerated().filter { $0.element > 0 }.map {
                Cell(column: $0.offset, row: row, presses: $0.element)
            }
        }
    }

    /// Ten rows for each decade (the preferred numbers of ISO 3), from 1 ns on; row 0 is below that.
    private static let steps: [Int64] = [100, 125, 160, 200, 250, 315, 400, 500, 630, 800]

    /// The shortest duration in a row.
    package static func lowest(ofRow row: Int) -> TraceDuration {
        guard row > 0 else { return TraceDuration(nanoseconds: 0) }
        return row < bounds.count ? bounds[row] : bound(ofRow: row)
    }

    private static func bound(ofRow row: Int) -> TraceDuration {
        var scale: Int64 = 1
        for _ in 0..<min(18, (row - 1) / 10) { scale = scale.multipliedReportingOverflow(by: 10).partialValue }
        let (product, overflow) = steps[(row - 1) % 10].multipliedReportingOverflow(by: scale)
        return TraceDuration(nanoseconds: overflow ? .max : (product + 99) / 100)
    }

    /// 2^63 ns are not quite 19 decades.
    private static let rowCount = 181
    private static let bounds =
        [TraceDuration(nanoseconds: 0)] + (1..<rowCount).map { bound(ofRow: $0) }

    /// The last row whose shortest duration is not longer.
    static func row(of duration: TraceDuration) -> Int {
        let bounds = bounds
        return bounds.indices.partitionPoint { bounds[$0] <= duration } - 1
    }
}
