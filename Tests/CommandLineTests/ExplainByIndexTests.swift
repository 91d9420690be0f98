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
    static func inSmallBlocks(_ bytes: [UInt8], records: Int, form: TraceForm = .canonical) throws -> [UInt8] {
        let recording = try Recording.read(bytes).recording
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(form: form, level: .calls, isMasked: false)) {
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

    /// Blocks of a live trace have no whole context, and those of a repaired one are other blocks.
    static func expectSame(_ live: [UInt8], presses: ClosedRange<Int>, chords: [Int: String]) {
        let repaired = CommandRun(["repair", "-", "--show-keys", "-o", "-"], stdin: live).output
        for press in presses {
            let ofLive = CommandRun(["explain", "-", "--press", "\(press)"], stdin: live).lines.dropFirst()
            let ofRepaired = CommandRun(["explain", "-", "--press", "\(press)"], stdin: repaired).lines.dropFirst()
            let changed = ofRepaired.difference(from: ofLive)
            #expect(ofLive.count > 3 && changed.isEmpty, "press \(press): \(changed)")
            guard let chord = chords[press] else { continue }
            let byChord = CommandRun(["explain", "-", chord], stdin: live).lines.dropFirst()
            // How it was found is said behind its key.
            let found = byChord.map { line in
                String(line[..<(line.firstRange(of: " · \(chord) matched")?.lowerBound ?? line.endIndex)])
            }
            #expect(found == Array(ofLive), "\(chord)")
        }
    }

    @Test(arguments: [("calls-live", 8), ("calls-live-killed", 3)])
    func aLiveTraceIsExplainedAsItsRepairedForm(_ name: String, _ presses: Int) {
        let live = Files.bytes(Files.path("Traces/compatibility/v1/\(name).keyflight"))
        Self.expectSame(live, presses: 1...presses, chords: presses > 6 ? [3: "cmd+g", 6: "cmd+z"] : [3: "cmd+g"])
    }

    @Test func aLiveTraceOfManyBlocksIsExplainedAsItsRepairedForm() throws {
        let live = try Self.inSmallBlocks(Self.trace(), records: 50, form: .live)
        Self.expectSame(live, presses: 1...12, chords: [:])
    }

    @Test(arguments: [
        (["cmd+q"], "cmd+q was not pressed; recorded: ⌘W ⌘T"),
        (["--press", "9"], "there is no press 9; the last one is 3"),
    ])
    func whatWasPressedIsNamedInsteadOfAPressThatIsNotThere(_ chosen: [String], _ message: String) {
        let script = Array("keys 1\npress cmd+w\npress cmd+t\npress cmd+w\n".utf8)
        let run = CommandRun(["explain", "-", "--scene", ShowTests.scene] + chosen, stdin: script)
        #expect(run.status == 3 && run.notes.contains(message), "\(run.notes)")
    }
}
