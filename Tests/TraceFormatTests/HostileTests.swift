import Libc
import Testing

@testable import TraceFormat

@Suite struct HostileTests {
    private static let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Traces/hostile"

    @Test(arguments: HostileTrace.all.map(\.name))
    func `a hostile trace gives what is whole and says what is wrong`(name: String) throws {
        let hostile = try #require(HostileTrace.all.first { $0.name == name })
        switch hostile.expected {
        case .refused(let code):
            let error = #expect(throws: TraceError.self) { try TraceReader(hostile.bytes, file: "f") }
            #expect(error?.code == code)
            #expect(error?.description.hasPrefix("f: ") == true)
        case .damaged(let records, let offset, let reason):
            let (recording, report) = try Recording.read(hostile.bytes)
            let read = try Recording.read(TraceInFile().open(hostile.bytes))
            #expect(read.report == report)
            #expect(read.recording.records == recording.records)
            #expect(!report.complete)
            #expect(recording.records.count == records, "\(report.damages)")
            #expect(report.damaged?.offset == offset, "\(report.damages)")
            #expect(report.damaged?.reason.contains(reason) == true, "\(report.damages)")
        }
    }

    @Test func `the files of the hostile folder are these`() throws {
        for hostile in HostileTrace.all {
            let path = "\(Self.folder)/trace-\(hostile.name).keyflight"
            if getenv("KEYFLIGHT_WRITE_HOSTILE") != nil {
                let output = try TraceFileOutput(publishingTo: path, replacing: .regularFile)
                try hostile.bytes.withUnsafeBytes { try output.write($0) }
                try output.publish()
            }
            #expect(try TraceFile.read(path).withBytes { Array($0) } == hostile.bytes, "\(hostile.name)")
        }
    }

    @Test func `the list of traces says what each hostile trace must give`() throws {
        let list = try TraceFile.read("\(Self.folder)/README.md").withBytes { String(decoding: $0, as: UTF8.self) }
        for hostile in HostileTrace.all { #expect(list.contains(hostile.row + "\n"), "\(hostile.row)") }
    }

    @Test func `claims reserve nothing and searches end`() throws {
        // A megabyte of block headers that all claim the longest payload the file can have.
        var bytes = HostileTrace.header
        let piece: [UInt8] = [0xF5, 0x4B, 0x46, 0x42, 1, 2, 0, 0, 0, 0, 8, 0]
        while bytes.count < 1 << 20 { bytes += piece }
        let (recording, report) = try Recording.read(bytes)
        #expect(recording.records.isEmpty)
        #expect(!report.complete)
    }
}
