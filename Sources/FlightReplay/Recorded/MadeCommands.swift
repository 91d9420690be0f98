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
    /// By command handle.
    private var isAlternate: [Bool] = []
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

    /// Sees to it that there is a place for each command that is defined by now.
    private mutating func meetNew(_ definitions: TraceDefinitions) {
        let commands = definitions.commands
        for place in isAlternate.count..<max(commands.count, isAlternate.count) {
            isAlternate.append(commands[place].attributes.contains(.alternate))
            shared.append(nil)
        }
    }

    private mutating func make(_ list: [CommandRef], _ definitions: TraceDefinitions) -> [KeyCommand] {
        meetNew(definitions)
        var made: [KeyCommand] = []
        made.reserveCapacity(list.count)
        var place = 0
        while place < list.count {
            // Alternates belong to the command before them, which is then one of its own.
            var end = place + 1
            while end < list.count, case let next = Int(list[end].rawValue), next < isAlternate.count,
                isAlternate[next]
            { end += 1 }
            let handle = Int(list[place].rawValue)
            if end == place + 1, handle < shared.count, let known = shared[handle] {
                made.append(known)
            } else {
                let commands = KeyCommand.commands(list[place..<end].compactMap { definitions[$0] })
                if end == place + 1, let command = commands.first, sharedCount < MadeCommands.limit,
                    handle < shared.count
                {
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
