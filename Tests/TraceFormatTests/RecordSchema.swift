import KeyModel

@testable import TraceFormat

/// One kind of record as the specification lists it: number, name, level, fields. The one table that bytes, text,
/// JSON and `Traces/FORMAT.md` have in common; it is collected from the same `walk` that reads and writes.
struct RecordSchema: Hashable, Sendable {
    var kind: RecordKind
    var fields: [FieldSchema]

    var name: String { kind.name }
    var number: UInt8 { kind.rawValue }
    /// All kinds, by number.
    static let all: [RecordSchema] = RecordKind.allCases.map { kind in
        var collector = SchemaCollector()
        // Collecting refuses nothing: no field of this walker throws.
        if var body = kind.blank {
            try? body.walk(&collector)
        } else if var entry = ContextEntry.blank(kind) {
            try? entry.walk(&collector)
        }
        return RecordSchema(kind: kind, fields: collector.fields)
    }
}

/// A field of a record.
struct FieldSchema: Hashable, Sendable {
    /// With its unit, as in `duration_ns`.
    var name: String
    var type: FieldType
    /// The value may be absent.
    var isOptional: Bool
    /// Allowed values: an inclusive range, or numbers and names.
    var allowed: String
}

/// Encoding of a field's value in bytes.
enum FieldType: String, CaseIterable, Hashable, Sendable {
    /// An unsigned number as LEB128.
    case number
    /// Eight bytes, two's complement.
    case signed
    /// One byte, 0 or 1.
    case flag
    /// One byte.
    case code
    /// Eight bytes without an order.
    case hash
    /// A length and UTF-8.
    case text
    /// Modifier flags as a number.
    case modifiers
    /// A key in clear, or its class.
    case identity
    /// Press and tick.
    case pressTick = "press and tick"
    // References into the block's definitions.
    case string, responder, command, list
}

/// Lists the fields that a record walks.
private struct SchemaCollector: FieldWalker {
    static var describes: Bool { true }
    var fields: [FieldSchema] = []
    /// The next field may be absent.
    private var isOptional = false

    private mutating func add(_ name: StaticString, _ type: FieldType, _ allowed: String) {
        fields.append(FieldSchema(name: "\(name)", type: type, isOptional: isOptional, allowed: allowed))
        isOptional = false
    }

    private mutating func add(_ name: StaticString, _ type: FieldType, _ allowed: String, required: Bool) {
        isOptional = !required
        add(name, type, allowed)
    }

    mutating func presence(_ name: StaticString, _ isPresent: Bool) -> Bool {
        isOptional = true
        return true
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) { add(name, .number, "\(range.lowerBound)…\(range.upperBound)") }

    mutating func signed(_ name: StaticString, _ value: inout Int64) {
        add(name, .signed, "\(Int64.min)…\(Int64.max)")
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool) { add(name, .flag, "0…1") }
    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) { add(name, .code, C.allowed) }
    mutating func hash(_ name: StaticString, _ value: inout UInt64) { add(name, .hash, "any") }
    mutating func text(_ name: StaticString, _ value: inout String) { add(name, .text, "UTF-8") }
    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) {
        add(name, .modifiers, "0…\(UInt32.max)")
    }
    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) {
        add(name, .identity, "a usage or a class")
    }
    mutating func pressTick(_ value: inout PressTick) {
        add("press", .pressTick, "0…\(UInt32.max)")
        add("tick", .pressTick, "0…\(UInt32.max)")
    }
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) {
        add(name, .string, "UTF-8", required: required)
    }
    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) {
        add(name, .responder, "a responder", required: required)
    }
    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) {
        add(name, .command, "a command", required: required)
    }
    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) {
        add(name, .list, "a list of commands", required: required)
    }
}
