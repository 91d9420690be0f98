import CZlib
import KeyModel
import Testing

@testable import HIDCapture

/// Texts that people paste, and captures in gzip files.
struct PostedTextTests {
    static let evtest = """
        No device specified, trying to scan all of /dev/input/event*
        Input driver version is 1.0.1
        Input device ID: bus 0x3 vendor 0x46d product 0xc31c version 0x110
        Input device name: "Logitech USB Keyboard"
            Event code 30 (KEY_A)
        Testing ... (interrupt to exit)
        Event: time 1700000000.000100, -------------- SYN_REPORT ------------
        Event: time 1700000000.000200, type 4 (EV_MSC), code 4 (MSC_SCAN), value 70004
        Event: time 1700000000.000200, type 1 (EV_KEY), code 30 (KEY_A), value 1
        Event: time 1700000000.000200, -------------- SYN_REPORT ------------
        aEvent: time 1700000000.250200, type 1 (EV_KEY), code 30 (KEY_A), value 2
        Event: time 1700000000.300200, type 1 (Key), code 30 (A), value 0
        Event: time 1700000000.400200, type 4 (Misc), code 4 (ScanCode), value 786665
        Event: time 1700000000.400200, type 1 (EV_KEY), code 115 (KEY_VOLUMEUP), value 1
        Event: time 1700000000.500200, type 1 (EV_KEY), code 115 (KEY_VOLUMEUP), value 0

        """

