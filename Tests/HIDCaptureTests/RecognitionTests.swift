import HIDCapture
import KeyModel
import Testing

/// Which streams of a capture are keyboards, and how their reports are read.
struct RecognitionTests {
    private static let zero = CaptureBytes.report([])

    private static func capture(_ packets: [[UInt8]]) throws -> Capture {
        try Capture(bytes: CaptureBytes.pcap(packets))
    }

    private static func raw(_ bytes: [UInt8], endpoint: UInt8 = 0x81, device: UInt8 = 5) -> [UInt8] {
        CaptureBytes.usbmon("C", endpoint: endpoint, device: device, data: bytes)
    }

    @Test("eight-byte reports of a mouse are no typing (HC-9)")
    func mouse() throws {
        let moves = (0..<200).map { (n: UInt8) in Self.raw([n & 1, 0, n, 0xFF, n &* 7, 0xFF, 0, 0]) }
        #expect(try Self.capture(moves).devices.isEmpty)
    }

    @Test("a Control that is never released, without any key, is no keyboard")
    func controlAlone() throws {
        let packets = [0x20, 0, 0x40].map { (buttons: UInt8) in Self.raw([1, buttons, 0, 0, 0, 0, 0, 0]) }
        #expect(try Self.capture(packets).devices.isEmpty)
    }

    @Test("four keys at once out of nothing are no hand")
    func strayPair() throws {
        let packets: [[UInt8]] = [[0, 0, 0xC7, 0x4B, 0x5D, 0x39, 0, 0], [0, 0, 0xB5, 0x4B, 0x5D, 0x39, 0, 0]]
        #expect(try Self.capture(packets.map { Self.raw($0) }).devices.isEmpty)
    }

    @Test("without descriptors a keyboard is known by its reports")
    func plausible() throws {
        let capture = try Self.capture(ContainerTests.typed())
        #expect(capture.devices.map(\.layout) == [.plausibility])
    }

    @Test("an interface that says mouse is none, one that says keyboard is one (HC-9)")
    func protocols() throws {
        let interfaces = CaptureBytes.configuration([(1, 2, 60, 0x81), (1, 1, 60, 0x82)])
        let configuration = CaptureBytes.descriptor(2, interfaces)
        let keys = [[4], []].map { CaptureBytes.report($0, endpoint: 0x81) }
        let others = [[5], []].map { CaptureBytes.report($0, endpoint: 0x82) }
        let capture = try Self.capture(configuration + keys + others)
        #expect(capture.devices.map(\.endpoint) == [0x82])
        #expect(capture.devices.map(\.layout) == [.bootProtocol])
    }

    @Test("the announced length finds the report descriptor when every request says interface 0 (HC-12)")
    func lyingIndex() throws {
        let withID = ReportDescriptorTests.hex(
            "05010906a1018507050719e029e7150025017501950881021900296f7501957081" + "02c0")
        let boot = ReportDescriptorTests.boot
        let packets =
            CaptureBytes.descriptor(
                2, CaptureBytes.configuration([(1, 1, UInt16(boot.count), 0x81), (0, 0, UInt16(withID.count), 0x82)]))
            + CaptureBytes.descriptor(0x22, wIndex: 0, boot) + CaptureBytes.descriptor(0x22, wIndex: 0, withID)
            + [Self.raw([7, 0, 0x10] + Array(repeating: 0, count: 13), endpoint: 0x82)]
            + [Self.raw([0, 0, 5, 0, 0, 0, 0, 0], endpoint: 0x81)]
        let lines = try CaptureBytes.lines(CaptureBytes.pcap(packets))
        #expect(lines == ["1 a+ @6000", "2 b+ @7000", "1 a! @7000", "2 b! @7000"])
        let capture = try Self.capture(packets)
        #expect(capture.devices.map(\.endpoint) == [0x82, 0x81])
        #expect(capture.devices.map(\.layout) == [.reportDescriptor, .reportDescriptor])
    }

