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

extension CacheEffectiveness {
    /// What made a cache drop entries, and how often.
    package struct Invalidated: Hashable, Sendable {
        package var scope: InvalidationScope
        /// Whose answers were said to have changed; `nil` for menus.
        package var responder: String?
        package var count: UInt64
    }
}

/// Counts invalidations by what was invalidated.
struct InvalidationCounter: Sendable {
    private struct Key: Hashable, Sendable {
        var scope: InvalidationScope
        var responder: ByteName?
    }

    private var counts: [Key: UInt64] = [:]
    /// More responders than this are in no app.
    private static let limit = 65_536

    mutating func add(_ record: InvalidationRecord, _ names: TraceDefinitions) {
        let key = Key(scope: record.scope, responder: names.id(of: record.responder).map(ByteName.init))
        if counts.count < InvalidationCounter.limit || counts[key] != nil { counts[key, default: 0] += 1 }
    }

    /// Those with the most first.
    var sorted: [CacheEffectiveness.Invalidated] {
        counts.sorted { one, other in
            if one.value != other.value { return one.value > other.value }
            if one.key.scope != other.key.scope { return one.key.scope.rawValue < other.key.scope.rawValue }
            guard let name = one.key.responder else { return other.key.responder != nil }
            return other.key.responder.map { name < $0 } ?? false
        }.map { key, count in
            CacheEffectiveness.Invalidated(scope: key.scope, responder: key.responder?.text, count: count)
        }
    }
}
