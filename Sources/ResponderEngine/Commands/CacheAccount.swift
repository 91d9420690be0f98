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

/// Lookups and what came of them. `lookups` is always `hits + misses`; a stale hit is also a hit. Each press copies
/// these: a number that does not fit into 32 bits stays at their end.
public struct CacheCounts: Hashable, Sendable {
    @usableFromInline var ofHits: UInt32 = 0
    @usableFromInline var ofMisses: UInt32 = 0
    @usableFromInline var ofStale: UInt32 = 0
    @usableFromInline var ofInvalidations: UInt32 = 0

    @inlinable public var hits: Int {
        get { Int(ofHits) }
        set { ofHits = UInt32(clamping: newValue) }
    }
    @inlinable public var misses: Int {
        get { Int(ofMisses) }
        set { ofMisses = UInt32(clamping: newValue) }
    }
    /// Hits whose fresh answer differed; found only by a shadow check.
    @inlinable public var stale: Int {
        get { Int(ofStale) }
        set { ofStale = UInt32(clamping: newValue) }
    }
    /// Entries dropped because something changed.
    @inlinable public var invalidations: Int {
        get { Int(ofInvalidations) }
        set { ofInvalidations = UInt32(clamping: newValue) }
    }
    @inlinable public var lookups: Int { hits + misses }

    @inlinable public init() {}

    public static func += (sum: inout CacheCounts, more: CacheCounts) {
        sum.hits += more.hits
        sum.misses += more.misses
        sum.stale += more.stale
        sum.invalidations += more.invalidations
    }
}

/// Counts of the questions to responders, each at most what fits into 32 bits. Shadow reads are counted apart.
public struct CallCounts: Hashable, Sendable {
    @usableFromInline var ofKeyCommands: UInt32 = 0
    @usableFromInline var ofCanPerformAction: UInt32 = 0
    @usableFromInline var ofValidate: UInt32 = 0
    @usableFromInline var ofBuildMenu: UInt32 = 0

    @inlinable public var keyCommands: Int {
        get { Int(ofKeyCommands) }
        set { ofKeyCommands = UInt32(clamping: newValue) }
    }
    @inlinable public var canPerformAction: Int {
        get { Int(ofCanPerformAction) }
        set { ofCanPerformAction = UInt32(clamping: newValue) }
    }
    @inlinable public var validate: Int {
        get { Int(ofValidate) }
        set { ofValidate = UInt32(clamping: newValue) }
    }
    @inlinable public var buildMenu: Int {
        get { Int(ofBuildMenu) }
        set { ofBuildMenu = UInt32(clamping: newValue) }
    }

    @inlinable public init() {}
}
