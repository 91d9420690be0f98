import KeyModel

/// Distinguishes boot reports of a keyboard from other eight-byte reports where there is no descriptor.
///
/// Mice and pointers send eight bytes as well, and read as keys they are wild typing, hundreds of rollovers or a
/// Control that never ends. A keyboard's report has a zero reserved byte, keys that exist and differ, and few new
/// keys at a time; of a keyboard nearly every report is like that, and some report has a key in it. Slots may be
/// empty between others: some firmware leaves each key in its slot. The first thousand changes of a stream are enough.
struct KeyboardPlausibility {
    static let reportsToJudge = 1000

    private(set) var reports: UInt64 = 0
    private(set) var implausible: UInt64 = 0
    private(set) var hasKey = false
    private var before: UInt64 = 0

    /// New keys that a hand adds between two reports at most.
    private static let newKeys = 3

    /// A report as the bytes of a plain one; `nil` for one of another length.
    mutating func add(_ report: UInt64?) {
        reports += 1
        if let report, (report >> 8) & 0xFF == 0, report >> 16 == KeyboardPlausibility.rollover {
            isAfterRollover = true
            return
        }
        guard let report, (report >> 8) & 0xFF == 0, slotsAreKeys(report >> 16) else {
            implausible += 1
            return
        }
        before = report
        isAfterRollover = false
    }

    /// Of more keys than a report can hold any number may still be down afterwards.
    private static let rollover: UInt64 = 0x0101_0101_0101
    private var isAfterRollover = false

    private mutating func slotsAreKeys(_ slots: UInt64) -> Bool {
        var left = slots
        var seen = PressedKeys()
        var old = PressedKeys()
        _ = BootReport.read(before, into: &old)
        var new = 0
        while left != 0 {
            let usage = UInt8(truncatingIfNeeded: left)
            left >>= 8
            if usage == 0 { continue }
            guard KeyboardPlausibility.exists(usage), !seen.contains(.keyboard(UInt16(usage))) else { return false }
            seen.insert(keyboardUsage: usage)
            if !old.contains(.keyboard(UInt16(usage))) { new += 1 }
        }
        guard isAfterRollover || new <= KeyboardPlausibility.newKeys else { return false }
        if slots != 0 { hasKey = true }
        return true
    }

    /// Usages that HID Usage Tables define on the keyboard page, the two phantom states of POST left out.
    static func exists(_ usage: UInt8) -> Bool {
        switch usage {
        case 0x04...0xA4, 0xB0...0xDD, 0xE0...0xE7: true
        default: false
        }
    }

    /// True when nineteen of twenty reports look like a keyboard's and a key is in one of them.
    var isKeyboard: Bool { hasKey && implausible * 20 <= reports }
}
