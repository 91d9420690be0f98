import TraceFormat

/// Moves records from the definitions of one trace to others, and renames commands and responders on the way.
final class DefinitionMap: ReferenceMapping {
    /// Replacements of a definition.
    struct Edits {
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
        DefinitionMap.handle(of: ref.rawValue, in: &strings) {
            space.definitions.intern(source[ref] ?? "")
        }
    }

    func map(_ ref: ResponderRef) -> ResponderRef {
        DefinitionMap.handle(of: ref.rawValue, in: &responders) {
            space.definitions.intern(edits.responder(source[ref] ?? ResponderDefinition(id: "", kind: "")))
        }
    }

    func map(_ ref: CommandRef) -> CommandRef {
        DefinitionMap.handle(of: ref.rawValue, in: &commands) {
            let absent = CommandDefinition(input: nil, modifiers: [], action: "")
            return space.definitions.intern(edits.command(source[ref] ?? absent))
        }
    }

    func map(_ ref: CommandListRef) -> CommandListRef {
        DefinitionMap.handle(of: ref.rawValue, in: &lists) {
            space.definitions.intern((source[ref] ?? []).map { map($0) })
        }
    }

    /// The handle that a number of the source has in `table`, which `make` gives where it has none yet.
    private static func handle<Handle>(of number: UInt32, in table: inout [Handle?], _ make: () -> Handle) -> Handle {
        let place = Int(number)
        if place < table.count, let known = table[place] { return known }
        let new = make()
        while table.count <= place { table.append(nil) }
        table[place] = new
        return new
    }
}

/// Definitions that several maps share.
final class DefinitionSpace {
    var definitions = TraceDefinitions()
}

extension CommandDefinition {
    /// The command without its title.
    var untitled: CommandDefinition {
        var command = self
        command.title = nil
        return command
    }
}
