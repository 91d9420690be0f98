import KeyModel
import LatencyAnalysis
import TraceFormat

/// A trace of calls, read from its bytes → stage percentiles, call counts and cache effectiveness.
enum AnalysisWorkload {
    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let counted = try RecordedFlight(presses: 250)
        let timed = try RecordedFlight(presses: isQuick ? 250 : 1_000)
        let bytes = TraceBytes(try timed.bytes())
        let facts = try statistics(TraceBytes(try counted.bytes()))
        let collect = facts.stages[.collect]
        return [
            BenchCase(
                workload: .analysis, name: "analysis calls", unit: "press", unitsPerRun: timed.presses,
                counters: [
                    ExactCounter("presses", facts.presses),
                    ExactCounter("keyCommands calls", facts.calls?[.keyCommands].total ?? 0, per: facts.presses),
                    ExactCounter("collect p50 ns", collect?.p50?.nanoseconds ?? 0),
                    ExactCounter("collect sum ns", collect?.sum.nanoseconds ?? 0),
                ],
                run: {
                    let facts = try statistics(bytes)
                    try BenchFailure.check(
                        facts.presses == UInt64(timed.presses), "\(facts.presses) of \(timed.presses) presses")
                }),
            // The baseline of the row before: the same records, decoded and looked at no further.
            BenchCase(
                workload: .analysis, name: "decode the same", unit: "press", unitsPerRun: timed.presses, counters: [],
                run: { _ = try decode(bytes) }),
            try byIndex(bytes, presses: timed.presses),
        ]
    }

    /// The number of records.
    static func decode(_ bytes: TraceBytes) throws -> Int {
        var reader = try TraceReader(bytes)
        var count = RecordCount()
        reader.feed(&count)
        try BenchFailure.check(reader.report.complete && count.records > 0, "\(count.records) records")
        return count.records
    }

    /// One press looked for by the index, as `explain --press` does; the facts that `info` prints are read with it.
    private static func byIndex(_ bytes: TraceBytes, presses: Int) throws -> BenchCase {
        let press = UInt32(presses / 2)
        return BenchCase(
            workload: .analysis, name: "explain by the index", unit: "press", unitsPerRun: 1, counters: [],
            run: {
                let reader = try TraceReader(bytes)
                guard let index = TraceIndex(stored: reader.bytes),
                    var found = PressExplainer.reading(press, by: index, of: reader)
                else { throw BenchFailure("press \(press): expected in the index, found nothing") }
                let explanation = found.explainer.explanation(definitions: found.definitions)
                try BenchFailure.check(explanation?.press == press, "another press")
            })
    }

    private static func statistics(_ bytes: TraceBytes) throws -> TraceStatistics {
        var reader = try TraceReader(bytes)
        var builder = TraceStatisticsBuilder()
        reader.feed(&builder)
        return builder.statistics()
    }
}

/// Counts records and looks at none.
private struct RecordCount: TraceConsumer {
    var records = 0
    mutating func consume(_ record: TraceRecord, definitions _: TraceDefinitions) { records += 1 }
}
