import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

@Suite struct DamageTests {
    /// A trace of several small blocks, so that damage to one leaves others.
    static func sample(_ form: TraceForm, blocks: Int = 4, records: Int = 8) throws -> (bytes: [UInt8], Recording) {
        let recording = RecordingGenerator.recording(seed: 11, records: blocks * records)
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(form: form, level: .calls, isMasked: false)) {
            output.bytes.append(contentsOf: $0)
        }
        for record in recording.records {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
            if record.sequence % UInt64(records) == UInt64(records) - 1 { try writer.closeBlock() }
        }
        try writer.finish()
        return (output.bytes, recording)
    }

    /// Records told apart by their text line.
    static func lines(_ bytes: [UInt8]) throws -> (lines: [String], report: ReadingReport) {
        try lines(TraceBytes(bytes))
    }

    /// The same, of memory and of a file: both must say the same.
    static func lines(_ bytes: [UInt8], in file: TraceInFile) throws -> (lines: [String], report: ReadingReport) {
        let found = try lines(bytes)
        let read = try lines(file.open(bytes))
        #expect(read.lines == found.lines)
        #expect(read.report == found.report)
        return found
    }

    static func lines(_ bytes: TraceBytes) throws -> (lines: [String], report: ReadingReport) {
        var reader = try TraceReader(bytes)
        var lines: [String] = []
        while let record = reader.next() {
            var writer = TraceTextWriter()
            writer.append(record, definitions: reader.definitions)
            lines.append(writer.text)
        }
        return (lines, reader.report)
    }

    @Test(arguments: TraceForm.allCases)
    func `every prefix delivers the whole blocks in it and says no end marker`(form: TraceForm) throws {
        let (bytes, _) = try Self.sample(form)
        let whole = try Self.lines(bytes)
        #expect(whole.report.complete)
        let file = TraceInFile()
        var delivered = 0
        for length in 1..<bytes.count {
            let (lines, report) = try Self.lines(Array(bytes[..<length]), in: file)
            #expect(!report.complete, "prefix \(length)")
            #expect(report.damaged?.reason == ReadingReport.noEndMarker, "prefix \(length): \(report.damages)")
            #expect((report.damaged?.offset ?? .max) <= UInt64(length))
            #expect(lines == Array(whole.lines.prefix(lines.count)), "prefix \(length)")
            #expect(lines.count >= delivered)
            delivered = lines.count
        }
        #expect(delivered == whole.lines.count)
    }

    @Test(arguments: TraceForm.allCases)
    func `every changed byte loses at most its block, is never called complete and names its offset`(
        form: TraceForm
    ) throws {
        let (bytes, _) = try Self.sample(form)
        let whole = try Self.lines(bytes)
        let file = TraceInFile()
        for index in bytes.indices {
            for mask in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] ^= mask
                let (lines, report) = try Self.lines(changed, in: file)
                #expect(!report.complete, "byte \(index) ^ \(mask)")
                #expect((report.damaged?.offset ?? .max) <= UInt64(index), "byte \(index) ^ \(mask)")
                #expect(lines.count >= whole.lines.count - 8, "byte \(index) ^ \(mask): \(report.damages)")
                #expect(Set(lines).isSubset(of: Set(whole.lines)), "byte \(index) ^ \(mask)")
                if let lost = report.damaged?.recordsLost {
                    #expect(lines.count + Int(lost) == whole.lines.count, "byte \(index) ^ \(mask): \(report.damages)")
                }
            }
        }
    }

    @Test func `a block that was taken out is missed`() throws {
        let (bytes, _) = try Self.sample(.canonical)
        let offsets = bytes.indices.filter { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42]) }
        let cut = Array(bytes[..<offsets[1]]) + Array(bytes[offsets[2]...])
        let (lines, report) = try Self.lines(cut)
        #expect(lines.count == 24)
        #expect(!report.complete)
        #expect(report.damaged?.offset == UInt64(offsets[1]))
        #expect(report.damaged?.recordsLost == 8)
    }

    @Test func `foreign bytes between blocks are passed over`() throws {
        let (bytes, _) = try Self.sample(.live)
        let offsets = bytes.indices.filter { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42]) }
        let foreign = Array("F5KFB and other words".utf8) + [0xF5, 0x4B, 0x46, 0x42, 1, 0, 0, 0]
        let mixed = Array(bytes[..<offsets[2]]) + foreign + Array(bytes[offsets[2]...])
        let (lines, report) = try Self.lines(mixed, in: TraceInFile())
        #expect(lines.count == 32)
        #expect(!report.complete)
        #expect(report.damaged?.offset == UInt64(offsets[2]))
        #expect(report.damaged?.recordsLost == 0)
    }

    @Test func `each block decodes alone`() throws {
        let (bytes, _) = try Self.sample(.canonical)
        let whole = try Self.lines(bytes)
        let offsets = bytes.indices.filter { bytes[$0...].starts(with: [0xF5, 0x4B, 0x46, 0x42]) }
        for block in 0..<4 {
            let alone = Array(bytes[..<28]) + Array(bytes[offsets[block]..<offsets[block + 1]])
            let (lines, _) = try Self.lines(alone)
            #expect(lines == Array(whole.lines[block * 8..<block * 8 + 8]), "block \(block)")
        }
    }

    @Test func `a file that is no trace and versions before and after this one are refused`() throws {
        #expect(throws: TraceError.self) { try TraceReader([]) }
        #expect(throws: TraceError.self) { try TraceReader(Array("hello, this is not a trace of anything".utf8)) }
        for version in [0, 3] as [UInt8] {
            var other = Array(try Self.sample(.canonical).bytes[..<24])
            other[8] = version
            let crc = other.withUnsafeBytes { TraceFrame.checksum($0) }
            for shift in [0, 8, 16, 24] as [UInt32] { other.append(UInt8(truncatingIfNeeded: crc >> shift)) }
            let error = #expect(throws: TraceError.self) { try TraceReader(other) }
            #expect(error?.code == .unsupportedVersion)
            #expect(error?.found.hasPrefix("\(version)") == true)
        }
    }

    @Test func `a live trace is readable at every instant`() throws {
        let recording = RecordingGenerator.recording(seed: 21, records: 500)
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(form: .live, level: .calls, isMasked: false)) {
            output.bytes.append(contentsOf: $0)
        }
        for record in recording.records {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
            if record.sequence % 50 == 49 {
                try writer.flush()
                let (back, report) = try Recording.read(output.bytes)
                #expect(back.records.count == Int(record.sequence) + 1)
                #expect(report.damages.map(\.reason) == [ReadingReport.noEndMarker])
                #expect(report.damaged?.offset == UInt64(output.bytes.count))
            }
        }
    }
}
