/// The boot keyboard's report (HID 1.11, appendix B.1): modifiers, a reserved byte, six keys.
enum BootReport {
    static let length = 8

    /// The forms in which keyboards send it, distinguished by their length (spec §4, getting the descriptor, 4).
    enum Shape: Hashable {
        case plain
        /// Bluetooth LE keyboards leave the reserved byte out: seven bytes.
        case withoutReserved
        /// A report id before it: nine bytes.
        case withID
        /// A report id, and no reserved byte: eight bytes, like the plain one.
        case withIDWithoutReserved

        var length: Int {
            switch self {
            case .plain, .withIDWithoutReserved: 8
            case .withoutReserved: 7
            case .withID: 9
            }
        }

        /// The report as the bytes of a plain one, the first byte lowest; `nil` for another length.
        func plain(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
            guard bytes.count == length else { return nil }
            var report: UInt64 = 0
            for at in 0..<min(bytes.count, 8) { report |= UInt64(bytes[at]) << UInt64(8 * at) }
            switch self {
            case .plain: return report
            case .withoutReserved: return report & 0xFF | (report >> 8) << 16
            case .withIDWithoutReserved: return report >> 8 & 0xFF | (report >> 16) << 16
            case .withID: return report >> 8 | UInt64(bytes[8]) << 56
            }
        }
    }

    /// Fills `keys` from a report whose bytes are the bytes of `report`, the first one lowest. True for rollover.
    /// Usages below 4 are no keys; 1 anywhere means that there are more keys than the report can hold.
    @inline(__always)
    static func read(_ report: UInt64, into keys: inout PressedKeys) -> Bool {
        keys.removeAll()
        keys.high = (report & 0xFF) << 32
        var low: UInt64 = 0
        var slots = report >> 16
        while slots != 0 {
            let usage = UInt8(truncatingIfNeeded: slots)
            if usage < 64 {
                low |= 1 &<< UInt64(usage)
            } else {
                keys.insert(keyboardUsage: usage)
            }
            slots >>= 8
        }
        keys.low = low & ~0xF
        return low & 2 != 0
    }
}
