public import KeyModel

/// A key with modifiers as key binding files name it: a character, or a special key by the character that AppKit has
/// for it (spec KB-2).
///
/// There is one form of each key. A letter with Shift is its capital without Shift, as `$a` and `A` mean the same;
/// arrows and their like have no numericPad flag; Backspace is U+007F.
public struct BoundKey: Hashable, Sendable {
    /// A set of shift, control, option, command and numericPad.
    public let modifiers: KeyModifiers
    public let scalar: Unicode.Scalar

    public init(modifiers: KeyModifiers, scalar: Unicode.Scalar) {
        var modifiers = modifiers.intersection([.matchMask, .numericPad])
        var scalar = scalar == "\u{8}" ? "\u{7F}" : scalar
        if modifiers.contains(.shift) {
            let capital = scalar.properties.uppercaseMapping.unicodeScalars
            if scalar.properties.isUppercase {
                modifiers.remove(.shift)
            } else if scalar.properties.isLowercase, let only = capital.first, capital.count == 1, only != scalar {
                scalar = only
                modifiers.remove(.shift)
            }
        }
        if BoundKey.isSpecial(scalar) { modifiers.remove(.numericPad) }
        self.modifiers = modifiers
        self.scalar = scalar
    }

    /// Function keys, arrows and their like.
    static func isSpecial(_ scalar: Unicode.Scalar) -> Bool { (0xF700...0xF8FF).contains(scalar.value) }

    /// The key as people read it, such as `⌃X` or `⌥←`.
    public var glyphs: String {
        let pad = modifiers.contains(.numericPad) ? "#" : ""
        // A capital has Shift in it.
        let shift: KeyModifiers = scalar.properties.isUppercase ? .shift : []
        return pad + Chord.glyphs(modifiers.union(shift)) + BoundKey.name(of: scalar)
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        if let glyph = glyphNames[scalar] { return glyph }
        if let name = names.first(where: { $0.scalar == scalar })?.name { return name }
        if scalar.value < 0x20 { return "U+" + scalar.value.hexadecimal(4) }
        return String(scalar).uppercased()
    }

    private static let glyphNames: [Unicode.Scalar: String] = [
        "\u{1B}": "⎋", "\u{9}": "⇥", "\u{19}": "⇤", "\u{D}": "⏎", "\u{A}": "⏎", "\u{3}": "⌅", "\u{7F}": "⌫",
        "\u{F728}": "⌦", "\u{F700}": "↑", "\u{F701}": "↓", "\u{F702}": "←", "\u{F703}": "→", " ": "Space",
    ]

    /// The special keys by the names of spec KB-6. Where a key has two names the first is the one it is printed by.
    static let names: [(name: String, scalar: Unicode.Scalar)] = {
        var names: [(name: String, scalar: Unicode.Scalar)] = [
            ("UpArrow", "\u{F700}"), ("DownArrow", "\u{F701}"), ("LeftArrow", "\u{F702}"), ("RightArrow", "\u{F703}"),
            ("Insert", "\u{F727}"), ("Delete", "\u{F728}"), ("Home", "\u{F729}"), ("Begin", "\u{F72A}"),
            ("End", "\u{F72B}"), ("PageUp", "\u{F72C}"), ("PageDown", "\u{F72D}"), ("PrintScreen", "\u{F72E}"),
            ("ScrollLock", "\u{F72F}"), ("Pause", "\u{F730}"), ("SysReq", "\u{F731}"), ("Break", "\u{F732}"),
            ("Reset", "\u{F733}"), ("Stop", "\u{F734}"), ("Menu", "\u{F735}"), ("User", "\u{F736}"),
            ("System", "\u{F737}"), ("Print", "\u{F738}"), ("ClearLine", "\u{F739}"), ("ClearDisplay", "\u{F73A}"),
            ("InsertLine", "\u{F73B}"), ("DeleteLine", "\u{F73C}"), ("InsertChar", "\u{F73D}"),
            ("DeleteChar", "\u{F73E}"), ("Prev", "\u{F73F}"), ("Next", "\u{F740}"), ("Select", "\u{F741}"),
            ("Execute", "\u{F742}"), ("Undo", "\u{F743}"), ("Redo", "\u{F744}"), ("Find", "\u{F745}"),
            ("Help", "\u{F746}"), ("ModeSwitch", "\u{F747}"), ("Backspace", "\u{7F}"), ("Tab", "\u{9}"),
            ("BackTab", "\u{19}"), ("Enter", "\u{3}"), ("CarriageReturn", "\u{D}"), ("NewLine", "\u{A}"),
            ("FormFeed", "\u{C}"), ("Escape", "\u{1B}"), ("Space", " "),
        ]
        for number in 1...35 {
            guard let scalar = Unicode.Scalar(0xF703 + UInt32(number)) else { continue }
            names.append((name: "F\(number)", scalar: scalar))
        }
        return names
    }()

