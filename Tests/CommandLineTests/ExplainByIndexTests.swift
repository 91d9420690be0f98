import LatencyAnalysis
import Testing

@testable import TraceFormat
@testable import keyflight

/// `explain --press` reads a trace around the press alone, and says what reading all of it would say.
@Suite struct ExplainByIndexTests {
    /// A trace of level `calls` with many blocks.
    static func trace() -> [UInt8] {
        let script = (0..<40).map { "press cmd+w\nwait 50ms\ntype abc\nhold \($0 % 3 == 0 ? "right" : "down") 700ms\n" }
        return CommandRun(
            ["replay", "-", "--scene", ShowTests.scene, "--show-keys", "-o", "-"], stdin: Array(script.joined().utf8)
        ).output
    }

    /// The same records in blocks of a few.
    static func inSmallBlocks(_ bytes: [UInt8], records: Int) throws -> [UInt8] {
        let recording = try Recording.read(bytes).recording
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false)) {
            output.bytes.append(contentsOf: $0)
        }
        for record in recording.records {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
            if Int(record.sequence) % records == records - 1 { try writer.closeBlock() }
        }
        try writer.finish()
        return output.bytes
    }

    static func explained(_ press: UInt32, _ bytes: [UInt8]) throws -> PressExplanation? {
        var reader = try TraceReader(bytes)
        var explainer = PressExplainer(.press(press))
        while let record = reader.next() { explainer.consume(record, definitions: reader.definitions) }
        return explainer.explanation(definitions: reader.definitions)
    }

    @Test(arguments: [50, 400, 100_000])
    func aPressIsExplainedAsByReadingAll(_ records: Int) throws {
        let bytes = try Self.inSmallBlocks(Self.trace(), records: records)
        let index = try #require(TraceIndex(stored: TraceBytes(bytes)))
        // Each round of the script has five.
        for press in stride(from: 1, through: 200, by: 13) as StrideThrough<UInt32> {
            let all = try #require(try Self.explained(press, bytes))
            var found = try #require(PressExplainer.reading(press, by: index, of: TraceReader(bytes)))
            let explanation = found.explainer.explanation(definitions: found.definitions)
            var alone = try #require(explanation)
            // What is as it is since long ago has no date.
            for rung in alone.ladder.indices where alone.ladder[rung].since == nil {
                alone.ladder[rung].since = all.ladder[rung].since
            }
            alone.context.firstResponderSince = alone.context.firstResponderSince ?? all.context.firstResponderSince
            alone.context.keyWindowSince = alone.context.keyWindowSince ?? all.context.keyWindowSince
            #expect(alone == all, "press \(press)")
        }
    }

    @Test func aPressThatIsNotThereIsNotFound() throws {
        let bytes = Self.trace()
        let run = CommandRun(["explain", "-", "--press", "4000000"], stdin: bytes)
        #expect(run.status == 3)
        let index = try #require(TraceIndex(stored: TraceBytes(bytes)))
        #expect(try PressExplainer.reading(0, by: index, of: TraceReader(bytes)) == nil)
    }

    @Test func theReportIsTheSameWhetherTheTraceHasAnIndexOrNot() throws {
        let bytes = Self.trace()
        let cut = Array(bytes.dropLast(16))
        for press in ["1", "7", "60"] {
            let indexed = CommandRun(["explain", "-", "--press", press], stdin: bytes)
            let walked = CommandRun(["explain", "-", "--press", press], stdin: cut)
            #expect(indexed.status == 0)
            #expect(walked.status == 2, "without its end marker it is incomplete")
            #expect(indexed.lines.dropFirst() == walked.lines.dropFirst(), "press \(press)")
        }
    }
}
