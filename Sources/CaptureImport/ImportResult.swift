public import KeyModel
public import TraceFormat

/// What an import came to.
public enum ImportResult: Hashable, Sendable {
    /// A trace was written.
    case imported(ImportSummary)
    /// Nothing was written: there is no keyboard, no key changed, or none of the keyboards was asked for.
    case noKeyboard(NoKeyboard)

    /// Where inputs are damaged; what is whole was read all the same.
    public var damage: [ImportDamage] {
        switch self {
        case .imported(let summary): summary.damage
        case .noKeyboard(let nothing): nothing.damage
        }
    }
}

public struct NoKeyboard: Hashable, Sendable {
    /// One sentence without a full stop.
    public var reason: String
    public var damage: [ImportDamage]

    public init(reason: String, damage: [ImportDamage]) {
        self.reason = reason
        self.damage = damage
    }
}

/// Counts of what went into a trace.
public struct ImportSummary: Hashable, Sendable {
    /// The keyboards in the trace.
    public var devices: [DeviceRecord] = []
    public var packets: UInt64 = 0
    /// Downs of any key.
    public var presses: UInt64 = 0
    /// Downs and ups as captured.
    public var keyEvents: UInt64 = 0
    /// Releases that no source sent: the keys were down at the end, or when the keyboard went away.
    public var syntheticReleases: UInt64 = 0
    /// Reports that said "more keys than I can tell".
    public var rolloverReports: UInt64 = 0
    /// Reports that only repeated the one before.
    public var idleReports: UInt64 = 0
    /// The time of the last record.
    public var end = TraceTime.zero
    public var damage: [ImportDamage] = []
    /// What else a reader of the trace should know, a sentence each: descriptors that could not be used, reports
    /// that the capture cut.
    public var notes: [String] = []
}

public struct ImportDamage: Hashable, Sendable, CustomStringConvertible {
    /// The input, as it was named.
    public var input: String
    public var offset: UInt64
    public var reason: String
    /// Packets known to be lost; `nil` where nobody knows.
    public var lostPackets: UInt64?

    public var description: String { "\(input): byte \(offset): \(reason)" }
}

/// Why an input could not be read at all.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    public var input: String
    /// Place, expected and found.
    public var reason: String
    /// errno, when the system refused.
    public var systemCode: Int32?

    public var description: String { "\(input): \(reason)" }
}
