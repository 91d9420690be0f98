import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

/// Some stages against all the others.
@Suite struct StageRangeTests {
    @Test(arguments: [
        ("hid..app", [LatencyStage.hid, .transport, .inputDelay]),
        ("app..settle", [.presses, .chordWait, .collect, .match, .validate, .action, .settle]),
        ("collect", [.collect]), ("collect..validate", [.collect, .match, .validate]),
    ])
    func spansAreNamed(_ text: String, _ stages: [LatencyStage]) throws {
        #expect(try #require(StageRange(text)).stages == stages)
    }

    @Test(arguments: ["", "..", "hid..", "..app", "action..hid", "nothing", "hid.app.match", "app..app"])
    func otherWordsAreNone(_ text: String) { #expect(StageRange(text) == nil) }

    private static func survey(_ splits: [[LatencyStage: Int64]], _ span: String) throws -> StageSpanStatistics {
        var recording = Recording()
        recording.append(.level(LevelRecord(level: .stages)), at: .zero)
        for (index, split) in splits.enumerated() {
            let press = UInt32(index + 1)
            let time = TraceTime(rawValue: Int64(index) * 1_000_000_000)
            let key = KeyRecord(device: 1, key: .clear(.escape), phase: .down, modifiers: [], press: press)
            recording.append(.key(key), at: time)
            let at = PressTick(press: press, tick: 0)
            for stage in LatencyStage.allCases {
                guard let duration = split[stage] else { continue }
                let took = TraceDuration(nanoseconds: duration)
                recording.append(.stage(StageRecord(at: at, stage: stage, duration: took)), at: time)
            }
        }
        var survey = PressSurvey(span: StageRange(span))
        survey.consume(recording)
        survey.finish(definitions: recording.definitions)
        let found = survey.spanStatistics()
        return try #require(found)
    }

    @Test("The sums of both sides are those of the presses, and only presses with both are compared")
    func sidesAddUp() throws {
        let found = try Self.survey(
            [[.transport: 3_000, .inputDelay: 1_000, .action: 6_000], [.transport: 5_000], [.action: 2_000]],
            "hid..app")
        #expect(found.presses == 3)
        #expect(found.inside?.sum.nanoseconds == 9_000)
        #expect(found.rest?.sum.nanoseconds == 8_000)
        #expect(found.stages.total?.sum.nanoseconds == 17_000)
        #expect(found.compared.presses == 1)
        #expect(found.compared.inside.nanoseconds == 4_000)
        #expect(found.compared.rest.nanoseconds == 6_000)
    }

    @Test func aSpanThatNobodyRecordedIsAbsent() throws {
        let found = try Self.survey([[.action: 2_000]], "hid..app")
        #expect(found.inside == nil)
        #expect(found.compared.presses == 0)
    }
}
