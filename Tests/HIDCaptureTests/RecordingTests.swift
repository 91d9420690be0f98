import Foundation
import HIDCapture
import KeyModel
import SystemPackage
import Testing

/// Recordings of kernels and texts: what they hold is what the same keyboard sent, whoever wrote it down.
struct RecordingTests {
    /// Key events as `time direction usage` with the events of one moment in the order of their usages, since a
    /// kernel tells the keys of one report in another order than a comparison of reports does. Times count from the
    /// first event, in milliseconds.
    static func lines(_ capture: Capture, withTimes: Bool = true) -> [String] {
        var events: [KeyEvent] = []
        capture.forEachBatch { events += $0.filter { $0.phase != .repeat && !$0.isSynthetic } }
        let first = events.first?.time ?? .zero
        return events.map { event in
            (event.time.since(first).nanoseconds, event.phase == .up ? 0 : 1, event.key.usage?.rawValue ?? 0)
        }.sorted { $0 < $1 }.map { time, isDown, usage in
            let place = withTimes ? "\((time + 500_000) / 1_000_000) " : ""
            return "\(place)\(isDown == 1 ? "down" : "up") \(KeyUsage(rawValue: usage).name)"
        }
    }

    static func own(_ name: String) throws -> Capture {
        try RepositoryFiles.capture("usb-keyboard-rollover." + name)
    }

    @Test(
        "each form of one recording holds the same keys: 64-bit and 32-bit events, evemu and libinput (HC-34)",
        arguments: ["evdev-32bit.bin", "evemu", "libinput.yml"])
    func kernelForms(_ name: String) throws {
        let whole = RecordingTests.lines(try RecordingTests.own("evdev.bin"))
        #expect(whole.count == 42)
        #expect(RecordingTests.lines(try RecordingTests.own(name)) == whole)
    }

    @Test("text of usbmon and hid-recorder hold the same reports", arguments: ["usbmon.txt", "hid"])
    func reportForms(_ name: String) throws {
        let capture = try RecordingTests.own(name)
        let kernel = RecordingTests.lines(try RecordingTests.own("evdev.bin"), withTimes: false)
        #expect(RecordingTests.lines(capture, withTimes: false) == kernel)
        #expect(capture.devices.map(\.reports) == [42])
        let totals = capture.forEachBatch { _ in }
        #expect(totals.devices.map(\.rolloverReports) == [3])
    }

    @Test("the header of a recording names the keyboard")
    func names() throws {
        for name in ["evemu", "libinput.yml", "hid"] {
            let device = try #require(try RecordingTests.own(name).devices.first)
            #expect(device.name == "QEMU QEMU USB Keyboard")
            #expect(device.vendor == 0x0627 && device.product == 1)
            #expect(device.source == (name == "hid" ? .hidraw : .evdev))
        }
    }

    @Test("repeats of the kernel are told apart from keys (HC-31)")
    func repeats() throws {
        let totals = try RecordingTests.own("evdev.bin").forEachBatch { _ in }
        #expect(totals.devices.map(\.repeats) == [31])
        #expect(totals.devices.map(\.presses) == [21])
    }

    @Test("wall clock and other clocks are told apart (HC-34)")
    func clocks() throws {
        for (name, isWallClock) in [
            ("evdev.bin", true), ("evemu", false), ("libinput.yml", false), ("usbmon.txt", false), ("hid", false),
        ] {
            #expect(try RecordingTests.own(name).facts.clock.isWallClock == isWallClock, "\(name)")
        }
    }

    // MARK: Small texts

    private static func lines(_ text: String) throws -> [String] { try CaptureBytes.lines(Array(text.utf8)) }

