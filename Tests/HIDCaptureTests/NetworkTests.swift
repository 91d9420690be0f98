import HIDCapture
import KeyModel
import Testing

/// Keyboards over networks: USB/IP and X11 on TCP.
struct NetworkTests {
    private typealias Bytes = NetworkBytes

    private static func lines(_ packets: [[UInt8]], linkType: UInt32 = 1) throws -> [String] {
        try CaptureBytes.lines(CaptureBytes.pcap(packets, linkType: linkType)).map {
            String($0.prefix { $0 != "@" }.dropLast())
        }
    }

    /// A client on port 40000 says hello, the server answers, then key events.
    static func conversation(_ messages: [[UInt8]], isVersion6: Bool = false) -> [[UInt8]] {
        var packets = [
            Bytes.segment([], from: 40_000, to: 6012, sequence: 99, flags: 2, isVersion6: isVersion6),
            Bytes.segment(Bytes.setup, from: 40_000, to: 6012, sequence: 100, isVersion6: isVersion6),
        ]
        var sequence = 500
        for message in [Bytes.setupAnswer] + messages {
            packets.append(
                Bytes.segment(message, from: 6012, to: 40_000, sequence: sequence, isVersion6: isVersion6))
            sequence += message.count
        }
        return packets
    }

    /// `h` and `i` on the evdev rules.
    static let hi = [
        Bytes.key(43, isDown: true, time: 1), Bytes.key(43, isDown: false, time: 2),
        Bytes.key(31, isDown: true, time: 3), Bytes.key(31, isDown: false, time: 4),
    ]
    static let typed = ["1 h+", "1 h-", "1 i+", "1 i-"]

    @Test("key events of X11 on every link layer of networks, IPv4 and IPv6")
    func links() throws {
        for isVersion6 in [false, true] {
            let packets = NetworkTests.conversation(NetworkTests.hi, isVersion6: isVersion6)
            let type: [UInt8] = isVersion6 ? [0x86, 0xDD] : [8, 0]
            let family: UInt8 = isVersion6 ? 30 : 2
            let forms: [(UInt32, [UInt8])] = [
                (1, Array(repeating: 0, count: 12) + type),
                (1, Array(repeating: 0, count: 12) + [0x81, 0, 0, 5] + type),
                (113, Array(repeating: 0, count: 14) + type), (276, type + Array(repeating: 0, count: 18)),
                (0, [family, 0, 0, 0]), (0, [0, 0, 0, family]), (108, [0, 0, 0, family]), (101, []),
            ]
            for (linkType, header) in forms {
                let lines = try Self.lines(packets.map { header + $0 }, linkType: linkType)
                #expect(lines == NetworkTests.typed, "link type \(linkType)")
            }
        }
    }

    @Test("messages are found in any division into segments, among replies of any length")
    func division() throws {
        let reply: [UInt8] = [1, 0, 1, 0, 5, 0, 0, 0] + Array(repeating: 3, count: 24 + 20)
        let stream = NetworkTests.hi.reduce(reply) { $0 + $1 } + reply
        for size in [1, 7, 32, 33, 100, 1000] {
            let pieces = stride(from: 0, to: stream.count, by: size).map {
                Array(stream[$0..<min($0 + size, stream.count)])
            }
            let packets = NetworkTests.conversation(pieces).map(Bytes.ethernet)
            #expect(try Self.lines(packets) == NetworkTests.typed, "\(size) bytes")
        }
    }

    @Test("segments sent again count once, and those out of order wait for the missing one")
    func order() throws {
        var packets = NetworkTests.conversation(NetworkTests.hi).map(Bytes.ethernet)
        packets.insert(packets[4], at: 6)
        packets.swapAt(3, 4)
        #expect(try Self.lines(packets) == NetworkTests.typed)
    }

    @Test("a release and a press of one moment are a repeat of the held key")
    func repeats() throws {
        let held = Bytes.key(43, isDown: false, time: 5) + Bytes.key(43, isDown: true, time: 5)
        let packets = NetworkTests.conversation([NetworkTests.hi[0], held, held, NetworkTests.hi[1]])
        let capture = try Capture(bytes: CaptureBytes.pcap(packets.map(Bytes.ethernet), linkType: 1))
        let totals = capture.forEachBatch { _ in }
        #expect(totals.devices.map(\.presses) == [1] && totals.devices.map(\.repeats) == [2])
        #expect(capture.devices.map(\.source) == [.x11])
    }

    @Test("USB/IP: requests and answers are matched by their number, descriptors as on USB (spec §2)")
    func usbip() throws {
        let setup: [UInt8] = [0x81, 6, 0, 0x22, 0, 0, 64, 0]
        let client =
            [Bytes.submit(1, endpoint: 0, isIn: true, interval: 0, setup: setup)]
            + (2...4).map { Bytes.submit($0, endpoint: 1, isIn: true) }
        let server = [
            Bytes.answer(1, ReportDescriptorTests.boot), Bytes.answer(3, [2, 0, 4, 0, 0, 0, 0, 0]),
            Bytes.answer(2, [0, 0, 0, 0, 0, 0, 0, 0]), Bytes.answer(4, [], status: -108),
        ]
        let packets =
            [Bytes.segment(client.reduce([], +), from: 50_000, to: 3240, sequence: 1)]
            + [Bytes.segment(server.reduce([], +), from: 3240, to: 50_000, sequence: 1)]
        #expect(try Self.lines(packets.map(Bytes.ethernet)) == ["1 leftshift+", "1 a+", "1 a-", "1 leftshift-"])
    }

    @Test("the repository's capture of a keyboard attached over TCP")
    func own() throws {
        let capture = try RepositoryFiles.capture("usb-keyboard-over-tcp.pcap")
        let totals = capture.forEachBatch { _ in }
        #expect(totals.devices.map(\.presses) == [64] && totals.devices.map(\.keyEvents) == [128])
        #expect(capture.devices.map(\.source) == [.usbip] && capture.devices.map(\.reports) == [128])
    }

    @Test("real conversations of X11 and USB/IP", arguments: CorpusTests.folder == nil ? [] : [1])
    func corpus(_: Int) throws {
        let x11 = RecordingTests.lines(try CorpusTests.capture("x11/xterm-hello-tcp6097.pcap"), withTimes: false)
        #expect(x11 == ["H", "E", "L", "L", "O"].flatMap { ["down \($0)", "up \($0)"] })
        let usbip = RecordingTests.lines(try CorpusTests.capture("qemu/usbip/usbip-tcp3240.pcap"), withTimes: false)
        let gadget = RecordingTests.lines(try CorpusTests.capture("transcoded/bt-1002.btsnoop"), withTimes: false)
        #expect(usbip.count == 128 && usbip == Array(gadget.prefix(128)))
    }
}
