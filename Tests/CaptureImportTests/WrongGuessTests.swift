import Foundation
import KeyModel
import Synchronization
import Testing
import TraceFormat
import TraceTools

@testable import CaptureImport
@testable import HIDCapture

/// Reports of real and emulated keyboards, read by wrong protocols and descriptors: whatever a decoder believes, what
/// was typed is not in clear in a masked trace. Chords of such a reading are none.
struct WrongGuessTests {
    /// The reports of a capture, and what was typed: times and usages of the keys that masking hides.
    struct Typed {
        struct Report: Hashable {
            var time: Int64
            var stream: Int
            var bytes: [UInt8]
        }
        struct Key: Hashable {
            var time: Int64
            var usage: KeyUsage
        }
        var reports: [Report] = []
        var keys: Set<Key> = []
    }

    /// Reports of each capture that are read again: the guesses are many.
    private static let limit = 300

    static func typed(_ bytes: [UInt8]) throws -> Typed {
        var typed = Typed()
        let traffic = CaptureTraffic()
        try bytes.withUnsafeBytes { try CaptureKind.read(CaptureInput($0), into: traffic) }
        traffic.finish()
        traffic.forEachReport(of: Set(traffic.streams.indices)) { stream, time, bytes in
            guard stream < 100, bytes.count <= 64, time < 1 << 60 else { return true }
            typed.reports.append(.init(time: time, stream: stream, bytes: Array(bytes)))
            return typed.reports.count < limit
        }
        let end = typed.reports.last?.time ?? 0
        var recorder = MaskedKeys()
        try Capture(bytes: bytes).forEachBatch { events in
            for event in events where event.time.nanoseconds <= end {
                guard let usage = recorder.hidden(event), event.phase == .down else { continue }
                typed.keys.insert(.init(time: event.time.nanoseconds, usage: usage))
            }
        }
        return typed
    }

    /// Text keys without ⌘ and ⌃, by the flags alone.
    private struct MaskedKeys {
        var modifiers = ModifierState()

        mutating func hidden(_ event: KeyEvent) -> KeyUsage? {
            guard let usage = event.key.usage else { return nil }
            modifiers.apply(usage, event.phase, device: event.device)
            let isChord = !modifiers.heldFlags.isDisjoint(with: [.command, .control])
            return isChord || TextKeyClass(usage) == nil ? nil : usage
        }
    }

    /// Of a receiver by its product, or of Bluetooth by its channel.
    enum Interface: CaseIterable {
        case unknown, boot, bootProtocol, receiver, bolt, lightspeed, lowEnergy, classic

        var product: UInt8? { [.receiver: 0x34, .bolt: 0x48, .lightspeed: 0x47][self] }
        var isBluetooth: Bool { self == .lowEnergy || self == .classic }
    }

    /// The reports as those of devices with other descriptors, at their times: usbmon or HCI in a pcap of nanoseconds.
    static func capture(_ typed: Typed, _ interface: Interface) -> [UInt8] {
        if interface.isBluetooth {
            return file(typed.reports.map { ($0.time, acl($0, interface)) }, linkType: 187)
        }
        var packets: [(time: Int64, bytes: [UInt8])] = []
        for stream in Set(typed.reports.map(\.stream)).sorted() {
            let device = UInt8(stream + 2)
            func answer(_ type: UInt8, _ bytes: [UInt8]) {
                let get: [UInt8] = [0x80, 6, 0, type, 0, 0, 255, 0]
                packets.append((0, packet("S", device, transfer: 2, endpoint: 0x80, setup: get)))
                packets.append((0, packet("C", device, transfer: 2, endpoint: 0x80, bytes)))
            }
            if let product = interface.product {
                answer(1, [18, 1, 0, 2, 0, 0, 0, 8, 0x6D, 4, product, 0xC5, 0, 0, 1, 2, 3, 1])
            }
            if interface != .unknown {
                let configuration: [UInt8] =
                    [9, 2, 34, 0, 1, 1, 0, 0xA0, 50, 9, 4, 0, 0, 1, 3, 1, 1, 0, 9, 0x21, 0x11, 1, 0, 1, 0x22, 189, 0]
                    + [7, 5, 0x81, 3, 64, 0, 1]
                answer(2, configuration)
            }
            let set: [UInt8] = [0x21, 0x0B, 0, 0, 0, 0, 0, 0]
            guard interface == .bootProtocol else { continue }
            packets.append((0, packet("S", device, transfer: 2, endpoint: 0, setup: set)))
        }
        packets.append((0, packet("S", 1, transfer: 2, endpoint: 0, setup: [0, 5, 0, 0, 0, 0, 0, 0])))
        packets += typed.reports.map { ($0.time, packet("C", UInt8($0.stream + 2), $0.bytes)) }
        return file(packets, linkType: 220)
    }

