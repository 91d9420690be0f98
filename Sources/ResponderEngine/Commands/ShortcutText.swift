import KeyModel

/// The text of a shortcut for people (spec HUD-4).
struct ShortcutText {
    /// The modifiers in the order in which they are printed, each with its glyph.
    private let order: [(flag: KeyModifiers, glyph: Character)]

    /// Apple's order ⌃⌥⇧⌘.
    static let standard = ShortcutText(order: "⌃⌥⇧⌘")

    /// `order` has the four glyphs as `Profile.hudModifierOrder`.
    init(order: String) {
        let flags: [Character: KeyModifiers] = ["⌃": .control, "⌥": .option, "⇧": .shift, "⌘": .command]
        self.order = order.compactMap { glyph in flags[glyph].map { ($0, glyph) } }
    }

    func text(_ command: KeyCommand) -> String { text(command.commandInput, command.input, command.modifierFlags) }

    /// `given` is the text of an input that is more than one character.
    func text(_ input: CommandInput, _ given: String?, _ modifiers: KeyModifiers) -> String {
        let lock = modifiers.contains(.capsLock) ? "⇪" : ""
        return lock + String(order.filter { modifiers.contains($0.flag) }.map(\.glyph)) + key(input, given)
    }

    private func key(_ input: CommandInput, _ given: String?) -> String {
        let name = input.text ?? given ?? ""
        if let special = ShortcutText.special[name] { return special }
        if name.hasPrefix("UIKeyInputF") { return String(name.dropFirst("UIKeyInput".count)) }
        // A control character without a name shows as a blank key (spec DT-6).
        if name.unicodeScalars.contains(where: { $0.value < 0x20 }) { return "" }
        return name.count == 1 ? name.uppercased() : name
    }

    private static let special: [String: String] = [
        KeyCommand.inputEscape: "esc", "\t": "⇥", "\r": "⏎", " ": "space", KeyCommand.inputDelete: "⌫",
        KeyCommand.inputUpArrow: "↑", KeyCommand.inputDownArrow: "↓", KeyCommand.inputLeftArrow: "←",
        KeyCommand.inputRightArrow: "→", KeyCommand.inputPageUp: "page up", KeyCommand.inputPageDown: "page down",
        KeyCommand.inputHome: "home", KeyCommand.inputEnd: "end",
    ]
}

extension CommandInput {
    /// The text of this input; `nil` for none and for texts of more than one character, which it only hashes.
    var text: String? {
        if self == .none || rawValue >= 1 << 62 { return nil }
        if rawValue >= 0x20_0000 {
            let place = rawValue - 0x20_0000
            return place < UInt64(CommandInput.names.count) ? CommandInput.names[Int(place)] : nil
        }
        return UInt32(exactly: rawValue).flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
