import KeyModel
import Testing
import TraceFormat

/// Blocks apart from files: what a ring keeps.
@Suite struct TraceBlockTests {
    private func key(_ phase: KeyPhase, _ press: UInt32) -> KeyRecord {
        KeyRecord(device: 1, key: .clear(.escape), phase: phase, modifiers: [], press: press)
    }

    /// A first responder, then so many blocks of two key events each.
    private func blocks(_ count: Int) throws -> (header: TraceHeader, blocks: [TraceBlock]) {
        var definitions = TraceDefinitions()
        let editor = definitions.intern(ResponderDefinition(id: "editor", kind: "Editor"))
        let header = TraceHeader(level: .keys, isMasked: true)
        var writer = try TraceBlockWriter(header: header)
        var blocks: [TraceBlock] = []
        try writer.append(
            .firstResponder(FirstResponderRecord(responder: editor, cause: .start)), at: .zero,
            definitions: definitions)
        for place in 0..<count {
            let time = TraceTime(rawValue: Int64(place) * 1_000)
            try writer.append(key(.down, UInt32(place + 1)), at: time, definitions: definitions)
            try writer.append(key(.up, UInt32(place + 1)), at: time, definitions: definitions)
            #expect(!writer.hasBlocks)
            try writer.closeBlock()
            try writer.closeBlock()
            #expect(writer.hasBlocks)
            blocks += writer.takeBlocks()
        }
        return (header, blocks)
    }

    @Test func aBlockKnowsItsRecords() throws {
        let (_, blocks) = try blocks(3)
        #expect(blocks.map(\.firstSequence) == [0, 3, 5])
        #expect(blocks.map(\.firstTime.rawValue) == [0, 1_000, 2_000])
        #expect(blocks.map(\.lastTime.rawValue) == [0, 1_000, 2_000])
    }

    @Test func blocksPutTogetherAreATraceThatHasNotEnded() throws {
        let (header, blocks) = try blocks(3)
        let (recording, report) = try Recording.read(TraceBlocks.trace(header, blocks))
        #expect(recording.records.map(\.sequence) == Array(0..<7))
        #expect(report.damages.map(\.reason) == [ReadingReport.noEndMarker])
    }

    @Test func withoutTheOldestEverythingIsStillKnown() throws {
        let (header, blocks) = try blocks(3)
        let bytes = TraceBlocks.trace(header, blocks.dropFirst(2))
        let reader = try TraceReader(bytes)
        #expect(reader.report.header?.firstSequence == 5)
        #expect(reader.initialContext.contains { entry in
            if case .record(.firstResponder(let record)) = entry {
                return record.responder.flatMap { reader.definitions[$0] }?.id == "editor"
            }
            return false
        })
        #expect(try Recording.read(bytes).recording.records.map(\.sequence) == [5, 6])
    }

    @Test func filesOfOneRecordingAreJoined() throws {
        var files: [TraceBytes] = []
        var context = TraceContext()
        let definitions = TraceDefinitions()
        for place in 0..<3 {
            let header = TraceHeader(form: .live, level: .keys, isMasked: true, firstSequence: UInt64(2 * place))
            var bytes: [UInt8] = []
            var writer = try TraceWriter(header: header, context: context) { bytes.append(contentsOf: $0) }
            for phase in [KeyPhase.down, .up] {
                let time = TraceTime(rawValue: Int64(place))
                try writer.append(key(phase, UInt32(place + 1)), at: time, definitions: definitions)
            }
            if place < 2 { try writer.finish() } else { try writer.flush() }
            context = writer.context
            files.append(TraceBytes(bytes))
        }
        let (recording, report) = try Recording.read(try TraceBlocks.joined(files))
        #expect(recording.records.map(\.sequence) == Array(0..<6))
        #expect(report.damages.map(\.reason) == [ReadingReport.noEndMarker])
    }
}
