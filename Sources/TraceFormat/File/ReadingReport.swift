/// Result of reading a trace: the counts, and what is missing.
public struct ReadingReport: Hashable, Sendable {
    /// A place where bytes are not what they should be.
    public struct Damage: Hashable, Sendable {
        /// Byte offset where the loss begins.
        public var offset: UInt64
        /// In words; `no end marker` for a trace that was cut short or is still being recorded.
        public var reason: String
        /// Records that are missing because of it; `nil` where unknown.
        public var recordsLost: UInt64?
        public init(offset: UInt64, reason: String, recordsLost: UInt64?) {
            self.offset = offset
            self.reason = reason
            self.recordsLost = recordsLost
        }
    }

    /// `nil` when the file header could not be read.
    public var header: TraceHeader?
    /// True when the end marker was found and nothing before it is damaged or missing.
    public var complete = false
    /// In the order of the file, at most `TraceLimits.damages`.
    public var damages: [Damage] = []
    /// Bytes of the trace.
    public var bytes: UInt64 = 0
    public var blocks: UInt64 = 0
    /// Records delivered, those of unknown kinds included.
    public var records: UInt64 = 0
    /// Records of kinds that are unknown in this version.
    public var unknownRecords: UInt64 = 0

    public init() {}

    public static let noEndMarker = "no end marker"

    /// The first damage, with the records lost in all places; `nil` when the trace is complete.
    public var damaged: Damage? {
        guard let first = damages.first else { return nil }
        let counts = damages.compactMap(\.recordsLost)
        let lost = counts.count == damages.count ? counts.reduce(0, &+) : nil
        return Damage(offset: first.offset, reason: first.reason, recordsLost: lost)
    }
}
