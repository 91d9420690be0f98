import KeyModel
import Testing

@testable import HIDCapture

/// Captures that unpack to much more than they are take no more memory than what a packed capture may.
struct CaptureMemoryTests {
    private static func send(_ bytes: [UInt8], _ stream: Int, to traffic: CaptureTraffic) {
        bytes.withUnsafeBytes { traffic.report(stream, $0, time: 0) }
    }

    @Test("of many streams a stated number of reports is kept beyond the first")
    func streams() throws {
        let traffic = CaptureTraffic(keeping: 100)
        for address in UInt16(0)..<80 {
            let stream = try #require(traffic.stream(at: StreamPlace(source: .hidraw, address: address)))
            for number in UInt8(0)...255 {
                for other in UInt8(0)..<16 { Self.send([number, other], stream, to: traffic) }
            }
        }
        #expect(traffic.streams.count == 80 && traffic.streams.allSatisfy { $0.reports == 4096 })
        #expect(traffic.store.leavesOut && traffic.store.count == 100 + CaptureLimits.reportsBeyond)
    }

    @Test("of long reports a stated number of bytes is kept, and the others are read again")
    func longReports() throws {
        let traffic = CaptureTraffic(longBytes: 1000)
        let stream = try #require(traffic.stream(at: StreamPlace(source: .hidraw)))
        for number in 0..<200 { Self.send([UInt8(number)] + Array(repeating: 0, count: 19), stream, to: traffic) }
        #expect(traffic.store.leavesOut && traffic.store.count == 50 && traffic.streams[stream].reports == 200)
        #expect(traffic.store.longBytes < 1000 + CaptureLimits.reportBytes)
        // A bitmap of 64 bytes, more of them than are kept of a packed capture.
        let head = "R: 24 05 01 09 06 a1 01 05 07 19 00 29 df 15 00 25 01 75 01 96 00 02 81 02 c0\n"
        let zeros = String(repeating: " 00", count: 63)
        let lines = (0..<70_000).map { (number: Int) -> String in
            "E:\(number) 64 \(number % 2 == 0 ? "10" : "00")\(zeros)\n"
        }
        let capture = try Capture(bytes: PostedTextTests.gzip(Array((head + lines.joined()).utf8)))
        #expect(capture.isReadAgain)
        #expect(capture.forEachBatch { _ in }.devices.map(\.presses) == [35_000])
    }

    @Test("report descriptors of all devices have a limit")
    func descriptors() throws {
        let traffic = CaptureTraffic()
        for address in UInt16(0)..<100 {
            let device = try #require(traffic.device(at: StreamPlace(source: .usbmon, address: address)))
            for number in UInt8(0)..<32 {
                let bytes = [number] + Array(repeating: 0, count: CaptureLimits.descriptorBytes - 1)
                traffic.readReportDescriptor(of: device, interface: 0, bytes)
            }
        }
        let bytes = traffic.devices.reduce(0) { $0 + $1.reportDescriptors.reduce(0) { $0 + $1.bytes.count } }
        #expect(bytes == CaptureLimits.descriptorBytesInAll)
    }

    @Test("a packed capture of several interfaces, which are sorted, has a limit of reports")
    func interfaces() throws {
        var options = CaptureOptions()
        options.reportsKept = 100
        let typed = (0..<5000).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number / 2 % 26)] : [])
        }
        let file = PostedTextTests.gzip(PostedCaptureTests.twice(typed, 5000, 0)[0])
        let error = try #require(throws: CaptureError.self) { try Capture(bytes: file, options: options) }
        #expect("\(error)".contains("in a packed capture of several interfaces; unpack it first"))
    }

    @Test("streams are compared by a stated number of their events")
    func mirrors() throws {
        var bits: [UInt8] = [0xF0] + Array(repeating: 0xFF, count: 27)
        let descriptor = ReportDescriptorTests.hex("05010906a10105071900" + "29df15002501750195e08102c0")
        let configuration = CaptureBytes.configuration([(1, 1, UInt16(descriptor.count), 0x81)])
        let packets = CaptureBytes.descriptor(2, configuration) + CaptureBytes.descriptor(0x22, descriptor)
        let reports = (0..<1400).map { (number: Int) -> [UInt8] in
            defer { bits = bits.map { ~$0 } }
            return CaptureBytes.usbmon("C", data: bits)
        }
        let traffic = CaptureTraffic()
        let file = PostedCaptureTests.twice(packets + reports, .max, 0)[1]
        try file.withUnsafeBytes { try CaptureKind.read(CaptureInput($0), into: traffic) }
        traffic.finish()
        var recognition = KeyboardRecognition(traffic, given: nil)
        let mirrors = MirroredStreams(traffic, recognition.readers())
        let events = mirrors.events(of: Set(traffic.streams.indices))
        #expect(traffic.streams.count == 2 && events.count == 2)
        #expect(events.values.reduce(0) { $0 + $1.count } < (1 << 18) + 2 * 224)
        #expect(mirrors.find().count == 1)
    }

    @Test("many events of one moment are compared in time", .timeLimit(.minutes(1)))
    func moments() {
        func events(_ first: UInt16) -> [KeyEvent] {
            (0..<100_000).map { .init(time: .zero, key: .clear(.keyboard(first + UInt16($0 % 50))), phase: .down) }
        }
        #expect(!MirroredStreams.isSame(events(4), events(100)))
        #expect(MirroredStreams.isSame(events(4), events(4)))
    }

    @Test("an event has its like two milliseconds before or after it, and no more")
    func behind() {
        func events(_ shift: Int64, _ phase: KeyPhase = .down) -> [KeyEvent] {
            (0..<50).map { number in
                let time = TraceTime(nanoseconds: 10_000_000 + Int64(number) * 10_000_000 + shift)
                return KeyEvent(time: time, key: .clear(.keyboard(4 + UInt16(number % 3))), phase: phase)
            }
        }
        for shift: Int64 in [-2_000_001, -2_000_000, 0, 2_000_000, 2_000_001] {
            #expect(MirroredStreams.isSame(events(shift), events(0)) == (abs(shift) <= 2_000_000), "\(shift)")
        }
        #expect(!MirroredStreams.isSame(events(0), events(0, .up)))
    }
}
