import Foundation
import KeyModel
import SystemPackage
import Testing

@testable import HIDCapture

/// Files of which memory does not keep all reports.
struct LongCaptureTests {
    static func lines(
        _ path: String, keeping limit: Int?
    ) throws -> (events: [KeyEvent], isReread: Bool, devices: Int) {
        var options = CaptureOptions()
        options.reportsKept = limit ?? .max
        let capture = try Capture(FilePath(path), options: options)
        var events: [KeyEvent] = []
        capture.forEachBatch { events += $0 }
        return (events, capture.isReadAgain, capture.devices.count)
    }

    @Test("a file is read again for the reports that were not kept, and tells the same keys")
    func sameKeys() throws {
        var folders = [RepositoryFiles.root + "/Traces/captures"]
        if let corpus = CorpusTests.folder { folders.append(corpus) }
        var read = 0
        for path in folders.flatMap({ LibpcapComparisonTests.captures(under: $0) }) {
            guard let whole = try? Self.lines(path, keeping: nil) else { continue }
            read += 1
            let part = try Self.lines(path, keeping: 5)
            #expect(part.events == whole.events, "\(path)")
            #expect(part.devices == whole.devices, "\(path)")
            #expect(!whole.isReread)
        }
        #expect(read >= 5, "too few captures in \(folders)")
        let packets: [[UInt8]] = (0..<12_000).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number % 26)] : [], device: number % 3 == 0 ? 5 : 6)
        }
        let path = NSTemporaryDirectory() + "keyflight-long-\(UInt64.random(in: .min ... .max)).pcap"
        try Data(CaptureBytes.pcap(packets)).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (whole, part) = (try Self.lines(path, keeping: nil), try Self.lines(path, keeping: 100))
        #expect(part.isReread)
        #expect(part.events == whole.events)
        #expect(whole.events.count > 8000)
    }

    @Test("a packed capture from a pipe is read twice as a file is")
    func packedPipe() throws {
        let packets: [[UInt8]] = (0..<12_000).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number % 26)] : [])
        }
        let packed = PostedTextTests.gzip(CaptureBytes.pcap(packets))
        let ends = try FileDescriptor.pipe()
        let writer = Thread {
            _ = try? ends.writeEnd.writeAll(packed)
            try? ends.writeEnd.close()
        }
        writer.start()
        defer { try? ends.readEnd.close() }
        var options = CaptureOptions()
        options.reportsKept = 100
        let capture = try Capture(reading: ends.readEnd, options: options)
        #expect(capture.isReadAgain)
        #expect(capture.forEachBatch { _ in }.devices.first?.presses == 6_000)
    }

    @Test("of a pipe, which cannot be read again, no more is taken than is kept", arguments: [100, 9_000])
    func aPipeHasALimit(_ limit: Int) throws {
        let packets: [[UInt8]] = (0..<6_000).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number % 26)] : [])
        }
        let ends = try FileDescriptor.pipe()
        let writer = Thread {
            // Whoever reads may go away before the end.
            signal(SIGPIPE, SIG_IGN)
            _ = try? ends.writeEnd.writeAll(CaptureBytes.pcap(packets))
            try? ends.writeEnd.close()
        }
        writer.start()
        defer { try? ends.readEnd.close() }
        var options = CaptureOptions()
        options.reportsOfStream = limit
        if limit > packets.count {
            #expect(try Capture(reading: ends.readEnd, options: options).devices.count == 1)
            return
        }
        let error = #expect(throws: CaptureError.self) { try Capture(reading: ends.readEnd, options: options) }
        let expected = "changed reports: expected at most 100 in what cannot be read twice, found more"
        #expect(error?.description.hasSuffix(expected) == true)
    }
}
