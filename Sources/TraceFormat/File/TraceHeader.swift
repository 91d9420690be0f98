public import KeyModel

/// The rule by which the blocks of a trace are closed.
public enum TraceForm: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    /// By content only: the same records always give the same bytes.
    case canonical
    /// By size and time while recording, so that little is lost when the recorder dies.
    case live

    public static let names = ["canonical", "live"]
}

/// The header of a trace, before its first record.
public struct TraceHeader: Hashable, Sendable {
    /// The lowest version that has all kinds of records of the trace.
    public var version: UInt16 = TraceLimits.version
    public var form: TraceForm
    /// The level at the start; records of kind `level` switch it.
    public var level: TraceLevel
    /// Keys that type text are stored as their class only.
    public var isMasked: Bool
    /// The sequence number of the first record; not 0 in a trace that was cut out of another.
    public var firstSequence: UInt64

    public init(form: TraceForm = .canonical, level: TraceLevel, isMasked: Bool, firstSequence: UInt64 = 0) {
        self.form = form
        self.level = level
        self.isMasked = isMasked
        self.firstSequence = firstSequence
    }
}
