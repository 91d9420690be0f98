import KeyModel
import Testing

@testable import HIDCapture

/// Captures as people post them: receivers, Bluetooth controllers, several interfaces, hotkeys, names.
struct PostedCaptureTests {
    // MARK: Logitech's receivers

    /// Fifteen bytes of a device behind a receiver, as they come on endpoint 0x83.
    static func paired(_ device: UInt8, _ report: [UInt8], id: UInt8 = 0x20, length: Int = 15) -> [UInt8] {
        let bytes = [id, device] + report
        return CaptureBytes.usbmon(
            "C", endpoint: 0x83, data: bytes + Array(repeating: 0, count: length - bytes.count))
    }

    static let receiver: [[UInt8]] = [
        paired(1, [2, 0, 0, 5, 1]), paired(1, [1, 2, 4]), paired(1, [1, 2, 4, 5]), paired(2, [1, 0, 6]),
        paired(1, [1, 0, 5], id: 0x21, length: 32), paired(2, [1]), paired(1, [3, 0xE9, 0]), paired(1, [3]),
        paired(1, [4, 2]), paired(1, [4]), paired(1, [0x42, 0]), paired(1, [0x42, 1]),
    ]

    @Test("reports of devices behind a Logitech receiver, a keyboard for each of them (HC-8)")
    func logitech() throws {
        #expect(
            try CaptureBytes.lines(CaptureBytes.pcap(Self.receiver)) == [
                "1 leftshift+ @1000", "1 a+ @1000", "1 b+ @2000", "2 c+ @3000", "1 a- @4000", "1 leftshift- @4000",
                "2 c- @5000", "1 0c:00e9+ @6000", "1 0c:00e9- @7000", "1 01:0081+ @8000", "1 01:0081- @9000",
                "1 b! @11000",
            ])
        let devices = try Capture(bytes: CaptureBytes.pcap(Self.receiver)).devices
        #expect(devices.map(\.endpoint) == [0x83, 0x83])
        // Nothing in the capture says that it is a receiver.
        #expect(devices.map(\.layout) == [.plausibility, .plausibility])
    }

    @Test("fifteen bytes of a bitmap of keys are no receiver's, whatever the first key is")
    func bitmapOfFifteenBytes() throws {
        // The modifiers, then a bit for each usage from 4 on.
        let descriptor = ReportDescriptorTests.hex(
            "05010906a101050719e029e7150025017501950881021904297395708102c0")
        let packets =
            CaptureBytes.descriptor(
                2, CaptureBytes.configuration([(1, 1, UInt16(descriptor.count), 0x81)]))
            + CaptureBytes.descriptor(0x22, descriptor)
        func keys(_ reports: [[UInt8]]) throws -> [Substring] {
            let data = reports.map { CaptureBytes.usbmon("C", data: $0 + Array(repeating: 0, count: 15 - $0.count)) }
            return try CaptureBytes.lines(CaptureBytes.pcap(packets + data)).map { $0.split(separator: " ")[1] }
        }
        // A right Shift, then a, i and b under it.
        let typed: [[UInt8]] = [[0x20, 1], [0x20, 1, 1], [0x20, 3, 1], [0x20], []]
        let all: [Substring] = ["rightshift+", "a+", "i+", "b+", "a-", "b-", "i-", "rightshift-"]
        #expect(try keys([[0x20]] + typed) == all)
        #expect(try keys(typed) == all)
    }

    @Test("what another vendor's device sends is no receiver's, and a short message needs the vendor")
    func otherVendor() throws {
        func keys(_ vendor: [UInt8]) throws -> [String] {
            let device = CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8] + vendor + [0x2B, 0xC5, 0, 0, 1, 2, 3, 1])
            let short: [UInt8] = [0x10, 1, 3, 0xCD, 0, 0, 0]
            let unpaired: [UInt8] = [0x10, 1, 0x40, 2, 0, 0, 0]
            return try CaptureBytes.lines(
                CaptureBytes.pcap(
                    device + Self.receiver.prefix(3) + [short, unpaired].map { CaptureBytes.usbmon("C", data: $0) }))
        }
        #expect(try keys([0x6D, 4]).contains("2 0c:00cd+ @5000"))
        #expect(try keys([0x6D, 4]).contains("2 0c:00cd! @6000"))
        #expect(try keys([0x5E, 4]) == [])
        #expect(try CaptureBytes.lines(
            CaptureBytes.pcap([CaptureBytes.usbmon("C", data: [0x10, 1, 3, 0xCD, 0, 0, 0])])) == [])
    }

    /// Reports of one of Logitech's receivers that has no report descriptor in the capture.
    static func numbered(_ product: UInt8, _ reports: [[UInt8]], endpoint: UInt8 = 0x81) -> [[UInt8]] {
        CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 0x6D, 4, product, 0xC5, 0, 0, 1, 2, 3, 1])
            + CaptureBytes.descriptor(2, CaptureBytes.configuration([(1, 1, 59, 0x81), (1, 2, 177, 0x82)]))
            + reports.map { CaptureBytes.usbmon("C", endpoint: endpoint, data: $0) }
    }

    /// A key of a Lightspeed receiver by the byte and the bit that it has.
    static func bit(_ byte: Int, _ bit: UInt8, modifiers: UInt8 = 0) -> [UInt8] {
        var report: [UInt8] = [1, modifiers] + Array(repeating: 0, count: 15)
        report[byte] |= 1 << bit
        return report
    }

    @Test("Lightspeed receivers send keys as bits, and others consumer keys beside boot reports (HC-8)")
    func numberedReports() throws {
        // The first usage is A (04), of byte 16 International 1 (87) and, behind five bits, LANG 1 (90).
        let keys = [Self.bit(2, 0), Self.bit(2, 0, modifiers: 2), Self.bit(15, 7), Self.bit(16, 0), Self.bit(16, 5)]
        let bits = Self.numbered(0x47, keys + [[3, 0xE9, 0, 0, 0], [3, 0, 0, 0, 0], [2, 1, 0, 0, 0]])
        #expect(
            try CaptureBytes.lines(CaptureBytes.pcap(bits)) == [
                "1 a+ @4000", "1 leftshift+ @5000", "1 a- @6000", "1 leftshift- @6000", "1 f24+ @6000", "1 f24- @7000",
                "1 international1+ @7000", "1 international1- @8000", "1 lang1+ @8000", "1 0c:00e9+ @9000",
                "1 0c:00e9- @10000", "1 lang1! @11000",
            ])
        let consumer = Self.numbered(0x34, [[2, 0, 1, 1, 0], [3, 0xCD, 0, 0, 0], [3, 0, 0, 0, 0]], endpoint: 0x82)
        #expect(try CaptureBytes.lines(CaptureBytes.pcap(consumer)) == ["1 0c:00cd+ @5000", "1 0c:00cd- @6000"])
        // Without ids, as a mouse sends them, and of another product.
        #expect(try CaptureBytes.lines(
            CaptureBytes.pcap(Self.numbered(0x34, [[3, 5, 5], [0, 5, 5]], endpoint: 0x82))) == [])
        // Bolt's mouse, consumer keys, Do Not Disturb and system keys come on one endpoint.
        let bolt: [[UInt8]] = [
            [2, 0, 0, 1, 0, 0, 0, 0, 0], [3, 0xE2, 0, 0, 0], [3, 0, 0, 0, 0], [0x0B, 1, 0], [4, 1], [4, 0],
        ]
        #expect(
            try CaptureBytes.lines(CaptureBytes.pcap(Self.numbered(0x48, bolt, endpoint: 0x82))) == [
                "1 0c:00e2+ @5000", "1 0c:00e2- @6000", "1 01:0082+ @8000", "1 01:0082- @9000",
            ])
        let other = try Capture(bytes: CaptureBytes.pcap(Self.numbered(0x99, keys)))
        #expect(other.devices.isEmpty && other.facts.hasUnknownLayout)
    }

    // MARK: Bluetooth on USB

    /// The packets of a connection as a controller's transfers; `size`: the most that its endpoints take at once.
    static func controller(_ packets: [[UInt8]], size: Int = 1024, isWindows: Bool = false) -> [[UInt8]] {
        packets.flatMap { packet in
            let (isEvent, isIn) = (packet[0] == 4, BluetoothBytes.isReceived(packet))
            let body = Array(packet.dropFirst())
            return stride(from: 0, to: body.count, by: size).map { at in
                let data = Array(body[at..<min(at + size, body.count)])
                let endpoint: UInt8 = isEvent ? 0x81 : isIn ? 0x82 : 2
                return isWindows
                    ? CaptureBytes.usbpcap(
                        transfer: isEvent ? 1 : 3, endpoint: endpoint, isFromDevice: isIn, data: data)
                    : CaptureBytes.usbmon(isIn ? "C" : "S", transfer: isEvent ? 1 : 3, endpoint: endpoint, data: data)
            }
        }
    }

    static let command = CaptureBytes.usbmon(
        "S", transfer: 2, endpoint: 0, setup: [0x20, 0, 0, 0, 0, 0, 3, 0], data: [3, 0x0C, 0])

    @Test("a keyboard in the transfers of its Bluetooth controller (HC-17)", arguments: [1024, 16])
    func bluetooth(_ size: Int) throws {
        let typed = BluetoothBytes.typed
        let keys = ["a+", "a-", "leftshift+", "b+", "b-", "leftshift-"]
        func presses(_ file: [UInt8]) throws -> [Substring] {
            try CaptureBytes.lines(file).map { $0.split(separator: " ")[1] }
        }
        let linux = CaptureBytes.pcap([Self.command] + Self.controller(typed, size: size))
        #expect(try presses(linux).map(String.init) == keys)
        let windows = CaptureBytes.usbpcap(
            transfer: 2, endpoint: 0, isFromDevice: false, stage: 0, data: [0x20, 0, 0, 0, 0, 0, 3, 0, 3, 0x0C, 0])
        let other = CaptureBytes.pcap([windows] + Self.controller(typed, size: size, isWindows: true), linkType: 249)
        #expect(try presses(other).map(String.init) == keys)
        // Nothing says what the device is: its data do.
        #expect(try presses(CaptureBytes.pcap(Self.controller(typed))).map(String.init) == keys)
        let device = try #require(try Capture(bytes: linux).devices.first)
        #expect(device.source == .bluetooth && device.adapter == 0 && device.handle == 42)
        // An empty transfer may end a packet that fills its pieces.
        let empty = CaptureBytes.usbmon("C", transfer: 3, endpoint: 0x82)
        let ended = try Capture(bytes: CaptureBytes.pcap([Self.command] + Self.controller(typed, size: size) + [empty]))
        #expect(ended.facts.cutReports == 0)
        #expect(try presses(Self.text([Self.command] + Self.controller(typed, size: size))).map(String.init) == keys)
    }

    /// Packets as usbmon's text has them, a millisecond apart, with 32 bytes of data at most.
    static func text(_ packets: [[UInt8]]) -> [UInt8] {
        func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { String(String(Int($0) + 0x100, radix: 16).dropFirst()) }.joined()
        }
        let lines = packets.enumerated().map { number, packet in
            let (type, isIn, data) = (packet[8] == 0x43 ? "C" : "S", packet[10] & 0x80 != 0, packet.dropFirst(64))
            let place = "\(["Z", "I", "C", "B"][Int(packet[9])])\(isIn ? "i" : "o"):1:005:\(packet[10] & 15)"
            let setup = packet[40..<48].map { hexadecimal([$0]) }
            let words = [setup[0], setup[1]] + [3, 5, 7].map { setup[$0] + setup[$0 - 1] }
            let isSetup = packet[9] == 2 && type == "S"
            let status = isSetup ? "s " + words.joined(separator: " ") : type == "S" ? "-115" : "0"
            let content = data.isEmpty ? "<" : "= " + hexadecimal(data.prefix(32))
            return "ffff8800 \(number)000 \(type) \(place) \(status) \(data.count) \(content)\n"
        }
        return Array(lines.joined().utf8)
    }

    @Test("packets of one controller on two interfaces, each with a part of them or all")
    func bluetoothTwice() throws {
        let packets = [Self.command] + Self.controller(BluetoothBytes.typed)
        for (end, begin) in [(2, 2), (6, 3), (packets.count, 0), (packets.count, packets.count - 2)] {
            for file in Self.twice(packets, end, begin) {
                let keys = try CaptureBytes.lines(file).map { String($0.split(separator: " ")[1]) }
                #expect(keys == ["a+", "a-", "leftshift+", "b+", "b-", "leftshift-"], "\(end) \(begin)")
                #expect(try Capture(bytes: file).devices.count == 1, "\(end) \(begin)")
            }
        }
    }

    /// Packets up to one of them on an interface, and from one on on another, in the order of interfaces and of time.
    static func twice(_ packets: [[UInt8]], _ end: Int, _ begin: Int) -> [[UInt8]] {
        var both: [(interface: UInt32, millis: Int, packet: [UInt8])] = []
        for (number, packet) in packets.enumerated() where number < end { both.append((0, number * 10, packet)) }
        for (number, packet) in packets.enumerated() where number >= begin { both.append((1, number * 10, packet)) }
        return [interfaces(both), interfaces(both.sorted { $0.millis < $1.millis })]
    }

    @Test("the lights that a host sets are read from usbmon's text")
    func lights() throws {
        let set = CaptureBytes.usbmon("S", transfer: 2, endpoint: 0, setup: [0x21, 9, 0, 2, 0, 0, 1, 0], data: [2])
        let capture = try Capture(bytes: Self.text([CaptureBytes.report([4]), set, CaptureBytes.report([])]))
        #expect(capture.facts.initialLocks?.capsLock == true)
    }

    @Test("bulk transfers of a device that is no controller are no Bluetooth")
    func disk() throws {
        let configuration = CaptureBytes.descriptor(2, CaptureBytes.configuration([(1, 1, 63, 0x81)]))
        let packets = configuration + Self.controller(BluetoothBytes.typed)
        #expect(try CaptureBytes.lines(CaptureBytes.pcap(packets)) == [])
    }

    // MARK: Interfaces

    /// Packets of interfaces, stamped in milliseconds.
    static func interfaces(_ packets: [(interface: UInt32, millis: Int, packet: [UInt8])]) -> [UInt8] {
        var file = CaptureBytes()
        file.section()
        for _ in 0...(packets.map(\.interface).max() ?? 0) { file.interface() }
        for (interface, millis, packet) in packets {
            file.enhanced(packet, stamp: UInt64(1_700_000_000_000 + millis) * 1000, interface: interface)
        }
        return file.bytes
    }

    @Test("each interface has its own clock: what is late of one shifts nothing of another, and is no loss (HC-2)")
    func clocks() throws {
        let down = CaptureBytes.report([4])
        let up = CaptureBytes.report([])
        let other = (CaptureBytes.report([5], device: 9), CaptureBytes.report([], device: 9))
        let capture = try Capture(
            bytes: Self.interfaces([
                (0, 2000, down), (1, 800, other.0), (0, 2100, up), (1, 1900, other.1), (0, 2200, down), (0, 2300, up),
            ]))
        var lines: [String] = []
        capture.forEachBatch { events in
            lines += events.map { "\($0.device) \($0.key.usage?.name ?? "") \($0.time.nanoseconds / 1_000_000)" }
        }
        #expect(lines == ["1 B 0", "1 B 1100", "2 A 1200", "2 A 1300", "2 A 1400", "2 A 1500"])
        #expect(capture.facts.clock.backwardSteps == 0)
        #expect(capture.facts.clock.start == 1_700_000_000_800_000_000 && capture.facts.clock.end == 1_500_000_000)
        // The clock of one interface that is set back is counted, and its times go on.
        let set = try Capture(bytes: Self.interfaces([(0, 9000, down), (0, 2000, up), (1, 9100, other.0)]))
        #expect(set.facts.clock.backwardSteps == 1 && set.facts.clock.end == 100_000_000)
    }

    @Test("a transfer on usbmon0 and usbmonN counts once, whichever way they are mixed", arguments: [1, 3, 99])
    func twice(_ run: Int) throws {
        let typed = (0..<8).map { CaptureBytes.report($0 % 2 == 0 ? [UInt8(4 + $0)] : []) }
        var packets: [(UInt32, Int, [UInt8])] = []
        for start in stride(from: 0, to: typed.count, by: run) {
            for interface: UInt32 in [0, 1] {
                for at in start..<min(start + run, typed.count) { packets.append((interface, at * 10, typed[at])) }
            }
        }
        let capture = try Capture(bytes: Self.interfaces(packets))
        #expect(capture.devices.count == 1 && capture.forEachBatch { _ in }.devices.first?.presses == 4)
        #expect(capture.facts.notes.first?.contains("is on two interfaces of the capture") ?? false)
        // One after the other they are not the same.
        let later = typed.enumerated().flatMap { [(UInt32(0), $0 * 10, $1), (UInt32(1), 1000 + $0 * 10, $1)] }
        let both = try Capture(bytes: Self.interfaces(later))
        #expect(both.devices.count == 1 && both.forEachBatch { _ in }.devices.first?.presses == 8)
    }

    @Test("of transfers that two interfaces have in part each counts once", arguments: [(10, 4), (10, 5), (16, 12)])
    func overlap(_ end: Int, _ begin: Int) throws {
        let typed = (0..<16).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number / 2)] : [])
        }
        for file in Self.twice(typed, end, begin) {
            #expect(try CaptureBytes.lines(file).count == 16)
            let capture = try Capture(bytes: file)
            #expect(capture.devices.count == 1 && capture.facts.notes.count == 1)
        }
    }

    @Test("interfaces are put in the order of time, however many reports there are")
    func manyOfInterfaces() throws {
        var options = CaptureOptions()
        options.reportsKept = 100
        // More than are kept, and than are judged.
        let typed = (0..<5000).map { (number: Int) -> [UInt8] in
            CaptureBytes.report(number % 2 == 0 ? [UInt8(4 + number / 2 % 26)] : [])
        }
        let capture = try Capture(bytes: Self.twice(typed, 5000, 0)[0], options: options)
        var (presses, latest) = (0, TraceTime.zero)
        capture.forEachBatch { events in
            for event in events {
                #expect(event.time > latest || presses == 0)
                latest = event.time
                if event.phase == .down { presses += 1 }
            }
        }
        #expect(presses == 2500 && capture.devices.count == 1)
    }

    // MARK: Names and codes

    @Test("the longest answer to a request for a name counts")
    func names() throws {
        func string(_ text: String) -> [UInt8] { [UInt8(2 + 2 * text.count), 3] + text.utf8.flatMap { [$0, 0] } }
        let device = CaptureBytes.descriptor(1, [18, 1, 0, 2, 0, 0, 0, 8, 0x32, 0x15, 1, 0, 0, 0, 1, 2, 3, 1])
        let whole = string("Razer")
        for answers in [[Array(whole.prefix(4)), whole], [whole, Array(whole.prefix(4))]] {
            let names = answers.flatMap { CaptureBytes.descriptor(3, index: 2, $0) }
            let file = CaptureBytes.pcap(device + names + ContainerTests.typed())
            #expect(try Capture(bytes: file).devices.first?.name == "Razer")
        }
        // Up to the NUL that some firmware sends, without blanks at the end; blanks alone are none.
        for (text, name) in [("Keys \0\0\0", "Keys"), (" K 1  ", " K 1"), ("   ", nil), ("\0K", nil)]
            as [(String, String?)]
        {
            let answer = CaptureBytes.descriptor(3, index: 2, string(text))
            let file = CaptureBytes.pcap(device + answer + ContainerTests.typed())
            #expect(try Capture(bytes: file).devices.first?.name == name)
        }
    }

    @Test("keys of the kernel that no usage has are kept by their code, and named (HC-28)")
    func hotkeys() throws {
        let events = [(1, 0xF8, 1), (1, 0xF8, 0), (1, 0x95, 1), (1, 0x95, 0), (4, 4, 0x000C_00CF), (1, 0x246, 1)]
        let text = events.enumerated().map { number, event in
            "E: 0.00\(number)000 000\(event.0) \(String(event.1 + 0x10000, radix: 16).dropFirst()) \(event.2)\n"
        }
        #expect(
            try CaptureBytes.lines(Array(("# EVEMU 1.3\n" + text.joined()).utf8)) == [
                "1 key_micmute+ @0", "1 key_micmute- @1000", "1 key_prog2+ @2000", "1 key_prog2- @3000",
                "1 0c:00cf+ @5000", "1 0c:00cf! @5000",
            ])
        for (usage, code) in [(0x0001_00A9, 248), (0xFFEC_0095, 149)] as [(UInt32, UInt16)] {
            let key = KeyUsage(rawValue: usage)
            #expect(EvdevCodes.code(of: key) == code && KeyUsage(name: key.name) == key)
        }
        // Usages that newer kernels map, and a code by code and usage (hid-input.c).
        for (usage, code) in [
            (0x000C_0076, 587), (0x000C_0078, 589), (0x000C_00D8, 586), (0x000C_01CC, 596), (0x000C_01CE, 598),
            (0x000C_02CC, 613), (0x0001_00AA, 590), (0x000B_002F, 248), (0x000B_00BF, 527), (0x0090_0020, 528),
        ] as [(UInt32, UInt16)] {
            #expect(EvdevCodes.code(of: KeyUsage(rawValue: usage)) == code)
            #expect(ReportDescriptor.key(usage) == KeyUsage(rawValue: usage))
        }
        #expect(EvdevCodes.code(of: KeyUsage(page: 12, usage: 0xD5)) == nil)
        #expect(EvdevCodes.usage(of: 248) == KeyUsage(rawValue: 0x0001_00A9))
    }

    @Test("digits of telephones and dots of braille keyboards are text, and masked; of the extended keypad its signs")
    func otherText() throws {
        for usage: UInt16 in 0xB0...0xDD {
            // Tab, Backspace, memory, clearing and number bases.
            let isKey = (0xBA...0xBB).contains(usage) || usage >= 0xD0 && usage != 0xD7
            #expect(TextKeyClass(.keyboard(usage)) == (isKey ? nil : .keypad))
        }
        for (code, textClass) in [(517, .keypad), (620, .keypad), (497, .letter), (435, .punctuation), (148, nil)]
            as [(UInt16, TextKeyClass?)]
        {
            let usage = try #require(EvdevCodes.usage(of: code, scan: nil))
            #expect(TextKeyClass(usage) == textClass)
        }
    }
}
