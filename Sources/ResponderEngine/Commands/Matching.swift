import KeyModel

/// The match of a press and a command (spec §4).
struct Matching {
    /// The modifiers that take part in the comparison (spec MT-1).
    let mask: KeyModifiers
    let shiftedWithShift: Bool
    /// A press without modifiers matches any modifiers of a command for its key (developer commands of React Native).
    let plainMatchesAny: Bool

    init(_ profile: Profile, plainMatchesAny: Bool = false) {
        mask = profile.matchAlphaShift ? KeyModifiers.matchMask.union(.capsLock) : .matchMask
        shiftedWithShift = profile.shiftedWithShift
        self.plainMatchesAny = plainMatchesAny
    }

    /// The lines of spec MT-3. When one press satisfies several, the lower level wins; at each level, what the key
    /// types comes before its input under Command (spec MT-5).
    enum Level: Int { case base, shiftConsumed, shiftKept }

    /// The result of matching a command; `unrelated` when it is for another key.
    enum Result {
        case match(Level)
        case wrongModifiers
        case wantsKeypad
        case unrelated
    }

    /// The search keys of each level: an input, and the modifiers a command must ask for.
    func keys(_ stroke: Stroke) -> StrokeKeys {
        let flags = stroke.flags.intersection(mask)
        if let modifier = stroke.usage?.modifierFlag {
            var levels = StrokeKeys.Levels()
            if flags.subtracting(modifier).isEmpty { levels.base = CommandKey(input: .empty, modifiers: modifier) }
            return StrokeKeys(typed: levels)
        }
        let characters = stroke.characters
        let typed = levels(characters.plainInput, characters.shiftedInput, flags)
        guard flags.contains(.command), characters.commandInput != .none else { return StrokeKeys(typed: typed) }
        return StrokeKeys(
            typed: typed, command: levels(characters.commandInput, characters.shiftedCommandInput, flags))
    }

    private func levels(_ plain: CommandInput, _ shifted: CommandInput, _ flags: KeyModifiers) -> StrokeKeys.Levels {
        var levels = StrokeKeys.Levels()
        if plain != .none { levels.base = CommandKey(input: plain, modifiers: flags) }
        guard flags.contains(.shift), shifted != .none else { return levels }
        levels.consumed = CommandKey(input: shifted, modifiers: flags.subtracting(.shift))
        if shiftedWithShift { levels.kept = CommandKey(input: shifted, modifiers: flags) }
        return levels
    }

    /// The inputs by which a press is looked up: the characters it types, and those it has under Command.
    struct StrokeKeys {
        struct Levels {
            var base: CommandKey?
            var consumed: CommandKey?
            var kept: CommandKey?
        }

        var typed: Levels
        var command: Levels?

        /// The keys in order of precedence.
        var inOrder: [CommandKey] {
            var keys: [CommandKey] = []
            for key in [typed.base, command?.base, typed.consumed, command?.consumed, typed.kept, command?.kept] {
                // Some keys have one character at both.
                if let key, !keys.contains(key) { keys.append(key) }
            }
            return keys
        }

        func level(of key: CommandKey) -> Level? {
            if key == typed.base || key == command?.base { return .base }
            if key == typed.consumed || key == command?.consumed { return .shiftConsumed }
            return key == typed.kept || key == command?.kept ? .shiftKept : nil
        }
    }

    func match(_ command: CollectedCommand, _ stroke: Stroke) -> Result {
        match(command, stroke, keys(stroke))
    }

    /// `keys`: those of the stroke, computed once for many commands.
    func match(_ command: CollectedCommand, _ stroke: Stroke, _ keys: StrokeKeys) -> Result {
        guard command.input != .none else { return .unrelated }
        guard let level = keys.level(of: key(of: command)) else {
            if plainMatchesAny, stroke.matchFlags.isEmpty, command.input == stroke.characters.plainInput {
                return .match(.base)
            }
            return stroke.characters.gives(command.input) ? .wrongModifiers : .unrelated
        }
        return command.wantsKeypad && !stroke.flags.contains(.numericPad) ? .wantsKeypad : .match(level)
    }

    private func key(of command: CollectedCommand) -> CommandKey { key(command.input, command.modifiers) }

    /// Caps Lock counts for a command that hears it, whatever other commands are compared by.
    private func key(_ input: CommandInput, _ modifiers: KeyModifiers) -> CommandKey {
        let compared = input == .empty ? KeyModifiers.matchMask.union(.capsLock) : mask
        return CommandKey(input: input, modifiers: modifiers.intersection(compared))
    }

    /// The matching commands of a list: lower levels first, then in the order of the list.
    func candidates(_ commands: [CollectedCommand], _ stroke: Stroke) -> [CollectedCommand] {
        let order = keys(stroke).inOrder
        guard !order.isEmpty else { return [] }
        let isKeypad = stroke.flags.contains(.numericPad)
        let matchesAny = plainMatchesAny && stroke.matchFlags.isEmpty
        var found: [(rank: Int, place: Int)] = []
        // Fields are read where they are: an index of thousands is looked through without copying a command.
        for place in commands.indices {
            let (input, modifiers) = (commands[place].input, commands[place].modifiers)
            guard input != .none else { continue }
            if let rank = order.firstIndex(of: key(input, modifiers)) {
                if isKeypad || !modifiers.contains(.numericPad) { found.append((rank, place)) }
            } else if matchesAny, input == stroke.characters.plainInput {
                found.append((0, place))
            }
        }
        // Stable: the order of the list within a level.
        return order.indices.flatMap { rank in found.filter { $0.rank == rank }.map { commands[$0.place] } }
    }
}

/// The key of the command index.
struct CommandKey: Hashable {
    var input: CommandInput
    var modifiers: KeyModifiers
}

extension KeyUsage {
    /// The modifier that this key is; `nil` for all other keys.
    var modifierFlag: KeyModifiers? {
        switch self {
        case .leftControl, .rightControl: .control
        case .leftShift, .rightShift: .shift
        case .leftAlt, .rightAlt: .option
        case .leftGUI, .rightGUI: .command
        case .capsLock: .capsLock
        default: nil
        }
    }
}
