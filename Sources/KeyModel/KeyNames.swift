/// Key names: those of `UIKeyboardHIDUsage` without the `keyboard` prefix (spec §1.2), and short forms; of keys that
/// only Linux's input layer has a name for, that name (`KEY_MICMUTE`).
extension KeyUsage {
    /// The name of this key; `"0c:00e9"` (page:usage in hexadecimal) where it has none.
    public var name: String {
        (isKeyboardPage ? KeyNames.byUsage[usage] : EvdevCodes.names[self]) ?? numericName
    }

    /// Page and usage in hexadecimal, `"07:001a"`: readable by `init(name:)` for every key.
    public var numericName: String { "\(page.hexadecimal(2)):\(usage.hexadecimal(4))" }

    /// The short form where the key has one, else the name in lower case: the form chords are printed in.
    /// Usage 9E is written as a number, since its name `Return` reads as the main Return key.
    public var chordName: String {
        if let short = KeyNames.shortByUsage[self] { return short }
        let word = KeyNames.lowercased(name)
        return KeyNames.shortForms[word] == nil ? word : numericName
    }

    /// Reads a name, a short form, a single punctuation character of the US layout, or `page:usage`.
    /// The case of letters is ignored. `return` is the main Return key, not usage 9E.
    public init?(name: some StringProtocol) {
        let key = KeyNames.lowercased(String(name))
        if let usage = KeyNames.shortForms[key] ?? KeyNames.byName[key] ?? KeyNames.punctuation[key] {
            self = usage
            return
        }
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let page = KeyNames.hexadecimal(parts[0]), let usage = KeyNames.hexadecimal(parts[1])
        else { return nil }
        self.init(page: page, usage: usage)
    }
}

enum KeyNames {
    /// Names of page 7 in usage order, one row per range of spec §1.2.
    private static let ranges: [(first: UInt16, names: [String])] = [
        (0x01, ["ErrorRollOver", "POSTFail", "ErrorUndefined"]),
        (0x04, "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)),
        (0x1E, "1234567890".map(String.init)),
        (0x28, ["ReturnOrEnter", "Escape", "DeleteOrBackspace", "Tab", "Spacebar"]),
        (
            0x2D,
            [
                "Hyphen", "EqualSign", "OpenBracket", "CloseBracket", "Backslash", "NonUSPound", "Semicolon",
                "Quote", "GraveAccentAndTilde", "Comma", "Period", "Slash", "CapsLock",
            ]
        ),
        (0x3A, (1...12).map { "F\($0)" }),
        (
            0x46,
            [
                "PrintScreen", "ScrollLock", "Pause", "Insert", "Home", "PageUp", "DeleteForward", "End", "PageDown",
                "RightArrow", "LeftArrow", "DownArrow", "UpArrow",
            ]
        ),
        (0x53, ["KeypadNumLock", "KeypadSlash", "KeypadAsterisk", "KeypadHyphen", "KeypadPlus", "KeypadEnter"]),
        (0x59, "1234567890".map { "Keypad\($0)" } + ["KeypadPeriod"]),
        (0x64, ["NonUSBackslash", "Application", "Power", "KeypadEqualSign"]),
        (0x68, (13...24).map { "F\($0)" }),
        (
            0x74,
            [
                "Execute", "Help", "Menu", "Select", "Stop", "Again", "Undo", "Cut", "Copy", "Paste", "Find", "Mute",
                "VolumeUp", "VolumeDown", "LockingCapsLock", "LockingNumLock", "LockingScrollLock", "KeypadComma",
                "KeypadEqualSignAS400",
            ]
        ),
        (0x87, (1...9).map { "International\($0)" } + (1...9).map { "LANG\($0)" }),
        (
            0x99,
            [
                "AlternateErase", "SysReqOrAttention", "Cancel", "Clear", "Prior", "Return", "Separator", "Out",
                "Oper", "ClearOrAgain", "CrSelOrProps", "ExSel",
            ]
        ),
        (
            0xE0,
            [
                "LeftControl", "LeftShift", "LeftAlt", "LeftGUI", "RightControl", "RightShift", "RightAlt",
                "RightGUI",
            ]
        ),
    ]

    static let byUsage: [UInt16: String] = Dictionary(
        uniqueKeysWithValues: ranges.flatMap { first, names in
            names.enumerated().map { (first + UInt16($0.offset), $0.element) }
        })

    static let byName: [String: KeyUsage] = Dictionary(
        uniqueKeysWithValues: byUsage.map { (lowercased($0.value), .keyboard($0.key)) }
            + EvdevCodes.names.map { (lowercased($0.value), $0.key) })

    static let shortForms: [String: KeyUsage] = [
        "return": .returnOrEnter, "esc": .escape, "delete": .deleteOrBackspace, "tab": .tab, "space": .spacebar,
        "left": .leftArrow, "right": .rightArrow, "up": .upArrow, "down": .downArrow, "pageup": .pageUp,
        "pagedown": .pageDown, "home": .home, "end": .end, "plus": .equalSign, "minus": .hyphen,
    ]

    static let shortByUsage: [KeyUsage: String] = Dictionary(
        uniqueKeysWithValues: shortForms.map { ($0.value, $0.key) })

    /// Punctuation characters of the US layout, unshifted and shifted, by the key that has them.
    static let punctuation: [String: KeyUsage] = {
        let rows: [(UInt16, String)] = [
            (0x1E, "!"), (0x1F, "@"), (0x20, "#"), (0x21, "$"), (0x22, "%"), (0x23, "^"), (0x24, "&"), (0x25, "*"),
            (0x26, "("), (0x27, ")"), (0x2D, "-_"), (0x2E, "=+"), (0x2F, "[{"), (0x30, "]}"), (0x31, "\\|"),
            (0x33, ";:"), (0x34, "'\""), (0x35, "`~"), (0x36, ",<"), (0x37, ".>"), (0x38, "/?"),
        ]
        var table: [String: KeyUsage] = [:]
        for (usage, characters) in rows {
            for character in characters { table[String(character)] = .keyboard(usage) }
        }
        return table
    }()

    /// Digits only: no sign, which `UInt16.init(_:radix:)` would take.
    static func hexadecimal(_ digits: Substring) -> UInt16? {
        guard digits.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }) else { return nil }
        return UInt16(digits, radix: 16)
    }

    /// Lower case without a locale.
    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