    @Test("what evtest prints is read, wherever in its line an event begins (HC-34)")
    func evtestText() throws {
        let bytes = Array(Self.evtest.utf8)
        #expect(
            try CaptureBytes.lines(bytes) == [
                "1 a+ @100", "1 a- @250100", "1 a- @300100", "1 0c:00e9+ @400100", "1 0c:00e9- @500100",
            ])
        let device = try #require(try Capture(bytes: bytes).devices.first)
        #expect(device.name == "Logitech USB Keyboard" && device.vendor == 0x046D && device.product == 0xC31C)
        let lines = Self.evtest.split(separator: "\n")
        let lost = "Event: time 1700000000.600000, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<"
        let cut = Array((lines.joined(separator: "\r\n") + "\r\n" + lost + "\r\nEvent: time 1, type\r\n").utf8)
        let facts = try Capture(bytes: cut).facts
        #expect(facts.sourceDrops.times == 1 && facts.skippedLines == 1)
        // As people post it: behind what they write about it.
        let prose = String(repeating: "My keyboard does this since the update, see below.\n", count: 600)
        let evemu = "# EVEMU 1.3\nE: 0.000001 0001 001e 0001\nE: 0.100000 0001 001e 0000\n"
        for text in [bytes, Self.wrapped, Array(evemu.utf8)] {
            let keys = try CaptureBytes.lines(text)
            #expect(try !keys.isEmpty && CaptureBytes.lines(Array(prose.utf8) + text) == keys)
        }
    }

    @Test("a descriptor of hid-recorder on several lines is put together, and one that lacks bytes is damage")
    func wrappedDescriptor() throws {
        let boot = ReportDescriptorTests.boot.map { String(Int($0) + 0x100, radix: 16).dropFirst() }
        let head = "R: \(boot.count) " + boot.prefix(20).joined(separator: " ") + "\n"
        let rest = boot.dropFirst(20).joined(separator: " ") + "\n"
        let events = "E: 0.1 8 00 00 04 00 00 00 00 00\nE: 0.2 8 00 00 00 00 00 00 00 00\n"
        let whole = try Capture(bytes: Array((head + rest + events).utf8))
        #expect(whole.devices.map(\.layout) == [.reportDescriptor] && whole.facts.damage == nil)
        let damaged = try Capture(bytes: Array((head + events).utf8))
        #expect(damaged.facts.damage?.reason == "report descriptor: expected all of its bytes, found fewer")
        #expect(damaged.facts.packets == 2)
        // Nothing but the count before the first break, and a report that is broken.
        let broken = "R: \(boot.count)\n" + boot.joined(separator: " ") + "\nE: 0.1 8 00 00 04\n 00 00 00 00 00\n"
        let reports = try Capture(bytes: Array((broken + "E: 0.2 8 00 00\nE: 0.3 8 00 00 00 00 00 00 00 00\n").utf8))
        #expect(reports.facts.damage?.reason == "report: expected all of its bytes, found fewer")
        #expect(reports.facts.skippedLines == 1 && reports.facts.packets == 2)
        #expect(reports.devices.map(\.layout) == [.reportDescriptor])
    }

    static let foreign: [(String, String)] = [
        ("Bluetooth monitor ver 5.66\n= Note: Linux version 6.1\n", "btmon -w"),
        ("-event4   KEYBOARD_KEY                +0.000s\tKEY_A (30) pressed\n", "libinput record"),
        ("/dev/input/event3: EV_KEY       KEY_A                DOWN\n", "adb exec-out"),
        ("EV_KEY       KEY_A                DOWN\n", "adb exec-out"), ("key press   38 \n", "evtest"),
        ("AT Keyboard\t0001:0001:70533846\tenter up\n", "keyd monitor"),
        ("AT Keyboard\t0001:0001\ta down\r\nAT Keyboard\t0001:0001\ta up\r\n", "keyd monitor"),
        ("+12 ms\tAT Keyboard\t0001:0001:70533846\tf1 down\n", "keyd monitor"),
        ("\u{1B}[32mPress\u{1B}[m xkb_keycode: 0x26 clean_sym: a\n", "kitty"),
        ("\u{1B}[33mon_key_input\u{1B}[m: glfw key: 0x61 native_code: 0x61\n", "kitty"),
        ("Press any keys - Ctrl-D will\n", "evtest"),
        ("{\"width\":80,\"height\":24,\"version\":2}\n", "evtest"), ("<pdml version=\"0\">\n", "tshark -w"),
        ("{\"index\":{\"_index\":\"packets-2026-01-01\"}}\n", "tshark -w"),
        ("KeyPress event, serial 34, synthetic NO, window 0x1,\n", "evtest"),
        ("keyd virtual keyboard\t0fac:0ade\ta down\n", "evtest"),
        ("on_key_input: glfw key: 0x61 native_code: 0x61\n", "evtest"),
        ("kb mode was RAW\nkeycode  30 press\n", "evtest"),
        ("[\n  {\n    \"_index\": \"packets-2026-01-01\",\n", "tshark -w"),
        ("Frame 1: 72 bytes on wire (576 bits), 72 bytes captured\n", "tshark -w"),
        ("0000040000000000\n0000000000000000\n", "tshark -w"),
        ("00:00:04:00:00:00:00:00\n00:00:00:00:00:00:00:00\n", "tshark -w"),
        ("1.5\t0000040000000000\r\n1.6\t0000000000000000\r\n", "tshark -w"),
        ("001:002:000:STREAM             1700000000.123456\n 00 00 04 00 00 00 00 00\n", "hid-recorder"),
        ("001:005:000:DESCRIPTOR         1700000000.123456\n 05 01 09 06 A1 01\n", "hid-recorder"),
        ("> ACL data: handle 42 flags 0x02 dlen 14\n", "btmon -w"), ("<psml version=\"0\">\n", "tshark -w"),
        ("15:00:00.123456 INTERRUPT COMPLETE FROM 1:2:1\n", "tshark -w"),
        ("00000000  00 00 04 00 00 00 00 00  00 00 00 00 00 00 00 00  |....|\n*\n00000020\n", "hid-recorder"),
        ("00000000: 0000 0400 0000 0000 0000 0000 0000 0000  ................\n", "hid-recorder"),
        ("0000000 000000 000004 000000 000000\n0000010\n", "hid-recorder"), ("00 00 04 00 00 00 00\n", "hid-recorder"),
        ("[0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00]\n", "hid-recorder"),
        ("usb.capdata\n00:00:04:00:00:00:00\n", "tshark -w"), ("PK\u{5}\u{6}\0\0\0\0", "unzip"),
        (String(repeating: "\0", count: 257) + "ustar\0", "tar -x"), ("\u{4}\u{22}M\u{18}", "lz4 -d"),
        ("{\"version\": 2, \"width\": 80, \"height\": 24}\n", "evtest"), ("PK\u{3}\u{4}\u{14}\n", "unzip"),
    ]

    @Test("texts that are not read are named, with what to record", arguments: foreign)
    func foreignText(_ text: String, _ remedy: String) throws {
        let others = ["press a\n", "type 12345678901234\n", "wait 1s\ntype deadbeefdeadbeef\n"]
        for other in others + ["e3b0c44298fc1c149afbf4c8996fb924  a.pcap\n"] {
            #expect(ForeignInput.words(Array(other.utf8)) == nil)
        }
        #expect(!Capture.isCapture(Array(text.utf8)))
        #expect(HostileCaptureTests.outcome(Array(text.utf8)).contains(remedy))
    }

    // MARK: Packed

    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, input) = (z_stream(), bytes)
        var out = [UInt8](repeating: 0, count: bytes.count / 2 + 1024)
        deflateInit2_(
            &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        (stream.avail_in, stream.avail_out) = (UInt32(bytes.count), UInt32(out.count))
        input.withUnsafeMutableBufferPointer { from in
            out.withUnsafeMutableBufferPointer { to in
                (stream.next_in, stream.next_out) = (from.baseAddress, to.baseAddress)
                deflate(&stream, Z_FINISH)
            }
        }
        return Array(out.dropLast(Int(stream.avail_out)))
    }

    static let plain = CaptureBytes.pcap(ContainerTests.typed())

    @Test("gzip files are unpacked while they are read; several in a row are one (HC-5)")
    func packed() throws {
        let (plain, keys) = (Self.plain, try CaptureBytes.lines(Self.plain))
        #expect(try CaptureBytes.lines(Self.gzip(plain)) == keys)
        let halves = [plain.prefix(100), plain.dropFirst(100)].flatMap { Self.gzip(Array($0)) }
        #expect(try CaptureBytes.lines(halves) == keys)
    }

    @Test("gzip files that are damaged or nested, or bombs")
    func packedDamage() throws {
        let packed = Self.gzip(Self.plain)
        #expect(HostileCaptureTests.outcome(Array(packed.dropLast(8))).contains("packed data: expected all of them"))
        #expect(HostileCaptureTests.outcome(Self.gzip(packed)).contains("a gzip file, which is not read as it is"))
        for isBig in [false, true] {
            let units = ("\u{FEFF}" + Self.evtest).utf16.map { isBig ? $0.bigEndian : $0.littleEndian }
            let words = HostileCaptureTests.outcome(units.withUnsafeBytes { Array($0) })
            #expect(words.contains("text in UTF-16, which is not read as it is; use iconv"))
        }
        // A packet of 60 MiB, which is passed over.
        var record = CaptureBytes()
        for number in [1_700_000_001, 0, 60 << 20, 60 << 20] as [UInt32] { record.put(number) }
        let bomb = Self.gzip(Self.plain + record.bytes + [UInt8](repeating: 0, count: 60 << 20))
        #expect(bomb.count < 1 << 20)
        #expect(HostileCaptureTests.outcome(bomb).contains("expected at most 48 MiB and four times their own size"))
    }
}

