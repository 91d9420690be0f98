public import TraceFormat

/// Number of secure entries in a trace, of whose keys nothing is recorded.
public struct SecureEntryCount: Hashable, Sendable {
    public private(set) var count: UInt64 = 0
    /// The last one has no duration yet: the next record about a secure entry is its end.
    private var isOpen = false

    public init() {}

    public mutating func consume(_ body: TraceRecord.Body) {
        guard case .loss(let loss) = body, loss.cause == .secureEntry else { return }
        if !isOpen { count += 1 }
        isOpen = loss.duration == nil
    }

    /// "1 secure entry"; `nil` without one.
    public var text: String? {
        switch count {
        case 0: nil
        case 1: "1 secure entry"
        default: "\(count) secure entries"
        }
    }
}
