import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

@Suite struct BlockTests {
    private static let header = TraceHeader(level: .calls, isMasked: false)

    /// A recording long enough for several canonical blocks.
    static func long() -> Recording { RecordingGenerator.recording(seed: 90, records: 14_000) }

    @Test func `the same records give the same bytes, however they were recorded`() throws {
        let recording = Self.long()
        let direct = try recording.bytes(header: Self.header)
        var live = Self.header
        live.form = .live
        let (fromLive, report) = try Recording.read(recording.bytes(header: live))
        #expect(report.complete)
        #expect(report.header?.form == .live)
        #expect(try fromLive.bytes(header: Self.header) == direct)
        #expect(try assembled(Array(textFormat(of: direct).utf8)) == direct)
    }

    @Test func `canonical blocks are closed by size and begin with a context that explains them alone`() throws {
        let recording = Self.long()
        let bytes = try recording.bytes(header: Self.header)
        let offsets = bytes.indices.filter { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42]) }
        #expect(offsets.count >= 4)
        let whole = try DamageTests.lines(bytes).lines
        var followed = TraceContext()
        var position = 0
        for (block, offset) in offsets.dropLast().enumerated() {
            let alone = Array(bytes[..<28]) + Array(bytes[offset..<offsets[block + 1]])
            var reader = try TraceReader(alone)
            let context = reader.initialContext
            #expect(described(context, reader.definitions) == described(followed.entries, recording.definitions))
            var lines: [String] = []
            while let record = reader.next() {
                var writer = TraceTextWriter()
                writer.append(record, definitions: reader.definitions)
                lines.append(writer.text)
            }
            #expect(lines == Array(whole[position..<position + lines.count]), "block \(block)")
            for record in recording.records[position..<position + lines.count] { followed.apply(record.body) }
            position += lines.count
        }
        #expect(position == whole.count)
    }

    private func described(_ entries: [ContextEntry], _ definitions: TraceDefinitions) -> String {
        var writer = TraceTextWriter()
        writer.begin(Self.header, context: entries, definitions: definitions)
        return writer.text
    }

    @Test func `a live block holds no more than 100 ms`() throws {
        var recording = Recording()
        for index in 0..<100 as Range<Int64> {
            recording.append(.mark(MarkRecord(name: "m")), at: TraceTime(nanoseconds: index * 30_000_000))
        }
        var live = Self.header
        live.form = .live
        let bytes = try recording.bytes(header: live)
        let blocks = bytes.indices.filter { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42, 1]) }
        #expect(blocks.count == 25)
    }

    @Test func `unknown kinds are skipped by their length, counted, and kept`() throws {
        var recording = Recording()
        recording.append(.mark(MarkRecord(name: "before")), at: .zero)
        recording.append(.unknown(UnknownRecord(kind: 63, payload: [1, 2, 3])), at: .zero)
        recording.append(.unknown(UnknownRecord(kind: 127, payload: [])), at: TraceTime(nanoseconds: 4))
        recording.append(.mark(MarkRecord(name: "after")), at: TraceTime(nanoseconds: 5))
        let bytes = try recording.bytes(header: Self.header)
        let (back, report) = try Recording.read(bytes)
        #expect(report.unknownRecords == 2)
        #expect(report.complete)
        #expect(back.records == recording.records)
        #expect(TraceLimits.privateKinds.contains(127))
    }

    @Test func `a known kind cannot be written as an unknown one`() throws {
        var writer = try TraceWriter(header: Self.header) { _ in }
        let record = TraceRecord.Body.unknown(UnknownRecord(kind: RecordKind.mark.rawValue, payload: [0]))
        #expect(throws: TraceError.self) { try writer.append(record, at: .zero, definitions: TraceDefinitions()) }
    }

    @Test func `a sink that fails stops the writer, and what it took stays readable`() throws {
        struct DiskFull: Error {}
        let recording = Self.long()
        let output = ByteCollector()
        var writer = try TraceWriter(header: Self.header) { bytes in
            let room = 150_000 - output.bytes.count
            output.bytes.append(contentsOf: bytes.prefix(room))
            if room < bytes.count { throw DiskFull() }
        }
        #expect(throws: DiskFull.self) {
            for record in recording.records {
                try writer.append(record.body, at: record.time, definitions: recording.definitions)
            }
        }
        #expect(throws: TraceError.self) { try writer.finish() }
        let (back, report) = try Recording.read(output.bytes)
        #expect(report.damaged?.reason == ReadingReport.noEndMarker)
        #expect(back.records.count > 1000)
    }

    @Test func `texts that differ only in their normal form stay apart`() {
        var definitions = TraceDefinitions()
        let one = definitions.intern("\u{E9}")
        let two = definitions.intern("e\u{301}")
        #expect(one != two)
        #expect(definitions[two].map { Array($0.utf8) } == [0x65, 0xCC, 0x81])
        let copy = definitions
        let three = definitions.intern("three")
        #expect(copy[three] == nil)
        #expect(definitions[three] == "three")
    }
}
