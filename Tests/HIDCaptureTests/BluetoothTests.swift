import HIDCapture
import KeyModel
import Testing

/// Keyboards over Bluetooth, classic and low energy (spec §3).
struct BluetoothTests {
    private typealias Bytes = BluetoothBytes

    private static func lines(_ packets: [[UInt8]]) throws -> [String] {
        try CaptureBytes.lines(Bytes.btsnoop(packets)).map { String($0.prefix { $0 != "@" }.dropLast()) }
    }

    static let typed = ["1 a+", "1 a-", "1 leftshift+", "1 b+", "1 b-", "1 leftshift-"]

    @Test("btsnoop of each kind, PacketLogger in both byte orders, 187 and 201 hold the same keys (HC-3, HC-4, HC-15)")
    func containers() throws {
        let files: [(String, [UInt8])] = [
            ("1001", Bytes.btsnoop(Bytes.typed, link: 1001)), ("1002", Bytes.btsnoop(Bytes.typed)),
            ("2001", Bytes.btsnoop(Bytes.typed, link: 2001)),
            ("big-endian pklg", Bytes.packetLogger(Bytes.typed, isBigEndian: true)),
            ("little-endian pklg", Bytes.packetLogger(Bytes.typed, isBigEndian: false)),
            ("201", Bytes.pcap(Bytes.typed)), ("187", Bytes.pcap(Bytes.typed, hasDirection: false)),
        ]
        for (name, file) in files {
            let lines = try CaptureBytes.lines(file)
            #expect(lines.map { String($0.prefix { $0 != "@" }.dropLast()) } == BluetoothTests.typed, "\(name)")
            #expect(lines.last?.hasSuffix("@6000") == true, "\(name)")
        }
    }

    @Test("the capture's own keyboards: a classic one and a low-energy one, whatever the container")
    func own() throws {
        for (name, keyboards) in [("pcap", 2), ("btsnoop", 4), ("pklg", 2)] {
            let capture = try RepositoryFiles.capture("bluetooth-keyboards." + name)
            let totals = capture.forEachBatch { _ in }
            #expect(totals.devices.map(\.presses) == Array(repeating: 64, count: keyboards), "\(name)")
            let transports: [BluetoothTransport] = [.classic, .le]
            #expect(Set(capture.devices.compactMap(\.transport)) == Set(transports))
        }
    }

    @Test("pieces are put together, whatever the direction knows (HC-17)")
    func pieces() throws {
        let packets = Bytes.data([0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0], channel: 0x41, pieces: 3)
        #expect(packets.count == 3)
        let up = Bytes.report([])
        #expect(try Self.lines(packets + up) == ["1 a+", "1 a-"])
        #expect(try CaptureBytes.lines(Bytes.pcap(packets + up, hasDirection: false)).count == 2)
    }

    @Test("a piece without a first one, one too long and one cut by a new start are dropped (HC-38)")
    func brokenPieces() throws {
        let whole = Bytes.data([0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0], channel: 0x41, pieces: 2)
        let tooShort = Bytes.data([0xA1, 1, 0, 0, 5, 0, 0, 0, 0, 0], channel: 0x41, announced: 3)
        let end = Bytes.report([6]) + Bytes.report([])
        #expect(try Self.lines([whole[1]] + [whole[0]] + tooShort + end) == ["1 c+", "1 c-"])
    }

    @Test("without signalling the first byte A1 tells reports, but not on other channels (HC-18)")
    func lateStart() throws {
        let keys = Bytes.report([4]) + Bytes.report([])
        #expect(try Self.lines(keys) == ["1 a+", "1 a-"])
        #expect(try Self.lines(Bytes.connect(service: 0x19, own: 0x41, theirs: 0x55) + keys) == [])
    }

    @Test("adapters that use the same handle are apart (HC-15)")
    func adapters() throws {
        func monitor(_ adapter: UInt8, _ packets: [[UInt8]]) -> [[UInt8]] {
            packets.map { [0, adapter, 0, $0[0] == 4 ? 3 : 5] + $0.dropFirst() }
        }
        let packets =
            monitor(0, Bytes.report([4])) + monitor(1, Bytes.report([4])) + monitor(1, Bytes.report([]))
            + monitor(0, Bytes.report([]))
        let lines = try CaptureBytes.lines(CaptureBytes.pcap(packets, linkType: 254))
        #expect(lines == ["1 a+ @0", "2 a+ @1000", "2 a- @2000", "1 a- @3000"])
    }

    @Test("a lost connection releases what is held; the same keyboard comes back as itself")
    func reconnection() throws {
        let address: [UInt8] = [9, 8, 7, 6, 5, 4]
        let first = [Bytes.connected(handle: 42, address: address, isLowEnergy: false)] + Bytes.report([4])
        let second = [Bytes.connected(handle: 50, address: address, isLowEnergy: false)]
        let lines = try Self.lines(
            first + [Bytes.disconnected(handle: 42)] + second + Bytes.report([5], handle: 50)
                + Bytes.report([], handle: 50))
        #expect(lines == ["1 a+", "1 a!", "1 b+", "1 b-"])
    }

