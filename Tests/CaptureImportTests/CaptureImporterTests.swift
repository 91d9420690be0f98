@testable import CaptureImport
import Foundation
import KeyModel
import Testing
import TraceFormat

struct CaptureImporterTests {
    static let root = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))

    static func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: root + "/Traces/" + path)))
    }

    static func input(_ path: String) throws -> CaptureImporter.Input {
        .init(name: "/somewhere/" + path, .bytes(try bytes(path)))
    }

    /// Imports files of Traces/, returns the result and the bytes of the trace.
    static func run(_ paths: [String], _ settings: (inout CaptureImporter) -> Void = { _ in }) throws -> (
        result: ImportResult, trace: [UInt8]
    ) {
        var intake = CaptureImporter()
        settings(&intake)
        var trace: [UInt8] = []
        let result = try intake.run(try paths.map(input)) { trace += $0 }
        return (result, trace)
    }

    static func records(_ trace: [UInt8]) throws -> [TraceRecord] {
        var reader = try TraceReader(trace)
        var records: [TraceRecord] = []
        while let record = reader.next() { records.append(record) }
        #expect(reader.report.damages.isEmpty)
        return records
    }

    static func keys(_ trace: [UInt8]) throws -> [(time: TraceTime, key: KeyRecord)] {
        try records(trace).compactMap { if case .key(let key) = $0.body { ($0.time, key) } else { nil } }
    }

    static func summary(_ result: ImportResult) throws -> ImportSummary {
        guard case .imported(let summary) = result else {
            Issue.record("nothing was imported: \(result)")
            throw CancellationError()
        }
        return summary
    }

    @Test("a capture becomes a trace of its keys, with clock and keyboard in front")
    func shown() throws {
        let (result, trace) = try Self.run(["captures/usb-keyboard-viewer.pcap"]) { $0.showsKeys = true }
        let summary = try Self.summary(result)
        #expect(summary.presses == 37 && summary.keyEvents == 74 && summary.syntheticReleases == 0)
        let records = try Self.records(trace)
        guard case .clock(let clock) = records[0].body, case .device(let device) = records[1].body else {
            Issue.record("clock and device come first")
            return
        }
        #expect(clock.source == "usbmon" && clock.unixTime != nil && clock.granularity ?? 0 >= 1000)
        #expect(device.name == "QEMU USB Keyboard" && device.bus == 1 && device.endpoint == 0x81)
        #expect(device.vendor == 0x0627 && device.product == 1)
        let truth = String(decoding: try Self.bytes("captures/usb-keyboard-viewer.keys.txt"), as: UTF8.self)
        let expected = truth.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        #expect(try Self.keys(trace).map { "\($0.key.phase.name) \($0.key.key.usage?.name ?? "?")" } == expected)
    }

    @Test("masked, no key that types text stands in clear outside of chords")
    func masked() throws {
        let (_, trace) = try Self.run(["captures/usb-keyboard-typed-secret.pcap"])
        let keys = try Self.keys(trace)
        var clear: [String] = []
        for (_, key) in keys where key.phase == .down {
            if let usage = key.key.usage, !usage.isModifier { clear.append(usage.name) }
        }
        #expect(clear == ["L", "ReturnOrEnter", "ReturnOrEnter", "U", "Escape"])
        #expect(keys.count { $0.key.key.maskedClass == .letter && $0.key.phase == .down } == 30)
    }

    @Test("masked, another word typed at the same times gives the same trace, byte for byte")
    func maskedTellsNothing() throws {
        let capture = try Self.bytes("captures/usb-keyboard-typed-secret.pcap")
        func trace(_ capture: [UInt8], showsKeys: Bool) throws -> [UInt8] {
            var intake = CaptureImporter()
            intake.showsKeys = showsKeys
            var trace: [UInt8] = []
            _ = try intake.run([.init(name: "capture", .bytes(capture))]) { trace += $0 }
            return trace
        }
        let other = Self.withOtherLetters(capture)
        #expect(try trace(capture, showsKeys: true) != trace(other, showsKeys: true))
        #expect(try trace(capture, showsKeys: false) == trace(other, showsKeys: false))
    }

    /// The capture with every letter replaced by the next one, chords left as they are.
    private static func withOtherLetters(_ capture: [UInt8]) -> [UInt8] {
        var changed = capture
        var at = 24
        while at + 16 <= capture.count {
            let length = Int(capture[at + 8]) | Int(capture[at + 9]) << 8
            let (packet, report) = (at + 16, at + 16 + 64)
            if length == 72, capture[packet + 8] == 0x43, capture[packet + 9] == 1, capture[report] & 0x99 == 0 {
                for key in (report + 2)..<(report + 8) where (0x04...0x1D).contains(capture[key]) {
                    changed[key] = capture[key] == 0x1D ? 0x04 : capture[key] + 1
                }
            }
            at = packet + length
        }
        return changed
    }

    @Test("the same capture gives the same bytes, and few of them")
    func canonical() throws {
        let first = try Self.run(["captures/usb-keyboard-viewer.pcap"])
        let second = try Self.run(["captures/usb-keyboard-viewer.pcap"])
        #expect(first.trace == second.trace)
        #expect(first.trace.count < 74 * 8 + 300)
    }

    @Test("several captures are joined by time, their keyboards numbered together")
    func joined() throws {
        let (result, trace) = try Self.run([
            "captures/usb-keyboard-typed-secret.pcap", "captures/usb-keyboard-viewer.pcap",
        ]) { $0.showsKeys = true }
        let summary = try Self.summary(result)
        #expect(summary.devices.map(\.device) == [1, 2])
        #expect(summary.keyEvents == 74 + 86)
        let keys = try Self.keys(trace)
        #expect(keys.first?.key.key == .clear(.downArrow))  // the viewer was recorded first
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.time <= $1.time })
        let presses = keys.count { $0.key.phase == .down && $0.key.press != nil }
        #expect(keys.compactMap(\.key.press).max() == UInt32(presses))
    }

    @Test("a keyboard is chosen by id or by its place")
    func selection() throws {
        let both = ["captures/usb-keyboard-typed-secret.pcap", "captures/usb-keyboard-viewer.pcap"]
        let (result, _) = try Self.run(both) { $0.selection = [.id(2)] }
        #expect(try Self.summary(result).keyEvents == 86)
        let (all, _) = try Self.run(both) { $0.selection = [.place(bus: 1, address: 2, endpoint: nil)] }
        #expect(try Self.summary(all).keyEvents == 160)
        let (none, trace) = try Self.run(both) { $0.selection = [.place(bus: 9, address: 9, endpoint: 0x81)] }
        #expect(trace.isEmpty)
        guard case .noKeyboard(let nothing) = none else { return #expect(Bool(false)) }
        #expect(nothing.reason == "no keyboard is 9:9:0x81; there are 1 (1:2:0x81), 2 (1:2:0x81)")
    }

    @Test("selectors are an id or BUS:ADDRESS[:ENDPOINT]")
    func selectors() {
        #expect(DeviceSelector("3") == .id(3))
        #expect(DeviceSelector("1:2") == .place(bus: 1, address: 2, endpoint: nil))
        #expect(DeviceSelector("1:2:0x81") == .place(bus: 1, address: 2, endpoint: 0x81))
        for wrong in ["", "0", "1:", ":1", "1:2:3:4", "70000", "1:70000", "1:2:0x181", "-1", "a"] {
            #expect(DeviceSelector(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        "without a keyboard nothing is written, and a sentence says why",
        arguments: [
            (
                "hostile/capture-link-type-unknown.pcap",
                "packets of link type 147 are not read; capture on the keyboard's computer: usbmonN, USBPcap or XHC20, "
                    + "and Bluetooth with btmon -w FILE"
            ),
            (
                "hostile/capture-link-type-ethernet.pcap",
                "a network, whose X11 and USB/IP packets are not read; capture usbmonN or /dev/input/eventN where the "
                    + "keyboard is plugged in"
            ),
            ("hostile/capture-header-only.pcap", "none of 0 packets is an input report or a key event"),
            (
                "hostile/capture-usbpcap-header-length-0.pcap",
                "none of 3 packets is an input report or a key event; of 3 there is a part at most, which may be one"
            ),
        ])
    func noKeyboard(path: String, reason: String) throws {
        let (result, trace) = try Self.run([path])
        #expect(trace.isEmpty)
        #expect(result == .noKeyboard(NoKeyboard(reason: reason, damage: [])))
    }

    @Test("a keyboard whose reports are bits, with no descriptor, is there and is not guessed")
    func unknownLayout() throws {
        let reports = [[1, 0, 0x10], [2, 0xE9, 0], [1, 0, 0]].enumerated().map { number, report in
            WrongGuessTests.Typed.Report(
                time: Int64(number), stream: 0, bytes: report + Array(repeating: 0, count: number == 1 ? 0 : 14))
        }
        let bytes = WrongGuessTests.capture(.init(reports: reports), .boot)
        func reason(_ job: CaptureImporter) throws -> String {
            guard case .noKeyboard(let nothing) = try job.run([.init(name: "bits", .bytes(bytes))], to: { _ in }) else {
                return "none"
            }
            return nothing.reason
        }
        var job = CaptureImporter()
        let there = "a keyboard is there, and nothing describes its reports; "
        #expect(try reason(job) == there + "import --descriptor FILE gives the layout of a keyboard's")
        try job.useDescriptor(WrongGuessTests.shifted[0], name: "shifted")
        #expect(
            try reason(job)
                == there + "the descriptor that was given has reports of other lengths; give the keyboard's own")
    }

    @Test("a damaged capture is imported as far as it is whole, and says where it is damaged")
    func damaged() throws {
        let (result, trace) = try Self.run(["hostile/capture-block-cut.pcapng"]) { $0.showsKeys = true }
        let damage = try #require(result.damage.first)
        let place = "block of 104 bytes: expected all of them, found 94"
        #expect(damage.description == "/somewhere/hostile/capture-block-cut.pcapng: byte 672: \(place)")
        #expect(try Self.keys(trace).count == 6)
        let losses = try Self.records(trace).compactMap { if case .loss(let loss) = $0.body { loss } else { nil } }
        #expect(losses.map(\.detail) == ["byte 672 of capture-block-cut.pcapng: \(place)"])
    }

    @Test("what is no capture is refused with file, place, expected and found")
    func refused() throws {
        #expect {
            try CaptureImporter().run([.init(name: "notes.txt", .bytes(Array("some text".utf8)))]) { _ in }
        } throws: { error in
            "\(error)" == "notes.txt: byte 0: file: expected a capture or recording of a keyboard, found 73 6f 6d 65"
        }
    }

    @Test("the layout is stored with its table")
    func layout() throws {
        let layout = Layout(name: "us", keys: [4: .init(symbols: [.text("a"), .text("A")])])
        let (_, trace) = try Self.run(["captures/usb-keyboard-viewer.pcap"]) { $0.layout = layout }
        let layouts = try Self.records(trace).compactMap {
            if case .layout(let layout) = $0.body { layout } else { nil }
        }
        #expect(layouts.map(\.name) == ["us"] && layouts.map(\.hash) == [layout.hash])
    }

    @Test("of a keyboard that several captures have in part each key counts once")
    func sharedKeyboard() throws {
        func capture(_ numbers: Range<Int>, device: UInt8 = 2, after: Int64 = 0) -> [UInt8] {
            let reports = numbers.map { number in
                WrongGuessTests.Typed.Report(
                    time: Int64(number) * 10_000_000 + after, stream: Int(device) - 2,
                    bytes: [0, 0, number % 2 == 0 ? UInt8(4 + number / 2) : 0, 0, 0, 0, 0, 0])
            }
            return WrongGuessTests.capture(.init(reports: reports), .unknown)
        }
        func summary(_ captures: [[UInt8]]) throws -> (ImportSummary, [KeyRecord]) {
            var job = CaptureImporter()
            job.showsKeys = true
            var trace: [UInt8] = []
            let inputs = captures.enumerated().map { CaptureImporter.Input(name: "\($0)", .bytes($1)) }
            guard case .imported(let summary) = try job.run(inputs, to: { trace += $0 }) else {
                throw CocoaError(.featureUnsupported)
            }
            return (summary, try Self.keys(trace).map(\.key))
        }
        let (alone, keys) = try summary([capture(0..<16)])
        #expect(alone.presses == 8 && keys.count == 16)
        // The first ends, or the second begins, while a key is down; a microsecond later, or in the other order.
        for (end, begin) in [(10, 4), (9, 4), (9, 5), (16, 0), (16, 12)] {
            for after in [Int64(0), 1000] {
                let parts = [capture(0..<end), capture(begin..<16, after: after)]
                for order in [parts, parts.reversed()] {
                    let (both, joined) = try summary(order)
                    #expect(both.devices.count == 1 && both.presses == 8 && both.syntheticReleases == 0)
                    #expect(joined.map(\.key) == keys.map(\.key) && joined.map(\.phase) == keys.map(\.phase))
                    #expect(both.notes.contains("keyboard 1 is in several captures, and its keys count once"))
                }
            }
        }
        // Other times, or another address: another keyboard.
        for other in [capture(0..<16, after: 5_000_000), capture(0..<16, device: 3)] {
            let (both, _) = try summary([capture(0..<16), other])
            #expect(both.devices.count == 2 && both.presses == 16)
        }
    }

    @Test("idle reports of a keyboard become a count at the end")
    func idle() throws {
        var capture = try Self.bytes("hostile/capture-configuration-total-lies.pcap")
        capture += capture.suffix(16 + 72)  // the last report once more
        var trace: [UInt8] = []
        _ = try CaptureImporter().run([.init(name: "capture", .bytes(capture))]) { trace += $0 }
        let idle = try Self.records(trace).compactMap { if case .idle(let idle) = $0.body { idle } else { nil } }
        #expect(idle == [IdleRecord(device: 1, reports: 1)])
    }
}
