import Foundation
import KeyModel
import Testing

@testable import HIDCapture

/// Packets that are turned into keys at once, compared with captures that are read whole.
@Suite struct LiveTrafficTests {
    struct Keyboards {
        let live = LiveTraffic()
        private(set) var events: [KeyEvent] = []

        init() { live.begin(at: 1_700_000_000_000_000_000) }

        /// Packets of usbmon, a millisecond apart or at the times given.
        mutating func add(_ packets: [[UInt8]], at micros: [Int64]? = nil) {
            for (number, packet) in packets.enumerated() {
                let stamp = micros?[number] ?? Int64(number + 1) * 1000
                let time = live.traffic.time(of: 1_700_000_000_000_000_000 + stamp * 1000)
                packet.withUnsafeBytes { bytes in
                    LinkType.Reader(220).read(bytes, isBigEndian: false, isCut: false, time: time, into: live.traffic)
                }
                live.drain { events.append($0) }
            }
        }

        mutating func finish() { live.finish { events.append($0) } }

        var lines: [String] {
            events.map { event in
                let sign = event.isSynthetic ? "!" : event.phase == .down ? "+" : "-"
                return "\(event.device) \(event.key.usage?.chordName ?? "?")\(sign) @\(event.time.nanoseconds / 1000)"
            }
        }
    }

    static let lines: [[UInt8]] =
        CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 64, 9, 0x12, 1, 0, 0, 1, 0, 0, 0, 1])
        + CaptureBytes.descriptor(
            2, CaptureBytes.configuration([(subclass: 1, protocolCode: 1, descriptorLength: 63, endpoint: 0x81)]))

    @Test("a keyboard with descriptors gives its first event with its first report")
    func lines() {
        var keyboards = Keyboards()
        keyboards.add(Self.lines)
        keyboards.add([CaptureBytes.report([4])], at: [10_000])
        #expect(keyboards.lines == ["1 a+ @10000"])
        keyboards.add([CaptureBytes.report([4, 5], modifiers: 2), CaptureBytes.report([])], at: [11_000, 12_000])
        #expect(keyboards.lines.count == 6)
        #expect(keyboards.live.devices.map(\.layout) == [.bootProtocol])
    }

    @Test("what is taken for ⌃ is in doubt before the key that shows it is recorded")
    func doubtedModifiers() {
        var keyboards = Keyboards()
        keyboards.add(Self.lines)
        // The first byte is the report's id, and a report of zeros came first.
        keyboards.add([CaptureBytes.report([])] + [[4], [], [5], []].map { CaptureBytes.report($0, modifiers: 1) })
        var keyboard = KeyboardState()
        let keys = keyboards.events.map { ($0, keyboard.apply($0)) }.filter { $0.0.phase == .down }
        #expect(keys.map(\.0.key.usage) == [.leftControl, .leftControl, .keyboard(4), .keyboard(5)])
        #expect(keys.map(\.0.isSynthetic) == [false, true, false, false])
        #expect(keys.suffix(2).map { $0.1?.isClear } == [false, false])
    }

    @Test("without descriptors four reports decide, and their events have their own times")
    func undescribed() {
        var keyboards = Keyboards()
        keyboards.add([[4], [], [5]].map { CaptureBytes.report($0) })
        #expect(keyboards.lines == [])
        keyboards.add([CaptureBytes.report([])], at: [4_000])
        #expect(keyboards.lines == ["1 a+ @1000", "1 a- @2000", "1 b+ @3000", "1 b- @4000"])
        #expect(keyboards.live.devices.map(\.layout) == [.plausibility])
    }

    @Test("the end decides on a keyboard that was used once")
    func undecidedAtTheEnd() {
        var keyboards = Keyboards()
        keyboards.add([CaptureBytes.report([4]), CaptureBytes.report([])])
        #expect(keyboards.lines == [])
        keyboards.finish()
        #expect(keyboards.lines == ["1 a+ @1000", "1 a- @2000"])
    }

    @Test("a mouse with eight-byte reports gives no key, however long it moves")
    func mouse() {
        var keyboards = Keyboards()
        let moves = (0..<3000).map { (step: Int) -> [UInt8] in
            let (x, y) = (UInt8(step % 251), UInt8(step % 255))
            let data: [UInt8] = [1, x, UInt8(step % 3), y, 255, UInt8(step & 1), 0, 0]
            return CaptureBytes.usbmon("C", data: data)
        }
        keyboards.add(moves)
        keyboards.finish()
        #expect(keyboards.lines == [])
    }

    @Test("a report that was kept is compared with the next one after the others were forgotten")
    func forgetting() {
        var keyboards = Keyboards()
        keyboards.add(Self.lines)
        let presses = (0..<6000).map { (number: Int) -> [UInt8] in
            let keys: [UInt8] = number % 2 == 0 ? [UInt8(4 + number / 2 % 26)] : []
            return CaptureBytes.report(keys)
        }
        keyboards.add(presses, at: (0..<6000).map { (number: Int) in Int64(10_000 + number * 1000) })
        #expect(keyboards.events.count == 6000)
        let store = keyboards.live.traffic.store
        #expect(store.count <= keyboards.live.traffic.streams.count)
        keyboards.add([CaptureBytes.report([]), CaptureBytes.report([9])], at: [7_000_000, 7_001_000])
        #expect(keyboards.events.count == 6001)
        #expect(keyboards.live.idleReports(of: 1) == 1)
    }

    @Test("a second endpoint that repeats each report counts once (HC-8)")
    func mirrored() {
        var keyboards = Keyboards()
        let config = CaptureBytes.configuration([
            (subclass: 1, protocolCode: 1, descriptorLength: 63, endpoint: 0x81),
            (subclass: 0, protocolCode: 1, descriptorLength: 63, endpoint: 0x82),
        ])
        keyboards.add(CaptureBytes.descriptor(2, config))
        keyboards.add(
            [
                CaptureBytes.report([4]), CaptureBytes.report([4], endpoint: 0x82), CaptureBytes.report([]),
                CaptureBytes.report([], endpoint: 0x82), CaptureBytes.report([5], endpoint: 0x82),
            ], at: [10_000, 10_100, 20_000, 25_000, 30_000])
        #expect(keyboards.lines == ["1 a+ @10000", "1 a- @20000", "2 b+ @30000"])
    }

    @Test("a keyboard that goes away releases its keys, and comes back with its id")
    func comesBack() {
        var keyboards = Keyboards()
        let again = CaptureBytes.descriptor(
            1, device: 6, [18, 1, 0, 2, 0, 0, 0, 64, 9, 0x12, 1, 0, 0, 1, 0, 0, 0, 1], id: 0x3000)
            + CaptureBytes.descriptor(
                2, device: 6,
                CaptureBytes.configuration([(subclass: 1, protocolCode: 1, descriptorLength: 63, endpoint: 0x81)]),
                id: 0x3001)
        keyboards.add(Self.lines)
        keyboards.add(
            [CaptureBytes.report([4]), CaptureBytes.usbmon("C", status: -108)] + again
                + [CaptureBytes.report([5], device: 6)],
            at: [10_000, 11_000, 12_000, 12_100, 12_200, 12_300, 13_000])
        #expect(keyboards.lines == ["1 a+ @10000", "1 a! @11000", "1 b+ @13000"])
        #expect(keyboards.live.devices.count == 1)
    }

    @Test(
        "the captures of this package give the same events live as read whole",
        arguments: [
            "usb-keyboard-viewer.pcap", "usb-keyboard-known-keys.pcap", "usb-keyboard-known-keys-189.pcap",
            "usb-keyboard-typed-secret.pcap", "bluetooth-keyboards.pcap", "bluetooth-keyboards.btsnoop",
            "usb-keyboard-two-interfaces-266.pcap", "usb-keyboard-rollover.evdev.bin",
        ])
    func sameAsWhole(_ name: String) throws {
        let path = RepositoryFiles.root + "/Traces/captures/" + name
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var whole: [KeyEvent] = []
        try Capture(bytes: bytes).forEachBatch { whole += $0.filter { !$0.isSynthetic } }
        let live = LiveTraffic()
        var events: [KeyEvent] = []
        try bytes.withUnsafeBytes { try CaptureKind.read(CaptureInput($0), into: live.traffic) }
        live.drain { events.append($0) }
        live.finish { events.append($0) }
        // What waited for a decision is handed over late; a recorder puts it in the order of time.
        let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
        var inOrder = order.map { events[$0] }.filter { !$0.isSynthetic || $0.phase == .down }
        // Live, a modifier of the first report was not seen to go down; afterwards it is known that it went up.
        for at in inOrder.indices { inOrder[at].isSynthetic = false }
        #expect(inOrder == whole, "\(inOrder.count) and \(whole.count) events")
    }
}

