package import KeyModel
package import TraceFormat

/// Effect of a cache: calls saved, time saved, wrong answers served. *Saved* is against policy `none` on the same
/// input.
package struct CacheEffectiveness: Hashable, Sendable {
    /// `none`, `press`, `responder` or `chain`; `nil` when the trace does not contain it.
    package var policy: String?
    package var hits: UInt64 = 0
    package var misses: UInt64 = 0
    /// Entries dropped.
    package var invalidations: UInt64 = 0
    /// Hits whose answer differed from a fresh one; only a shadow check finds them.
    package var stale: UInt64 = 0
    package var shadowReads: UInt64 = 0
    package var callsSaved: UInt64 = 0
    package var timeSaved = TraceDuration.zero

    package init() {}

    /// `nil` where there are no records.
    package init?(_ records: some Collection<CacheRecord>) {
        guard !records.isEmpty else { return nil }
        for record in records { add(record) }
    }

    /// `hits` + `misses`.
    package var lookups: UInt64 { hits.addingSaturated(misses) }

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
