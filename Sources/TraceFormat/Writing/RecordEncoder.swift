import KeyModel

/// Writes the fields of a record as bytes, defining what it refers to on first use in the block.
struct RecordEncoder: FieldWalker {
    var out = ByteBuffer()
    /// Set for the time of one record only.
    var definitions = TraceDefinitions()
    /// The prediction model of the block so far.
    var model = BlockModel()
    private var strings = BlockTable<String>()
    /// The block has a string that not every field may refer to.
    private var hasLongStrings = false
    private var responders = BlockTable<ResponderDefinition>()
    private var commands = BlockTable<CommandDefinition>()
    private var lists = BlockTable<[CommandRef]>()

    /// A state to return to when a record is invalid.
    struct Mark {
        var strings, responders, commands, lists, bytes: Int
        var at: PressTick
    }

    var mark: Mark {
        Mark(
            strings: strings.handles.count, responders: responders.handles.count, commands: commands.handles.count,
            lists: lists.handles.count, bytes: out.count, at: model.at)
    }

    mutating func goBack(to mark: Mark) {
        strings.truncate(to: mark.strings)
        responders.truncate(to: mark.responders)
        commands.truncate(to: mark.commands)
        lists.truncate(to: mark.lists)
        out.truncate(to: mark.bytes)
        model.at = mark.at
    }

    mutating func beginBlock(_ time: Int64) {
        strings.removeAll()
        hasLongStrings = false
        responders.removeAll()
        commands.removeAll()
        lists.removeAll()
        model.begin(time)
    }

    /// The record in `out` must not be longer than readers accept.
    func checkSize() throws(TraceError) {
        guard out.count <= TraceLimits.recordBytes else {
            throw TraceError(
                .limitExceeded, expected: "a record of at most \(TraceLimits.recordBytes) bytes",
                found: "\(out.count)")
        }
    }

    mutating func presence(_ name: StaticString, _ isPresent: Bool) -> Bool {
        out.append(byte: isPresent ? 1 : 0)
        return isPresent
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) throws(TraceError) {
        guard range.contains(value) else { throw TraceError.outOfRange(name, value, range) }
        out.append(varint: UInt64(truncatingIfNeeded: value))
    }

    mutating func optionalNumber<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N?, _ range: ClosedRange<N>
    ) throws(TraceError) {
        guard let number = value else { return out.append(byte: 0) }
        guard range.contains(number), UInt64(truncatingIfNeeded: number) < UInt64.max else {
            throw TraceError.outOfRange(name, number, range)
        }
        out.append(varint: UInt64(truncatingIfNeeded: number) + 1)
    }

    mutating func signed(_ name: StaticString, _ value: inout Int64) {
        out.append(littleEndian: UInt64(bitPattern: value), length: 8)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) { out.append(byte: value ? 1 : 0) }

    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) throws(TraceError) {
        guard value.rawValue < 255 else {
            throw TraceError(.outOfRange, field: "\(name)", expected: C.allowed, found: "255")
        }
        out.append(byte: value.rawValue)
    }

    mutating func optionalChoice<C: NamedCode>(_ name: StaticString, _ value: inout C?) throws(TraceError) {
        guard let code = value?.rawValue else { return out.append(byte: 0) }
        guard code < 255 else {
            throw TraceError(.outOfRange, field: "\(name)", expected: C.allowed, found: "255")
        }
        out.append(byte: code + 1)
    }

    mutating func hash(_ name: StaticString, _ value: inout UInt64) { out.append(littleEndian: value, length: 8) }

    mutating func text(_ name: StaticString, _ value: inout String) throws(TraceError) { try append(value, name) }

    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) {
        out.append(varint: UInt64(value.rawValue))
    }

    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) {
        switch value {
        case .clear(let usage):
            out.append(byte: 0)
            out.append(varint: UInt64(usage.rawValue))
        case .masked(let textClass):
            out.append(byte: 1)
            out.append(byte: textClass.rawValue)
        }
    }

    /// One byte 0 for the press and tick that are expected, else the press plus 1 and the tick.
    mutating func pressTick(_ value: inout PressTick) {
        guard value != model.at else { return out.append(byte: 0) }
        out.append(varint: UInt64(value.press) + 1)
        out.append(varint: UInt64(value.tick))
        model.at = value
    }
}

