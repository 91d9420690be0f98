public import KeyModel
public import TraceFormat

/// What a cache did: calls saved, time saved, wrong answers served. *Saved* is against policy `none` on the same
/// input.
public struct CacheEffectiveness: Hashable, Sendable {
    /// `none`, `press`, `responder` or `chain`; `nil` when the trace does not say.
    public var policy: String?
    public var hits: UInt64 = 0
    public var misses: UInt64 = 0
    /// Entries dropped.
    public var invalidations: UInt64 = 0
    /// Hits whose answer differed from a fresh one; only a shadow check finds them.
    public var stale: UInt64 = 0
    public var shadowReads: UInt64 = 0
    public var callsSaved: UInt64 = 0
    public var timeSaved = TraceDuration.zero

    public init() {}

    /// `nil` where there are no records.
    public init?(_ records: some Collection<CacheRecord>) {
        guard !records.isEmpty else { return nil }
        for record in records { add(record) }
    }

    /// `hits` + `misses`.
    public var lookups: UInt64 { hits.addingSaturated(misses) }

    mutating func add(_ record: CacheRecord) {
        hits = hits.addingSaturated(UInt64(record.hits))
        misses = misses.addingSaturated(UInt64(record.misses))
        invalidations = invalidations.addingSaturated(UInt64(record.invalidations))
        stale = stale.addingSaturated(UInt64(record.stale))
        shadowReads = shadowReads.addingSaturated(UInt64(record.shadowReads))
        callsSaved = callsSaved.addingSaturated(UInt64(record.callsSaved))
        timeSaved = timeSaved + max(record.timeSaved, .zero)
    }
}