    private static let byName = Dictionary(
        names.map { ($0.name, $0.scalar) } + words.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })

    /// Words of the shortcut notation (spec KB-11).
    private static let words: [String: Unicode.Scalar] = [
        "up": "\u{F700}", "down": "\u{F701}", "left": "\u{F702}", "right": "\u{F703}", "escape": "\u{1B}",
    ]

    /// The special key of a name, in either spelling.
    static func special(_ name: some StringProtocol) -> Unicode.Scalar? { byName[String(name)] }
}

/// The notation of a key of a binding file: one of two dialects; `nil` for a key that both share (spec KB-11).
public enum KeyBindingDialect: String, Hashable, Sendable {
    /// `^~$@#` and a character (spec KB-2).
    case macOS
    /// `Control-Alternate-x` (spec KB-6).
    case gnustep
}

extension BoundKey {
    /// The reason why a key's text names nothing that could be pressed.
    struct Problem: Error, Hashable {
        var text: String
        init(_ text: String) { self.text = text }
    }

    /// Reads a key of either dialect. A single character, and a special key's bare name, belong to both.
    static func parse(_ text: String) throws(Problem) -> (key: BoundKey, dialect: KeyBindingDialect?) {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first else { throw Problem("an empty key") }
        if scalars.count == 1 { return (BoundKey(modifiers: [], scalar: first), nil) }
        if let special = special(text) { return (BoundKey(modifiers: [], scalar: special), nil) }
        if first == "\\" || prefixes[first] != nil { return (try parsePrefixed(scalars[...]), .macOS) }
        return (try parseNamed(text), .gnustep)
    }

    private static let prefixes: [Unicode.Scalar: KeyModifiers] = [
        "^": .control, "~": .option, "$": .shift, "@": .command, "#": .numericPad,
    ]

    /// The last character is the key, even one that is a prefix elsewhere.
    private static func parsePrefixed(_ scalars: ArraySlice<Unicode.Scalar>) throws(Problem) -> BoundKey {
        var modifiers: KeyModifiers = []
        var rest = scalars
        while rest.count > 1, let first = rest.first, let flag = prefixes[first] {
            modifiers.insert(flag)
            rest = rest.dropFirst()
        }
        if rest.count > 1, rest.first == "\\" { rest = rest.dropFirst() }
        if rest.count == 1, let only = rest.first { return BoundKey(modifiers: modifiers, scalar: only) }
        let word = String(String.UnicodeScalarView(rest))
        guard let special = special(word) else {
            throw Problem("expected one character after the modifiers, found \(PropertyListError.quoted(word))")
        }
        return BoundKey(modifiers: modifiers, scalar: special)
    }

    private static let modifierNames: [String: KeyModifiers] = [
        "Control": .control, "Ctrl": .control, "C": .control, "Alternate": .option, "Alt": .option, "A": .option,
        "Meta": .option, "M": .option, "Shift": .shift, "S": .shift, "NumericPad": .numericPad,
        "Numeric": .numericPad, "N": .numericPad,
    ]

    private static func parseNamed(_ text: String) throws(Problem) -> BoundKey {
        var parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        // `Control--` is Control and the minus key.
        if parts.count > 1, parts[parts.count - 1].isEmpty {
            parts.removeLast()
            parts[parts.count - 1] = "-"
        }
        guard let name = parts.popLast() else { throw Problem("an empty key") }
        var modifiers: KeyModifiers = []
        for part in parts {
            guard let flag = modifierNames[part] else {
                throw Problem("unknown modifier \(PropertyListError.quoted(part))")
            }
            modifiers.insert(flag)
        }
        let scalar: Unicode.Scalar
        if let special = special(name) {
            scalar = special
        } else if let only = name.unicodeScalars.first, name.unicodeScalars.count == 1 {
            scalar = only
        } else {
            throw Problem("unknown key \(PropertyListError.quoted(name))")
        }
        guard modifiers.contains(.shift), !isSpecial(scalar) else {
            return BoundKey(modifiers: modifiers, scalar: scalar)
        }
        // Of other keys the shifted character is meant; their Shift is kept by control characters, whose events have
        // none, so that those never match (spec KB-7).
        guard !isNamedControl(scalar) else { throw Problem("Shift with \(name) can never match") }
        return BoundKey(modifiers: modifiers.subtracting(.shift), scalar: scalar)
    }

    private static func isNamedControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar == "\u{7F}" }
}
