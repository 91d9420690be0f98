import KeyModel

/// How a press and a command meet (spec §4).
struct Matching {
    /// The modifiers that take part in the comparison (spec MT-1).
    let mask: KeyModifiers
    let shiftedWithShift: Bool

    init(_ profile: Profile) {
        mask = profile.matchAlphaShift ? KeyModifiers.matchMask.union(.capsLock) : .matchMask
        shiftedWithShift = profile.shiftedWithShift
    }

    /// The lines of spec MT-3. When one press satisfies several, the lower level wins.
    enum Level { case base, shiftConsumed, shiftKept }

    /// Why a command does or does not match; `unrelated` when it is for another key.
    enum Result {
        case match(Level)
        case wrongModifiers
        case wantsKeypad
        case unrelated
    }

    /// What to look for at each level: an input, and the modifiers a command must ask for.
    func keys(_ stroke: Stroke) -> (base: CommandKey, consumed: CommandKey?, kept: CommandKey?) {
        let flags = stroke.flags.intersection(mask)
        let characters = stroke.characters
        let base = CommandKey(input: characters.plainInput, modifiers: flags)
        guard flags.contains(.shift), characters.shiftedInput != .none else { return (base, nil, nil) }
        let consumed = CommandKey(input: characters.shiftedInput, modifiers: flags.subtracting(.shift))
        return (base, consumed, shiftedWithShift ? CommandKey(input: characters.shiftedInput, modifiers: flags) : nil)
    }

    func match(_ command: CollectedCommand, _ stroke: Stroke) -> Result {
        guard command.input != .none else { return .unrelated }
        let keys = keys(stroke)
        let asked = CommandKey(input: command.input, modifiers: command.modifiers.intersection(mask))
        let level: Level
        if asked == keys.base {
            level = .base
        } else if asked == keys.consumed {
            level = .shiftConsumed
        } else if asked == keys.kept {
            level = .shiftKept
        } else {
            let isOwnKey =
                asked.input == stroke.characters.plainInput || asked.input == stroke.characters.shiftedInput
            return isOwnKey ? .wrongModifiers : .unrelated
        }
        return command.wantsKeypad && !stroke.flags.contains(.numericPad) ? .wantsKeypad : .match(level)
    }

    /// The matching commands of a list: lower levels first, then in the order of the list.
    func candidates(_ commands: [CollectedCommand], _ stroke: Stroke) -> [CollectedCommand] {
        guard stroke.characters.plainInput != .none || stroke.characters.shiftedInput != .none else { return [] }
        var base: [CollectedCommand] = []
        var consumed: [CollectedCommand] = []
        var kept: [CollectedCommand] = []
        for command in commands {
            guard case .match(let level) = match(command, stroke) else { continue }
            switch level {
            case .base: base.append(command)
            case .shiftConsumed: consumed.append(command)
            case .shiftKept: kept.append(command)
            }
        }
        return base + consumed + kept
    }
}

/// What the command index is searched by.
struct CommandKey: Hashable {
    var input: CommandInput
    var modifiers: KeyModifiers
}
