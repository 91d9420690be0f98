/// A set of press ordinals, as bits: ordinals are consecutive in nearly every trace, so that one word holds about 64.
package struct OrdinalSet: Sendable {
    private var words: [UInt32: UInt64] = [:]

    package init() {}

    package func contains(_ ordinal: UInt32) -> Bool { (words[ordinal >> 6] ?? 0) & OrdinalSet.bit(ordinal) != 0 }

    package mutating func insert(_ ordinal: UInt32) { words[ordinal >> 6, default: 0] |= OrdinalSet.bit(ordinal) }

    package mutating func remove(_ ordinal: UInt32) {
        guard let word = words[ordinal >> 6] else { return }
        let rest = word & ~OrdinalSet.bit(ordinal)
        words[ordinal >> 6] = rest == 0 ? nil : rest
    }

    private static func bit(_ ordinal: UInt32) -> UInt64 { 1 << UInt64(ordinal & 63) }
}

/// New ordinals for the presses of a trace from which some were taken: those that stay are numbered on as if the
/// others had not been.
package struct PressRenumbering: Sendable {
    private var shift: UInt32 = 0
    /// New ordinals that differ from the old ones.
    private var renamed: [UInt32: UInt32] = [:]
    private var dropped = OrdinalSet()

    package init() {}

    package mutating func drop(_ ordinal: UInt32) {
        dropped.insert(ordinal)
        shift &+= 1
    }

    /// The down of a press that stays.
    package mutating func keep(_ ordinal: UInt32) {
        guard shift > 0 else { return }
        dropped.remove(ordinal)
        renamed[ordinal] = ordinal > shift ? ordinal - shift : ordinal
    }

    package func isDropped(_ ordinal: UInt32) -> Bool { shift > 0 && dropped.contains(ordinal) }

    package func new(_ ordinal: UInt32) -> UInt32 { shift > 0 ? renamed[ordinal] ?? ordinal : ordinal }

    /// Nothing more comes of the press.
    package mutating func forget(_ ordinal: UInt32) {
        guard shift > 0 else { return }
        renamed[ordinal] = nil
        dropped.remove(ordinal)
    }
}