/// References: 0 is none, n + 1 the block's n-th definition; the first number not defined yet is followed by its
/// definition.
extension RecordEncoder {
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) throws(TraceError) {
        guard let ref = try present(value, name, required) else { return }
        guard definitions.contains(ref) else { throw TraceError.unknown(name, ref.rawValue) }
        let (number, isNew) = strings.number(of: ref)
        out.append(varint: UInt64(number) + 1)
        if isNew, let text = definitions[ref] {
            try append(text, name)
            if text.utf8.count > TraceLimits.nameBytes { hasLongStrings = true }
        } else if hasLongStrings, let text = definitions[ref] {
            try TraceLimits.check(text.utf8.count, of: name)
        }
    }

    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) throws(TraceError) {
        guard let ref = try present(value, name, required) else { return }
        guard definitions.contains(ref) else { throw TraceError.unknown(name, ref.rawValue) }
        let (number, isNew) = responders.number(of: ref)
        out.append(varint: UInt64(number) + 1)
        guard isNew, let responder = definitions[ref] else { return }
        try append(responder.id, name)
        try append(responder.kind, name)
    }

    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) throws(TraceError) {
        guard let ref = try present(value, name, required) else { return }
        guard definitions.contains(ref) else { throw TraceError.unknown(name, ref.rawValue) }
        let (number, isNew) = commands.number(of: ref)
        out.append(varint: UInt64(number) + 1)
        guard isNew, var command = definitions[ref] else { return }
        try optionalText(name, &command.input)
        modifiers(name, &command.modifiers)
        try text(name, &command.action)
        try optionalText(name, &command.title)
        out.append(byte: command.attributes.rawValue)
    }

    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) throws(TraceError) {
        guard let ref = try present(value, name, required) else { return }
        guard definitions.contains(ref) else { throw TraceError.unknown(name, ref.rawValue) }
        let (number, isNew) = lists.number(of: ref)
        out.append(varint: UInt64(number) + 1)
        guard isNew, let list = definitions[ref] else { return }
        guard list.count <= TraceLimits.listCommands else {
            throw TraceError(
                .limitExceeded, field: "\(name)", expected: "at most \(TraceLimits.listCommands) commands",
                found: "\(list.count)")
        }
        out.append(varint: UInt64(list.count))
        for item in list {
            var item = item
            try command(name, &item)
        }
    }

    private mutating func present<D>(
        _ value: TraceHandle<D>?, _ name: StaticString, _ required: Bool
    ) throws(TraceError) -> TraceHandle<D>? {
        if value == nil {
            if required { throw TraceError(.field, field: "\(name)", expected: "a reference", found: "none") }
            out.append(byte: 0)
        }
        return value
    }

    private mutating func append(_ text: String, _ name: StaticString) throws(TraceError) {
        let length = text.utf8.count
        try TraceLimits.check(text, of: name)
        out.append(varint: UInt64(length))
        var native = text
        native.withUTF8 { out.append(contentsOf: UnsafeRawBufferPointer($0)) }
    }
}

extension TraceError {
    static func outOfRange<N: FixedWidthInteger>(
        _ name: StaticString, _ value: N, _ range: ClosedRange<N>
    ) -> TraceError {
        TraceError(
            .outOfRange, field: "\(name)", expected: "\(range.lowerBound)…\(range.upperBound)", found: "\(value)")
    }

    static func unknown(_ name: StaticString, _ number: UInt32) -> TraceError {
        TraceError(.unknownReference, field: "\(name)", expected: "something defined", found: "handle \(number)")
    }
}