    /// A notification of an attribute, or data of an interrupt channel.
    private static func acl(_ report: Typed.Report, _ interface: Interface) -> [UInt8] {
        let (head, channel): ([UInt8], UInt8) = interface == .classic ? ([0xA1], 0x41) : ([0x1B, 40, 0], 4)
        let data = head + report.bytes
        return [2, UInt8(report.stream + 1), 0x20] + number(UInt16(data.count + 4)) + number(UInt16(data.count))
            + [channel, 0] + data
    }

    private static func file(_ packets: [(time: Int64, bytes: [UInt8])], linkType: UInt8) -> [UInt8] {
        var file: [UInt8] = [0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0]
        file += [linkType, 0, 0, 0]
        for (time, bytes) in packets {
            file += number(UInt32(1_700_000_000 + time / 1_000_000_000)) + number(UInt32(time % 1_000_000_000))
            file += number(UInt32(bytes.count)) + number(UInt32(bytes.count)) + bytes
        }
        return file
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func packet(
        _ type: Character, _ device: UInt8, transfer: UInt8 = 1, endpoint: UInt8 = 0x81, setup: [UInt8]? = nil,
        _ data: [UInt8] = []
    ) -> [UInt8] {
        let head = number(UInt64(device)) + [type.asciiValue ?? 0, transfer, endpoint, device, 1, 0]
        let status = number(Int32(type == "S" ? -115 : 0))
        return head + [setup == nil ? 0x2D : 0, data.isEmpty ? 0x3C : 0] + number(Int64(0)) + number(Int32(0)) + status
            + number(UInt32(data.count)) + number(UInt32(data.count)) + (setup ?? Array(repeating: 0, count: 8))
            + Array(repeating: 0, count: 16) + data
    }

    /// Descriptors of reports of eight bytes with the modifiers in each of them, and keys from the second, third or
    /// fourth on, which other keyboards' reports are read by.
    static let shifted: [[UInt8]] = (0..<8).flatMap { modifiers in
        (1..<4).map { first in
            var bytes: [UInt8] = [0x05, 1, 0x09, 6, 0xA1, 1, 0x05, 7, 0x15, 0]
            for place in 0..<8 {
                if place == modifiers {
                    bytes += [0x19, 0xE0, 0x29, 0xE7, 0x25, 1, 0x75, 1, 0x95, 8, 0x81, 2]
                } else if place >= first {
                    bytes += [0x19, 0, 0x29, 0xFF, 0x26, 0xFF, 0, 0x75, 8, 0x95, 1, 0x81, 0]
                } else {
                    bytes += [0x75, 8, 0x95, 1, 0x81, 1]
                }
            }
            return bytes + [0xC0]
        }
    }

    static let corpus = CorpusImportTests.folder

    static let descriptors: [[UInt8]] = {
        guard let folder = corpus.map({ $0 + "/descriptors" }) else { return shifted }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return shifted
            + names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)").map { [UInt8]($0) } }
    }()

