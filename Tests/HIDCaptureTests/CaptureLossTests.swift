import HIDCapture
import KeyModel
import Testing

/// What a capture lacks is counted, and what it has behind the hole is read.
struct CaptureLossTests {
    private typealias Network = NetworkBytes
    private typealias Bluetooth = BluetoothBytes

    private static func capture(_ packets: [[UInt8]]) throws -> (lines: [String], facts: CaptureFacts) {
        let file = CaptureBytes.pcap(packets.map(Network.ethernet), linkType: 1)
        return (try CaptureBytes.lines(file), try Capture(bytes: file).facts)
    }

    /// 50 presses of `h`, each event a segment of its own; packet `missing` of the events is not in the capture.
    private static func presses(without missing: Int) -> [[UInt8]] {
        var packets = presses
        packets.remove(at: 3 + missing)
        return packets
    }

    private static var presses: [[UInt8]] {
        NetworkTests.conversation((0..<100).map { Network.key(43, isDown: $0 % 2 == 0, time: UInt8($0)) })
    }

    @Test("X11: one segment of a hundred is missing, and the other 49 presses are there at their own times")
    func missingSegment() throws {
        let (lines, facts) = try Self.capture(Self.presses(without: 10))
        let downs = lines.filter { $0.hasPrefix("1 h+") }
        #expect(downs.count == 49 && facts.sourceDrops.times == 1 && facts.sourceDrops.count == nil)
        // Packets are a millisecond apart: the first press behind the hole is the twelfth event.
        #expect(downs[5] == "1 h+ @\(1000 * (3 + 11))" && downs.last == "1 h+ @\(1000 * (3 + 97))")
    }

    @Test("X11: a release that is missing does not make the next press a repeat")
    func missingRelease() throws {
        let (lines, facts) = try Self.capture(Self.presses(without: 11))
        #expect(lines.filter { $0.hasPrefix("1 h+") }.count == 50 && facts.sourceDrops.times == 1)
    }

    @Test("X11: once the receiver has acknowledged what lies behind a hole, the hole is not waited for")
    func acknowledged() throws {
        var packets = Self.presses(without: 10)
        let behind = 500 + 16 + 12 * 32
        packets.insert(Network.segment([], from: 40_000, to: 6012, sequence: 112, acknowledged: behind), at: 15)
        // Bytes that the receiver has are not read when somebody sends them again.
        packets.insert(Self.presses[13], at: 16)
        let (lines, facts) = try Self.capture(packets)
        #expect(lines.filter { $0.hasPrefix("1 h+") }.count == 49 && facts.sourceDrops.times == 1)
    }

    @Test("an acknowledged end that is missing is counted; an acknowledged end that is there is no loss")
    func missingEnd() throws {
        let packets = NetworkTests.conversation(NetworkTests.hi)
        let end = 500 + 16 + 4 * 32
        let finished = Network.segment([], from: 6012, to: 40_000, sequence: end, flags: 1)
        func answer(_ acknowledged: Int) -> [UInt8] {
            Network.segment([], from: 40_000, to: 6012, sequence: 112, acknowledged: acknowledged)
        }
        #expect(try Self.capture(packets + [finished, answer(end + 1)]).facts.sourceDrops.times == 0)
        #expect(try Self.capture(packets + [answer(end)]).facts.sourceDrops.times == 0)
        #expect(try Self.capture(packets.dropLast() + [answer(end)]).facts.sourceDrops.times == 1)
    }

    @Test("what waits behind a hole is read before the end of the connection, reported by either side or by a new one")
    func endBehindHole() throws {
        let packets = Self.presses(without: 98)
        let end = 500 + 16 + 100 * 32
        let ends = [
            Network.segment([], from: 6012, to: 40_000, sequence: end, flags: 1),
            Network.segment([], from: 6012, to: 40_000, sequence: end, flags: 4),
            Network.segment([], from: 40_000, to: 6012, sequence: 7, flags: 2),
            Network.segment([], from: 6012, to: 40_000, sequence: 9_000, flags: 0x12),
        ]
        for last in ends {
            let (lines, facts) = try Self.capture(packets + [last])
            #expect(lines.filter { $0.hasPrefix("1 h+") }.count == 49 && facts.sourceDrops.times == 1)
        }
    }

    @Test("what is missing before a reset is counted; the beginning of a connection that is sent again begins none")
    func resetAndRepeatedBeginning() throws {
        let end = 500 + 16 + 100 * 32
        let reset = Network.segment([], from: 6012, to: 40_000, sequence: end, flags: 4)
        let cut = try Self.capture(Self.presses.dropLast(2) + [reset])
        #expect(cut.lines.filter { $0.hasPrefix("1 h+") }.count == 49 && cut.facts.sourceDrops.times == 1)
        let begin = Network.segment([], from: 6012, to: 40_000, sequence: 499, flags: 0x12)
        var packets = Self.presses
        packets.insert(begin, at: 1)
        packets.insert(begin, at: 40)
        let (lines, facts) = try Self.capture(packets + [reset])
        #expect(lines.filter { $0.hasPrefix("1 h+") }.count == 50 && facts.sourceDrops.times == 0)
    }