    @Test("SYN_DROPPED: the rest of its packet is left out, a lost release is synthetic, the loss reported (HC-33)")
    func dropped() throws {
        let text = """
            # EVEMU 1.3
            E: 0.000001 0001 001e 0001
            E: 0.000001 0000 0000 0000
            E: 0.100000 0000 0003 0000
            E: 0.100000 0001 001e 0000
            E: 0.100000 0000 0000 0000
            E: 0.200000 0001 001e 0001
            E: 0.200000 0000 0000 0000
            E: 0.300000 0001 001e 0000

            """
        #expect(try Self.lines(text) == ["1 a+ @0", "1 a! @199999", "1 a+ @199999", "1 a- @299999"])
        let drops = try Capture(bytes: Array(text.utf8)).facts.sourceDrops
        #expect(drops.times == 1 && drops.count == nil)
    }

    @Test("of usages that share a code the scan code tells which one, unless a driver translated the key (HC-28)")
    func scanCodes() throws {
        let text = """
            # EVEMU 1.3
            E: 0.000001 0004 0004 458802
            E: 0.000001 0001 002b 0001
            E: 0.000001 0004 0004 458809
            E: 0.000001 0001 001d 0001
            E: 0.000001 0004 0004 30
            E: 0.000001 0001 0030 0001
            E: 0.000001 0001 0110 0001

            """
        // 32 shares its code with 31; Caps Lock was made a Control; a scan code of a PS/2 keyboard is no usage.
        #expect(
            try Self.lines(text).filter { $0.contains("+") } == ["1 nonuspound+ @0", "1 leftcontrol+ @0", "1 b+ @0"])
    }

    @Test("a release before any press is counted, echo of a terminal is passed over (HC-34)")
    func evemuTraps() throws {
        let text = """
            # EVEMU 1.3
            N: A keyboard
            I: 0003 05ac 024f 0111
            E: 0.000001 0001 001c 0000    # EV_KEY / KEY_ENTER            0
            E: 3.640121 0001 003b 0001    # EV_KEY / KEY_F1               1
            ^[OPE: 3.713884 0001 003b 0000    # EV_KEY / KEY_F1               0

            """
        #expect(try Self.lines(text) == ["1 f1+ @3640120", "1 f1- @3713883"])
        let facts = try Capture(bytes: Array(text.utf8)).facts
        #expect(facts.notes.count == 2 && facts.damage == nil)
    }

    @Test("a recording of libinput with hidden keys says so (HC-34)")
    func obfuscated() throws {
        let text = """
            version: 1
            devices:
            - node: /dev/input/event3
              events:
              - evdev:
                - [  0,      0,   1,  30,       1] # EV_KEY / KEY_A
              - libinput:
                - {time: 0.1, type: KEYBOARD_KEY}
              - evdev:
                - [  0,   5000,   1,  30,       0] # EV_KEY / KEY_A
            - node: /dev/input/event4
              events:
              - evdev:
                - [  0,   6000,   1,  28,       1]

            """
        #expect(try Self.lines(text) == ["1 a+ @0", "1 a- @5000", "2 return+ @6000", "2 return! @6000"])
        #expect(try Capture(bytes: Array(text.utf8)).facts.notes.isEmpty)  // Return is in clear
        let hidden = text.replacingOccurrences(of: "28,", with: "30,")
        #expect(try Capture(bytes: Array(hidden.utf8)).facts.notes.count == 1)
    }

    @Test("microseconds of usbmon's text wrap at 4096 s (HC-14)")
    func wrap() throws {
        let text = """
            ffff8800 4095999000 C Ii:1:005:1 0:8 8 = 00000400 00000000
            ffff8800 1000 C Ii:1:005:1 0:8 8 = 00000000 00000000

            """
        #expect(try Self.lines(text) == ["1 a+ @0", "1 a- @2000"])
    }

    @Test("a line that is none of the recording is skipped, and the first one is named")
    func damage() throws {
        let capture = try Capture(
            bytes: Array("R: 1 05\nE: 0.0 8 00 00 04 00 00 00 00 00\nE: nonsense\n".utf8))
        #expect(capture.facts.skippedLines == 1)
        #expect(capture.facts.damage?.offset == 41)
    }
}
