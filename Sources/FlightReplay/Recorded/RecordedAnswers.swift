import KeyModel
import ResponderEngine
import TraceFormat

/// Handles and last answers of the responders that a recorder met: each record names one, most of them several times a
/// press.
struct RecordedResponders {
    struct Entry {
        let responder: Responder
        let ref: ResponderRef
        /// Its last answer.
        var answer: RecordedAnswer?
        /// `shadowed by` this responder, once that text was interned.
        var shadowing: StringRef?
    }

    private var entries: [Entry] = []

    /// False for one that was not met, or that another recorder met since.
    func holds(_ responder: Responder, at place: Int) -> Bool {
        place < entries.count && entries[place].responder === responder
    }

    mutating func add(_ responder: Responder, _ ref: ResponderRef) -> Int {
        responder.recordedPlace = entries.count
        entries.append(Entry(responder: responder, ref: ref))
        return entries.count - 1
    }

    subscript(place: Int) -> Entry {
        get { entries[place] }
        _modify { yield &entries[place] }
    }

    func ref(at place: Int) -> ResponderRef { entries[place].ref }
}

/// The identity of a recorder, which no later one has as long as it is kept.
final class RecorderIdentity {}

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
        guard let known = slots[slot(definition, command)], known.definition == definition else { return nil }
        return known.ref
    }

    mutating func remember(_ definition: CommandDefinition, of command: KeyCommand, as ref: CommandRef) {
        slots[slot(definition, command)] = (definition, ref)
    }

    /// Alternates share the object and differ in modifiers. Addresses are multiples of sixteen: their lower bits are
    /// constant.
    private func slot(_ definition: CommandDefinition, _ command: KeyCommand) -> Int {
        let address = UInt64(UInt(bitPattern: ObjectIdentifier(command)))
        let hash = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32)
        return (hash ^ Int(truncatingIfNeeded: UInt64(definition.modifiers.rawValue) >> 16)) & (slots.count - 1)
    }
}
