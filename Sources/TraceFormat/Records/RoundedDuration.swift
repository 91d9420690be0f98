/// Codes for durations kept to 1 %: below 128 ns exact, above with seven significant bits, so that the middle of the
/// coded range is at most 0.79 % away. No code is above 3711, two bytes as a number.
package enum RoundedDuration {
    private static let mantissaBits: UInt64 = 6

    /// The code of the step that a number of nanoseconds falls into.
    package static func code(_ nanoseconds: UInt64) -> UInt64 {
        guard nanoseconds >= 128 else { return nanoseconds }
        let shift = UInt64(63 - nanoseconds.leadingZeroBitCount) - mantissaBits
        return (shift + 1) << mantissaBits + (nanoseconds >> shift & 63)
    }

    /// The middle of a step; `nil` for codes beyond the largest duration.
    package static func nanoseconds(_ code: UInt64) -> UInt64? {
        guard code >= 128 else { return code }
        let shift = code >> mantissaBits - 1
        guard shift <= 56 else { return nil }
        return (64 + code & 63) << shift + 1 << (shift - 1)
    }
}
