/// Nanoseconds since the recording's time 0. Never wall-clock time.
public struct TraceTime: RawRepresentable, Hashable, Comparable, Sendable {
    /// 0 … `Int64.max`, about 292 years.
    public let rawValue: Int64
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }
    @inlinable public init(nanoseconds: Int64) { rawValue = nanoseconds }

    @inlinable public var nanoseconds: Int64 { rawValue }
    public static let zero = TraceTime(rawValue: 0)

    @inlinable public static func < (a: TraceTime, b: TraceTime) -> Bool { a.rawValue < b.rawValue }

    /// Saturates at the ends of the range: times come from files.
    @inlinable public func advanced(by duration: TraceDuration) -> TraceTime {
        let (sum, overflow) = rawValue.addingReportingOverflow(duration.nanoseconds)
        return TraceTime(rawValue: overflow ? (duration.nanoseconds < 0 ? .min : .max) : sum)
    }

    /// The time from `earlier` to this one, negative when this one is before it; saturating.
    @inlinable public func since(_ earlier: TraceTime) -> TraceDuration {
        let (difference, overflow) = rawValue.subtractingReportingOverflow(earlier.rawValue)
        return TraceDuration(nanoseconds: overflow ? (rawValue < 0 ? .min : .max) : difference)
    }
}

/// A span of time in nanoseconds.
public struct TraceDuration: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int64
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }
    @inlinable public init(nanoseconds: Int64) { rawValue = nanoseconds }

    @inlinable public var nanoseconds: Int64 { rawValue }
    public static let zero = TraceDuration(rawValue: 0)
    @inlinable public static func < (a: TraceDuration, b: TraceDuration) -> Bool { a.rawValue < b.rawValue }
    /// Saturating sum.
    @inlinable public static func + (a: TraceDuration, b: TraceDuration) -> TraceDuration {
        let (sum, overflow) = a.rawValue.addingReportingOverflow(b.rawValue)
        return TraceDuration(rawValue: overflow ? (a.rawValue < 0 ? .min : .max) : sum)
    }
}

extension TraceDuration {
    /// Units in descending size, as written in scenes, scripts and profiles.
    static let units: [(name: String, nanoseconds: Int64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
    ]

    /// Parses an integer and a unit, `ns`, `us`, `ms` or `s`, without a blank. A bare number is refused.
    public init?(text: some StringProtocol) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits),
            let unit = TraceDuration.units.first(where: { $0.name == text.dropFirst(digits.count) }),
            case let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds), !overflow
        else { return nil }
        rawValue = product
    }

    /// The shortest exact form that `init(text:)` reads, such as `400ms`.
    public var text: String {
        guard rawValue != 0 else { return "0ns" }
        let unit = TraceDuration.units.first { rawValue % $0.nanoseconds == 0 } ?? ("ns", 1)
        return "\(rawValue / unit.nanoseconds)\(unit.name)"
    }
}

extension Int64 {
    /// The difference, clamped to the range of `Int64`.
    package func saturatingSubtracting(_ other: Int64) -> Int64 {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return isOverflow ? (self < 0 ? .min : .max) : difference
    }

    /// The sum, clamped to the range of `Int64`.
    package func saturatingAdding(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? (self < 0 ? .min : .max) : sum
    }
}
