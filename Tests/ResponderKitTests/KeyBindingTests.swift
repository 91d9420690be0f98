import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// A text view with key bindings in a window.
struct BoundText {
    let engine: KeyboardEngine
    let text: TextView
    let controller = ViewController(id: "vc")

    init(_ dictionary: String, text content: String = "", profile: String = "ios15") throws {
        try self.init(try KeyBindings(dictionary.utf8, file: "test.dict"), text: content, profile: profile)
    }

    init(_ bindings: KeyBindings?, text content: String = "", profile: String = "ios15") throws {
        engine = KeyboardEngine(
            rootViewController: controller, profile: try #require(Profile.named(profile)),
            layout: try #require(ShippedLayouts.named("us")))
        text = TextView(id: "text", text: content)
        let view = View(id: "view")
        controller.view = view
        view.addSubview(text)
        text.keyBindings = bindings
        engine.focus(text)
    }

    @discardableResult
    func press(_ chord: String) throws -> Resolution { try #require(try engine.press(chord)) }

    /// Outcome and document after each press.
    func run(_ chords: String) throws -> [String] {
        try chords.split(separator: " ").map { "\(try press(String($0)).outcome.name) \(text.text ?? "")" }
    }
}

@Suite("Key bindings")
struct KeyBindingTests {
    private func parsed(_ text: String) throws -> BoundKey? {
        try KeyBindings("{ \"\(text)\" = \"noop:\"; }".utf8, file: "a").all.first?.keys.first
    }

    private func key(_ modifiers: KeyModifiers, _ scalar: Unicode.Scalar) -> BoundKey {
        BoundKey(modifiers: modifiers, scalar: scalar)
    }

    // MARK: macOS

    @Test("KB-1 bindings replace what text does, and come after key equivalents; without a file nothing changes")
    func afterKeyEquivalents() throws {
        let bound = try BoundText(#"{ "@k" = "moveLeft:"; "^a" = ("insertText:", "!"); "@\Uf702" = "moveUp:"; }"#)
        #expect(try bound.press("cmd+k").takenBy == .keyBinding)
        bound.controller.addKeyCommand(KeyCommand(input: "k", modifierFlags: .command, action: "open:"))
        bound.controller.addAction(Action("open:") { _, _ in })
        #expect(try bound.press("cmd+k").takenBy == .keyCommands)
        // A key that text takes is text's before commands, and so is its binding.
        bound.controller.addKeyCommand(KeyCommand(input: "a", modifierFlags: .control, action: "open:"))
        #expect(try bound.press("ctrl+a").takenBy == .keyBinding && bound.text.text == "!")
        #expect(try bound.press("cmd+left").action == "moveUp:")
        // Where commands go first, they go before bindings too.
        let older = try BoundText(#"{ "^a" = "moveLeft:"; }"#, profile: "ios134")
        older.controller.addKeyCommand(KeyCommand(input: "a", modifierFlags: .control, action: "open:"))
        older.controller.addAction(Action("open:") { _, _ in })
        #expect(try older.press("ctrl+a").takenBy == .keyCommands)
        let plain = try BoundText(nil as KeyBindings?, text: "ab")
        #expect(try plain.press("ctrl+a").takenBy == .text)
    }

    @Test("KB-2 modifier prefixes, capitals, escaped prefixes, special characters")
    func macKeys() throws {
        #expect(try parsed("^~@x") == key([.control, .option, .command], "x"))
        #expect(try parsed("$a") == key([], "A") && parsed("A") == key([], "A") && parsed("^$A") == key(.control, "A"))
        #expect(try parsed("~\\\\^") == key(.option, "^") && parsed("\\\\~") == key([], "~"))
        #expect(try parsed("^") == key([], "^") && parsed("@$") == key(.command, "$"))
        #expect(try parsed("#5") == key(.numericPad, "5") && parsed("\\Uf728") == key([], "\u{F728}"))
        #expect(try parsed("~\\U001b") == key(.option, "\u{1B}") && parsed("^\\177") == key(.control, "\u{7F}"))
        #expect(try parsed("^up") == key(.control, "\u{F700}"))
    }

    @Test(
        "KB-2 each special key finds its binding",
        arguments: [
            ("esc", "001b"), ("tab", "0009"), ("shift+tab", "0019"), ("return", "000a"), ("return", "000d"),
            ("keypadenter", "000d"), ("keypadenter", "0003"), ("delete", "007f"), ("up", "f700"), ("down", "f701"),
            ("left", "f702"), ("right", "f703"), ("f1", "f704"), ("f12", "f70f"), ("f13", "f710"), ("f24", "f71b"),
            ("deleteforward", "f728"), ("home", "f729"), ("end", "f72b"), ("pageup", "f72c"), ("pagedown", "f72d"),
            ("menu", "f735"), ("clear", "f739"), ("help", "f746"), ("space", "0020"),
        ])
    func specialKeys(chord: String, code: String) throws {
        let bound = try BoundText("{ \"\\U\(code)\" = (\"insertText:\", \"*\"); }")
        let resolution = try bound.press(chord)
        #expect(resolution.outcome == .consumedByKeyBinding && bound.text.text == "*", "\(chord)")
    }

    @Test("KB-2 Shift is in a capital and in a shifted character, or written out")
    func shift() throws {
        for dictionary in [#"{ "A" = ("insertText:", "*"); }"#, #"{ "$a" = ("insertText:", "*"); }"#] {
            let bound = try BoundText(dictionary)
            #expect(try bound.run("a shift+a") == ["consumedByText a", "consumedByKeyBinding a*"])
        }
        for dictionary in ["{ \"{\" = (\"insertText:\", \"*\"); }", #"{ "$[" = ("insertText:", "*"); }"#] {
            let bound = try BoundText(dictionary)
            #expect(try bound.run("[ shift+[") == ["consumedByText [", "consumedByKeyBinding [*"])
        }
        let pad = try BoundText(##"{ "#5" = ("insertText:", "*"); }"##)
        #expect(try pad.run("5 keypad5") == ["consumedByText 5", "consumedByKeyBinding 5*"])
    }

    @Test("KB-3 selectors, arrays from left to right, texts for insertText:, tables, and disabled keys")
    func values() throws {
        let bound = try BoundText(
            """
            { "^a" = "moveToBeginningOfLine:"; "^b" = ("insertText:", "<", "insertText:", ">", "moveLeft:");
              "^k" = { "c" = ("insertText:", "code"); "^k" = { "x" = "selectAll:"; }; };
              "q" = ""; "w" = "noop:"; "^z" = "nobody:"; }
            """)
        #expect(try bound.run("ctrl+b x ctrl+k c") == [
            "consumedByKeyBinding <>", "consumedByText <x>", "consumedByKeyBinding <x>", "consumedByKeyBinding <xcode>",
        ])
        let resolution = try bound.press("ctrl+b")
        #expect(resolution.text == "<>" && resolution.action == "moveLeft:" && resolution.target === bound.text)
        #expect(try bound.run("q w") == Array(repeating: "consumedByKeyBinding <xcode<>>", count: 2))
        let nobody = try bound.press("ctrl+z")
        #expect(nobody.effects.map(\.kind) == [.beep] && nobody.action == "nobody:")
        // An action that text does not know is the chain's.
        bound.controller.addAction(Action("nobody:") { _, _ in })
        #expect(try bound.press("ctrl+z").target === bound.controller)
        _ = try bound.run("ctrl+k ctrl+k x y")
        #expect(bound.text.text == "y")
    }

    static let quotes = #"""
        {
            "~[" = ("insertText:", "‘");
            "~]" = ("insertText:", "’");
            "~{" = ("insertText:", "“");
            "~}" = ("insertText:", "”");
        }
        """#

    @Test("KB-4 G26 curly quotes on Option and the brackets")
    func curlyQuotes() throws {
        let bound = try BoundText(Self.quotes)
        let resolution = try bound.press("opt+[")
        #expect(resolution.outcome == .consumedByKeyBinding && resolution.takenBy == .keyBinding)
        #expect(resolution.action == "insertText:" && resolution.text == "‘" && resolution.target === bound.text)
        _ = try bound.run("x opt+] opt+shift+[ y opt+shift+]")
        #expect(bound.text.text == "‘x’“y”")
    }

    // MARK: GNUstep

    @Test("KB-5 later files win over earlier ones, and their tables merge")
    func order() throws {
        var bindings = KeyBindings.gnustep
        let first = #"{ "Control-x" = { "a" = "moveLeft:"; "b" = "moveUp:"; }; }"#
        let second = #"{ "C-x" = { "b" = ("insertText:"); "c" = "moveDown:"; }; "Control-k" = "moveUp:"; }"#
        bindings.merge(try KeyBindings(first.utf8, file: "1"))
        bindings.merge(try KeyBindings(second.utf8, file: "2"))
        let x = key(.control, "x")
        #expect(bindings[x, key([], "a")]?.source == KeyBindings.Source(file: "1", line: 1))
        #expect(bindings[x, key([], "b")]?.source.file == "2" && bindings[x, key([], "c")]?.source.file == "2")
        #expect(bindings[key(.control, "k")]?.operations == [.perform("moveUp:")])
        #expect(bindings[key(.control, "e")]?.source.file == "gnustep")
        // A selector puts a table away, and a table a selector.
        bindings.merge(try KeyBindings(#"{ "^x" = "cut:"; "Control-k" = { "z" = "yank:"; }; }"#.utf8, file: "3"))
        #expect(bindings[x]?.operations == [.perform("cut:")] && bindings[key(.control, "k")] == nil)
        #expect(bindings[key(.control, "k"), key([], "z")]?.operations == [.perform("yank:")])
    }

    @Test("KB-6 names of modifiers and keys, the minus key; what is unknown is skipped and said")
    func gnustepKeys() throws {
        #expect(try parsed("Control-Alternate-x") == key([.control, .option], "x"))
        #expect(try parsed("Ctrl-Alt-x") == parsed("C-A-x") && parsed("Meta-x") == parsed("M-x"))
        #expect(try parsed("Control--") == key(.control, "-") && parsed("Numeric-5") == key(.numericPad, "5"))
        #expect(try parsed("Delete") == key([], "\u{F728}") && parsed("Backspace") == key([], "\u{7F}"))
        #expect(try parsed("F35") == key([], "\u{F726}") && parsed("Escape") == key([], "\u{1B}"))
        let file = """
            { "Command-x" = "cut:"; "Control-Blah" = "cut:"; x = 5; y = <00>; z = "no selector!";
              "Control-y" = ("cut:", {}); u = ("insertText:"); "Control-w" = "cut:"; }
            """
        let bindings = try KeyBindings(file.utf8, file: "my.dict")
        #expect(bindings.all.map(\.keys) == [[key(.control, "w")]])
        let kinds = "a binding is a selector, an array of selectors or a dictionary"
        #expect(bindings.skipped.map(\.description) == [
            #"my.dict: line 1, column 3: skipped: key "Command-x": unknown modifier "Command""#,
            #"my.dict: line 1, column 25: skipped: key "Control-Blah": unknown key "Blah""#,
            #"my.dict: line 1, column 54: skipped: "5" is no selector"#,
            "my.dict: line 1, column 61: skipped: \(kinds), found data",
            #"my.dict: line 1, column 71: skipped: "no selector!" is no selector"#,
            "my.dict: line 2, column 26: skipped: an array of selectors holds strings, found a dictionary",
            "my.dict: line 2, column 36: skipped: insertText: needs the text after it",
        ])
    }

    @Test("KB-7 Shift counts for function keys; of others the shifted character is meant, and Shift-Tab never matches")
    func gnustepShift() throws {
        #expect(try parsed("Shift-F5") == key(.shift, "\u{F708}") && parsed("Shift-Control-!") == key(.control, "!"))
        let bindings = try KeyBindings(#"{ "Shift-Tab" = "insertTab:"; }"#.utf8, file: "a")
        #expect(bindings.isEmpty && bindings.skipped.first?.reason.contains("can never match") == true)
        let bound = try BoundText(#"{ "Control-G" = ("moveLeft:"); "Shift-LeftArrow" = "moveUp:"; }"#, text: "ab")
        #expect(try bound.press("ctrl+g").outcome == .unhandled)
        #expect(try bound.press("ctrl+shift+g").action == "moveLeft:")
        #expect(try bound.press("left").takenBy == .text && bound.press("shift+left").action == "moveUp:")
    }

    @Test("KB-8 key arrays are sequences, empty text disables, and insertText: takes no text")
    func gnustepValues() throws {
        let bound = try BoundText(
            """
            { ("Control-x", "Control-s") = "save:"; ("Control-x", "k") = "deleteToEndOfLine:"; "Control-k" = "";
              "Control-z" = ("moveLeft:", "insertText:", "moveLeft:"); }
            """, text: "abc")
        bound.controller.addAction(Action("save:") { _, _ in })
        let prefix = try bound.press("ctrl+x")
        #expect(prefix.outcome == .consumedByKeyBinding && prefix.action == nil && !prefix.repeatsWhileHeld)
        let save = try bound.press("ctrl+s")
        #expect(save.action == "save:" && save.target === bound.controller)
        #expect(try bound.press("ctrl+k").outcome == .consumedByKeyBinding && bound.text.text == "abc")
        let moves = try bound.press("ctrl+z")
        #expect(moves.effects.map(\.kind) == [.beep], "insertText: without a text is nobody's action")
        _ = try bound.run("ctrl+x k")
        #expect(bound.text.text == "a")
    }

    @Test("KB-9 G27 a sequence that comes to nothing: the first stroke is literal, the rest is tried again")
    func missedSequence() throws {
        let bound = try BoundText(#"{ ("Control-x", "Control-s") = "save:"; ("Control-c", "Control-x") = "copy:"; }"#)
        _ = try bound.press("ctrl+x")
        let missed = try bound.press("a")
        #expect(missed.outcome == .consumedByText && missed.text == "a" && bound.text.text == "a")
        #expect(missed.effects.map(\.kind) == [.beep, .text])
        // ⌃C is literal, ⌃X begins another sequence and ends the strokes that are tried.
        _ = try bound.press("ctrl+c")
        let again = try bound.press("ctrl+c")
        #expect(again.outcome == .consumedByKeyBinding && again.effects.map(\.kind) == [.beep])
        #expect(try bound.press("ctrl+x").action == "copy:")
    }

    @Test("KB-9 what comes after a match among strokes that are tried again is lost")
    func lostStroke() throws {
        let bound = try BoundText(#"{ ("x", "x", "s") = "save:"; }"#)
        // x x, then a: the first x is literal, the second begins anew, and a is lost with it.
        #expect(try bound.run("x x a") == [
            "consumedByKeyBinding ", "consumedByKeyBinding ", "consumedByKeyBinding x",
        ])
        #expect(try bound.run("b") == ["consumedByText xxb"])
    }

    @Test("KB-9 ⌃q makes the next stroke literal, ⌃g gives a sequence up, another client forgets it")
    func quoteAndAbort() throws {
        let bound = try BoundText(#"{ "a" = "moveLeft:"; ("^x", "a") = "save:"; }"#)
        #expect(try bound.run("ctrl+q a a") == [
            "consumedByKeyBinding ", "consumedByKeyBinding a", "consumedByKeyBinding a",
        ])
        #expect(try bound.press("ctrl+g").outcome == .unhandled, "nothing to give up")
        #expect(try bound.run("ctrl+x ctrl+g b").last == "consumedByText ba")
        _ = try bound.press("ctrl+x")
        let other = TextField(id: "other")
        bound.text.superview?.addSubview(other)
        bound.engine.focus(other)
        bound.engine.focus(bound.text)
        #expect(try bound.press("a").action == "moveLeft:")
    }

    @Test("KB-9 the literal pass: function and Control keys beep, editing keys edit, the rest is inserted")
    func literalPass() throws {
        func literal(_ chord: String, _ bindings: KeyBindings? = nil) throws -> (String, [Effect.Kind]) {
            let bound = try BoundText(bindings ?? KeyBindings(), text: "xy")
            _ = try bound.press("ctrl+q")
            let resolution = try bound.press(chord)
            #expect(resolution.outcome == .consumedByKeyBinding)
            return (bound.text.text, resolution.effects.map(\.kind))
        }
        #expect(try literal("f5") == ("xy", [.beep]) && literal("left") == ("xy", [.beep]))
        #expect(try literal("ctrl+a") == ("xy", [.beep]) && literal("help") == ("xy", [.beep]))
        #expect(try literal("delete").0 == "x" && literal("tab").0 == "xy\t" && literal("return").0 == "xy\n")
        #expect(try literal("keypadenter").0 == "xy\n" && literal("opt+return").0 == "xy\n")
        #expect(try literal("esc") == ("xy", []) && literal("shift+a").0 == "xyA" && literal("space").0 == "xy ")
        var inserting = KeyBindings()
        inserting.insertsControlKeystrokes = true
        #expect(try literal("ctrl+a", inserting).0 == "xy\u{1}")
    }

    @Test("KB-10 the shipped table: arrows, pages, ends, Emacs' keys; arrays run all their selectors")
    func shippedTable() throws {
        let bindings = KeyBindings.gnustep
        #expect(bindings.skipped.isEmpty && bindings.all.count > 50)
        for (_, binding) in bindings.all {
            for operation in binding.operations {
                #expect(TextEditingCommands.command(for: operation.action) != nil, "\(operation)")
            }
        }
        let bound = try BoundText(bindings, text: "one two\nthree")
        for (chord, caret) in [
            ("ctrl+a", 8), ("up", 0), ("ctrl+e", 7), ("opt+down", 13), ("ctrl+left", 8), ("opt+right", 13),
            ("ctrl+home", 0), ("ctrl+f", 1), ("ctrl+n", 9), ("ctrl+b", 8), ("end", 13), ("home", 8), ("opt+up", 0),
        ] {
            #expect(try bound.press(chord).takenBy == .keyBinding)
            #expect(bound.text.editor.caret == caret, "\(chord)")
        }
        _ = try bound.run("ctrl+d ctrl+e ctrl+h ctrl+o")
        #expect(bound.text.text == "ne tw\n\nthree" && bound.text.editor.caret == 5)
    }

    @Test("the table of AppKit's editing keys is read whole, and each of its keys matches")
    func editingTable() throws {
        #expect(KeyBindings.editing.skipped.isEmpty)
        let bound = try BoundText(KeyBindings.editing, text: "ab", profile: "appkit")
        for (chord, action) in [
            ("tab", "insertTab:"), ("shift+tab", "insertBacktab:"), ("return", "insertNewline:"),
            ("keypadenter", "insertNewline:"), ("delete", "deleteBackward:"),
        ] {
            let press = try bound.press(chord)
            #expect(press.outcome == .consumedByKeyBinding && press.action?.name == action, "\(chord)")
        }
    }

    // MARK: Both

    @Test("KB-11 both dialects lead to one tree, told apart key by key")
    func oneTree() throws {
        let mixed = try KeyBindings(
            #"{ "^x" = { "Control-s" = "save:"; }; "Control-x" = { "^c" = "quit:"; "A-v" = "pageUp:"; }; }"#.utf8,
            file: "a")
        let x = key(.control, "x")
        #expect(mixed.all.count == 3 && mixed[x, key(.control, "s")] != nil && mixed[x, key(.option, "v")] != nil)
        #expect(mixed[x, key(.control, "c")]?.operations == [.perform("quit:")])
        #expect(try KeyBindings("{ \"^x\" = \"cut:\"; }".utf8, file: "a").all.first?.keys == [x])
    }

    @Test("KB-11 the notation declares key commands")
    func shortcuts() throws {
        func shortcut(_ text: String) throws -> String {
            let command = try KeyCommand(shortcut: text, action: "run:")
            return "\(command.modifierFlags.names.joined(separator: " ")) \(command.input ?? "")"
        }
        #expect(try shortcut("@w") == "command w" && shortcut("@W") == "shift command w")
        #expect(try shortcut("^$up") == "shift control UIKeyInputUpArrow")
        #expect(try shortcut("@down") == "command UIKeyInputDownArrow")
        #expect(try shortcut("~left") == "option UIKeyInputLeftArrow" && shortcut("right") == " UIKeyInputRightArrow")
        #expect(try shortcut("escape") == " UIKeyInputEscape")
        #expect(try shortcut("Control-Escape") == "control UIKeyInputEscape")
        #expect(try shortcut("@{") == "command {" && shortcut("F5") == " UIKeyInputF5")
        let error = #expect(throws: KeyCommand.ShortcutError.self) { try shortcut("@F20") }
        #expect(error?.description.contains("no key command") == true)
        #expect(throws: KeyCommand.ShortcutError.self) { try shortcut("Hyper-x") }
        // Such a command runs.
        let bound = try BoundText(nil as KeyBindings?)
        bound.controller.addKeyCommand(try KeyCommand(shortcut: "@$k", action: "run:"))
        bound.controller.addAction(Action("run:") { _, _ in })
        #expect(try bound.press("shift+cmd+k").action == "run:")
    }

    // MARK: Around them

    @Test("the wait of a sequence is that of the stroke that ends it")
    func chordWait() throws {
        let bound = try BoundText(#"{ ("^x", "^s") = "selectAll:"; }"#)
        func press(_ chord: String, at milliseconds: Int64) throws -> Resolution {
            bound.engine.advance(to: TraceTime(nanoseconds: milliseconds * 1_000_000))
            return try bound.press(chord)
        }
        #expect(try press("ctrl+x", at: 100).chordWait == nil)
        #expect(try press("ctrl+s", at: 350).chordWait == TraceDuration(nanoseconds: 250_000_000))
        _ = try press("ctrl+x", at: 400)
        #expect(try press("b", at: 401).chordWait == TraceDuration(nanoseconds: 1_000_000))
        #expect(try press("b", at: 500).chordWait == nil)
    }

    @Test("a held binding repeats, a held prefix does not")
    func repeats() throws {
        let bound = try BoundText(#"{ "^t" = ("insertText:", "t"); "^x" = { "a" = "cut:"; }; }"#)
        #expect(try bound.press("ctrl+t").repeatsWhileHeld)
        #expect(try !bound.press("ctrl+x").repeatsWhileHeld)
    }

    @Test("while text is marked its keys are the input method's; a masked key may be bound")
    func otherStages() throws {
        let bound = try BoundText(#"{ "a" = "moveLeft:"; }"#)
        bound.engine.markText("に")
        #expect(try bound.press("a").takenBy == .inputMethod)
        bound.engine.markText(nil)
        let masked = try #require(bound.engine.keyDown(.masked(.letter), at: .zero))
        #expect(masked.outcome == .undetermined && masked.possible.map(\.action) == ["moveLeft:"])
        let digit = try #require(bound.engine.keyDown(.masked(.digit), at: .zero))
        #expect(digit.outcome == .consumedByText)
    }
}
