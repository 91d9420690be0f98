package import TraceFormat

/// The result of an import.
package enum ImportResult: Hashable, Sendable {
    /// A trace was written.
    case imported(ImportSummary)
    /// Nothing was written: there is no keyboard, no key changed, or none of the keyboards was asked for.
    case noKeyboard(NoKeyboard)

    /// Damaged places of inputs; what is whole was read all the same.
    package var damage: [ImportDamage] {
        switch self {
        case .imported(let summary): summary.damage
        case .noKeyboard(let nothing): nothing.damage
        }
    }
}

package struct NoKeyboard: Hashable, Sendable {
    /// One sentence without a full stop.
    package var reason: String
    package var damage: [ImportDamage]
}

/// Counts of what went into a trace.
package struct ImportSummary: Hashable, Sendable {
    /// The keyboards in the trace.
    package var devices: [DeviceRecord] = []
    package var packets: UInt64 = 0
    /// Downs of any key.
    package var presses: UInt64 = 0
    /// Downs and ups as captured.
    package var keyEvents: UInt64 = 0
    /// Releases that no source sent: the keys were down at the end, or when the keyboard went away.
    package var syntheticReleases: UInt64 = 0
    /// Reports that only repeated the one before.
    package var idleReports: UInt64 = 0
    package var damage: [ImportDamage] = []
    /// Further notes for a reader of the trace, a sentence each: descriptors that could not be used, reports that the
    /// capture cut.
    package var notes: [String] = []
}

package struct ImportDamage: Hashable, Sendable, CustomStringConvertible {
    /// The input, as it was named.
    package var input: String
    package var offset: UInt64
    package var reason: String

    package var description: String { "\(input): byte \(offset): \(reason)" }
}

/// The reason why an input could not be read at all.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
    package var input: String
    /// Place, expected and found.
    package var reason: String
    /// errno, when the system refused.
    package var systemCode: Int32?

    package var description: String { "\(input): \(reason)" }
}
