public import KeyModel

/// A handle of an interned string, responder, key command or command list: an index into `TraceDefinitions`.
/// Handles mean something only together with the definitions they came from; in a file they are per block.
public struct TraceHandle<Definition>: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public typealias StringRef = TraceHandle<String>
public typealias ResponderRef = TraceHandle<ResponderDefinition>
public typealias CommandRef = TraceHandle<CommandDefinition>
/// A list of key commands by content: equal lists have the same handle, so an unchanged `keyCommands` answer is
/// recognised by comparing two integers.
public typealias CommandListRef = TraceHandle<[CommandRef]>

/// An object on the responder chain.
public struct ResponderDefinition: Hashable, Sendable {
    /// Unique in the recording: the scene's id, or what the app's recorder calls the object.
    public var id: String
    /// Kind or class name.
    public var kind: String

    public init(id: String, kind: String) {
        self.id = id
        self.kind = kind
    }
}

/// A key command as a responder supplied it (spec §1.5).
public struct CommandDefinition: Hashable, Sendable {
    /// `nil` never matches (spec DT-7). Special keys by their constant, such as `UIKeyInputEscape`.
    public var input: String?
    public var modifiers: KeyModifiers
    /// Selector by name.
    public var action: String
    /// `nil` where there is none or titles are masked.
    public var title: String?
    public var attributes: Attributes

    public init(
        input: String?, modifiers: KeyModifiers, action: String, title: String? = nil, attributes: Attributes = []
    ) {
        self.input = input
        self.modifiers = modifiers
        self.action = action
        self.title = title
        self.attributes = attributes
    }

    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let disabled = Attributes(rawValue: 1 << 0)
        public static let hidden = Attributes(rawValue: 1 << 1)
        /// `wantsPriorityOverSystemBehavior`.
        public static let wantsPriority = Attributes(rawValue: 1 << 2)
        /// An alternate of the command before it (spec MT-12).
        public static let alternate = Attributes(rawValue: 1 << 3)
        /// A command of the main menu.
        public static let mainMenu = Attributes(rawValue: 1 << 4)
        /// Its `repeatBehavior` is `nonRepeatable` (spec EV-13).
        public static let notRepeating = Attributes(rawValue: 1 << 5)
        /// Without `allowsAutomaticLocalization` (spec MT-7).
        public static let notLocalised = Attributes(rawValue: 1 << 6)
        /// Without `allowsAutomaticMirroring` (spec MT-8).
        public static let notMirrored = Attributes(rawValue: 1 << 7)
    }
}

/// What the handles of a recording stand for. Appends only; equal content has equal handles.
///
/// A value that is cheap to pass on: copies share their tables until one of them grows.
public struct TraceDefinitions: Sendable {
    private var tables = DefinitionTables.empty

    public init() {}

    public var strings: [String] { tables.strings.values }
    public var responders: [ResponderDefinition] { tables.responders.values }
    public var commands: [CommandDefinition] { tables.commands.values }
    public var lists: [[CommandRef]] { tables.lists.values }

    public mutating func intern(_ string: String) -> StringRef {
        let key = ExactText(string)
        return tables.strings.find(key) ?? unshared().strings.add(string, key)
    }

    public mutating func intern(_ responder: ResponderDefinition) -> ResponderRef {
        let key = [ExactText(responder.id), ExactText(responder.kind)]
        return tables.responders.find(key) ?? unshared().responders.add(responder, key)
    }

    public mutating func intern(_ command: CommandDefinition) -> CommandRef {
        let key = ExactCommand(command)
        return tables.commands.find(key) ?? unshared().commands.add(command, key)
    }

    public mutating func intern(_ list: [CommandRef]) -> CommandListRef {
        tables.lists.find(list) ?? unshared().lists.add(list, list)
    }

    /// The definition behind a handle; `nil` for a handle of another recording.
    public subscript(_ ref: StringRef) -> String? { tables.strings[ref] }
    public subscript(_ ref: ResponderRef) -> ResponderDefinition? { tables.responders[ref] }
    public subscript(_ ref: CommandRef) -> CommandDefinition? { tables.commands[ref] }
    public subscript(_ ref: CommandListRef) -> [CommandRef]? { tables.lists[ref] }

    func contains(_ ref: StringRef) -> Bool { Int(ref.rawValue) < tables.strings.values.count }
    func contains(_ ref: ResponderRef) -> Bool { Int(ref.rawValue) < tables.responders.values.count }
    func contains(_ ref: CommandRef) -> Bool { Int(ref.rawValue) < tables.commands.values.count }
    func contains(_ ref: CommandListRef) -> Bool { Int(ref.rawValue) < tables.lists.values.count }

    private mutating func unshared() -> DefinitionTables {
        if !isKnownUniquelyReferenced(&tables) { tables = DefinitionTables(copying: tables) }
        return tables
    }
}

/// The tables behind `TraceDefinitions`; changed only while one value alone refers to them.
private final class DefinitionTables: @unchecked Sendable {
    static let empty = DefinitionTables()

    // Texts are told apart by their bytes: "é" in one scalar and in two is not the same text in a recording.
    var strings = DefinitionTable<String, ExactText>()
    var responders = DefinitionTable<ResponderDefinition, [ExactText]>()
    var commands = DefinitionTable<CommandDefinition, ExactCommand>()
    var lists = DefinitionTable<[CommandRef], [CommandRef]>()

    init() {}

    init(copying other: DefinitionTables) {
        strings = other.strings
        responders = other.responders
        commands = other.commands
        lists = other.lists
    }
}

private struct DefinitionTable<Value, Key: Hashable> {
    var values: [Value] = []
    private var index: [Key: TraceHandle<Value>] = [:]

    func find(_ key: Key) -> TraceHandle<Value>? { index[key] }

    mutating func add(_ value: Value, _ key: Key) -> TraceHandle<Value> {
        let ref = TraceHandle<Value>(rawValue: UInt32(truncatingIfNeeded: values.count))
        values.append(value)
        index[key] = ref
        return ref
    }

    subscript(_ ref: TraceHandle<Value>) -> Value? {
        Int(ref.rawValue) < values.count ? values[Int(ref.rawValue)] : nil
    }
}

/// A text compared by its UTF-8 bytes, where `String` compares by canonical equivalence.
private struct ExactText: Hashable, Sendable {
    let text: String
    init(_ text: String) { self.text = text }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var native = text
        native.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

private struct ExactCommand: Hashable, Sendable {
    let input: ExactText?
    let modifiers: KeyModifiers
    let action: ExactText
    let title: ExactText?
    let attributes: CommandDefinition.Attributes

    init(_ command: CommandDefinition) {
        input = command.input.map(ExactText.init)
        modifiers = command.modifiers
        action = ExactText(command.action)
        title = command.title.map(ExactText.init)
        attributes = command.attributes
    }
}
