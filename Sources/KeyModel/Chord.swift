/// A key with the modifiers held for it: a position, whatever the layout types there.
public struct Chord: Hashable, Sendable {
    public var modifiers: KeyModifiers
    public var usage: KeyUsage

    public init(modifiers: KeyModifiers, usage: KeyUsage) {
        self.modifiers = modifiers.intersection(.matchMask)
        self.usage = usage
    }

    /// `ctrl+opt+shift+cmd+key`: the form of scripts and JSON.
    public var text: String { (Chord.prefixes(modifiers) + [usage.chordName]).joined(separator: "+") }

    /// `⌃⌥⇧⌘W`: the form of tables for people.
    public var glyphs: String { Chord.glyphs(modifiers) + Chord.keyGlyph(usage) }

    static let order: [(flag: KeyModifiers, name: String, glyph: Character)] = [
        (.control, "ctrl", "⌃"), (.option, "opt", "⌥"), (.shift, "shift", "⇧"), (.command, "cmd", "⌘"),
    ]

    /// Modifier names in the order ctrl, opt, shift, cmd.
    public static func prefixes(_ modifiers: KeyModifiers) -> [String] {
        order.filter { modifiers.contains($0.flag) }.map(\.name)
    }

    /// Modifier glyphs in Apple's order ⌃⌥⇧⌘.
    public static func glyphs(_ modifiers: KeyModifiers) -> String {
        String(order.filter { modifiers.contains($0.flag) }.map(\.glyph))
    }

    package static func keyGlyph(_ usage: KeyUsage) -> String {
        switch usage {
        case .returnOrEnter: "⏎"
        case .escape: "⎋"
        case .deleteOrBackspace: "⌫"
        case .deleteForward: "⌦"
        case .tab: "⇥"
        case .spacebar: "Space"
        case .leftArrow: "←"
        case .rightArrow: "→"
        case .upArrow: "↑"
        case .downArrow: "↓"
        default: KeyNames.usCharacter[usage] ?? usage.name
        }
    }
}

extension KeyNames {
    /// The unshifted US character of a punctuation key, for glyph form.
    static let usCharacter: [KeyUsage: String] = {
        let keys: [(UInt16, String)] = [
            (0x2D, "-"), (0x2E, "="), (0x2F, "["), (0x30, "]"), (0x31, "\\"), (0x33, ";"), (0x34, "'"), (0x35, "`"),
            (0x36, ","), (0x37, "."), (0x38, "/"),
        ]
        return Dictionary(uniqueKeysWithValues: keys.map { (KeyUsage.keyboard($0.0), $0.1) })
    }()
}

/// The reason why a chord's text could not be read.
public enum ChordError: Error, Hashable, Sendable {
    case empty
    case unknownModifier(String)
    case unknownKey(String)
    case repeatedModifier(String)
}

extension Chord {
    /// The key of a written chord: by position, or by the character that is on it.
    public enum Key: Hashable, Sendable {
        case usage(KeyUsage)
        /// `char:w`: found by the layout.
        case character(Character)
    }

    /// Reads `cmd+shift+w`, `Cmd-Shift-W`, `⇧⌘W` or `cmd+char:w`.
    public static func parse(_ text: String) throws(ChordError) -> (modifiers: KeyModifiers, key: Key) {
        var modifiers: KeyModifiers = []
        var rest = Substring(text)
        while let glyph = rest.first, let entry = order.first(where: { $0.glyph == glyph }) {
            guard modifiers.insert(entry.flag).inserted else { throw .repeatedModifier(String(glyph)) }
            rest.removeFirst()
            if rest.first == "+", rest.count > 1 { rest.removeFirst() }
        }
        // The separator is the first + or - that has something before it; what follows the last is the key, so
        // that `cmd++` and `cmd+-` name the key with that character.
        while let cut = rest.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
            rest.index(after: cut) < rest.endIndex, !rest.hasPrefix("char:")
        {
            let name = KeyNames.lowercased(String(rest[..<cut]))
            guard let flag = modifierNames[name] else { throw .unknownModifier(String(rest[..<cut])) }
            guard modifiers.insert(flag).inserted else { throw .repeatedModifier(name) }
            rest = rest[rest.index(after: cut)...]
        }
        guard !rest.isEmpty else { throw .empty }
        return (modifiers, try key(rest))
    }

    private static func key(_ text: Substring) throws(ChordError) -> Key {
        if text.hasPrefix("char:"), text.dropFirst(5).count == 1, let character = text.last {
            return .character(character)
        }
        if let usage = KeyUsage(name: text) ?? glyphKeys[String(text)] { return .usage(usage) }
        throw .unknownKey(String(text))
    }

    private static let modifierNames: [String: KeyModifiers] = [
        "ctrl": .control, "control": .control, "opt": .option, "option": .option, "alt": .option,
        "shift": .shift, "cmd": .command, "command": .command,
    ]

    private static let glyphKeys: [String: KeyUsage] = [
        "⏎": .returnOrEnter, "↩": .returnOrEnter, "⎋": .escape, "⌫": .deleteOrBackspace, "⌦": .deleteForward,
        "⇥": .tab, "←": .leftArrow, "→": .rightArrow, "↑": .upArrow, "↓": .downArrow,
    ]
}
