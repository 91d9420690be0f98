/// A stream of numbers that is the same for the same seed on every machine (SplitMix64 of Steele, Lea and Flood).
/// Resampling draws from it, so that a verdict is a function of its samples.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// Uniform below `bound`, which must be positive (Lemire's multiplication; the bias is below 2⁻⁴⁰).
    mutating func below(_ bound: Int) -> Int { Int((next() >> 24).multipliedFullWidth(by: UInt64(bound) << 24).high) }
}
