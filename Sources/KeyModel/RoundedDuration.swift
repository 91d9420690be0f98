/// Codes for durations kept in steps of equal relative width: with `bits`, each power of two has 2^bits steps, and all
/// below 2^(bits + 1) ns is exact. With 6 bits the middle of a step is at most 0.79 % away, and no code is above 3711,
/// two bytes as a number.
package enum RoundedDuration {
    /// The code of the step that a number of nanoseconds falls into.
    @inlinable package static func code(_ nanoseconds: UInt64, bits: UInt64 = 6) -> UInt64 {
        guard nanoseconds >= 2 << bits else { return nanoseconds }
        let shift = UInt64(63 - nanoseconds.leadingZeroBitCount) - bits
        return shift << bits + nanoseconds >> shift
    }

    /// The shortest duration of a step, and how many nanoseconds it has; `nil` for codes beyond the largest duration.
    @inlinable package static func step(_ code: UInt64, bits: UInt64 = 6) -> (first: UInt64, width: UInt64)? {
        guard code >= 2 << bits else { return (code, 1) }
        let shift = code >> bits - 1
        guard shift <= 62 - bits else { return nil }
        return ((code - shift << bits) << shift, 1 << shift)
    }

    /// The middle of a step.
    @inlinable package static func nanoseconds(_ code: UInt64) -> UInt64? { step(code).map { $0.first + $0.width / 2 } }
}
