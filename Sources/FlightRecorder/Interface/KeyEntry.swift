import KeyModel

/// A key event as its entry has it.
struct KeyEntry {
    /// Bits 0 and 1 the phase, 2 synthetic, 3 masked.
    var flags: UInt32
    var device: UInt16
    /// Page and usage, or the class of a masked key.
    var code: UInt32
    /// The press as its thread counts, 0 for none.
    var ordinal: UInt32
    var isMasked: Bool { flags & 8 != 0 }

    init(_ entry: UnsafePointer<UInt64>, _ head: EntryHead) {
        if head.kind == .key {
            flags = head.wide & 15
            device = head.small & 0xFF
            code = UInt32(head.small >> 8) | (flags & 8 == 0 ? 0x7_0000 : 0)
            ordinal = head.wide >> 4
        } else {
            flags = UInt32(head.small)
            device = UInt16(truncatingIfNeeded: head.wide)
            code = UInt32(truncatingIfNeeded: entry[2])
            ordinal = UInt32(truncatingIfNeeded: entry[2] >> 32)
        }
    }
}

/// The keys that a thread holds, written after entries of it were lost: any of them may have been a release.
struct HeldKeysSnapshot {
    static let words: UInt64 = 7
    let time: UInt64
    /// The keys E0–E7 that are down, a byte for each of `HeldKeyCells.keyboards`, and which keyboards they are.
    let modifiers: UInt64
    let devices: [UInt16]
    /// Bit n: the press n before `ordinal` is down.
    let presses: UInt64
    /// The thread's presses so far.
    let ordinal: UInt32
    /// The press that it handles, and the thread that this one is of.
    let current: (thread: UInt32, ordinal: UInt32)

    init(_ entry: UnsafePointer<UInt64>, _ head: EntryHead) {
        time = entry[0]
        modifiers = entry[2]
        devices = (0..<8).map { UInt16(truncatingIfNeeded: entry[3 + $0 / 4] >> UInt64($0 % 4 * 16)) }
        presses = entry[5]
        ordinal = UInt32(truncatingIfNeeded: entry[6])
        current = (head.wide, UInt32(truncatingIfNeeded: entry[6] >> 32))
    }

    /// True if the press is down, as far as the snapshot has it.
    func isDown(_ ordinal: UInt32) -> Bool {
        let age = self.ordinal &- ordinal
        return age < 64 && presses >> UInt64(age) & 1 != 0
    }

    /// The modifier keys that are down.
    var modifierKeys: [(device: UInt16, usage: KeyUsage)] {
        (0..<64).filter { modifiers >> UInt64($0) & 1 != 0 }
            .map { (devices[$0 / 8], KeyUsage.keyboard(0xE0 + UInt16($0 % 8))) }
    }
}
