package import KeyModel
package import TraceFormat

/// The key of a command, as the command has it.
package struct CommandChord: Hashable, Sendable {
    package var input: String
    package var modifiers: KeyModifiers

    package init(input: String, modifiers: KeyModifiers) { (self.input, self.modifiers) = (input, modifiers) }

    // Texts are the same when their bytes are.
    package static func == (a: CommandChord, b: CommandChord) -> Bool {
        a.modifiers == b.modifiers && ByteName(a.input) == ByteName(b.input)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ByteName(input))
        hasher.combine(modifiers)
    }

    /// The same for all commands that mean one chord.
    package var folded: CommandChord {
        CommandChord(input: ChordQuery.folded(input), modifiers: modifiers.intersection(.matchMask))
    }
}

extension CommandDefinition {
    /// Keys that a command names by a constant or a control character.
    static let inputKeys: [String: KeyUsage] = [
        "UIKeyInputEscape": .escape, "UIKeyInputLeftArrow": .leftArrow, "UIKeyInputRightArrow": .rightArrow,
        "UIKeyInputUpArrow": .upArrow, "UIKeyInputDownArrow": .downArrow, "UIKeyInputPageUp": .pageUp,
        "UIKeyInputPageDown": .pageDown, "UIKeyInputHome": .home, "UIKeyInputEnd": .end,
        "UIKeyInputDelete": .deleteForward, "\u{8}": .deleteOrBackspace, "\u{7F}": .deleteForward,
        "\r": .returnOrEnter, "\n": .returnOrEnter, "\t": .tab, " ": .spacebar, "\u{1B}": .escape,
    ]

    /// The key of an input that is no character; `nil` for one that the layout decides about.
    package static func key(ofInput input: String) -> KeyUsage? {
        if let key = inputKeys[input] { return key }
        guard input.hasPrefix("UIKeyInputF"), let number = UInt16(input.dropFirst(11)), (1...12).contains(number) else {
            return nil
        }
        return .keyboard(0x39 + number)
    }
}

extension ChordQuery {
    /// Returns true if a command with this input has the chord.
    package func matches(input: String, modifiers: KeyModifiers) -> Bool {
        guard admits(modifiers) else { return false }
        if let key = CommandDefinition.key(ofInput: input) { return key == usage }
        return matchesCharacter(input)
    }
}
