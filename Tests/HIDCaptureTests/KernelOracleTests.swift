import HIDCapture
import KeyModel
import SystemPackage
import TestRequirements
import Testing

/// What Linux made of seeded reports for real descriptors, in the folder that KEYFLIGHT_CORPUS names: after each
/// report the same keys must be down, as far as the kernel can tell keys apart.
///
/// The kernel knows key codes, and several usages have the same one: releasing one of them while another is held
/// releases the code (spec §4, Linux semantics). Only such shared codes may differ, and how many reports of which
/// file do is written down here.
@Suite(.needsCorpus) struct KernelOracleTests {
    static let folder = CorpusTests.folder.map { $0 + "/kernel-oracle" }
    static let names: [String] = folder.map { folder in
        RepositoryFiles.names(in: folder).filter { $0.hasSuffix(".hid") }.map { String($0.dropLast(4)) }.sorted()
    } ?? []

    /// Codes that one usage has from two places of a report: modifiers that stand in a bit field and in an array or a
    /// bitmap, and usages that a field lists several times. Linux releases a key when either place does. One keyboard
    /// has arrays whose value 0 names a key, which Linux takes for held from the start. The last recording went
    /// through a driver that makes a keypad of letters while Num Lock is on.
    static let twice: [String: Set<UInt16>] = {
        let modifiers: Set<UInt16> = [29, 42, 56, 125, 97, 54, 100, 126]
        return [
            "bitdo_retro_iface2": modifiers, "ms600_keyboard": modifiers, "nkro_keyboard": modifiers,
            "rpi_keyboard": modifiers, "cherry_mw8c_consumer": [142],
            "kernel_multi_collection": [164], "captured_icectf2016_315_1": [155, 172],
            "rec_apple_05ac_0256": [36, 37, 79, 80],
        ]
    }()

    /// Reports after which a code differs that several usages share, or one usage has twice, by file.
    static let aliased: [String: Int] = [
        "bitdo_retro_iface2": 15, "captured_csec_206_0": 7, "captured_icectf2016_315_1": 34,
        "cherry_mw8c_consumer": 16, "gadget_nkro": 36, "kernel_multi_collection": 13, "keyboardio_keyboard": 8,
        "ms600_keyboard": 20, "nkro_keyboard": 36, "rec_apple_05ac_0256": 24, "rpi_keyboard": 3,
        "superlight2_rx_keyboard": 3, "ultralink_iface1": 11, "ultralink_keyboard": 1, "ultralink_nkro_keyboard": 14,
        "wooting_keyboard": 20,
    ]

