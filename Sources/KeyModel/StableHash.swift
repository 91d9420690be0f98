/// FNV-1a, 64 bits: a hash that is the same in every process, on every machine, for ever.
///
/// Used where a hash is stored or compared between runs (layouts, state); `Hasher` is seeded per process.
public struct StableHash: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable public init() {}

    public mutating func combine(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// Eight bytes, least significant first.
    public mutating func combine(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            combine(byte: UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    public mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }
    public mutating func combine(_ flag: Bool) { combine(byte: flag ? 1 : 0) }

    /// The UTF-8 bytes and a terminating FF, which UTF-8 never contains.
    public mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFF)
    }

    /// Sixteen hexadecimal digits.
    public var hexadecimal: String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
