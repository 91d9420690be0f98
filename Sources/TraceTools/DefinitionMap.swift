import TraceFormat

/// Moves records from the definitions of one trace to others, and renames commands and responders on the way.
final class DefinitionMap: ReferenceMapping {
    /// Replacements of a definition.
    struct Edits {
        var string: (String) -> String = { $0 }
        var responder: (ResponderDefinition) -> ResponderDefinition = { $0 }
        var command: (CommandDefinition) -> CommandDefinition = { $0 }
    }

    let space: DefinitionSpace
    private let edits: Edits
    /// Set for the time of one record only: a copy that stays makes the reader copy its tables.
    private var source = TraceDefinitions()
    private var strings: [StringRef?] = []
    private var responders: [ResponderRef?] = []
    private var commands: [CommandRef?] = []
    private var lists: [CommandListRef?] = []

    init(into space: DefinitionSpace, edits: Edits = Edits()) {
        self.space = space
        self.edits = edits
    }

    /// Removes the handles of the source, whose meaning changes with the next block.
    func forgetHandles() {
        strings.removeAll(keepingCapacity: true)
        responders.removeAll(keepingCapacity: true)
        commands.removeAll(keepingCapacity: true)
        lists.removeAll(keepingCapacity: true)
    }

    /// The record with handles of `space`.
    func moved(_ body: TraceRecord.Body, from source: TraceDefinitions) -> TraceRecord.Body {
        self.source = source
        defer { self.source = TraceDefinitions() }
        var body = body
        body.mapReferences(self)
        return body
    }

    func moved(_ entry: ContextEntry, from source: TraceDefinitions) -> ContextEntry {
        self.source = source
        defer { self.source = TraceDefinitions() }
        var entry = entry
        entry.mapReferences(self)
        return entry
    }

    func map(_ ref: StringRef) -> StringRef {
        if let known = DefinitionMap.known(ref.rawValue, in: strings) { return known }
        let new = space.definitions.intern(edits.string(source[ref] ?? ""))
        DefinitionMap.remember(new, for: ref.rawValue, in: &strings)
        return new
    }

    func map(_ ref: ResponderRef) -> ResponderRef {
        if let known = DefinitionMap.known(ref.rawValue, in: responders) { return known }
        let new = space.definitions.intern(edits.responder(source[ref] ?? ResponderDefinition(id: "", kind: "")))
        DefinitionMap.remember(new, for: ref.rawValue, in: &responders)
        return new
    }

    func map(_ ref: CommandRef) -> CommandRef {
        if let known = DefinitionMap.known(ref.rawValue, in: commands) { return known }
        let absent = CommandDefinition(input: nil, modifiers: [], action: "")
        let new = space.definitions.intern(edits.command(source[ref] ?? absent))
        DefinitionMap.remember(new, for: ref.rawValue, in: &commands)
        return new
    }

    func map(_ ref: CommandListRef) -> CommandListRef {
        if let known = DefinitionMap.known(ref.rawValue, in: lists) { return known }
        let new = space.definitions.intern((source[ref] ?? []).map { map($0) })
        DefinitionMap.remember(new, for: ref.rawValue, in: &lists)
        return new
    }

    private static func known<Handle>(_ number: UInt32, in table: [Handle?]) -> Handle? {
        Int(number) < table.count ? table[Int(number)] : nil
    }

    private static func remember<Handle>(_ handle: Handle, for number: UInt32, in table: inout [Handle?]) {
        while table.count <= Int(number) { table.append(nil) }
        table[Int(number)] = handle
    }
}

/// Definitions that several maps share.
final class DefinitionSpace {
    var definitions = TraceDefinitions()
}
