/// The lifetime of the engine's cached key commands.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Each pass calls each getter, as the platform does.
    case none
    /// One collection per press; repeats of a held key use the lists of its down.
    case press
    /// A responder's list until that responder reports a change.
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

    public static func += (sum: inout CacheCounts, more: CacheCounts) {
        sum.hits += more.hits
        sum.misses += more.misses
        sum.stale += more.stale
        sum.invalidations += more.invalidations
    }
}

/// Counts of the questions to responders. Shadow reads are counted apart.
public struct CallCounts: Hashable, Sendable {
    public var keyCommands = 0
    public var canPerformAction = 0
    public var validate = 0
    public var buildMenu = 0

    public init() {}
}
