import KeyModel
public import ResponderEngine

extension KeyCommand {
    /// The reason why a shortcut's text names no command's key.
    public struct ShortcutError: Error, Hashable, Sendable, CustomStringConvertible {
        public var shortcut: String
        public var reason: String

        public var description: String { "shortcut \(PropertyListScanner.quoted(shortcut)): \(reason)" }
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
        switch scalar {
        case "\u{F700}": return (KeyCommand.inputUpArrow, modifiers)
        case "\u{F701}": return (KeyCommand.inputDownArrow, modifiers)
        case "\u{F702}": return (KeyCommand.inputLeftArrow, modifiers)
        case "\u{F703}": return (KeyCommand.inputRightArrow, modifiers)
        case "\u{F729}": return (KeyCommand.inputHome, modifiers)
        case "\u{F72B}": return (KeyCommand.inputEnd, modifiers)
        case "\u{F72C}": return (KeyCommand.inputPageUp, modifiers)
        case "\u{F72D}": return (KeyCommand.inputPageDown, modifiers)
        case "\u{1B}": return (KeyCommand.inputEscape, modifiers)
        case "\u{7F}": return (KeyCommand.inputDelete, modifiers)
        case "\u{F728}": return ("\u{7F}", modifiers)
        case "\u{19}": return ("\t", modifiers.union(.shift))
        case "\u{A}", "\u{D}", "\u{3}": return ("\r", modifiers)
        case "\u{F704}"..."\u{F70F}": return ("UIKeyInputF\(scalar.value - 0xF703)", modifiers)
        default: return BoundKey.isSpecial(scalar) ? nil : (String(scalar), modifiers)
        }
    }
}