    @Test("USB/IP: an answer that is missing is counted, and the reports behind it are read")
    func usbip() throws {
        let client = (1...6).map { Network.submit($0, endpoint: 1, isIn: true) }.reduce([], +)
        let setup = Network.submit(9, endpoint: 0, isIn: true, interval: 0, setup: [0x81, 6, 0, 0x22, 0, 0, 64, 0])
        var packets = [Network.segment(setup + client, from: 50_000, to: 3240, sequence: 1)]
        var sequence = 1
        let answers =
            [Network.answer(9, ReportDescriptorTests.boot)]
            + (1...6).map { Network.answer($0, [0, 0, $0 % 2 == 1 ? UInt8(3 + $0) : 0, 0, 0, 0, 0, 0]) }
        for (number, answer) in answers.enumerated() {
            if number != 4 { packets.append(Network.segment(answer, from: 3240, to: 50_000, sequence: sequence)) }
            sequence += answer.count
        }
        let (lines, facts) = try Self.capture(packets)
        #expect(lines.map { String($0.prefix(4)) } == ["1 a+", "1 a-", "1 c+", "1 c-", "1 e+", "1 e-"])
        #expect(facts.sourceDrops.times == 1)
    }

    @Test("connections without keys, more than are followed, keep no keyboard's connection from being read")
    func manyConnections() throws {
        let others = (1...CaptureLimits.devices + 50).map {
            Network.segment(Array("GET /".utf8), from: 10_000 + $0, to: 80, sequence: 1)
        }
        let (lines, facts) = try Self.capture(others + Self.presses)
        #expect(lines.filter { $0.hasPrefix("1 h+") }.count == 50 && facts.sourceDrops.times == 0)
        #expect(facts.reportsOfExcessStreams == 0)
    }

    @Test("connections with keys, more than are followed, are counted")
    func manyKeyboards() throws {
        let others = (1...CaptureLimits.devices).map {
            Network.segment(Network.setup, from: 10_000 + $0, to: 6013, sequence: 1)
        }
        let (lines, facts) = try Self.capture(others + Self.presses)
        #expect(!lines.contains { $0.contains(" h+") })
        // The setup of the client and of the server, and a hundred events.
        #expect(facts.reportsOfExcessStreams == 102)
    }

    @Test("USB/IP: bytes that are no message, in the middle of messages, are counted as a loss")
    func outOfStep() throws {
        let requests = (1...4).map { Network.submit($0, endpoint: 1, isIn: true) }.reduce([], +)
        var packets = [Network.segment(requests, from: 50_000, to: 3240, sequence: 1)]
        var sequence = 1
        for (number, keys) in ([[4], [], [5], []] as [[UInt8]]).enumerated() {
            let report = [0, 0] + (keys + Array(repeating: 0, count: 6)).prefix(6)
            var pieces = [Network.answer(number + 1, Array(report))]
            if number == 1 { pieces.append(Array(repeating: 9, count: 56)) }
            for piece in pieces {
                packets.append(Network.segment(piece, from: 3240, to: 50_000, sequence: sequence))
                sequence += piece.count
            }
        }
        let (lines, facts) = try Self.capture(packets)
        #expect(lines.map { String($0.prefix(4)) } == ["1 a+", "1 a-", "1 b+", "1 b-"])
        #expect(facts.sourceDrops.times == 1 && facts.sourceDrops.count == nil)
    }

    @Test("a segment that the snapshot length cut is counted as a cut report")
    func cutSegment() throws {
        var packets = NetworkTests.conversation(NetworkTests.hi)
        packets[4].removeLast(10)
        let (lines, facts) = try Self.capture(packets)
        #expect(lines.filter { $0.hasPrefix("1 i+") }.count == 1 && facts.cutReports == 1)
    }

    // MARK: Bluetooth

    @Test(
        "Bluetooth: a packet whose pieces are not all there, or are more than it announced, is counted",
        arguments: ["no continuation", "no start", "too long", "never complete"])
    func pieces(_ form: String) throws {
        let whole = Bluetooth.data([0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0], channel: 0x41, pieces: 2)
        let end = Bluetooth.report([6]) + Bluetooth.report([])
        let packets: [[UInt8]] =
            switch form {
            case "no continuation": [whole[0]] + end
            case "no start": [whole[1]] + end
            case "too long": Bluetooth.data([0xA1, 1, 0, 0, 5, 0, 0, 0, 0, 0], channel: 0x41, announced: 3) + end
            default: end + Bluetooth.data([0xA1, 1, 0, 0, 5, 0, 0, 0, 0, 0], channel: 0x41, announced: 300)
            }
        let capture = try Capture(bytes: Bluetooth.btsnoop(packets))
        #expect(capture.facts.sourceDrops.times == 1 && capture.facts.sourceDrops.count == 1)
        #expect(try Capture(bytes: Bluetooth.btsnoop(whole + end)).facts.sourceDrops.times == 0)
    }

    @Test("usbmon: a report whose data length is 0 although its data follows is read by its actual length")
    func lyingLength() throws {
        var lying = CaptureBytes.report([4])
        for at in 36..<40 { lying[at] = 0 }
        let lines = try CaptureBytes.lines(CaptureBytes.pcap([lying, CaptureBytes.report([])]))
        #expect(lines.count == 2)
    }
}
