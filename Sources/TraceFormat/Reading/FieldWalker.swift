import KeyModel

/// Visits the fields of a record in the order of the schema. Each record describes its fields once, in `walk`;
/// the writer and the reader of bytes, those of text, JSON and the table of all records are walkers.
///
/// A walker that writes leaves the values as they are, one that reads sets them. Every name carries its unit.
protocol FieldWalker {
    /// True for the walker that only collects the schema: conditional fields are then described as well.
    static var describes: Bool { get }

    /// Begins a field that may be absent. True when its value is the next to be visited.
    mutating func presence(_ name: StaticString, _ isPresent: Bool) throws(TraceError) -> Bool

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>) throws(TraceError)
    mutating func optionalNumber<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N?, _ range: ClosedRange<N>) throws(TraceError)
    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(TraceError)
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(TraceError)
    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) throws(TraceError)
    mutating func optionalChoice<C: NamedCode>(_ name: StaticString, _ value: inout C?) throws(TraceError)
    /// 64 bits without an order.
    mutating func hash(_ name: StaticString, _ value: inout UInt64) throws(TraceError)
    mutating func text(_ name: StaticString, _ value: inout String) throws(TraceError)
    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) throws(TraceError)
    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) throws(TraceError)
    /// Press and tick, the two fields `press` and `tick`.
    mutating func pressTick(_ value: inout PressTick) throws(TraceError)

    // Interned things. `required`: absence is an error.
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) throws(TraceError)
    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) throws(TraceError)
    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) throws(TraceError)
    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) throws(TraceError)
}

/// A code with a name: closed enums, and the open codes `Outcome` and `TakenBy`.
protocol NamedCode {
    var rawValue: UInt8 { get }
    var name: String { get }
    init?(rawValue: UInt8)
    init?(name: String)
    /// Numbers and names, for the specification and for errors.
    static var allowed: String { get }
}

extension NamedCode where Self: CaseIterable {
    static var allowed: String { allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ") }
}

extension NamedCode {
    static var open: String {
        let named = (UInt8.min...UInt8.max - 1).compactMap { code in
            Self(rawValue: code).flatMap { $0.name.contains("-") ? nil : "\(code) \($0.name)" }
        }
        return named.joined(separator: ", ") + ", others up to 254 are kept"
    }
}

extension LatencyStage: NamedCode {}
extension KeyPhase: NamedCode {}
extension TextKeyClass: NamedCode {}
extension Outcome: NamedCode { static var allowed: String { open } }
extension TakenBy: NamedCode { static var allowed: String { open } }

extension FieldWalker {
    static var describes: Bool { false }

    /// A field that may be absent: its presence, then its value. `blank`: what a value is read into.
    private mutating func optional<V>(
        _ name: StaticString, _ value: inout V?, blank: V?,
        _ walk: (inout Self, inout V) throws(TraceError) -> Void
    ) throws(TraceError) {
        guard try presence(name, value != nil), var present = value ?? blank else {
            value = nil
            return
        }
        try walk(&self, &present)
        value = present
    }

    mutating func optionalNumber<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N?, _ range: ClosedRange<N>
    ) throws(TraceError) {
        try optional(name, &value, blank: range.lowerBound) { (w, value) throws(TraceError) in
            try w.number(name, &value, range)
        }
    }

    mutating func optionalSigned(_ name: StaticString, _ value: inout Int64?) throws(TraceError) {
        try optional(name, &value, blank: 0) { (w, value) throws(TraceError) in try w.signed(name, &value) }
    }

    mutating func optionalChoice<C: NamedCode>(_ name: StaticString, _ value: inout C?) throws(TraceError) {
        try optional(name, &value, blank: C(rawValue: 0)) { (w, value) throws(TraceError) in
            try w.choice(name, &value)
        }
    }

    mutating func optionalHash(_ name: StaticString, _ value: inout UInt64?) throws(TraceError) {
        try optional(name, &value, blank: 0) { (w, value) throws(TraceError) in try w.hash(name, &value) }
    }

    mutating func optionalText(_ name: StaticString, _ value: inout String?) throws(TraceError) {
        try optional(name, &value, blank: "") { (w, value) throws(TraceError) in try w.text(name, &value) }
    }

    mutating func duration(_ name: StaticString, _ value: inout TraceDuration) throws(TraceError) {
        var nanoseconds = try magnitude(value, name)
        try number(name, &nanoseconds, 0...TraceDuration.largest)
        value = TraceDuration(nanoseconds: Int64(truncatingIfNeeded: nanoseconds))
    }

    mutating func optionalDuration(_ name: StaticString, _ value: inout TraceDuration?) throws(TraceError) {
        var nanoseconds: UInt64?
        if let value { nanoseconds = try magnitude(value, name) }
        try optionalNumber(name, &nanoseconds, 0...TraceDuration.largest)
        value = nanoseconds.map { TraceDuration(nanoseconds: Int64(truncatingIfNeeded: $0)) }
    }

    private func magnitude(_ value: TraceDuration, _ name: StaticString) throws(TraceError) -> UInt64 {
        guard value.nanoseconds >= 0 else {
            throw TraceError(
                .outOfRange, field: "\(name)", expected: "a duration ≥ 0 ns", found: "\(value.nanoseconds)")
        }
        return UInt64(value.nanoseconds)
    }

    mutating func string(_ name: StaticString, _ value: inout StringRef) throws(TraceError) {
        var optional: StringRef? = value
        try string(name, &optional, required: true)
        value = optional ?? value
    }

    mutating func responder(_ name: StaticString, _ value: inout ResponderRef) throws(TraceError) {
        var optional: ResponderRef? = value
        try responder(name, &optional, required: true)
        value = optional ?? value
    }

    mutating func command(_ name: StaticString, _ value: inout CommandRef) throws(TraceError) {
        var optional: CommandRef? = value
        try command(name, &optional, required: true)
        value = optional ?? value
    }

    mutating func list(_ name: StaticString, _ value: inout CommandListRef) throws(TraceError) {
        var optional: CommandListRef? = value
        try list(name, &optional, required: true)
        value = optional ?? value
    }

    mutating func string(_ name: StaticString, _ value: inout StringRef?) throws(TraceError) {
        try string(name, &value, required: false)
    }

    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?) throws(TraceError) {
        try responder(name, &value, required: false)
    }

    mutating func command(_ name: StaticString, _ value: inout CommandRef?) throws(TraceError) {
        try command(name, &value, required: false)
    }
}

extension TraceDuration {
    static let largest = UInt64(Int64.max)
}
