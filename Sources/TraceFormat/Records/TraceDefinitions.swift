public import KeyModel

/// A handle of an interned string, responder, key command or command list: an index into `TraceDefinitions`.
/// Handles mean something only together with the definitions they came from; in a file they are per block.
public struct TraceHandle<Definition>: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A handle or none in the four bytes of a handle, where `Optional` takes eight: each press has a record with many, and
/// a record that is no longer than the others needs no object of its own.
@propertyWrapper public struct OptionalHandle<Definition>: Hashable, Sendable {
    /// None. No recording defines that many, and a handle of this number reads as none.
    @usableFromInline var rawValue = UInt32.max

    @inlinable public init() {}
    @inlinable public init(wrappedValue: TraceHandle<Definition>?) { self.wrappedValue = wrappedValue }

    @inlinable public var wrappedValue: TraceHandle<Definition>? {
        get { rawValue == .max ? nil : TraceHandle(rawValue: rawValue) }
        set { rawValue = newValue?.rawValue ?? .max }
    }
}

public typealias StringRef = TraceHandle<String>
public typealias ResponderRef = TraceHandle<ResponderDefinition>
public typealias CommandRef = TraceHandle<CommandDefinition>
/// A list of key commands by content: equal lists have the same handle, so an unchanged `keyCommands` answer is
/// recognised by comparing two integers.
public typealias CommandListRef = TraceHandle<[CommandRef]>

/// An object on the responder chain.
public struct ResponderDefinition: Sendable {
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
public struct CommandDefinition: Sendable {
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

/// The definitions of a recording's handles. Appends only; equal content has equal handles.
///
/// A value that is cheap to pass on: copies share their tables until one of them grows.
public struct TraceDefinitions: Sendable {
    private var tables = DefinitionTables.empty

    public init() {}

    public var strings: some RandomAccessCollection<String> { tables.strings.values.lazy.map(\.text) }
    public var responders: PagedArray<ResponderDefinition> { tables.responders.values }
    public var commands: PagedArray<CommandDefinition> { tables.commands.values }
    public var lists: some RandomAccessCollection<[CommandRef]> { tables.lists.values.lazy.map(\.commands) }

    public mutating func intern(_ string: String) -> StringRef {
        StringRef(rawValue: tables.strings.find(ByteName(string)) ?? unshared().strings.add(ByteName(string)))
    }

    public mutating func intern(_ responder: ResponderDefinition) -> ResponderRef {
        ResponderRef(rawValue: tables.responders.find(responder) ?? unshared().responders.add(responder))
    }

    public mutating func intern(_ command: CommandDefinition) -> CommandRef {
        CommandRef(rawValue: tables.commands.find(command) ?? unshared().commands.add(command))
    }

    public mutating func intern(_ list: [CommandRef]) -> CommandListRef {
        let packed = PackedList(list)
        return CommandListRef(rawValue: tables.lists.find(packed) ?? unshared().lists.add(packed))
    }

    /// The definition behind a handle; `nil` for a handle of another recording.
    public subscript(_ ref: StringRef) -> String? { tables.strings[Int(ref.rawValue)]?.text }
    public subscript(_ ref: ResponderRef) -> ResponderDefinition? { tables.responders[Int(ref.rawValue)] }
    public subscript(_ ref: CommandRef) -> CommandDefinition? { tables.commands[Int(ref.rawValue)] }
    public subscript(_ ref: CommandListRef) -> [CommandRef]? { tables.lists[Int(ref.rawValue)]?.commands }

    /// Number of commands of a list, available without decoding it; 0 for a handle of another recording.
    public func commandCount(of ref: CommandListRef) -> Int { tables.lists[Int(ref.rawValue)]?.count ?? 0 }

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

    var strings = DefinitionTable<ByteName>()
    var responders = DefinitionTable<ResponderDefinition>()
    var commands = DefinitionTable<CommandDefinition>()
    var lists = DefinitionTable<PackedList>()

    init() {}

