import TraceFormat
import TracePresses

/// The last list of each responder, of which all can be forgotten at once.
struct LastLists: Sendable {
    private struct Slot: Sendable {
        var list = CommandListRef(rawValue: 0)
        /// Round in which it was noted; 0: never.
        var round: UInt32 = 0
    }

    private var slots = HandleTable<ResponderDefinition, Slot>()
    private var round: UInt32 = 1

    subscript(_ responder: ResponderRef) -> CommandListRef? {
        get {
            guard let slot = slots[responder], slot.round == round else { return nil }
            return slot.list
        }
        set { slots[responder] = newValue.map { Slot(list: $0, round: round) } }
    }

    mutating func removeAll() {
        round &+= 1
        guard round == 0 else { return }
        slots.removeAll()
        round = 1
    }
}
