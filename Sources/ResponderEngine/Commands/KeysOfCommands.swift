package import KeyModel

/// Keys and commands on the present layout and under the present profile, of any commands.
extension KeyboardEngine {
    /// The first of these commands, or of their alternates, that a key matches (spec §4). A disabled one matches none.
    package func match(
        of commands: [KeyCommand], key: KeyUsage, modifiers: KeyModifiers
    ) -> (command: KeyCommand, action: Selector, modifiers: KeyModifiers)? {
        var collected: [CollectedCommand] = []
        // An empty input is for modifiers, and would have this engine listen to them.
        collected.append(commands.filter { $0.commandInput != .empty }, supplier: nil, engine: self)
        let stroke = rules.stroke(.clear(key), flags: modifiers)
        let found = rules.matching.candidates(collected, stroke).first { !$0.isDisabled }
        return found.map { ($0.command, $0.action, $0.modifiers) }
    }

    /// The key that a command is on: the first one that it matches with its own modifiers, else with Shift besides,
    /// which its character may take; one of the numeric pad only where no other is. `nil` where no key has it.
    package func key(of command: KeyCommand) -> Chord? {
        guard command.commandInput != .empty else { return nil }
        var collected: [CollectedCommand] = []
        collected.append([command], supplier: nil, engine: self)
        let own = command.modifierFlags.intersection(.matchMask)
        let keys = (UInt16(0x04)...0xE7).map { KeyUsage.keyboard($0) }
        let (ofPad, others) = (keys.filter(\.isKeypad), keys.filter { !$0.isKeypad })
        let shifted = own.union(.shift)
        for (keys, modifiers) in [(others, own), (others, shifted), (ofPad, own), (ofPad, shifted)] {
            for key in keys {
                let stroke = rules.stroke(.clear(key), flags: modifiers)
                guard !rules.matching.candidates(collected, stroke).isEmpty else { continue }
                return Chord(modifiers: modifiers, usage: key)
            }
        }
        return nil
    }

    /// The system keeps the key (parameter `reservedChords`).
    package func isReserved(_ chord: Chord) -> Bool {
        rules.stroke(.clear(chord.usage), flags: chord.modifiers).isReserved
    }

    /// The key arrives as another one: ⌘. as Escape (spec EV-2).
    package func becomesEscape(_ chord: Chord) -> Bool {
        chord.usage != .escape && rules.stroke(.clear(chord.usage), flags: chord.modifiers).usage == .escape
    }

    /// Presses a chord in place of the keys that are down, which are cancelled.
    package func pressInstead(_ chord: Chord) -> Resolution? {
        _ = cancelHeldKeys(at: tree.now)
        return press(chord)
    }
}
