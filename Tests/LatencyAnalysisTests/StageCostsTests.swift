import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

@Suite struct StageCostsTests {
    private func recording() -> Recording {
        var builder = RecordingBuilder()
        for number in 1...3 as ClosedRange<UInt64> {
            let at = builder.down(.keyboard(0x16), .command)
            func add(_ stage: LatencyStage, _ cost: (inout CostRecord) -> Void = { _ in }) {
                builder.add(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: 9))))
                var record = CostRecord(at: at, stage: stage, allocations: 10 * number, bytes: 1000)
                cost(&record)
                if number < 3 { builder.add(.cost(record)) }
            }
            add(.collect)
            add(.action)
            builder.add(.resolution(ResolutionRecord(at: at, outcome: .performed, takenBy: .mainMenu, state: nil)))
            // After a modal loop, and after the resolution.
            add(.action) { ($0.read, $0.written, $0.faults) = (4096, 0, 1) }
            add(.settle) { $0.read = .init(Int64.max) }
            builder.up(.keyboard(0x16), .command, of: at)
        }
        return builder.recording
    }

    private func explained(_ press: UInt32) throws -> ExplainReport {
        let found = try #require(PressExplanationTests.explanation(.press(press), in: recording()))
        return ExplainReport(found, info: TraceInfoBuilder().info(), name: "t")
    }

    @Test func `explain has the counts of each stage, and those that were made alone`() throws {
        let report = try explained(2)
        let text = report.body(.plain)
        #expect(text.contains("counted exactly"), "\(text)")
        #expect(text.contains("collect           20  1.0 KB"), "\(text)")
        #expect(text.contains("action            40  2.0 KB"), "\(text)")
        #expect(text.contains("wrote 0 B, 1 minor page fault\n"), "\(text)")
        #expect(report.json.contains(#""costs":{"stages":[{"stage":"collect","allocations":20,"bytes":1000},"#))
        #expect(report.json.contains(#""read":9223372036854779903,"written":0,"faults":1,"switches":null}"#))
        let without = try explained(3)
        #expect(!without.body(.plain).contains("counted exactly") && !without.json.contains(#""costs""#))
    }

    @Test func `stats has the presses that were counted`() {
        var builder = TraceStatisticsBuilder()
        builder.consume(recording())
        let report = StatsReport(builder.statistics(), name: "t")
        #expect(report.statistics.allocations.map(\.stage) == [.collect, .action, .settle])
        let action = #"{"stage":"action","n":2,"p50":20,"p90":null,"max":40,"sum":60,"bytes":4000}"#
        #expect(report.json.contains(action), "\(report.json)")
        #expect(report.body(.plain).contains("Allocations of presses and repeats"))
    }
}
