/// What the engine remembers of key commands between questions.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Each pass calls each getter, as the platform does.
    case none
    /// One collection per press; repeats of a held key use the lists of its down.
    case press
    /// A responder's list until that responder says that it changed.
    case responder
    /// An index by input and modifiers for the whole chain, valid while no member changed.
    case chain
}

/// Lookups and what came of them. `lookups` is always `hits + misses`; a stale hit is also a hit.
public struct CacheCounts: Hashable, Sendable {
    public var hits = 0
    public var misses = 0
    /// Hits whose fresh answer differed; found only by a shadow check.
    public var stale = 0
    /// Entries dropped because something changed.
    public var invalidations = 0
    public var lookups: Int { hits + misses }

    public init() {}

    public static func + (a: CacheCounts, b: CacheCounts) -> CacheCounts {
        var sum = a
        sum.hits += b.hits
        sum.misses += b.misses
        sum.stale += b.stale
        sum.invalidations += b.invalidations
        return sum
    }
}

/// How often responders were asked. Shadow reads are counted apart.
public struct CallCounts: Hashable, Sendable {
    public var keyCommands = 0
    public var canPerformAction = 0
    public var validate = 0
    public var buildMenu = 0

    public init() {}
}