    private static func lines(_ name: String) throws -> [[Substring]] {
        String(decoding: try RepositoryFiles.bytes(of: (folder ?? "") + "/" + name), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// Pages whose usages are keys: generic desktop (system control), keyboard, consumer.
    private static let pages: Set<UInt32> = [0x01, 0x07, 0x0C]

    /// Usage → code, as the kernel announced them before each change.
    private static let codes: [UInt32: UInt16] = {
        var table: [UInt32: UInt16] = [:]
        for name in names where !name.hasPrefix("rec_") {
            var scan: UInt32?
            for fields in (try? lines(name + ".evdev.txt")) ?? [] where fields.first == "EV" && fields.count == 6 {
                if fields[3] == "4", fields[4] == "4" { scan = UInt32(fields[5]) }
                if fields[3] == "1", let code = UInt16(fields[4]) {
                    let isKey = scan.map { pages.contains($0 >> 16) } ?? false
                    if let scan, isKey, code < 0x100 || code > 0x15F { table[scan] = code }
                    scan = nil
                }
            }
        }
        return table
    }()

    /// The kernel's side: codes down after each report, and in which report events were dropped.
    private static func kernel(_ name: String) throws -> (down: [Set<UInt16>], dropped: Int?) {
        var after: [Set<UInt16>] = []
        var dropped: Int?
        var down: Set<UInt16> = []
        let keyCodes = Set(codes.values)
        for fields in try lines(name + ".evdev.txt") {
            if fields.first == "IN" {
                if !after.isEmpty { after[after.count - 1] = down }
                after.append(down)
            } else if fields.first == "EV", fields.count == 6, fields[3...] == ["0", "3", "0"] {
                dropped = after.count - 1
            } else if fields.first == "EV", fields.count == 6, fields[3] == "1", let code = UInt16(fields[4]),
                keyCodes.contains(code)
            {
                if fields[5] == "1" { down.insert(code) } else if fields[5] == "0" { down.remove(code) }
            }
        }
        if !after.isEmpty { after[after.count - 1] = down }
        return (after, dropped)
    }

    /// Our side: usages down after each report.
    private static func ours(_ name: String) throws -> [Set<KeyUsage>] {
        let capture = try CorpusTests.capture("kernel-oracle/" + name + ".hid")
        var events: [KeyEvent] = []
        capture.forEachBatch { events += $0.filter { !$0.isSynthetic || $0.phase == .down } }
        var times: [Int64] = []
        for fields in try lines(name + ".hid") where fields.first == "E:" {
            let parts = fields[1].split(separator: ".")
            times.append((Int64(parts[0]) ?? 0) * 1_000_000 + (Int64(parts[1]) ?? 0))
        }
        var (after, down, next): ([Set<KeyUsage>], Set<KeyUsage>, Int) = ([], [], 0)
        for time in times {
            while next < events.count, events[next].time.nanoseconds / 1000 <= time - times[0] {
                guard let usage = events[next].key.usage else { continue }
                if events[next].phase == .down { down.insert(usage) } else { down.remove(usage) }
                next += 1
            }
            after.append(down)
        }
        return after
    }

    @Test("the keys that Linux has down after each report, but for shared codes (HC-28)", arguments: names)
    func replay(_ name: String) throws {
        let ((kernel, dropped), ours) = (try Self.kernel(name), try Self.ours(name))
        #expect(kernel.count == ours.count)
        var usagesOfCode: [UInt16: Set<UInt32>] = [:]
        for usage in ours.joined() {
            if let code = Self.codes[usage.rawValue] { usagesOfCode[code, default: []].insert(usage.rawValue) }
        }
        let shared = Set(usagesOfCode.filter { $1.count > 1 }.keys).union(Self.twice[name, default: []])
        var aliased = 0
        var unknown: Set<UInt16> = []
        for (report, (theirs, usages)) in zip(kernel, ours).enumerated() {
            let mine = Set(usages.compactMap { Self.codes[$0.rawValue] })
            let differing = theirs.symmetricDifference(mine)
            // What the kernel dropped is unknown until it agrees again.
            unknown = report == dropped ? differing : unknown.intersection(differing)
            let left = differing.subtracting(unknown)
            if !left.isEmpty { aliased += 1 }
            #expect(left.subtracting(shared).sorted() == [], "report \(report) of \(name)")
        }
        #expect(aliased == Self.aliased[name, default: 0], "\(name)")
    }

    @Test("the tables of key codes agree with what Linux did")
    func codes() throws {
        #expect(Self.names.count >= Self.aliased.count && Self.codes.count > 100)
        // A recording in which each usage is pressed with the kernel's code gives the usage back.
        for (usage, code) in Self.codes.sorted(by: { $0.key < $1.key }) {
            let digits = String(String(Int(code) + 0x10000, radix: 16).dropFirst())
            let text = "# EVEMU 1.3\nE: 0.000001 0004 0004 \(usage)\nE: 0.000001 0001 \(digits) 0001\n"
            var found: KeyUsage?
            try Capture(bytes: Array(text.utf8)).forEachBatch { found = found ?? $0.first?.key.usage }
            #expect(found?.rawValue == usage, "code \(code)")
        }
    }
}
