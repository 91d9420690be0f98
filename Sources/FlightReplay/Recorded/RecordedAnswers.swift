import KeyModel
import ResponderEngine
import TraceFormat

/// Handles and last answers of the responders that a recorder met, found by identity: each record names one, most of
/// them several times a press.
struct RecordedResponders {
    struct Entry {
        /// Retained, so that no other responder can get its address.
        let responder: Responder
        let ref: ResponderRef
        /// Its last answer.
        var answer: RecordedAnswer?
        /// `shadowed by` this responder, once that text was interned.
        var shadowing: StringRef?
    }

    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// Index of a responder in the list; `nil` for one that was not met.
    func place(of responder: Responder) -> Int? { places[ObjectIdentifier(responder)] }

    mutating func add(_ responder: Responder, _ ref: ResponderRef) -> Int {
        places[ObjectIdentifier(responder)] = entries.count
        entries.append(Entry(responder: responder, ref: ref))
        return entries.count - 1
    }

    subscript(place: Int) -> Entry {
        get { entries[place] }
        _modify { yield &entries[place] }
    }

    func ref(at place: Int) -> ResponderRef { entries[place].ref }

    /// Addresses are multiples of sixteen: their lower bits are constant.
    static func mix(_ object: ObjectIdentifier) -> Int {
        Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: object)) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}

/// A `keyCommands` answer as it was recorded: its commands, and the list that they made.
struct RecordedAnswer {
    let commands: [CommandRef]
    let list: CommandListRef
}

/// Commands that were recorded, found by the address of their object and taken only when the content is the same: a
/// command may have changed since, and another one may have its address now.
struct RecordedCommands {
    private var slots: [(definition: CommandDefinition, ref: CommandRef)?] = Array(repeating: nil, count: 1_024)

    func ref(_ definition: CommandDefinition, of command: KeyCommand) -> CommandRef? {
        guard let known = slots[slot(definition, command)], known.definition.isExactly(definition) else { return nil }
        return known.ref
    }

    mutating func remember(_ definition: CommandDefinition, of command: KeyCommand, as ref: CommandRef) {
        slots[slot(definition, command)] = (definition, ref)
    }

    /// Alternates share the object and differ in modifiers.
    private func slot(_ definition: CommandDefinition, _ command: KeyCommand) -> Int {
        let hash = RecordedResponders.mix(ObjectIdentifier(command))
        return (hash ^ Int(truncatingIfNeeded: UInt64(definition.modifiers.rawValue) >> 16)) & (slots.count - 1)
    }
}
