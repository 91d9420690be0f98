package import KeyModel

/// The keys that are down in one report.
///
/// Usages 00–FF of the keyboard page are bits; the few keys of other pages are a sorted list.
package struct PressedKeys: Hashable, Sendable {
    var low: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    /// Holds the modifiers E0–E7 in bits 32–39.
    var high: UInt64 = 0
    var others: [KeyUsage] = []

    static let modifierBits: UInt64 = 0xFF << 32

    package init() {}

    package var isEmpty: Bool { low | second | third | high == 0 && others.isEmpty }

    /// The usages in the order of their raw values.
    package var usages: [KeyUsage] {
        var found: [KeyUsage] = others
        for (word, first) in [(low, 0), (second, 64), (third, 128), (high, 192)] as [(UInt64, UInt16)] {
            var bits = word
            while bits != 0 {
                found.append(.keyboard(first + UInt16(bits.trailingZeroBitCount)))
                bits &= bits - 1
            }
        }
        return found.sorted()
    }

    package func contains(_ usage: KeyUsage) -> Bool {
        guard usage.isKeyboardPage, usage.usage < 256 else { return others.contains(usage) }
        let bit = UInt64(1) << UInt64(usage.usage & 63)
        switch usage.usage >> 6 {
        case 0: return low & bit != 0
        case 1: return second & bit != 0
        case 2: return third & bit != 0
        default: return high & bit != 0
        }
    }

    /// Keys of other pages beyond `CaptureLimits.otherKeys` are left out.
    package mutating func insert(_ usage: KeyUsage) {
        if usage.isKeyboardPage, usage.usage < 256 {
            insert(keyboardUsage: UInt8(truncatingIfNeeded: usage.usage))
        } else {
            let at = others.firstIndex { $0 >= usage } ?? others.count
            let isKnown = at < others.count && others[at] == usage
            if !isKnown, others.count < CaptureLimits.otherKeys { others.insert(usage, at: at) }
        }
    }

    @inline(__always)
    mutating func insert(keyboardUsage: UInt8) {
        let bit = UInt64(1) << UInt64(keyboardUsage & 63)
        switch keyboardUsage >> 6 {
        case 0: low |= bit
        case 1: second |= bit
        case 2: third |= bit
        default: high |= bit
        }
    }

    mutating func remove(_ usage: KeyUsage) {
        guard usage.isKeyboardPage, usage.usage < 256 else { return others.removeAll { $0 == usage } }
        let mask = ~(UInt64(1) << UInt64(usage.usage & 63))
        switch usage.usage >> 6 {
        case 0: low &= mask
        case 1: second &= mask
        case 2: third &= mask
        default: high &= mask
        }
    }

    @inline(__always) mutating func removeAll() {
        (low, second, third, high) = (0, 0, 0, 0)
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }
}
