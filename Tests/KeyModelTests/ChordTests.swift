import KeyModel
import Testing

@Suite("Chords as text")
struct ChordTests {
    func chord(_ text: String) throws -> Chord {
        let (modifiers, key) = try Chord.parse(text)
        guard case .usage(let usage) = key else { throw ChordError.unknownKey(text) }
        return Chord(modifiers: modifiers, usage: usage)
    }

    @Test(
        "one chord in all its spellings",
        arguments: ["cmd+shift+w", "shift+cmd+w", "Cmd-Shift-W", "⇧⌘W", "⇧⌘w", "⌘⇧w", "command+shift+w", "CMD+SHIFT+W"])
    func spellings(text: String) throws {
        #expect(try chord(text) == Chord(modifiers: [.shift, .command], usage: .keyboard(0x1A)))
    }

    @Test(
        "keys that look like separators",
        arguments: [
            ("cmd++", UInt16(0x2E)), ("cmd+-", 0x2D), ("cmd--", 0x2D), ("+", 0x2E), ("-", 0x2D), ("⌘+", 0x2E),
            ("⌘-", 0x2D), ("cmd+plus", 0x2E), ("cmd-minus", 0x2D), ("cmd+=", 0x2E), ("⌘[", 0x2F),
        ])
    func separators(text: String, usage: UInt16) throws { #expect(try chord(text).usage == .keyboard(usage)) }

    @Test(
        "printing: ctrl+opt+shift+cmd+key, short where there is a short form, else lower case",
        arguments: [
            ("cmd+shift+opt+ctrl+W", "ctrl+opt+shift+cmd+w", "⌃⌥⇧⌘W"), ("LeftArrow", "left", "←"),
            ("cmd+EqualSign", "cmd+plus", "⌘="), ("cmd+Hyphen", "cmd+minus", "⌘-"), ("ReturnOrEnter", "return", "⏎"),
            ("DeleteOrBackspace", "delete", "⌫"), ("deleteforward", "deleteforward", "⌦"), ("Escape", "esc", "⎋"),
            ("KeypadEnter", "keypadenter", "KeypadEnter"), ("F5", "f5", "F5"), ("cmd+[", "cmd+openbracket", "⌘["),
            ("0c:00e9", "0c:00e9", "0c:00e9"), ("PageUp", "pageup", "PageUp"), ("Spacebar", "space", "Space"),
        ])
    func printing(text: String, printed: String, glyphs: String) throws {
        #expect(try chord(text).text == printed)
        #expect(try chord(text).glyphs == glyphs)
        #expect(try chord(printed) == chord(text))
    }

    @Test("every key of page 7 with every modifier reads back as printed")
    func roundTrip() throws {
        for usage in UInt16(1)...0xFF {
            for packed in 0..<16 {
                let flags = KeyModifiers(rawValue: UInt32(packed) << 17)
                let chord = Chord(modifiers: flags, usage: .keyboard(usage))
                #expect(try self.chord(chord.text) == chord, "\(chord.text)")
            }
        }
    }

    @Test("char: names the character")
    func characters() throws {
        #expect(try Chord.parse("cmd+char:w").key == .character("w"))
        #expect(try Chord.parse("char:+").key == .character("+"))
        #expect(try Chord.parse("cmd+char:-").key == .character("-"))
        #expect(try Chord.parse("cmd+char:é").modifiers == .command)
        #expect(try Chord.parse("char::").key == .character(":"))
    }

    @Test("lock and keypad flags are no part of a chord")
    func matchMask() {
        #expect(Chord(modifiers: [.capsLock, .numericPad, .shift], usage: .tab).modifiers == .shift)
    }

    @Test(
        "what is no chord",
        arguments: [
            ("", ChordError.empty), ("⌘", .empty), ("cmd", .unknownKey("cmd")), ("cmd+", .unknownKey("cmd+")),
            ("hyper+w", .unknownModifier("hyper")), ("cmd+nokey", .unknownKey("nokey")),
            ("cmd+cmd+w", .repeatedModifier("cmd")), ("⌘⌘w", .repeatedModifier("⌘")),
            ("⌘cmd+w", .repeatedModifier("cmd")),
            ("char:", .unknownKey("char:")), ("char:ab", .unknownKey("char:ab")), ("+w", .unknownKey("+w")),
        ])
    func errors(text: String, error: ChordError) {
        #expect(throws: error) { try Chord.parse(text) }
    }
}

@Suite("Key names")
struct KeyNameTests {
    @Test("spec §1.2: names are those of UIKeyboardHIDUsage", arguments: [
        (UInt16(0x04), "A"), (0x1D, "Z"), (0x1E, "1"), (0x27, "0"), (0x28, "ReturnOrEnter"), (0x2C, "Spacebar"),
        (0x2D, "Hyphen"), (0x32, "NonUSPound"), (0x35, "GraveAccentAndTilde"), (0x39, "CapsLock"), (0x3A, "F1"),
        (0x45, "F12"), (0x4C, "DeleteForward"), (0x4F, "RightArrow"), (0x50, "LeftArrow"), (0x51, "DownArrow"),
        (0x52, "UpArrow"), (0x53, "KeypadNumLock"), (0x58, "KeypadEnter"), (0x63, "KeypadPeriod"),
        (0x64, "NonUSBackslash"), (0x68, "F13"), (0x73, "F24"), (0x81, "VolumeDown"), (0x87, "International1"),
        (0x90, "LANG1"), (0xA4, "ExSel"), (0xE0, "LeftControl"), (0xE3, "LeftGUI"), (0xE7, "RightGUI"),
    ])
    func names(usage: UInt16, name: String) {
        #expect(KeyUsage.keyboard(usage).name == name)
        #expect(KeyUsage(name: name) == .keyboard(usage))
        #expect(KeyUsage(name: name.lowercased()) == .keyboard(usage))
    }

