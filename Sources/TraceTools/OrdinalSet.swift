/// A set of press ordinals, as bits: ordinals are consecutive in nearly every trace, so that one word holds about 64.
struct OrdinalSet {
    private var words: [UInt32: UInt64] = [:]

    func contains(_ ordinal: UInt32) -> Bool { (words[ordinal >> 6] ?? 0) & OrdinalSet.bit(ordinal) != 0 }

    mutating func insert(_ ordinal: UInt32) { words[ordinal >> 6, default: 0] |= OrdinalSet.bit(ordinal) }

    mutating func remove(_ ordinal: UInt32) {
        guard let word = words[ordinal >> 6] else { return }
        let rest = word & ~OrdinalSet.bit(ordinal)
        words[ordinal >> 6] = rest == 0 ? nil : rest
    }

    private static func bit(_ ordinal: UInt32) -> UInt64 { 1 << UInt64(ordinal & 63) }
}

/// New ordinals for the presses of a trace from which some were taken: those that stay are numbered on as if the
/// others had not been.
struct PressRenumbering {
    private var shift: UInt32 = 0
    /// New ordinals that differ from the old ones.
    private var renamed: [UInt32: UInt32] = [:]
    private var dropped = OrdinalSet()

    mutating func drop(_ ordinal: UInt32) {
        dropped.insert(ordinal)
        shift &+= 1
    }

    /// The down of a press that stays.
    mutating func keep(_ ordinal: UInt32) {
        guard shift > 0 else { return }
        dropped.remove(ordinal)
        renamed[ordinal] = ordinal > shift ? ordinal - shift : ordinal
    }

    func isDropped(_ ordinal: UInt32) -> Bool { shift > 0 && dropped.contains(ordinal) }

    func new(_ ordinal: UInt32) -> UInt32 { shift > 0 ? renamed[ordinal] ?? ordinal : ordinal }
}
