import KeyModel

/// Writes the text format of a trace: a header line, one line per record, definitions written out in each line, and a
/// last line `end`. `TraceTextReader` reads it back into the same records.
public struct TraceTextWriter: Sendable {
    private var out = JSONText()
    private let mostListBytes: Int

    /// `mostListBytes`: bytes at which a list of commands is cut, for readers that show no more of a line. Such a text
    /// cannot be read back.
    public init(mostListBytes: Int = .max) { self.mostListBytes = mostListBytes }

    /// Bytes written since `removeAll`.
    public var bytes: [UInt8] { out.bytes }
    public var text: String { out.text }
    public mutating func removeAll() { out.removeAll() }

    /// Writes the header line, and a line per entry of the initial context.
    public mutating func begin(
        _ header: TraceHeader, context: [ContextEntry] = [], definitions: TraceDefinitions = TraceDefinitions()
    ) {
        out.plain("keyflight-text \(header.version)")
        var walker = TextFieldWriter(definitions: definitions)
        swap(&out, &walker.out)
        var header = header
        try? header.walk(&walker)
        for entry in context {
            guard let kind = entry.kind else { continue }
            walker.out.plain("\ncontext \(kind.name)")
            var entry = entry
            try? entry.walk(&walker)
        }
        walker.out.plain("\n")
        swap(&out, &walker.out)
    }

    public mutating func append(_ record: TraceRecord, definitions: TraceDefinitions) {
        out.plain(String(record.sequence))
        out.plain(" ")
        out.plain(String(record.time.nanoseconds))
        out.plain(" ")
        if case .unknown(let unknown) = record.body {
            out.plain("unknown kind=\(unknown.kind) payload=")
            for byte in unknown.payload { out.plain(byte.hexadecimal(2)) }
        } else if let kind = record.body.kind {
            out.plain(kind.name)
            var walker = TextFieldWriter(definitions: definitions, mostListBytes: mostListBytes)
            swap(&out, &walker.out)
            var body = record.body
            // Writing text refuses nothing: no field of this walker throws.
            try? body.walk(&walker)
            swap(&out, &walker.out)
        }
        out.plain("\n")
    }

    /// The last line, for traces that are complete.
    public mutating func end() { out.plain("end\n") }
}

extension TraceHeader {
    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("form", &form)
        try w.choice("level", &level)
        try w.flag("masked", &isMasked)
        try w.number("first_sequence", &firstSequence, 0...UInt64.max)
    }
}

/// Writes ` name=value` for every field. Left out: what is absent, flags that are false, no modifiers, tick 0.
struct TextFieldWriter: FieldWalker {
    var out = JSONText()
    let definitions: TraceDefinitions
    private let mostListBytes: Int

    init(definitions: TraceDefinitions, mostListBytes: Int = .max) {
        self.definitions = definitions
        self.mostListBytes = mostListBytes
    }

    private mutating func name(_ name: StaticString) {
        out.plain(" ")
        out.plain(name)
        out.plain("=")
    }

    private mutating func bare(_ field: StaticString, _ value: String) {
        name(field)
        out.plain(value)
    }

    func presence(_ name: StaticString, _ isPresent: Bool) -> Bool { isPresent }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) { bare(name, String(value)) }

    mutating func signed(_ name: StaticString, _ value: inout Int64) { bare(name, String(value)) }
    mutating func flag(_ name: StaticString, _ value: inout Bool) { if value { bare(name, "true") } }
    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) { bare(name, value.name) }
    mutating func hash(_ name: StaticString, _ value: inout UInt64) { bare(name, value.hexadecimal(16)) }
    mutating func text(_ name: StaticString, _ value: inout String) {
        self.name(name)
        out.value(value)
    }
    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) {
        if value != [] { bare(name, value.exactText) }
    }
    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) {
        switch value {
        case .clear(let usage): bare(name, usage.exactName)
        case .masked(let textClass): bare("class", textClass.name)
        }
    }
    mutating func pressTick(_ value: inout PressTick) {
        bare("press", String(value.press))
        if value.tick != 0 { bare("tick", String(value.tick)) }
    }
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) {
        if let ref = value {
            self.name(name)
            out.value(definitions[ref])
        }
    }
    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) {
        guard let ref = value else { return }
        self.name(name)
        out.beginObject()
        out.member("id", definitions[ref]?.id)
        out.member("kind", definitions[ref]?.kind)
        out.endObject()
    }
    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) {
        guard let ref = value else { return }
        self.name(name)
        append(ref)
    }
    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) {
        guard let ref = value else { return }
        self.name(name)
        out.beginArray()
        let start = out.bytes.count
        for command in definitions[ref] ?? [] {
            guard out.bytes.count - start < mostListBytes else { break }
            append(command)
        }
        out.endArray()
    }

    /// The members of a command that are absent or empty are left out.
    private mutating func append(_ ref: CommandRef) {
        guard let command = definitions[ref] else { return out.null() }
        out.beginObject()
        if let input = command.input { out.member("input", input) }
        if command.modifiers != [] { out.member("modifiers", command.modifiers.exactText) }
        out.member("action", command.action)
        if let title = command.title { out.member("title", title) }
        if command.attributes != [] { out.member("attributes", command.attributes.exactText) }
        out.endObject()
    }
}

extension KeyUsage {
    /// The name where it reads back as this key, else page and usage.
    var exactName: String {
        let name = name
        return KeyUsage(name: name) == self ? name : numericName
    }
}