    /// Two Shifts, `a` and `b` as a keyboard with the id 1 sends them, USBPcap in pcapng.
    private static func withIDs(_ report: (UInt8, UInt8) -> [UInt8], other: [UInt8]) -> [UInt8] {
        let get: [UInt8] = [0x80, 6, 0, 2, 0, 0, 255, 0]
        let configuration = CaptureBytes.configuration([(1, 1, 189, 0x81)])
        let packets =
            [
                CaptureBytes.usbpcap(transfer: 2, endpoint: 0x80, isFromDevice: false, stage: 0, data: get),
                CaptureBytes.usbpcap(transfer: 2, endpoint: 0x80, stage: 3, data: configuration),
            ]
            + [report(2, 0), report(2, 4), other, report(0, 0), report(0, 5), other, report(0, 0)].map {
                CaptureBytes.usbpcap(data: $0)
            }
        var file = CaptureBytes()
        file.section()
        file.interface(249)
        for (number, packet) in packets.enumerated() { file.enhanced(packet, stamp: UInt64(number) * 1000) }
        return file.bytes
    }

    @Test("reports of two lengths with a first byte of their own have ids: a boot keyboard in report protocol")
    func reportIDs() throws {
        let keys = ["1 leftshift+ @2000", "1 a+ @3000", "1 a- @5000", "1 leftshift- @5000", "1 b+ @6000", "1 b- @8000"]
        let long = [9] + Array(repeating: UInt8(0), count: 16)
        let short = Self.withIDs({ [1, $0, $1, 0, 0, 0, 0, 0] }, other: long)
        #expect(try CaptureBytes.lines(short) == keys)
        #expect(try CaptureBytes.lines(Self.withIDs({ [1, $0, 0, $1, 0, 0, 0, 0, 0] }, other: long)) == keys)
        #expect(try Capture(bytes: short).devices.map(\.layout) == [.plausibility])
        // Other first bytes are modifiers: the other reports are someone else's.
        let plain = Self.withIDs({ [$0, 0, $1, 0, 0, 0, 0, 0] }, other: long)
        #expect(try CaptureBytes.lines(plain) == keys)
        #expect(try Capture(bytes: plain).devices.map(\.layout) == [.bootProtocol])
    }

