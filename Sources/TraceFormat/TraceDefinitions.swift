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
    }
}

/// What the handles of a recording stand for. Appends only; equal content has equal handles.
public struct TraceDefinitions: Sendable {
    public private(set) var strings: [String] = []
    public private(set) var responders: [ResponderDefinition] = []
    public private(set) var commands: [CommandDefinition] = []
    public private(set) var lists: [[CommandRef]] = []

    // Texts are told apart by their bytes: "é" in one scalar and in two is not the same text in a recording.
    private var stringIndex: [ExactText: StringRef] = [:]
    private var responderIndex: [[ExactText]: ResponderRef] = [:]
    private var commandIndex: [ExactCommand: CommandRef] = [:]
    private var listIndex: [[CommandRef]: CommandListRef] = [:]

    public init() {}

    public mutating func intern(_ string: String) -> StringRef {
        TraceDefinitions.intern(string, by: ExactText(string), in: &strings, index: &stringIndex)
    }

    public mutating func intern(_ responder: ResponderDefinition) -> ResponderRef {
        let key = [ExactText(responder.id), ExactText(responder.kind)]
        return TraceDefinitions.intern(responder, by: key, in: &responders, index: &responderIndex)
    }

    public mutating func intern(_ command: CommandDefinition) -> CommandRef {
        TraceDefinitions.intern(command, by: ExactCommand(command), in: &commands, index: &commandIndex)
    }

    public mutating func intern(_ list: [CommandRef]) -> CommandListRef {
        TraceDefinitions.intern(list, by: list, in: &lists, index: &listIndex)
    }

    /// The definition behind a handle; `nil` for a handle of another recording.
    public subscript(_ ref: StringRef) -> String? { TraceDefinitions.look(ref, strings) }
    public subscript(_ ref: ResponderRef) -> ResponderDefinition? { TraceDefinitions.look(ref, responders) }
    public subscript(_ ref: CommandRef) -> CommandDefinition? { TraceDefinitions.look(ref, commands) }
    public subscript(_ ref: CommandListRef) -> [CommandRef]? { TraceDefinitions.look(ref, lists) }

    private static func intern<T, Key: Hashable>(
        _ value: T, by key: Key, in table: inout [T], index: inout [Key: TraceHandle<T>]
    ) -> TraceHandle<T> {
        if let known = index[key] { return known }
        let ref = TraceHandle<T>(rawValue: UInt32(truncatingIfNeeded: table.count))
        table.append(value)
        index[key] = ref
        return ref
    }

    private static func look<T>(_ ref: TraceHandle<T>, _ table: [T]) -> T? {
        Int(ref.rawValue) < table.count ? table[Int(ref.rawValue)] : nil
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
