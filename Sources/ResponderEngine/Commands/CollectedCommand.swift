import KeyModel

/// One way to trigger an action, as a pass found it: a key command or one of its alternates, with its supplier.
/// The values are copied, so that a command changed later does not change a cached list. An object, so that a list of
/// them is copied and looked through at the cost of one reference each.
package final class CollectedCommand {
    package let command: KeyCommand
    package let action: Selector
    /// `nil` for the main menu.
    package let supplier: Responder?
    /// After localisation and mirroring (spec MT-7, MT-8).
    let input: CommandInput
    var modifiers: KeyModifiers
    let isDisabled: Bool
    var isPriority: Bool
    /// One of SwiftUI's shortcuts: its supplier performs it, and no responder is asked.
    var isHosted = false
    private var recorded: (recorder: AnyObject, changes: UInt32, handles: RecordedHandles)?

    init(
        _ command: KeyCommand, alternate: CommandAlternate?, supplier: Responder?, input: CommandInput,
        menuBeforeText: Bool
    ) {
        self.command = command
        self.supplier = supplier
        self.input = input
        action = alternate?.action ?? command.action
        modifiers = alternate.map { command.modifierFlags.union($0.modifierFlags) } ?? command.modifierFlags
        isDisabled = command.attributes.contains(.disabled)
        isPriority = command.wantsPriorityOverSystemBehavior || menuBeforeText && supplier == nil
    }

    var wantsKeypad: Bool { modifiers.contains(.numericPad) }

    var reference: CommandReference { CommandReference(supplier: supplier, action: action, command: command) }

    /// Its handles in the recording of this recorder; `nil` before the first `keep`, after one by another recorder, and
    /// once the command has changed.
    package func handles(in recorder: AnyObject) -> RecordedHandles? {
        guard let recorded, recorded.recorder === recorder, recorded.changes == command.changes else { return nil }
        return recorded.handles
    }

    package func keep(_ handles: RecordedHandles, of recorder: AnyObject) {
        recorded = (recorder, command.changes, handles)
    }

    /// True when both would resolve every press alike.
    func isSame(as other: CollectedCommand) -> Bool {
        input == other.input && modifiers == other.modifiers && action == other.action && supplier === other.supplier
            && isDisabled == other.isDisabled && isPriority == other.isPriority
    }
}

/// The handles of a command, of its action and of its supplier in a recording.
package struct RecordedHandles {
    package let command: UInt32
    package let action: UInt32
    /// `nil` for the main menu.
    package let supplier: UInt32?

    package init(command: UInt32, action: UInt32, supplier: UInt32?) {
        (self.command, self.action, self.supplier) = (command, action, supplier)
    }
}

extension [CollectedCommand] {
    func isSame(as other: [CollectedCommand]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }

    /// Adds a list with alternates beside their parents (spec MT-12).
    mutating func append(_ commands: [KeyCommand], supplier: Responder?, engine: KeyboardEngine) {
        guard !commands.isEmpty else { return }
        let (isEarly, moves) = (engine.profile.menuBeforeText, engine.inputMoves)
        for command in commands {
            let input = moves.input(of: command)
            if input == .empty { engine.hearsModifiers = true }
            guard !command.hasNoAlternates else {
                append(
                    CollectedCommand(
                        command, alternate: nil, supplier: supplier, input: input, menuBeforeText: isEarly))
                continue
            }
            let alternates = command.alternates.map {
                CollectedCommand(command, alternate: $0, supplier: supplier, input: input, menuBeforeText: isEarly)
            }
            let parent = CollectedCommand(
                command, alternate: nil, supplier: supplier, input: input, menuBeforeText: isEarly)
            if engine.profile.alternatePrecedence == .beforeParent { append(contentsOf: alternates) }
            append(parent)
            if engine.profile.alternatePrecedence == .afterParent { append(contentsOf: alternates) }
        }
    }
}

/// A responder's list under policy `responder`.
struct CachedList {
    /// Kept, so that its identity is not given to another object.
    let responder: Responder
    let commands: [KeyCommand]
    let collected: [CollectedCommand]
}

/// The commands that a press matches, in order of precedence.
final class CandidateList {
    let entries: [CollectedCommand]
    /// Some have priority.
    let hasPriority: Bool
    /// Places of the collected commands that are for the key of the press and do not match it, once a probe wanted to
    /// know.
    var nearMisses: [Int]?
    init(_ entries: [CollectedCommand]) {
        self.entries = entries
        hasPriority = entries.contains(where: \.isPriority)
    }

    static var empty: CandidateList { CandidateList([]) }
}
