import KeyModel

/// What one responder of a chain answered, or the main menu.
struct SuppliedCommands {
    /// `nil` for the main menu. Who has the list keeps the responder too.
    private let link: Unmanaged<Responder>?
    let commands: [KeyCommand]
    var supplier: Responder? { link?.takeUnretainedValue() }

    @inline(__always)
    init(_ supplier: Unmanaged<Responder>?, _ commands: [KeyCommand]) {
        link = supplier
        self.commands = commands
    }

    @inline(__always)
    func isOf(_ responder: Responder) -> Bool { link?.toOpaque() == Unmanaged.passUnretained(responder).toOpaque() }
}

/// What decides which presses a command takes, as it was when its list was read, without a reference: an index of
/// thousands is filled without counting any, and forgets them by their number.
struct CommandFacts: Equatable {
    let input: UInt64
    let action: UInt64
    let modifiers: KeyModifiers
    /// Place of its list, and its own place there.
    let list: Int32
    let place: Int32
    /// Place among its command's alternates; −1 for the command itself.
    let alternate: Int16
    let isDisabled: Bool
    let isPriority: Bool

    @inline(__always)
    init(_ command: KeyCommand, input: CommandInput, list: Int, place: Int) {
        self.input = input.rawValue
        action = command.action.hash
        modifiers = command.modifierFlags
        self.list = Int32(truncatingIfNeeded: list)
        self.place = Int32(truncatingIfNeeded: place)
        alternate = -1
        isDisabled = command.attributes.contains(.disabled)
        isPriority = command.wantsPriorityOverSystemBehavior
    }

    init(_ command: KeyCommand, alternate: Int, input: CommandInput, list: Int, place: Int) {
        let other = command.alternates[alternate]
        self.input = input.rawValue
        action = other.action.hash
        modifiers = command.modifierFlags.union(other.modifierFlags)
        self.list = Int32(truncatingIfNeeded: list)
        self.place = Int32(truncatingIfNeeded: place)
        self.alternate = Int16(truncatingIfNeeded: alternate)
        isDisabled = command.attributes.contains(.disabled)
        isPriority = command.wantsPriorityOverSystemBehavior
    }

    /// True when a fresh answer has the same command at this place.
    func isSame(as other: CollectedCommand, supplier: Responder?) -> Bool {
        input == other.input.rawValue && modifiers == other.modifiers && action == other.action.hash
            && supplier === other.supplier && isDisabled == other.isDisabled && isPriority == other.isPriority
    }
}

extension CollectedCommand {
    /// The command behind facts of an index.
    init(_ facts: CommandFacts, of list: SuppliedCommands) {
        command = list.commands[Int(facts.place)]
        supplier = list.supplier
        input = CommandInput(rawValue: facts.input)
        modifiers = facts.modifiers
        isDisabled = facts.isDisabled
        isPriority = facts.isPriority
        let alternates = command.alternates
        let alternate = Int(facts.alternate)
        action = alternate >= 0 && alternate < alternates.count ? alternates[alternate].action : command.action
    }
}