/// Devices that were plugged in before a recording began.
@Suite struct USBDeviceFilesTests {
    @Test("descriptors come from the kernel's files, for the asked bus alone")
    func lines() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "keyflight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        func put(_ path: String, _ bytes: [UInt8]) throws {
            let folder = root + "/" + path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: root + path))
        }
        let device = "/sys/bus/usb/devices/1-2"
        try put(device + "/busnum", Array("1\n".utf8))
        try put(device + "/devnum", Array("5\n".utf8))
        try put(device + "/product", Array("Test Board\n".utf8))
        let configuration = CaptureBytes.configuration([
            (subclass: 1, protocolCode: 1, descriptorLength: 4, endpoint: 0x81)
        ])
        try put(
            device + "/descriptors",
            [18, 1, 0, 2, 0, 0, 0, 64, 9, 0x12, 1, 0, 0, 1, 0, 0, 0, 1] + configuration)
        try put(device + "/1-2:1.0/bInterfaceNumber", Array("00\n".utf8))
        try put(device + "/1-2:1.0/0003:1209:0001.0001/report_descriptor", [5, 1, 9, 6])
        try put("/sys/bus/usb/devices/2-1/busnum", Array("2\n".utf8))
        try put("/sys/bus/usb/devices/2-1/devnum", Array("what\n".utf8))

        let traffic = CaptureTraffic()
        USBDeviceFiles(root: root).describe(bus: 2, to: traffic)
        #expect(traffic.devices.isEmpty)
        USBDeviceFiles(root: root).describe(bus: 0, to: traffic)
        #expect(traffic.devices.map(\.name) == ["Test Board"])
        #expect(traffic.devices.map(\.vendor) == [0x1209])
        #expect(traffic.devices.first?.reportDescriptors(endpoint: 0x81).bytes == [[5, 1, 9, 6]])
        #expect(traffic.devices.first?.announcesKeyboard == true)
    }
}
