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
        ]
    }()

    /// Everything a reader of a capture can do with it.
    private static func readWhole(_ bytes: [UInt8]) -> Int {
        guard let capture = try? Capture(bytes: bytes) else { return 0 }
        var events = 0
        capture.forEachBatch { events += $0.count }
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

    @Test("every flipped byte: no trap")
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

    @Test("a report that the snapshot length cut is counted and not decoded")
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
        #expect(try CaptureBytes.told(file.bytes) == ["1 a+ @0", "1 a- @2000"])
        #expect(try Capture(bytes: file.bytes).facts.cutReports == 1)
    }
}
