import KeyModel

/// Reads the fields of a record from bytes; what a block defines joins the definitions of the whole trace. Which form a
/// record has, plain or packed, is decided by `TraceReader.nextRecord`.
struct RecordDecoder: FieldWalker {
    var cursor: ByteCursor
    /// The version of the trace.
    var version = TraceLimits.versions.upperBound
    var definitions = TraceDefinitions()
    /// The prediction model of the block so far.
    var model = BlockModel()
    /// Records of an open run that are still to come, and its tag.
    var run: (tag: UInt8, left: UInt8) = (0, 0)
    // By number in the block.
    private var strings: [StringRef] = []
    /// The block has a string that not every field may refer to.
    private var hasLongStrings = false
    private var responders: [ResponderRef] = []
    private var commands: [CommandRef] = []
    private var lists: [CommandListRef] = []

    init(_ bytes: UnsafeRawBufferPointer) { cursor = ByteCursor(bytes) }

    /// Continues with another block, whose numbering restarts.
    mutating func beginBlock(_ payload: UnsafeRawBufferPointer, at time: Int64) {
        cursor = ByteCursor(payload)
        model.begin(time)
        run.left = 0
        strings.removeAll(keepingCapacity: true)
        hasLongStrings = false
        responders.removeAll(keepingCapacity: true)
        commands.removeAll(keepingCapacity: true)
        lists.removeAll(keepingCapacity: true)
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) throws(TraceError) {
        value = try RecordDecoder.narrow(cursor.varint(name), name, range)
    }

    mutating func optionalNumber<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N?, _ range: ClosedRange<N>
    ) throws(TraceError) {
        let number = try cursor.varint(name)
        value = number == 0 ? nil : try RecordDecoder.narrow(number - 1, name, range)
    }

    static func narrow<N: FixedWidthInteger & UnsignedInteger>(
        _ number: UInt64, _ name: StaticString, _ range: ClosedRange<N>
    ) throws(TraceError) -> N {
        guard let value = N(exactly: number), range.contains(value) else {
            throw TraceError(
                .outOfRange, field: "\(name)", expected: "\(range.lowerBound)…\(range.upperBound)", found: "\(number)")
        }
        return value
    }

    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(TraceError) {
        value = Int64(bitPattern: try cursor.littleEndian(8, name))
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(TraceError) { value = try bit(name) }

    mutating func presence(_ name: StaticString, _ isPresent: Bool) throws(TraceError) -> Bool { try bit(name) }

    private mutating func bit(_ name: StaticString) throws(TraceError) -> Bool {
        let byte = try cursor.byte(name)
        guard byte <= 1 else { throw TraceError.outOfRange(name, byte, 0...1) }
        return byte == 1
    }

    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) throws(TraceError) {
        value = try code(cursor.byte(name), name)
    }

    mutating func optionalChoice<C: NamedCode>(_ name: StaticString, _ value: inout C?) throws(TraceError) {
        let byte = try cursor.byte(name)
        if byte == 0 { value = nil } else { value = try code(byte - 1, name) }
    }

    private func code<C: NamedCode>(_ byte: UInt8, _ name: StaticString) throws(TraceError) -> C {
        guard byte < 255, let code = C(rawValue: byte) else {
            throw TraceError(.outOfRange, field: "\(name)", expected: C.allowed, found: "\(byte)")
        }
        return code
    }

    mutating func hash(_ name: StaticString, _ value: inout UInt64) throws(TraceError) {
        value = try cursor.littleEndian(8, name)
    }

    mutating func text(_ name: StaticString, _ value: inout String) throws(TraceError) {
        value = try cursor.text(name)
    }

    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) throws(TraceError) {
        value = KeyModifiers(rawValue: try RecordDecoder.narrow(cursor.varint(name), name, 0...UInt32.max))
    }

    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) throws(TraceError) {
        if try bit(name) {
            value = .masked(try code(cursor.byte(name), name))
        } else {
            value = .clear(KeyUsage(rawValue: try RecordDecoder.narrow(cursor.varint(name), name, 0...UInt32.max)))
        }
    }

    mutating func pressTick(_ value: inout PressTick) throws(TraceError) {
        let number = try cursor.varint("press")
        if number > 0 {
            model.at.press = try RecordDecoder.narrow(number - 1, "press", 0...UInt32.max)
            model.at.tick = try RecordDecoder.narrow(cursor.varint("tick"), "tick", 0...UInt32.max)
        }
        value = model.at
    }
}

extension RecordDecoder {
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) throws(TraceError) {
        if try refers(name, &value, strings, required) {
            let text = try cursor.text(name)
            let ref = definitions.intern(text)
            strings.append(ref)
            if text.utf8.count > TraceLimits.nameBytes { hasLongStrings = true }
            value = ref
        } else if hasLongStrings, let text = value.flatMap({ definitions[$0] }) {
            try TraceLimits.check(text.utf8.count, of: name)
        }
    }

    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) throws(TraceError) {
        if try refers(name, &value, responders, required) {
            let id = try cursor.text(name)
            let ref = definitions.intern(ResponderDefinition(id: id, kind: try cursor.text(name)))
            responders.append(ref)
            value = ref
        }
    }

    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) throws(TraceError) {
        if try refers(name, &value, commands, required) {
            var definition = CommandDefinition(input: nil, modifiers: [], action: "")
            try optionalText(name, &definition.input)
            try modifiers(name, &definition.modifiers)
            try text(name, &definition.action)
            try optionalText(name, &definition.title)
            definition.attributes = CommandDefinition.Attributes(rawValue: try cursor.byte(name))
            let ref = definitions.intern(definition)
            commands.append(ref)
            value = ref
        }
    }

    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) throws(TraceError) {
        guard try refers(name, &value, lists, required) else { return }
        let count: Int = Int(try RecordDecoder.narrow(cursor.varint(name), name, 0...UInt32(TraceLimits.listCommands)))
        var list: [CommandRef] = []
        for _ in 0..<count {
            var item = CommandRef(rawValue: 0)
            try command(name, &item)
            list.append(item)
        }
        let ref = definitions.intern(list)
        lists.append(ref)
        value = ref
    }

    /// Reads a reference; true when its definition follows.
    private mutating func refers<D>(
        _ name: StaticString, _ value: inout TraceHandle<D>?, _ known: [TraceHandle<D>], _ required: Bool
    ) throws(TraceError) -> Bool {
        let number = try cursor.varint(name)
        guard number <= UInt64(known.count) + 1 else {
            throw TraceError(
                .unknownReference, field: "\(name)", expected: "0…\(known.count + 1)", found: "\(number)")
        }
        if number == 0 {
            if required { throw TraceError(.field, field: "\(name)", expected: "a reference", found: "none") }
            value = nil
            return false
        }
        if number == UInt64(known.count) + 1 { return true }
        value = known[Int(number - 1)]
        return false
    }
}
