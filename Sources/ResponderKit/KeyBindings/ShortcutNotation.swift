import KeyModel
public import ResponderEngine

extension KeyCommand {
    /// The reason why a shortcut's text names no command's key.
    public struct ShortcutError: Error, Hashable, Sendable, CustomStringConvertible {
        public var shortcut: String
        public var reason: String

        public var description: String { "shortcut \(PropertyListError.quoted(shortcut)): \(reason)" }
    }

    /// A command whose key is written as in key binding files, in either dialect (spec KB-11): `@w`, `^$up`,
    /// `@left`, `Control-Escape`. A capital letter means Shift: `@W` is ⇧⌘W, other than in `input`.
    ///
    /// - Throws: what in the shortcut names no key, or a key that no command can have.
    public convenience init(shortcut: String, action: Selector, title: String = "") throws(ShortcutError) {
        let key: BoundKey
        do { key = try BoundKey.parse(shortcut).key } catch {
            throw ShortcutError(shortcut: shortcut, reason: error.text)
        }
        guard let (input, modifiers) = key.commandKey else {
            throw ShortcutError(shortcut: shortcut, reason: "no key command can have the key \(key.glyphs)")
        }
        self.init(title: title, action: action, input: input, modifierFlags: modifiers)
    }
}

extension BoundKey {
    /// The key as a command has it (spec §1.4); `nil` where there is no input for it.
    var commandKey: (input: String, modifiers: KeyModifiers)? {
        if scalar.properties.isUppercase { return (scalar.properties.lowercaseMapping, modifiers.union(.shift)) }
        if let input = BoundKey.inputs[scalar] { return (input, modifiers) }
        switch scalar {
        case "\u{19}": return ("\t", modifiers.union(.shift))
        case "\u{F704}"..."\u{F70F}": return ("UIKeyInputF\(scalar.value - 0xF703)", modifiers)
        default: return BoundKey.isSpecial(scalar) ? nil : (String(scalar), modifiers)
        }
    }

    private static let inputs: [Unicode.Scalar: String] = [
        "\u{F700}": KeyCommand.inputUpArrow, "\u{F701}": KeyCommand.inputDownArrow,
        "\u{F702}": KeyCommand.inputLeftArrow, "\u{F703}": KeyCommand.inputRightArrow,
        "\u{F729}": KeyCommand.inputHome, "\u{F72B}": KeyCommand.inputEnd, "\u{F72C}": KeyCommand.inputPageUp,
        "\u{F72D}": KeyCommand.inputPageDown, "\u{1B}": KeyCommand.inputEscape, "\u{7F}": KeyCommand.inputDelete,
        "\u{F728}": "\u{7F}", "\u{A}": "\r", "\u{D}": "\r", "\u{3}": "\r",
    ]
}
