public import KeyModel
public import TraceFormat

/// Number of recorded messages of each kind, under the names of the kinds in reports.
public struct InvocationCounts: Hashable, Sendable {
    /// The kinds that are counted, with their names.
    public static let kinds: [(kind: InvocationKind, name: String)] = [
        (.keyEquivalent, "keyEquivalents"), (.keyDown, "keyDown"), (.doCommand, "doCommand"),
        (.sendAction, "sendAction"), (.targetForAction, "targetForAction"), (.insertText, "insertText"),
    ]
    /// By place in `kinds`.
    private var counts = SIMD8<UInt64>()

    public init() {}

    public subscript(_ kind: InvocationKind) -> UInt64 {
        InvocationCounts.kinds.firstIndex { $0.kind == kind }.map { counts[$0] } ?? 0
    }

    /// Adds messages; those of other kinds are not counted.
    public mutating func add(_ count: UInt32, of kind: InvocationKind) {
        guard let place = InvocationCounts.kinds.firstIndex(where: { $0.kind == kind }) else { return }
        counts[place] &+= UInt64(count)
    }

    /// The larger number of each kind.
    public func maximum(_ other: InvocationCounts) -> InvocationCounts {
        var larger = self
        larger.counts = pointwiseMax(counts, other.counts)
        return larger
    }

    static func &- (whole: InvocationCounts, part: InvocationCounts) -> InvocationCounts {
        var rest = whole
        rest.counts &-= part.counts
        return rest
    }
}

extension InvocationKind {
    /// True for the questions that AppKit alone asks: the app of a trace with one of them is AppKit's.
    public var isOfAppKit: Bool { self == .keyEquivalent || self == .keyDown }

    /// The kind of call that the message is, for those that have one.
    public var callKind: CallKind? {
        switch self {
        case .canPerformAction: .canPerformAction
        case .validate: .validate
        default: nil
        }
    }
}