extension PostedTextTests {
    private static let wrapped: [UInt8] = {
        let boot = ReportDescriptorTests.boot.map { String(Int($0) + 0x100, radix: 16).dropFirst() }
        let head = "R: \(boot.count) " + boot.prefix(30).joined(separator: " ") + "\n"
        let reports = ["04 00", "04 05", "05 00", "00 00"].map { "E: 0.5 8 00 00 \($0)\n 00 00 00 00\n" }
        return Array((head + boot.dropFirst(30).joined(separator: " ") + "\n" + reports.joined()).utf8)
    }()

    /// Two keys in each form, for damage of every kind.
    static let samples: [(name: String, bytes: [UInt8])] = {
        let paired = [[4], [4, 5], [5], []].map { PostedCaptureTests.paired(1, [1, 0] + $0) }
        let classic = BluetoothBytes.connect(service: 0x13, own: 0x40, theirs: 0x41)
            + [[4], [4, 5], [5], []].flatMap { BluetoothBytes.report($0, channel: 0x40) }
        let other = [CaptureBytes.report([6], device: 9), CaptureBytes.report([], device: 9)]
        let keys = [CaptureBytes.report([4]), CaptureBytes.report([])]
        let lines = evtest.split(separator: "\n").filter { !$0.hasSuffix("value 2") }
        return [
            ("receiver", CaptureBytes.pcap(paired)),
            (
                "Lightspeed receiver",
                CaptureBytes.pcap(
                    PostedCaptureTests.numbered(
                        0x4D, [[1, 0], [3, 0], [2, 0], [0, 0]].map { [1, 0] + $0 + Array(repeating: 0, count: 13) }))
            ),
            (
                "controller in text",
                PostedCaptureTests.text([PostedCaptureTests.command] + PostedCaptureTests.controller(classic))
            ),
            ("hid-recorder, wrapped", wrapped),
            (
                "controller",
                CaptureBytes.pcap([PostedCaptureTests.command] + PostedCaptureTests.controller(classic, size: 16))
            ),
            (
                "interfaces",
                PostedCaptureTests.interfaces([(0, 5, keys[0]), (1, 3, other[0]), (0, 6, keys[1]), (1, 9, other[1])])
            ),
            ("evtest", Array(lines.joined(separator: "\n").utf8)), ("gzip", gzip(plain)),
        ]
    }()
}
