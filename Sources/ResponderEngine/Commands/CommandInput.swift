import KeyModel

/// A command's input as one number, so that matching compares integers.
///
/// A single scalar is itself, letters folded to lower case (spec MT-2); the special-key constants have numbers
/// of their own; any other text is a hash with the top bit set.
struct CommandInput: Hashable {
    var rawValue: UInt64

    /// No input, which matches no key (spec DT-7); what a key without a character gives.
    static let none = CommandInput(rawValue: 0)

    /// A command's empty input: matches no character, and the press of a modifier (spec EV-11).
    static let empty = CommandInput(rawValue: 0x20_1000)

    init(ofCommand text: String?) {
        self = text.map { $0.isEmpty ? .empty : CommandInput($0) } ?? .none
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ text: String) {
        let utf8 = text.utf8
        if utf8.count == 1, let byte = utf8.first {
            rawValue = UInt64(byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte)
            if rawValue == 0 { rawValue = 1 << 62 }
        } else if utf8.isEmpty {
            rawValue = 0
        } else if text.hasPrefix("UIKeyInput"), let name = CommandInput.names.firstIndex(of: text) {
            rawValue = 0x20_0000 + UInt64(name)
        } else {
            let folded = text.count == 1 ? text.lowercased() : text
            if let scalar = folded.unicodeScalars.first, folded.unicodeScalars.count == 1 {
                rawValue = UInt64(scalar.value)
            } else {
                var hash = StableHash()
                hash.combine(folded)
                rawValue = hash.value | 1 << 63
            }
        }
    }

    /// An ASCII character in lower case.
    static func ascii(_ character: Unicode.Scalar) -> CommandInput { CommandInput(rawValue: UInt64(character.value)) }

    /// The constants of spec §1.4. Each one's text is its own symbol name (spec DT-5).
    static let names: [String] =
        [
            "UIKeyInputUpArrow", "UIKeyInputDownArrow", "UIKeyInputLeftArrow", "UIKeyInputRightArrow",
            "UIKeyInputEscape", "UIKeyInputPageUp", "UIKeyInputPageDown", "UIKeyInputHome", "UIKeyInputEnd",
        ] + (1...12).map { "UIKeyInputF\($0)" }
}

/// The characters of every key on one layout.
final class KeyTable {
    let layout: Layout
    private let keys: [KeyCharacters]

    init(_ layout: Layout) {
        self.layout = layout
        keys = (0..<256).map { KeyCharacters(.keyboard($0), layout: layout) }
    }

    func characters(_ usage: KeyUsage) -> KeyCharacters {
        usage.isKeyboardPage && usage.usage < 256 ? keys[Int(usage.usage)] : .empty
    }

    /// The key as responders see it.
    func key(_ usage: KeyUsage, flags: KeyModifiers) -> Key {
        let characters = characters(usage)
        var typed = characters.plain
        if !characters.isSpecial, case .text(let text) = layout.symbol(for: usage, modifiers: flags) { typed = text }
        return Key(
            characters: typed, charactersIgnoringModifiers: characters.plain, modifierFlags: flags, keyCode: usage)
    }
}

/// The characters of one key on the current layout, as matching and text need them.
struct KeyCharacters {
    /// The character without modifiers, or the constant of a special key; empty where there is none.
    var plain = ""
    var plainInput = CommandInput.none
    /// The character with Shift, where it differs from `plain` and is no letter (spec MT-3).
    var shiftedInput = CommandInput.none
    /// The key's input under Command, and under Shift and Command where that is no letter, on layouts that have
    /// characters of their own for it (spec MT-5).
    var commandInput = CommandInput.none
    var shiftedCommandInput = CommandInput.none
    /// True for the special keys of spec §1.4, whose character no layout changes.
    var isSpecial = false

    static let empty = KeyCharacters()

    init() {}

    init(_ usage: KeyUsage, layout: Layout) {
        if let special = KeyCharacters.special[usage] {
            plain = special
            isSpecial = true
            plainInput = CommandInput(special)
            return
        }
        plain = layout.plainText(for: usage).lowercased()
        plainInput = CommandInput(plain)
        let shifted = layout.shiftedText(for: usage)
        if shifted != layout.plainText(for: usage), !KeyCharacters.isLetter(shifted) {
            shiftedInput = CommandInput(shifted)
        }
        guard usage.isKeyboardPage, let level = layout.commandLevel[usage.usage] else { return }
        commandInput = CommandInput(level.plain)
        if level.shifted != level.plain, !KeyCharacters.isLetter(level.shifted) {
            shiftedCommandInput = CommandInput(level.shifted)
        }
    }

    /// True for an input that this key gives with some modifiers.
    func gives(_ input: CommandInput) -> Bool {
        input == plainInput || input == shiftedInput || input == commandInput || input == shiftedCommandInput
    }

    /// The input by which the system's own ⌘ keys are matched.
    var shortcut: CommandInput { commandInput == .none ? plainInput : commandInput }
    var shiftedShortcut: CommandInput { commandInput == .none ? shiftedInput : shiftedCommandInput }

    static func isLetter(_ text: String) -> Bool {
        guard let character = text.first, text.count == 1 else { return false }
        return character.isLetter
    }

    /// Special keys and their characters (spec §1.4). Forward delete has no constant; U+007F is its ASCII name.
    static let special: [KeyUsage: String] = {
        var table: [KeyUsage: String] = [
            .returnOrEnter: "\r", .keypadEnter: "\r", .tab: "\t", .spacebar: " ", .deleteOrBackspace: "\u{8}",
            .escape: "UIKeyInputEscape", .upArrow: "UIKeyInputUpArrow", .downArrow: "UIKeyInputDownArrow",
            .leftArrow: "UIKeyInputLeftArrow", .rightArrow: "UIKeyInputRightArrow", .pageUp: "UIKeyInputPageUp",
            .pageDown: "UIKeyInputPageDown", .home: "UIKeyInputHome", .end: "UIKeyInputEnd",
            .deleteForward: "\u{7F}",
        ]
        for number in 1...12 { table[.keyboard(0x39 + UInt16(number))] = "UIKeyInputF\(number)" }
        return table
    }()
}
