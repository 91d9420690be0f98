import KeyModel
package import TraceFormat

/// Number of secure entries in a trace, of whose keys nothing is recorded.
package struct SecureEntryCount: Hashable, Sendable {
    package private(set) var count: UInt64 = 0
    /// Time of the last one, which has no end yet: the recorder writes it once more, at that time, when it ends.
    private var open: TraceTime?

    package init() {}

    package mutating func consume(_ record: TraceRecord) {
        guard case .loss(let loss) = record.body, loss.cause == .secureEntry else { return }
        if open != record.time || loss.duration == nil { count += 1 }
        open = loss.duration == nil ? record.time : nil
    }

    /// "1 secure entry"; `nil` without one.
    package var text: String? {
        switch count {
        case 0: nil
        case 1: "1 secure entry"
        default: "\(count) secure entries"
        }
    }
}
