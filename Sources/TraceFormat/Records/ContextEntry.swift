public import KeyModel

/// One entry of a context snapshot: the latest record of its kind, or a state that no single record contains.
public enum ContextEntry: Hashable, Sendable {
    case record(TraceRecord.Body)
    case keyState(KeyStateEntry)
    case heldKey(HeldKeyEntry)
    case heldModifiers(HeldModifiersEntry)
    case lastList(LastListEntry)
}

/// State after the key records before the block.
public struct KeyStateEntry: Hashable, Sendable {
    /// The device of the last key record.
    public var device: UInt16
    /// The highest press ordinal so far; the next down has the one after it.
    public var presses: UInt32
    /// The modifiers of the last key record, without `numericPad`.
    public var modifiers: KeyModifiers

    public init(device: UInt16, presses: UInt32, modifiers: KeyModifiers) {
        self.device = device
        self.presses = presses
        self.modifiers = modifiers
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.number("presses", &presses, 0...UInt32.max)
        try w.modifiers("modifiers", &modifiers)
    }
}

/// A key that is down, with its press.
public struct HeldKeyEntry: Hashable, Sendable {
    public var device: UInt16
    public var press: UInt32
    public var key: KeyIdentity

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.number("press", &press, 0...UInt32.max)
        try w.identity("key", &key)
    }
}

/// The modifier keys that are down on one keyboard.
public struct HeldModifiersEntry: Hashable, Sendable {
    public var device: UInt16
    public var keys: ModifierKeys

    public init(device: UInt16, keys: ModifierKeys) {
        self.device = device
        self.keys = keys
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        var bits = keys.rawValue
        try w.number("keys", &bits, 1...UInt8.max)
        keys = ModifierKeys(rawValue: bits)
    }
}

/// The last answer of a responder to a query for its key commands.
public struct LastListEntry: Hashable, Sendable {
    public var responder: ResponderRef
    public var list: CommandListRef

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.list("list", &list)
    }
}

extension ContextEntry {
    /// The kind; `nil` for a record of an unknown kind, which a context never holds.
    public var kind: RecordKind? {
        switch self {
        case .record(let body): body.kind
        case .keyState: .keyState
        case .heldKey: .heldKey
        case .heldModifiers: .heldModifiers
        case .lastList: .lastList
        }
    }

    /// An entry of this kind to read fields into; `nil` for kinds that are in no context.
    static func blank(_ kind: RecordKind) -> ContextEntry? {
        let device: UInt16 = 1
        switch kind {
        case .keyState: return .keyState(KeyStateEntry(device: device, presses: 0, modifiers: []))
        case .heldKey: return .heldKey(HeldKeyEntry(device: device, press: 0, key: .masked(.letter)))
        case .heldModifiers: return .heldModifiers(HeldModifiersEntry(device: device, keys: []))
        case .lastList:
            return .lastList(
                LastListEntry(responder: ResponderRef(rawValue: 0), list: CommandListRef(rawValue: 0)))
        case .device, .clock, .environment, .layout, .level, .firstResponder, .keyWindow, .link, .presentation,
            .textInput, .markedText, .hardware, .clockRelation, .keyboardFrame, .mainWindow:
            return kind.blank.map { .record($0) }
        default: return nil
        }
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        switch self {
        case .record(var body): try body.walk(&w); self = .record(body)
        case .keyState(var entry): try entry.walk(&w); self = .keyState(entry)
        case .heldKey(var entry): try entry.walk(&w); self = .heldKey(entry)
        case .heldModifiers(var entry): try entry.walk(&w); self = .heldModifiers(entry)
        case .lastList(var entry): try entry.walk(&w); self = .lastList(entry)
        }
    }
}