    init(copying other: DefinitionTables) {
        strings = other.strings
        responders = other.responders
        commands = other.commands
        lists = other.lists
    }
}

/// Values in the order in which they were met, found again by their content.
///
/// The values are their own keys: a recording may define hundreds of thousands of responders, or lists of 65,536
/// commands, and a dictionary would keep each of them once more.
private struct DefinitionTable<Value: Hashable> {
    var values = PagedArray<Value>()
    /// Open addressing, linear probing, at most three quarters full: a place in `values` plus 1, or 0. The number of
    /// slots is a power of two.
    private var slots: [UInt32] = []

    func find(_ value: Value) -> UInt32? {
        guard !slots.isEmpty else { return nil }
        var slot = home(of: value)
        while slots[slot] != 0 {
            let place = slots[slot] - 1
            if values[Int(place)] == value { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    mutating func add(_ value: Value) -> UInt32 {
        let place = UInt32(truncatingIfNeeded: values.count)
        values.append(value)
        if values.count * 4 > slots.count * 3 {
            slots = Array(repeating: 0, count: max(8, slots.count * 2))
            for place in values.indices { put(place) }
        } else {
            put(values.count - 1)
        }
        return place
    }

    private mutating func put(_ place: Int) {
        var slot = home(of: values[place])
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(truncatingIfNeeded: place + 1)
    }

    private func home(of value: Value) -> Int {
        value.hashValue & (slots.count - 1)
    }

    subscript(_ place: Int) -> Value? { place < values.count ? values[place] : nil }
}

// Content is equal when its bytes are, see `ByteName`.

extension ResponderDefinition: Hashable {
    public static func == (one: ResponderDefinition, other: ResponderDefinition) -> Bool {
        ByteName(one.id) == ByteName(other.id) && ByteName(one.kind) == ByteName(other.kind)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteName(id))
        hasher.combine(ByteName(kind))
    }
}

extension CommandDefinition: Hashable {
    public static func == (one: CommandDefinition, other: CommandDefinition) -> Bool {
        one.modifiers == other.modifiers && one.attributes == other.attributes
            && ByteName(one.action) == ByteName(other.action)
            && one.input.map(ByteName.init) == other.input.map(ByteName.init)
            && one.title.map(ByteName.init) == other.title.map(ByteName.init)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(input.map(ByteName.init))
        hasher.combine(modifiers)
        hasher.combine(ByteName(action))
        hasher.combine(title.map(ByteName.init))
        hasher.combine(attributes)
    }
}

/// A list of commands. A long one is kept in the bytes that its handles need, of which a trace takes no fewer.
private enum PackedList: Hashable, Sendable {
    case short([CommandRef])
    /// LEB128.
    case long([UInt8])

    /// From here on a list is long.
    private static let longest = 256

    init(_ list: [CommandRef]) {
        guard list.count > PackedList.longest else {
            self = .short(list)
            return
        }
        // No more room than it takes: it is kept as long as its trace is.
        let bits = list.lazy.map { UInt32.bitWidth - $0.rawValue.leadingZeroBitCount }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bits.reduce(0) { $0 + max(1, ($1 + 6) / 7) })
        for command in list { bytes.append(varint: UInt64(command.rawValue)) }
        self = .long(bytes)
    }

    var count: Int {
        switch self {
        case .short(let list): list.count
        // The last byte of each has no mark.
        case .long(let bytes): bytes.count { $0 & 0x80 == 0 }
        }
    }

    var commands: [CommandRef] {
        switch self {
        case .short(let list): return list
        case .long(let bytes):
            var list: [CommandRef] = []
            list.reserveCapacity(bytes.count)
            var (number, shift) = (UInt32(0), UInt32(0))
            for byte in bytes {
                number |= UInt32(byte & 0x7F) << shift
                shift += 7
                guard byte & 0x80 == 0 else { continue }
                list.append(CommandRef(rawValue: number))
                (number, shift) = (0, 0)
            }
            return list
        }
    }
}
