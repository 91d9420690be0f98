extension FixedWidthInteger {
    /// The sum, or the end of the range that it is beyond: counts and times come from files and may be anything.
    @inlinable package func addingSaturated(_ other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        guard isBeyond else { return sum }
        return other < 0 ? .min : .max
    }
}