    /// Every file under Traces and the corpus in which something is typed.
    static let captures: [String] = {
        let folders = [CaptureImporterTests.root + "/Traces/"] + [corpus.map { $0 + "/" }].compactMap { $0 }
        return folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + $0 }
        }.filter { path in
            let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
            return Capture.isCapture(bytes) && (try? typed(bytes))?.keys.isEmpty == false
        }
    }()

    private static let isNew = Mutex<Set<[[UInt8]]>>([])

    /// The typed keys that are in clear in a trace.
    private static func leaked(_ trace: [UInt8], of typed: Typed) throws -> [String] {
        try CaptureImporterTests.keys(trace).compactMap { time, key in
            guard key.phase == .down, let usage = key.key.usage,
                typed.keys.contains(.init(time: time.nanoseconds, usage: usage))
            else { return nil }
            return "\(usage.name) @\(time.nanoseconds)"
        }
    }

    private static func expectNothingInClear(
        _ typed: Typed, _ interface: Interface, _ descriptor: [UInt8]?, _ name: String
    ) throws {
        try expectNothingInClear(typed, capture(typed, interface), descriptor, "\(name), \(interface)")
    }

    private static func expectNothingInClear(
        _ typed: Typed, _ capture: [UInt8], _ descriptor: [UInt8]?, _ name: String
    ) throws {
        for showsKeys in [false, true] {
            var job = CaptureImporter()
            job.showsKeys = showsKeys
            if let descriptor {
                do { try job.useDescriptor(descriptor, name: "descriptor") } catch { return }
            }
            var trace: [UInt8] = []
            let input = CaptureImporter.Input(name: name, .bytes(capture))
            guard case .imported = try job.run([input], to: { trace += $0 }) else { return }
            if showsKeys {
                let clear = trace
                trace = []
                _ = try Redaction([.text]).run(TraceBytes(clear)) { trace += $0 }
            }
            let leaked = try leaked(trace, of: typed)
            let words = descriptor.map { $0.map { String($0, radix: 16) }.joined(separator: " ") } ?? "none"
            #expect(
                leaked.isEmpty,
                "\(name), descriptor \(words), redacted \(showsKeys): \(leaked.prefix(8))")
        }
    }

    @Test("read by any wrong protocol or descriptor, nothing typed is in clear", arguments: captures)
    func wrongGuess(_ path: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let typed = try Self.typed(bytes)
        let name = String(path.split(separator: "/").last ?? "")
        try Self.expectNothingInClear(typed, bytes, nil, name)
        // The same typing in another container is guessed at once.
        guard Self.isNew.withLock({ $0.insert(typed.reports.map(\.bytes)).inserted }) else { return }
        for interface in Interface.allCases { try Self.expectNothingInClear(typed, interface, nil, name) }
        for descriptor in Self.descriptors { try Self.expectNothingInClear(typed, .unknown, descriptor, name) }
    }

    /// `pencil`, and a mouse or volume keys between its letters, as a keyboard sends it.
    private static func pencil(_ report: (UInt8?) -> [UInt8], between: [[UInt8]] = []) -> Typed {
        var typed = Typed()
        var time: Int64 = 0
        func send(_ bytes: [UInt8]) {
            time += 10_000_000
            typed.reports.append(.init(time: time, stream: 0, bytes: bytes))
        }
        for usage: UInt8 in [0x13, 0x08, 0x11, 0x06, 0x0C, 0x0F] {
            send(report(usage))
            typed.keys.insert(.init(time: time, usage: .keyboard(UInt16(usage))))
            send(report(nil))
            for bytes in between { send(bytes) }
        }
        return typed
    }

    @Test("keyboards with report ids read as boot keyboards", arguments: Interface.allCases)
    func reportIDs(_ interface: Interface) throws {
        func bits(_ key: UInt8?, from first: Int) -> [UInt8] {
            var bits = Array(repeating: UInt8(0), count: 15)
            if let at = key.map({ Int($0) - first }) { bits[at / 8] |= 1 << UInt8(at % 8) }
            return bits
        }
        let ids: [(name: String, Typed)] = [
            ("id", Self.pencil({ [1, 0, $0 ?? 0, 0, 0, 0, 0, 0] })),
            ("id and a mouse", Self.pencil({ [1, 0, $0 ?? 0, 0, 0, 0, 0, 0] }, between: [[2, 0, 1, 0, 0, 0, 0, 0]])),
            ("receiver", Self.pencil({ [0x20, 1, 1, 0, $0 ?? 0] + Array(repeating: 0, count: 10) })),
            (
                "receiver, long",
                Self.pencil(
                    { [0x21, 2, 1, 0, $0 ?? 0] + Array(repeating: 0, count: 27) }, between: [[0x10, 2, 3, 0, 0, 0, 0]])
            ),
            ("id, reserved", Self.pencil({ [8, 0, 0, $0 ?? 0, 0, 0, 0, 0] }, between: [[9, 0, 0xE9], [9, 0, 0]])),
            ("Lightspeed", Self.pencil { [1, 0] + bits($0, from: 4) }),
            ("bits", Self.pencil { [6, 0] + bits($0, from: 0) }),
            (
                "id, long",
                Self.pencil({ [1, 0, $0 ?? 0, 0, 0, 0, 0, 0] }, between: [[9] + Array(repeating: 0, count: 16)])
            ),
        ]
        for (name, typed) in ids {
            try Self.expectNothingInClear(typed, interface, nil, name)
            for descriptor in Self.shifted { try Self.expectNothingInClear(typed, interface, descriptor, name) }
        }
    }

    @Test("a modifier in every report of a stream unmasks nothing, and says that nobody saw it go down")
    func heldThroughout() throws {
        let typed = Self.pencil { [1, 0, $0 ?? 0, 0, 0, 0, 0, 0] }
        let job = CaptureImporter()
        var trace: [UInt8] = []
        let result = try job.run([.init(name: "ids", .bytes(Self.capture(typed, .boot)))]) { trace += $0 }
        let keys = try CaptureImporterTests.keys(trace).map(\.key)
        // What no report showed is counted neither as a press nor as an event.
        guard case .imported(let summary) = result else {
            Issue.record("not imported")
            return
        }
        let shown = keys.filter { !$0.isSynthetic }
        #expect(summary.keyEvents == UInt64(shown.count))
        #expect(summary.presses == UInt64(shown.count { $0.phase == .down }))
        #expect(keys.first?.key.usage == .leftControl && keys.first?.isSynthetic == true)
        #expect(keys.count { $0.key == .masked(.letter) && $0.phase == .down && $0.modifiers == .control } == 6)
        // Reports of zeros between them show it up and down: still most of what is typed comes under it.
        for run in 1...12 {
            var seen = typed
            for place in stride(from: 0, through: typed.reports.count, by: run).reversed() {
                let time = (place == 0 ? 0 : typed.reports[place - 1].time) + 1
                seen.reports.insert(.init(time: time, stream: 0, bytes: Array(repeating: 0, count: 8)), at: place)
            }
            for interface in Interface.allCases { try Self.expectNothingInClear(seen, interface, nil, "zeros \(run)") }
        }
    }

    @Test("⌃ of a guessed layout is evidence of chords for a person who also types, and for no other keyboard")
    func guessedChords() throws {
        var typed = Typed()
        func send(_ stream: Int, _ bytes: [UInt8]) {
            let report = Typed.Report(
                time: Int64(typed.reports.count + 1) * 10_000_000, stream: stream,
                bytes: bytes + Array(repeating: 0, count: 8 - bytes.count))
            typed.reports.append(report)
        }
        func clear() throws -> [String] {
            var trace: [UInt8] = []
            let input = CaptureImporter.Input(name: "chords", .bytes(Self.capture(typed, .boot)))
            _ = try CaptureImporter().run([input]) { trace += $0 }
            return try CaptureImporterTests.keys(trace).compactMap { _, key in
                key.phase == .down ? key.key.usage.map(\.name) : nil
            }
        }
        for bytes: [UInt8] in [[0, 0, 4], [], [1], [1, 0, 6], [1], []] { send(0, bytes) }
        #expect(try clear() == ["LeftControl", "C"])
        // A pointer whose button is read as ⌃, while the keyboard types three keys at a time.
        for _ in 0..<3 {
            send(1, [1])
            for key: UInt8 in [0x13, 8, 0x11] {
                send(0, [0, 0, key])
                send(0, [])
            }
            send(1, [])
        }
        #expect(try clear() == ["LeftControl", "C", "LeftControl", "LeftControl", "LeftControl"])
    }

    /// A button of what is taken for a keyboard unmasks nothing of another one.
    @Test func wordsUnderAModifierOfAnotherKeyboardAreDoubted() {
        var evidence = ChordEvidence()
        func note(_ usage: KeyUsage, _ phase: KeyPhase, _ origin: ReportLayoutOrigin, of stream: Int = 0) -> [Int] {
            evidence.note(usage, phase, of: stream, origin).map(\.stream)
        }
        #expect(note(.leftControl, .down, .reportDescriptor, of: 1) == [])
        for usage in UInt16(4)..<8 { #expect(note(.keyboard(usage), .down, .reportDescriptor) == []) }
        #expect(note(.keyboard(8), .down, .reportDescriptor) == [1] && evidence.doubted == [1])
        for origin in [ReportLayoutOrigin.reportDescriptor, .keyEvents] {
            evidence = ChordEvidence()
            for usage in UInt16(4)..<30 {
                for (key, phase) in [(KeyUsage.leftGUI, KeyPhase.down), (.keyboard(usage), .down), (.leftGUI, .up)] {
                    #expect(note(key, phase, origin) == [])
                }
            }
            #expect(evidence.doubted.isEmpty)
        }
        // Guessed: as many presses without it, all of them on its own stream.
        evidence = ChordEvidence()
        #expect(note(.keyboard(4), .down, .plausibility) == [] && note(.rightGUI, .down, .plausibility) == [])
        #expect(note(.keyboard(5), .down, .plausibility) == [] && note(.keyboard(5), .down, .plausibility) == [0])
        evidence = ChordEvidence()
        #expect(note(.rightControl, .down, .bootProtocol) == [] && note(.keyboard(4), .down, .keyEvents, of: 1) == [0])
    }
}
