import KeyModel
import Testing
import TraceFormat

/// The last part of a recording: in memory, and in files that continue each other.
@Suite struct TraceBlockTests {
    private func key(_ phase: KeyPhase, _ press: UInt32) -> KeyRecord {
        KeyRecord(device: 1, key: .clear(.escape), phase: phase, modifiers: [], press: press)
    }

    /// A first responder, then so many blocks of two key events each, a microsecond apart.
    private func ring(_ count: Int, within bounds: RecordingBounds = RecordingBounds()) throws -> MemoryRing {
        var definitions = TraceDefinitions()
        let editor = definitions.intern(ResponderDefinition(id: "editor", kind: "Editor"))
        let ring = try MemoryRing(bounds, header: TraceHeader(level: .keys, isMasked: true), durations: .exact)
        try ring.append(
            .firstResponder(FirstResponderRecord(responder: editor, cause: .start)), at: .zero,
            definitions: definitions)
        for place in 0..<count {
            let time = TraceTime(rawValue: Int64(place) * 1_000)
            try ring.append(key(.down, UInt32(place + 1)), at: time, definitions: definitions)
            try ring.append(key(.up, UInt32(place + 1)), at: time, definitions: definitions)
            try ring.finish()
            try ring.finish()
        }
        return ring
    }

    private func sequences(_ reader: TraceReader) -> (numbers: [UInt64], report: ReadingReport) {
        var (reader, numbers) = (reader, [UInt64]())
        while let record = reader.next() { numbers.append(record.sequence) }
        return (numbers, reader.report)
    }

    @Test func blocksPutTogetherAreATraceThatHasNotEnded() throws {
        let (numbers, report) = sequences(try ring(3).reader())
        #expect(numbers == Array(0..<7))
        #expect(report.damages.map(\.reason) == [ReadingReport.noEndMarker])
        #expect(report.blocks == 3)
    }

    @Test func withoutTheOldestEverythingIsStillKnown() throws {
        let reader = try ring(3, within: .length(TraceDuration(nanoseconds: 999))).reader()
        #expect(reader.report.header?.firstSequence == 5)
        #expect(reader.initialContext.contains { entry in
            if case .record(.firstResponder(let record)) = entry {
                return record.responder.flatMap { reader.definitions[$0] }?.id == "editor"
            }
            return false
        })
        #expect(sequences(reader).numbers == [5, 6])
    }

    @Test func ofABlockItsLastRecordIsTooOld() throws {
        let whole = try ring(3, within: .length(TraceDuration(nanoseconds: 1_000))).reader()
        #expect(sequences(whole).numbers == [3, 4, 5, 6])
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
