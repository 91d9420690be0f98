public import KeyModel

/// Relation of the clock of one source to that of another, found by matching presses that both recorded: a timestamp t
/// of `source` is the time t + `offset` + t × `drift` / 10⁹ of `reference`.
public struct ClockRelationRecord: Hashable, Sendable {
    /// As in `ClockRecord`.
    public var source: String
    public var reference: String
    /// Nanoseconds at time 0 of the trace.
    public var offset: Int64
    /// Parts in 10⁹; `nil` where none was fitted.
    public var drift: Int64?
    /// Median absolute residual of the matched presses.
    public var residual: TraceDuration?
    /// Presses that were matched.
    public var matches: UInt64
    /// Times of the first and the last of them, between which the relation holds.
    public var first: TraceDuration?
    public var last: TraceDuration?

    public init(source: String, reference: String, offset: Int64, matches: UInt64 = 0) {
        self.source = source
        self.reference = reference
        self.offset = offset
        self.matches = matches
    }
}

extension ClockRelationRecord {
    /// By how much the offset may be wrong: the standard error of a median of `matches` presses of which half are at
    /// most `residual` off.
    public var uncertainty: TraceDuration? {
        guard let residual, matches > 0 else { return nil }
        let error = (1.858 * Double(residual.nanoseconds) / Double(matches).squareRoot()).rounded(.up)
        return TraceDuration(nanoseconds: Int64(exactly: error) ?? .max)
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("source", &source)
        try w.text("reference", &reference)
        try w.signed("offset_ns", &offset)
        try w.optionalSigned("drift_ppb", &drift)
        try w.optionalDuration("residual_ns", &residual)
        try w.number("matches", &matches, 0...UInt64.max)
        try w.optionalDuration("first_ns", &first)
        try w.optionalDuration("last_ns", &last)
    }
}