    @Test("ids are looked for in all reports of a stream, and what no layout is known of is counted")
    func lateIDs() throws {
        let configuration = CaptureBytes.descriptor(2, CaptureBytes.configuration([(1, 1, 189, 0x81)]))
        let typed: [[UInt8]] = (0..<2400).map { (number: Int) -> [UInt8] in
            [1, 0, number % 2 == 0 ? UInt8(4 + number / 2 % 26) : 0, 0, 0, 0, 0, 0]
        }
        let bits = [[6, 0, 0x10], [6, 0, 0]].map { $0 + Array(repeating: UInt8(0), count: 14) }
        let capture = try Self.capture(configuration + (typed + bits).map { Self.raw($0) })
        var keys: Set<KeyUsage> = []
        capture.forEachBatch { keys.formUnion($0.compactMap(\.key.usage)) }
        #expect(keys == Set((4..<30).map { KeyUsage.keyboard($0) }))
        #expect(
            capture.facts.notes == [
                "bus 1 device 5: 2 of its reports have other lengths than the keyboard's and are not read; "
                    + "import --descriptor FILE gives their layout"
            ])
    }

    @Test("a report descriptor of another interface is not applied (HC-12)")
    func otherInterface() throws {
        let boot = ReportDescriptorTests.boot
        let bits = ReportDescriptorTests.hex(
            "05010906a1018507050719e029e7150025017501950881021900296f7501957081" + "02c0")
        let typed = [[4], []].map { CaptureBytes.report($0) }
        let keys = { (packets: [[UInt8]]) in
            try CaptureBytes.lines(CaptureBytes.pcap(packets)).map { $0.split(separator: " ")[1] }
        }
        // There is no configuration: nothing says which endpoint is that of interface 1.
        #expect(try keys(CaptureBytes.descriptor(0x22, wIndex: 1, bits) + typed) == ["a+", "a-"])
        let both = CaptureBytes.descriptor(0x22, wIndex: 0, boot) + CaptureBytes.descriptor(0x22, wIndex: 1, bits)
        let long = [[7, 0, 0x20], [7, 0, 0]].map { Self.raw($0 + Array(repeating: 0, count: 13), endpoint: 0x82) }
        #expect(try keys(both + typed + long) == ["a+", "a-", "b+", "b-"])
        #expect(try Self.capture(both + typed).devices.map(\.layout) == [.reportDescriptor])
        // All requests name interface 0, and both announce the same length.
        let same =
            CaptureBytes.descriptor(2, CaptureBytes.configuration([(1, 1, 80, 0x81), (0, 0, 80, 0x82)]))
            + [boot, bits].flatMap {
                CaptureBytes.descriptor(0x22, wIndex: 0, $0 + Array(repeating: 4, count: 80 - $0.count))
            }
        #expect(try keys(same + typed + long) == ["a+", "a-", "b+", "b-"])
    }

    @Test("firmware that leaves each key in its slot leaves holes")
    func holes() throws {
        let packets: [[UInt8]] = [
            [0, 0, 4, 0, 0, 0, 0, 0], [0, 0, 4, 5, 0, 0, 0, 0], [0, 0, 0, 5, 0, 0, 0, 0], [0, 0, 6, 5, 0, 0, 0, 0],
            [0, 0, 6, 0, 0, 0, 0, 0], Array(repeating: 0, count: 8),
        ]
        let lines = try CaptureBytes.lines(CaptureBytes.pcap(packets.map { Self.raw($0) }))
        #expect(lines == ["1 a+ @0", "1 b+ @1000", "1 a- @2000", "1 c+ @3000", "1 b- @4000", "1 c- @5000"])
    }

    @Test("consumer keys on an interface of their own belong to the device's keyboard (HC-26)")
    func consumerInterface() throws {
        let media = ReportDescriptorTests.hex("050c0901a101150026ff0319002aff03751095018100c0")
        let boot = ReportDescriptorTests.boot
        let configuration = CaptureBytes.configuration([
            (1, 1, UInt16(boot.count), 0x81), (0, 0, UInt16(media.count), 0x82),
        ])
        let packets =
            CaptureBytes.descriptor(2, configuration) + CaptureBytes.descriptor(0x22, wIndex: 0, boot)
            + CaptureBytes.descriptor(0x22, wIndex: 1, media)
            + [Self.raw([0xE9, 0], endpoint: 0x82), Self.raw([0, 0], endpoint: 0x82)]
        #expect(try CaptureBytes.lines(CaptureBytes.pcap(packets)) == ["1 0c:00e9+ @6000", "1 0c:00e9- @7000"])
    }

    @Test("ids and name come from the device's descriptors")
    func identity() throws {
        let name: [UInt8] = [8, 3] + "Abc".utf8.flatMap { [$0, 0] }
        let packets =
            CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 0x27, 6, 1, 0, 0, 0, 1, 2, 3, 1])
            + CaptureBytes.descriptor(3, index: 2, name) + ContainerTests.typed()
        let device = try #require(try Self.capture(packets).devices.first)
        #expect(device.vendor == 0x0627 && device.product == 1)
        #expect(device.name == "Abc")
    }

    @Test("another device at the same address is another keyboard (HC-10)")
    func addressReused() throws {
        let first = CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1])
        let second = CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 2, 0, 1, 0, 0, 0, 0, 0, 0, 1])
        let capture = try Self.capture(first + ContainerTests.typed() + second + ContainerTests.typed())
        #expect(capture.devices.map(\.vendor) == [1, 2])
    }

    @Test("repeated reports are counted and make no events (HC-7)")
    func idle() throws {
        let packets = [[4], [4], [4], [], []].map { CaptureBytes.report($0) }
        let capture = try Self.capture(packets)
        #expect(try CaptureBytes.lines(CaptureBytes.pcap(packets)) == ["1 a+ @0", "1 a- @3000"])
        #expect(capture.devices.map(\.reports) == [5])
        #expect(capture.devices.map(\.idleReports) == [3])
    }

    @Test(
        "keys held at the end, or when the transfer ends early, are released by us (HC-33)",
        arguments: [-2, -108] as [Int32])
    func held(status: Int32) throws {
        let gone = CaptureBytes.usbmon("C", status: status)
        let packets = [CaptureBytes.report([4]), gone, CaptureBytes.report([5]), CaptureBytes.report([5])]
        let lines = try CaptureBytes.lines(CaptureBytes.pcap(packets))
        #expect(lines == ["1 a+ @0", "1 a! @1000", "1 b+ @2000", "1 b! @3000"])
        let totals = try Self.capture(packets).forEachBatch { _ in }
        #expect(totals.devices.map(\.heldAtEnd) == [[.keyboard(5)]])
        #expect(totals.devices.map(\.syntheticReleases) == [2])
        #expect(totals.devices.map(\.keyEvents) == [2])
    }

    @Test("rollover reports are counted, repeats of them too (HC-27)")
    func rollover() throws {
        let all: [UInt8] = [1, 1, 1, 1, 1, 1]
        let packets = [[4], all, all, [4, 5], []].map { CaptureBytes.report($0) }
        let totals = try Self.capture(packets).forEachBatch { _ in }
        #expect(totals.devices.map(\.rolloverReports) == [2])
        let lines = try CaptureBytes.lines(CaptureBytes.pcap(packets))
        #expect(lines == ["1 a+ @0", "1 b+ @3000", "1 a- @4000", "1 b- @4000"])
    }

    @Test("control answers of USBPcap, old stages and new (HC-11)", arguments: [1, 3] as [UInt8])
    func stages(stage: UInt8) throws {
        let boot = ReportDescriptorTests.boot
        func get(_ type: UInt8, _ data: [UInt8]) -> [[UInt8]] {
            let setup: [UInt8] = [type == 0x22 ? 0x81 : 0x80, 6, 0, type, 0, 0, UInt8(data.count), 0]
            return [
                CaptureBytes.usbpcap(transfer: 2, endpoint: 0x80, isFromDevice: false, stage: 0, data: setup),
                CaptureBytes.usbpcap(transfer: 2, endpoint: 0x80, stage: stage, data: data),
            ]
        }
        let packets =
            get(2, CaptureBytes.configuration([(1, 1, UInt16(boot.count), 0x81)])) + get(0x22, boot)
            + [[2, 0, 4, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]].map { CaptureBytes.usbpcap(data: $0) }
        let capture = try Capture(bytes: CaptureBytes.pcap(packets, linkType: 249))
        #expect(capture.devices.map(\.layout) == [.reportDescriptor])
    }

    @Test("some devices only")
    func selection() throws {
        let packets = [
            CaptureBytes.report([4]), CaptureBytes.report([5], device: 6), CaptureBytes.report([]),
            CaptureBytes.report([], device: 6),
        ]
        let capture = try Self.capture(packets)
        var devices: [UInt16] = []
        let totals = capture.forEachBatch(of: [2]) { devices += $0.map(\.device) }
        #expect(devices == [2, 2])
        #expect(totals.devices.map(\.id) == [2])
    }

    @Test("usbmon with 48 header bytes (HC-6)")
    func linkType189() throws {
        let packets = [[4], []].map { CaptureBytes.report($0, header: 48) }
        #expect(try CaptureBytes.lines(CaptureBytes.pcap(packets, linkType: 189)) == ["1 a+ @0", "1 a- @1000"])
    }

    @Test(
        "after SET_PROTOCOL(0) a keyboard sends boot reports, whatever its report descriptor says",
        arguments: [0, 1] as [UInt8])
    func bootProtocol(value: UInt8) throws {
        let descriptor: [UInt8] = [
            0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x85, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01,
            0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x19, 0x00, 0x29, 0x65, 0x25, 0x65, 0x75, 0x08, 0x95, 0x06, 0x81, 0x00,
            0xC0,
        ]
        let length = UInt16(descriptor.count)
        let interface = (
            subclass: UInt8(1), protocolCode: UInt8(1), descriptorLength: length, endpoint: UInt8(0x81))
        let setProtocol = CaptureBytes.usbmon(
            "S", transfer: 2, endpoint: 0, status: -115, id: 0x3000, setup: [0x21, 0x0B, value, 0, 0, 0, 0, 0])
        // By the descriptor the first byte is the id of the report, and there is no report 0.
        let reports = [CaptureBytes.report([4]), CaptureBytes.report([])]
        let file = CaptureBytes.pcap(
            CaptureBytes.descriptor(2, CaptureBytes.configuration([interface]))
                + CaptureBytes.descriptor(0x22, descriptor) + [setProtocol] + reports)
        let lines = try CaptureBytes.lines(file)
        #expect(lines.contains { $0.contains("a+") } == (value == 0), "\(lines)")
    }
}
