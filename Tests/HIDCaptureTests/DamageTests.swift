import HIDCapture
import KeyModel
import Testing

/// No input traps, and what is whole is delivered.
struct DamageTests {
    /// A keyboard with its descriptors and a few keys, in every container and link type.
    static let samples: [(name: String, bytes: [UInt8])] = {
        let descriptors =
            CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 0x27, 6, 1, 0, 0, 0, 1, 2, 3, 1])
            + CaptureBytes.descriptor(
                2, CaptureBytes.configuration([(1, 1, UInt16(ReportDescriptorTests.boot.count), 0x81)]))
            + CaptureBytes.descriptor(0x22, ReportDescriptorTests.boot)
        let keys = ContainerTests.typed()
        var next = CaptureBytes()
        next.section()
        next.interface(resolution: 9)
        for (number, packet) in (descriptors + keys).enumerated() {
            next.enhanced(packet, stamp: UInt64(number) * 1_000_000)
        }
        let windows = [[4], [4, 5], [5], []].map { (keys: [UInt8]) in
            CaptureBytes.usbpcap(data: [0, 0] + (keys + [0, 0, 0, 0, 0, 0]).prefix(6))
        }
        return [
            ("usbmon in pcap", CaptureBytes.pcap(descriptors + keys)),
            ("usbmon in pcapng", next.bytes),
            ("USBPcap in pcap", CaptureBytes.pcap(windows, linkType: 249)),
        ] + more + PostedTextTests.samples
    }()

    /// Two keys on a Bluetooth keyboard of either transport, and in recordings.
    private static let more: [(name: String, bytes: [UInt8])] = {
        let lowEnergy =
            BluetoothTests.discovery(id: 5, map: BluetoothTests.map)
            + [[4, 0], [4, 5], [0, 5], [0, 0]].flatMap { keys in
                BluetoothBytes.notification(keys + [0, 0, 0, 0, 0])
            }
        let classic = [[4], [4, 5], [5], []].flatMap { BluetoothBytes.report($0, channel: 0x40) }
        let channels = BluetoothBytes.connect(service: 0x13, own: 0x40, theirs: 0x41)
        var events: [(Int, Int, Int)] = []
        for (code, value) in [(30, 1), (48, 1), (30, 0), (48, 0)] { events += [(1, code, value), (0, 0, 0)] }
        func hexadecimal(_ value: Int) -> String { String(String(value + 0x10000, radix: 16).dropFirst()) }
        let evemu = events.enumerated().map { "E: 0.00000\($0) \(hexadecimal($1.0)) \(hexadecimal($1.1)) \($1.2)\n" }
        let libinput = events.enumerated().map { "  - evdev:\n    - [0, \($0), \($1.0), \($1.1), \($1.2)]\n" }
        let raw = events.enumerated().flatMap { number, event -> [UInt8] in
            var bytes = CaptureBytes()
            bytes.put(Int64(1_700_000_000))
            bytes.put(Int64(number))
            bytes.put(UInt16(event.0))
            bytes.put(UInt16(event.1))
            bytes.put(Int32(event.2))
            return bytes.bytes
        }
        let reports = ["00 00 04 00", "00 00 04 05", "00 00 05 00", "00 00 00 00"].map { $0 + " 00 00 00 00" }
        let hid = "R: \(ReportDescriptorTests.boot.count) "
            + ReportDescriptorTests.boot.map { String($0 + 0, radix: 16) }.joined(separator: " ") + "\n"
        let usbmon = reports.enumerated().map { number, report in
            "ffff8800 \(number)000 C Ii:1:005:1 0:8 8 = \(report.split(separator: " ").joined())\n"
        }
        return [
            ("btsnoop", BluetoothBytes.btsnoop(channels + classic)),
            ("monitor btsnoop", BluetoothBytes.btsnoop(lowEnergy, link: 2001)),
            ("PacketLogger", BluetoothBytes.packetLogger(channels + classic, isBigEndian: true)),
            ("H4 in pcap", BluetoothBytes.pcap(lowEnergy, hasDirection: false)), ("input events", raw),
            ("evemu", Array(("# EVEMU 1.3\n" + evemu.joined()).utf8)),
            (
                "libinput",
                Array(("version: 1\ndevices:\n- node: /dev/input/event0\n  events:\n" + libinput.joined()).utf8)
            ),
            ("hid-recorder", Array((hid + reports.map { "E: 0.5 8 \($0)\n" }.joined()).utf8)),
            ("usbmon text", Array(usbmon.joined().utf8)),
        ]
    }()

    /// Everything a reader of a capture can do with it.
    private static func readWhole(_ bytes: [UInt8]) -> Int {
        guard let capture = try? Capture(bytes: bytes) else { return 0 }
        var events = 0
        capture.forEachBatch { events += $0.count { !$0.isSynthetic } }
        return events
    }

    @Test("every prefix: no trap, and never more keys than the whole has")
    func prefixes() {
        for (name, bytes) in DamageTests.samples {
            let whole = DamageTests.readWhole(bytes)
            #expect(whole == 4, "\(name)")
            for length in 0..<bytes.count {
                let events = DamageTests.readWhole(Array(bytes.prefix(length)))
                #expect(events <= whole, "\(name) cut at \(length)")
            }
        }
    }

    @Test("every flipped byte: no trap (HC-38)")
    func flips() {
        for (_, bytes) in DamageTests.samples {
            var flipped = bytes
            for at in bytes.indices {
                for change in [0xFF, 0x01, 0x80] as [UInt8] {
                    flipped[at] = bytes[at] ^ change
                    _ = DamageTests.readWhole(flipped)
                }
                flipped[at] = bytes[at]
            }
        }
    }

    @Test("a cut capture says where, and holds what was whole", arguments: 1...71)
    func cut(_ missing: Int) throws {
        let file = CaptureBytes.pcap(ContainerTests.typed())
        let capture = try Capture(bytes: Array(file.dropLast(missing)))
        #expect(capture.facts.packets == 3)
        #expect(capture.facts.damage?.offset == UInt64(file.count - 88))
    }

    @Test("a report that the snapshot length cut is counted and not decoded (HC-6)")
    func snapshot() throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        let whole = CaptureBytes.report([4])
        for (number, length) in [72, 68, 72].enumerated() {
            file.block(6) {
                $0.put(UInt32(0))
                $0.put(UInt32(0))
                $0.put(UInt32(number * 1000))
                $0.put(UInt32(length))
                $0.put(UInt32(72))
                $0.put(Array((number == 2 ? CaptureBytes.report([]) : whole).prefix(length)))
            }
        }
        #expect(try CaptureBytes.lines(file.bytes) == ["1 a+ @0", "1 a- @2000"])
        #expect(try Capture(bytes: file.bytes).facts.cutReports == 1)
    }
}
