import KeyModel

/// Maps the handles in a record to those of other definitions.
public protocol ReferenceMapping: AnyObject {
    func map(_ ref: StringRef) -> StringRef
    func map(_ ref: ResponderRef) -> ResponderRef
    func map(_ ref: CommandRef) -> CommandRef
    func map(_ ref: CommandListRef) -> CommandListRef
}

extension TraceRecord.Body {
    /// Replaces every reference, of whichever kind of record this is. A record of an unknown kind has none.
    public mutating func mapReferences(_ mapping: some ReferenceMapping) {
        var walker = ReferenceWalker(mapping: mapping)
        // No field of this walker throws.
        try? walk(&walker)
    }
}

extension ContextEntry {
    /// Replaces every reference of the entry.
    public mutating func mapReferences(_ mapping: some ReferenceMapping) {
        var walker = ReferenceWalker(mapping: mapping)
        try? walk(&walker)
    }
}

/// Visits the references among the fields and leaves all other values as they are.
private struct ReferenceWalker<M: ReferenceMapping>: FieldWalker {
    let mapping: M

    func presence(_ name: StaticString, _ isPresent: Bool) -> Bool { isPresent }
    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) {}
    mutating func signed(_ name: StaticString, _ value: inout Int64) {}
    mutating func flag(_ name: StaticString, _ value: inout Bool) {}
    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) {}
    mutating func hash(_ name: StaticString, _ value: inout UInt64) {}
    mutating func text(_ name: StaticString, _ value: inout String) {}
    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) {}
    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) {}
    mutating func pressTick(_ value: inout PressTick) {}

    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) {
        value = value.map { mapping.map($0) }
    }
    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) {
        value = value.map { mapping.map($0) }
    }
    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) {
        value = value.map { mapping.map($0) }
    }
    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) {
        value = value.map { mapping.map($0) }
    }
}
