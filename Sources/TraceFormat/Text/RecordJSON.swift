public import KeyModel

extension JSONText {
    /// One line of `show --format jsonl`: `seq`, `t_ns`, `kind` and the fields of the schema. Unknown values are
    /// `null`; responders are represented by their id.
    public mutating func appendLine(_ record: TraceRecord, definitions: TraceDefinitions) {
        beginObject()
        member("seq", record.sequence)
        member("t_ns", record.time.nanoseconds)
        switch record.body {
        case .key(let key): append(key)
        case .unknown(let unknown):
            member("kind", "unknown")
            member("number", unknown.kind)
            member("bytes", unknown.payload.count)
        default:
            member("kind", record.body.kind?.name)
            var body = record.body
            var walker = JSONFieldWriter(json: JSONText(), definitions: definitions)
            swap(&self, &walker.json)
            // Writing JSON refuses nothing: no field of this walker throws.
            try? body.walk(&walker)
            swap(&self, &walker.json)
        }
        endObject()
        endLine()
    }

    private mutating func append(_ key: KeyRecord) {
        member("kind", "key")
        member("device", key.device)
        member("press", key.press)
        member("phase", key.phase.name)
        // Classes of masked keys are classes of page 7.
        member("page", key.key.usage?.page ?? KeyUsage.keyboardPage)
        member("usage", key.key.usage?.usage)
        member("key", key.key.usage?.name)
        member("modifiers", key.modifiers.names)
        member("masked", key.key.maskedClass != nil)
        if let textClass = key.key.maskedClass { member("class", textClass.name) }
        if key.isSynthetic { member("synthetic", true) }
    }

    mutating func append(_ command: CommandDefinition) {
        beginObject()
        member("input", command.input)
        member("modifiers", command.modifiers.names)
        member("action", command.action)
        member("title", command.title)
        member("attributes", command.attributes.names)
        endObject()
    }
}

extension CommandDefinition.Attributes: NamedFlags {
    public static let named: [(flag: CommandDefinition.Attributes, name: String)] = [
        (.disabled, "disabled"), (.hidden, "hidden"), (.wantsPriority, "wantsPriority"), (.alternate, "alternate"),
        (.mainMenu, "mainMenu"), (.notRepeating, "notRepeating"), (.notLocalised, "notLocalised"),
        (.notMirrored, "notMirrored"),
    ]
}

/// Writes the fields of a record as members of a JSON object.
struct JSONFieldWriter: FieldWalker {
    var json: JSONText
    let definitions: TraceDefinitions

    mutating func presence(_ name: StaticString, _ isPresent: Bool) -> Bool {
        if !isPresent { json.null("\(name)") }
        return isPresent
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ name: StaticString, _ value: inout N, _ range: ClosedRange<N>
    ) { json.member("\(name)", value) }

    mutating func signed(_ name: StaticString, _ value: inout Int64) { json.member("\(name)", value) }
    mutating func flag(_ name: StaticString, _ value: inout Bool) { json.member("\(name)", value) }
    mutating func choice<C: NamedCode>(_ name: StaticString, _ value: inout C) { json.member("\(name)", value.name) }
    mutating func hash(_ name: StaticString, _ value: inout UInt64) { json.member("\(name)", value.hexadecimal(16)) }
    mutating func text(_ name: StaticString, _ value: inout String) { json.member("\(name)", value) }
    mutating func modifiers(_ name: StaticString, _ value: inout KeyModifiers) {
        json.member("\(name)", value.names)
    }
    mutating func identity(_ name: StaticString, _ value: inout KeyIdentity) {
        json.member("\(name)", value.usage?.name)
    }
    mutating func pressTick(_ value: inout PressTick) {
        json.member("press", value.press)
        json.member("tick", value.tick)
    }
    mutating func string(_ name: StaticString, _ value: inout StringRef?, required: Bool) {
        json.member("\(name)", value.flatMap { definitions[$0] })
    }
    mutating func responder(_ name: StaticString, _ value: inout ResponderRef?, required: Bool) {
        json.member("\(name)", value.flatMap { definitions[$0]?.id })
    }
    mutating func command(_ name: StaticString, _ value: inout CommandRef?, required: Bool) {
        json.key("\(name)")
        if let command = value.flatMap({ definitions[$0] }) { json.append(command) } else { json.null() }
    }
    mutating func list(_ name: StaticString, _ value: inout CommandListRef?, required: Bool) {
        json.key("\(name)")
        json.beginArray()
        for command in value.flatMap({ definitions[$0] }) ?? [] {
            if let definition = definitions[command] { json.append(definition) } else { json.null() }
        }
        json.endArray()
    }
}
