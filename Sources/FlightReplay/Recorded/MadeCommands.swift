import ResponderEngine
import TraceFormat

/// Key commands made of recorded lists. A list of 65,536 commands takes few bytes of a trace, which may have hundreds
/// of them: lists share the commands that are equal, and those that were made first go when there are too many.
struct MadeCommands {
    /// Entries of the lists that are kept, and commands that lists share.
    private static let limit = 4 * TraceLimits.listCommands

    private var lists: [CommandListRef: [KeyCommand]] = [:]
    /// In the order in which they were made.
    private var order: [CommandListRef] = []
    private var count = 0
    /// Commands without alternates, by command handle: they never change.
    private var shared: [KeyCommand?] = []
    private var sharedCount = 0
    /// Disabled actions of the list that was queried last: each command of a menu is validated.
    private var disabled: (list: CommandListRef, actions: [String: Bool])?

    mutating func commands(of list: CommandListRef, _ definitions: TraceDefinitions) -> [KeyCommand] {
        if let known = lists[list] { return known }
        let made = make(definitions[list] ?? [], definitions)
        lists[list] = made
        order.append(list)
        count += max(1, made.count)
        while count > MadeCommands.limit, order.count > 1 {
            count -= max(1, lists.removeValue(forKey: order.removeFirst())?.count ?? 0)
        }
        return made
    }

    /// Returns true if the first command of a list with this action is disabled; `nil` without one.
    mutating func isDisabled(
        _ action: Selector, in list: CommandListRef, _ definitions: TraceDefinitions
    ) -> Bool? {
        if let disabled, disabled.list == list { return disabled.actions[action.name] }
        var actions: [String: Bool] = [:]
        for command in (definitions[list] ?? []).lazy.compactMap({ definitions[$0] })
        where actions[command.action] == nil {
            actions[command.action] = command.attributes.contains(.disabled)
        }
        disabled = (list, actions)
        return actions[action.name]
    }

    private mutating func make(_ list: [CommandRef], _ definitions: TraceDefinitions) -> [KeyCommand] {
        shared += repeatElement(nil, count: max(0, definitions.commands.count - shared.count))
        var made: [KeyCommand] = []
        made.reserveCapacity(list.count)
        var place = 0
        while place < list.count {
            // Alternates belong to the command before them, which is then one of its own.
            var end = place + 1
            while end < list.count, definitions[list[end]]?.attributes.contains(.alternate) == true { end += 1 }
            let handle = Int(list[place].rawValue)
            let mayShare = end == place + 1 && handle < shared.count
            if mayShare, let known = shared[handle] {
                made.append(known)
            } else {
                let commands = KeyCommand.commands(list[place..<end].compactMap { definitions[$0] })
                if mayShare, let command = commands.first, sharedCount < MadeCommands.limit {
                    shared[handle] = command
                    sharedCount += 1
                }
                made += commands
            }
            place = end
        }
        return made
    }
}
