import KeyModel

/// Reads the fields of one line of the text format, in the order of the schema.
struct TextFieldReader: FieldWalker {
    var line: LineCursor
    var definitions = TraceDefinitions()

    init() { line = LineCursor(UnsafeRawBufferPointer(start: nil, count: 0)) }

    /// The end of the line must be reached.
    mutating func finish() throws(TraceError) {
        guard line.isAtEnd else {
            throw line.error(.leftover, expected: "the end of the line", found: line.rest)
        }
    }

    private mutating func required(_ name: StaticString) throws(TraceError) {
        guard line.takeName(name) else {
            throw line.error(.field, field: name, expected: "\(name)=…", found: line.rest)
        }
    }

    func bad(_ name: StaticString, _ expected: String, _ found: String) -> TraceError {
        line.error(.outOfRange, field: name, expected: expected, found: "nothing", at: found)
    }

    private mutating func integer<N: FixedWidthInteger>(
        _ name: StaticString, _ range: ClosedRange<N>
    ) throws(TraceError) -> N {
        let word = line.word()
        guard let value = N(word), range.contains(value), !word.hasPrefix("+") else {
            throw bad(name, "\(range.lowerBound)…\(range.upperBound)", word)
        }
        return value
    }

    func presence(_ name: StaticString, _ isPresent: Bool) -> Bool {
        var ahead = line
        return ahead.takeName(name)
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) throws(TraceError) {
        try required(name)
        value = try integer(name, range)
    }

    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(TraceError) {
        try required(name)
        value = try integer(name, Int64.min...Int64.max)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(TraceError) {
        value = line.takeName(name)
        if value {
            let word = line.word()
            guard word == "true" else { throw bad(name, "true, or no such field", word) }
        }
    }

    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) throws(TraceError) {
        try required(name)
        value = try code(name)
    }

    private mutating func code<C: NamedCode>(_ name: StaticString) throws(TraceError) -> C {
        let word = line.word()
        guard let code = C(name: word), code.rawValue < 255 else { throw bad(name, C.allowed, word) }
        return code
    }

    mutating func hash(_ name: StaticString, _ value: inout UInt64) throws(TraceError) {
        try required(name)
        let word = line.word()
        guard word.utf8.count == 16, !word.hasPrefix("+"), let bits = UInt64(word, radix: 16) else {
            throw bad(name, "16 hexadecimal digits", word)
        }
        value = bits
    }

    mutating func text(_ name: StaticString, _ value: inout String) throws(TraceError) {
        try required(name)
        value = try line.string(name)
    }

    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) throws(TraceError) {
        value = line.takeName(name) ? try modifiers(named: line.word(), name) : []
    }

    private func modifiers(named word: String, _ name: StaticString) throws(TraceError) -> KeyModifiers {
        guard let flags = KeyModifiers(exactText: word) else {
            throw bad(name, "names of modifiers joined by +", word)
        }
        return flags
    }

    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) throws(TraceError) {
        if line.takeName("class") {
            value = .masked(try code("class"))
            return
        }
        try required(name)
        let word = line.word()
        guard let usage = KeyUsage(name: word) else { throw bad(name, "the name of a key", word) }
        value = .clear(usage)
    }

    mutating func pressTick(_ value: inout PressTick) throws(TraceError) {
        try number("press", &value.press, 0...UInt32.max)
        var tick: UInt32?
        try optionalNumber("tick", &tick, 0...UInt32.max)
        value.tick = tick ?? 0
    }
}

/// Definitions, written out where they are referred to.
extension TextFieldReader {
    private mutating func stands(_ name: StaticString, _ required: Bool) throws(TraceError) -> Bool {
        if required {
            try self.required(name)
            return true
        }
        return line.takeName(name)
    }

    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) throws(TraceError) {
        value = try stands(name, required) ? definitions.intern(line.string(name)) : nil
    }

    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) throws(TraceError) {
        guard try stands(name, required) else {
            value = nil
            return
        }
        try line.expect("{\"id\":", name)
        let id = try line.string(name)
        try line.expect(",\"kind\":", name)
        let kind = try line.string(name)
        try line.expect("}", name)
        value = definitions.intern(ResponderDefinition(id: id, kind: kind))
    }

    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) throws(TraceError) {
        value = try stands(name, required) ? definitions.intern(command(name)) : nil
    }

    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) throws(TraceError) {
        guard try stands(name, required) else {
            value = nil
            return
        }
        var list: [CommandRef] = []
        try line.expect("[", name)
        while !line.take("]") {
            if !list.isEmpty { try line.expect(",", name) }
            guard list.count < TraceLimits.listCommands else {
                throw line.error(
                    .limitExceeded, field: name, expected: "at most \(TraceLimits.listCommands) commands",
                    found: "more")
            }
            list.append(definitions.intern(try command(name)))
        }
        value = definitions.intern(list)
    }

    private mutating func command(_ name: StaticString) throws(TraceError) -> CommandDefinition {
        var command = CommandDefinition(input: nil, modifiers: [], action: "")
        try line.expect("{", name)
        if line.take("\"input\":") {
            command.input = try line.string(name)
            try line.expect(",", name)
        }
        if line.take("\"modifiers\":") {
            command.modifiers = try modifiers(named: line.string(name), name)
            try line.expect(",", name)
        }
        try line.expect("\"action\":", name)
        command.action = try line.string(name)
        if line.take(",\"title\":") { command.title = try line.string(name) }
        if line.take(",\"attributes\":") {
            let word = try line.string(name)
            guard let attributes = CommandDefinition.Attributes(exactText: word) else {
                throw bad(name, "names of attributes joined by +", word)
            }
            command.attributes = attributes
        }
        try line.expect("}", name)
        return command
    }
}
