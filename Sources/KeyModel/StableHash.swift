/// FNV-1a, 64 bits: a hash that is the same in every process, on every machine, for ever.
///
/// Used where a hash is stored or compared between runs (layouts, state); `Hasher` is seeded per process.
public struct StableHash: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable public init() {}

    public mutating func combine(byte: UInt8) { value = (value ^ UInt64(byte)) &* StableHash.prime }

    /// Eight bytes, least significant first.
    public mutating func combine(_ number: UInt64) {
        var rest = number
        var hash = value
        var bytes = 8
        while rest != 0 {
            hash = (hash ^ rest & 0xFF) &* StableHash.prime
            rest >>= 8
            bytes -= 1
        }
        // Most numbers are small. A byte of 0 does nothing but multiply.
        switch bytes {
        case 8: hash = hash &* StableHash.primeToThe8
        case 7: hash = hash &* StableHash.primeToThe7
        case 5: hash = hash &* StableHash.primeToThe5
        case 3: hash = hash &* StableHash.primeToThe3
        default: for _ in 0..<bytes { hash = hash &* StableHash.prime }
        }
        value = hash
    }

    private static let prime: UInt64 = 0x0000_0100_0000_01B3
    private static let primeToThe3: UInt64 = 0x08A9_7B00_04E7_FEAB
    private static let primeToThe5: UInt64 = 0x0CAE_E32A_7D4F_6A63
    private static let primeToThe7: UInt64 = 0xC552_7B8A_51D3_D2DB
    private static let primeToThe8: UInt64 = 0x1EFA_C709_0AEF_4A21

    public mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }
    public mutating func combine(_ flag: Bool) { combine(byte: flag ? 1 : 0) }

    /// The UTF-8 bytes and a terminating FF, which UTF-8 never contains.
    public mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFF)
    }

    /// Sixteen hexadecimal digits.
    public var hexadecimal: String { value.hexadecimal(16) }
}

extension BinaryInteger {
    /// The number in hexadecimal, with at least `digits` digits.
    public func hexadecimal(_ digits: Int) -> String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Sequence<UInt8> {
    /// Two digits a byte.
    package var hexadecimal: String { map { $0.hexadecimal(2) }.joined() }
}