    @Test("every name of page 7 is unique and reads back")
    func unique() {
        var names: Set<String> = []
        for usage in UInt16(0)...0xFF {
            let key = KeyUsage.keyboard(usage)
            #expect(names.insert(key.name).inserted)
            // `return` is the main key; spec §1.2 has another of that name.
            if usage != 0x9E { #expect(KeyUsage(name: key.name) == key) }
            #expect(KeyUsage(name: key.chordName) == key)
            #expect(KeyUsage(name: key.numericName) == key)
        }
    }

    @Test("short forms", arguments: [
        ("return", KeyUsage.returnOrEnter), ("esc", .escape), ("delete", .deleteOrBackspace), ("tab", .tab),
        ("space", .spacebar), ("left", .leftArrow), ("right", .rightArrow), ("up", .upArrow), ("down", .downArrow),
        ("pageup", .pageUp), ("pagedown", .pageDown), ("home", .home), ("end", .end), ("plus", .equalSign),
        ("minus", .hyphen), ("PageUp", .pageUp), ("RETURN", .returnOrEnter),
    ])
    func shortForms(text: String, usage: KeyUsage) { #expect(KeyUsage(name: text) == usage) }

    @Test("a punctuation character is the key of the US layout")
    func punctuation() {
        for (characters, usage) in [("-_", 0x2D), ("=+", 0x2E), ("[{", 0x2F), ("]}", 0x30), ("\\|", 0x31), (";:", 0x33),
            ("'\"", 0x34), ("`~", 0x35), (",<", 0x36), (".>", 0x37), ("/?", 0x38), ("!", 0x1E), (")", 0x27)] {
            for character in characters { #expect(KeyUsage(name: String(character)) == .keyboard(UInt16(usage))) }
        }
    }

    @Test("page and usage name any key", arguments: ["", "x", "7:", ":4", "7:4:1", "+7:+4", "7:-4", "7:10000", "7:é"])
    func numbers(text: String) {
        #expect(KeyUsage(name: "0C:00E9") == KeyUsage(page: 0x0C, usage: 0xE9))
        #expect(KeyUsage(page: 0x0C, usage: 0xE9).name == "0c:00e9")
        #expect((KeyUsage(name: text) == nil) == (text != "x"))
    }
}