    @Test("a virtual cable that is unplugged releases what is held, and may come back (HC-18)")
    func unplugged() throws {
        let unplug = Bytes.data([0x15], channel: 0x40)
        let packets =
            Bytes.connect(service: 0x11, own: 0x40, theirs: 0x50)
            + Bytes.connect(service: 0x13, own: 0x41, theirs: 0x51) + Bytes.report([4]) + unplug
        #expect(try Self.lines(packets) == ["1 a+", "1 a!"])
        let again = unplug + Bytes.report([5]) + Bytes.report([])
        #expect(try Self.lines(packets + again) == ["1 a+", "1 a!", "1 b+", "1 b-"])
        // In pieces, and with a report behind it that never becomes whole.
        let begun = Bytes.data([0xA1, 1, 0, 0, 4, 0, 0, 0, 0, 0], channel: 0x41, pieces: 2)[0]
        let cut = packets + [begun, Bytes.disconnected(handle: 42)]
        let pieces = Bytes.data([0x15, 0, 0, 0], channel: 0x40, pieces: 2)
        #expect(try Self.lines(Array(packets.dropLast()) + pieces) == ["1 a+", "1 a!"])
        #expect(HostileCaptureTests.outcome(Bytes.btsnoop(cut)) == "a, 1 held; 1 dropped")
    }

    // MARK: Low energy

    /// Discovery: a report characteristic at 0x14 whose reference is at 0x16, the map at 0x18.
    static func discovery(id: UInt8, map: [UInt8]) -> [[UInt8]] {
        let half = map.count / 2
        return Bytes.attribute([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
            + Bytes.attribute(
                [0x09, 7, 0x13, 0, 0x12, 0x14, 0, 0x4D, 0x2A, 0x17, 0, 2, 0x18, 0, 0x4B, 0x2A], isReceived: true)
            + Bytes.attribute([0x04, 0x15, 0, 0x16, 0], isReceived: false)
            + Bytes.attribute([0x05, 1, 0x15, 0, 2, 0x29, 0x16, 0, 8, 0x29], isReceived: true)
            + Bytes.attribute([0x0A, 0x16, 0], isReceived: false) + Bytes.attribute([0x0B, id, 1], isReceived: true)
            + Bytes.attribute([0x0A, 0x18, 0], isReceived: false)
            + Bytes.attribute([0x0B] + map[..<half], isReceived: true)
            + Bytes.attribute([0x0C, 0x18, 0] + Bytes.word(half), isReceived: false)
            + Bytes.attribute([0x0D] + map[half...], isReceived: true)
    }

    /// The boot keyboard behind report id 5, its keys and modifiers exchanged.
    static let map: [UInt8] = [
        0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x85, 5, 0x05, 0x07, 0x95, 6, 0x75, 8, 0x15, 0, 0x25, 0x65, 0x19, 0,
        0x29, 0x65, 0x81, 0, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 8, 0x81, 2, 0xC0,
    ]

    @Test("the report map and the report's reference are read from the discovery (HC-20)")
    func discovered() throws {
        let keys = Bytes.notification([4, 0, 0, 0, 0, 0, 2]) + Bytes.notification([0, 0, 0, 0, 0, 0, 0])
        let file = Bytes.btsnoop(BluetoothTests.discovery(id: 5, map: BluetoothTests.map) + keys)
        let lines = try CaptureBytes.lines(file).map { String($0.prefix { $0 != "@" }.dropLast()) }
        #expect(lines == ["1 leftshift+", "1 a+", "1 a-", "1 leftshift-"])
        #expect(try Capture(bytes: file).devices.map(\.layout) == [.reportDescriptor])
    }

    @Test("a bonded keyboard is known by the shape of its reports: seven, eight and nine bytes (HC-20)")
    func bonded() throws {
        for (name, report) in [
            ("7", [4, 0, 0, 0, 0, 0]), ("8", [0, 4, 0, 0, 0, 0, 0]), ("9", [0, 0, 4, 0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])] {
            let first: UInt8 = name == "9" ? 1 : 0
            let packets =
                Bytes.notification([first] + report) + Bytes.notification([first] + report.map { _ in 0 })
            #expect(try Self.lines(packets) == ["1 a+", "1 a-"], "\(name) bytes")
        }
    }

    @Test("several notifications in one packet, and indications (HC-20)")
    func severalNotifications() throws {
        let down: [UInt8] = [0x14, 0, 8, 0, 0, 0, 4, 0, 0, 0, 0, 0]
        let up: [UInt8] = [0x14, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try Self.lines(Bytes.attribute([0x23] + down + up, isReceived: true)) == ["1 a+", "1 a-"])
        let indications = [down, up].flatMap { Bytes.attribute([0x1D, 0x14, 0] + $0[4...], isReceived: true) }
        #expect(try Self.lines(indications) == ["1 a+", "1 a-"])
    }

    @Test("the descriptor of a classic keyboard is read from service discovery, in parts (HC-19)")
    func serviceDiscovery() throws {
        let map = BluetoothTests.map
        let length = UInt8(map.count)
        let list = [0x09, 0x02, 0x06, 0x35, length + 6, 0x35, length + 4, 0x08, 0x22, 0x25, length] + map
        let parts = [list[..<20], list[20...]]
        var packets = Bytes.connect(service: 1, own: 0x40, theirs: 0x44)
        for (number, part) in parts.enumerated() {
            let continuation: [UInt8] = number == 0 ? [1, 7] : [0]
            let body = [0, UInt8(part.count)] + part + continuation
            packets += Bytes.data([7, 0, 1, 0, UInt8(body.count)] + body, channel: 0x40)
        }
        packets += Bytes.data([0xA1, 5, 4, 0, 0, 0, 0, 0, 2], channel: 0x41)
        packets += Bytes.data([0xA1, 5, 0, 0, 0, 0, 0, 0, 0], channel: 0x41)
        #expect(try Self.lines(packets) == ["1 leftshift+", "1 a+", "1 a-", "1 leftshift-"])
    }

    @Test("steps of the drop count are losses (HC-3)")
    func drops() throws {
        let packets = Bytes.report([4]) + Bytes.report([5]) + Bytes.report([])
        let capture = try Capture(bytes: Bytes.btsnoop(packets, drops: [2, 2, 7]))
        #expect(capture.facts.sourceDrops.times == 2 && capture.facts.sourceDrops.count == 7)
    }
}
