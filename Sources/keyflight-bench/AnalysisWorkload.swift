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
                })
        ]
    }

    private static func statistics(_ bytes: TraceBytes) throws -> TraceStatistics {
        var reader = try TraceReader(bytes)
        var builder = TraceStatisticsBuilder()
        while let record = reader.next() { builder.consume(record, definitions: reader.definitions) }
        return builder.statistics()
    }
}
