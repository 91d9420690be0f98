import GeneratedTraces
import KeyModel
import Libc
import Testing

@testable import TraceFormat

/// A file without a name that holds one trace after the other.
final class TraceInFile {
    private let descriptor: Int32

    init() {
        var name = Array("/tmp/keyflight-test-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// These bytes as an open file.
    func open(_ bytes: [UInt8]) throws -> TraceBytes {
        try #require(ftruncate(descriptor, 0) == 0)
        try append(bytes)
        return TraceBytes(descriptor: dup(descriptor), count: bytes.count, file: nil)
    }

    func append(_ bytes: [UInt8]) throws {
        try #require(lseek(descriptor, 0, SEEK_END) >= 0)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    func cut(to count: Int) throws { try #require(ftruncate(descriptor, off_t(count)) == 0) }
}

/// A trace is read in the same way from memory and from a file.
@Suite struct WindowTests {
    /// Longer than what is read ahead.
    static func long() throws -> [UInt8] {
        let recording = RecordingGenerator.recording(seed: 90, records: 14_000)
        let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
        var repeated = Recording()
        repeated.definitions = recording.definitions
        var time: Int64 = 0
        for _ in 0..<TraceWindow.readAhead * 2 / bytes.count + 1 {
            for record in recording.records {
                time += 1_000_000
                repeated.append(record.body, at: TraceTime(nanoseconds: time))
            }
        }
        return try repeated.bytes(header: TraceHeader(level: .calls, isMasked: false))
    }

    @Test func `a long file gives the records that its bytes give`() throws {
        let bytes = try Self.long()
        #expect(bytes.count > 2 * TraceWindow.readAhead)
        let whole = try Recording.read(bytes)
        let file = TraceInFile()
        let read = try Recording.read(file.open(bytes))
        #expect(read.report == whole.report)
        #expect(read.report.complete)
        #expect(read.recording.records == whole.recording.records)
    }

    @Test func `a reader that was copied goes on from where it was`() throws {
        let bytes = try Self.long()
        let file = TraceInFile()
        var reader = try TraceReader(file.open(bytes))
        for _ in 0..<1000 { _ = reader.next() }
        var copy = reader
        var sequences: [UInt64] = []
        while let record = reader.next() { sequences.append(record.sequence) }
        var copied: [UInt64] = []
        while let record = copy.next() { copied.append(record.sequence) }
        #expect(sequences == copied)
        #expect(copy.report == reader.report)
    }

    @Test func `a file that shrinks while it is read ends where it ends`() throws {
        let bytes = try Self.long()
        let file = TraceInFile()
        var reader = try TraceReader(file.open(bytes))
        let next = reader.next()
        let first = try #require(next)
        try file.cut(to: TraceWindow.readAhead + 1000)
        var count = 1
        while reader.next() != nil { count += 1 }
        #expect(first.sequence == 0)
        #expect(count > 1)
        #expect(!reader.report.complete)
        #expect(reader.report.damaged?.reason == ReadingReport.noEndMarker)
        #expect((reader.report.damaged?.offset ?? .max) <= UInt64(TraceWindow.readAhead + 1000))
    }

    @Test func `a file that grows is read as far as it went when it was opened`() throws {
        let (bytes, _) = try DamageTests.sample(.live)
        let half = bytes.count / 2
        let file = TraceInFile()
        let opened = try file.open(Array(bytes[..<half]))
        try file.append(Array(bytes[half...]))
        #expect(try Recording.read(opened).report == Recording.read(Array(bytes[..<half])).report)
    }

    @Test func `a file that cannot be read is refused with the reason`() throws {
        let (bytes, _) = try DamageTests.sample(.live)
        let directory = open("/", O_RDONLY)
        let error = #expect(throws: TraceError.self) {
            try TraceReader(TraceBytes(descriptor: directory, count: bytes.count, file: "d"))
        }
        #expect(error?.code == .file)
        #expect(error?.systemError == EISDIR)
        #expect(error?.file == "d")
    }

    @Test func `empty files and what is no regular file are read into memory`() throws {
        let file = TraceInFile()
        #expect(throws: TraceError.self) { try TraceReader(file.open([])) }
        #expect(try TraceFile.bytes(of: "/dev/null").count == 0)
    }

    @Test func `the text format is read from a file line by line`() throws {
        let bytes = try Self.long()
        let text = try textFormat(of: bytes)
        let file = TraceInFile()
        let output = ByteCollector()
        try TraceAssembly.assemble(file.open(Array(text.utf8))) { output.bytes.append(contentsOf: $0) }
        #expect(output.bytes == bytes)
    }
}
