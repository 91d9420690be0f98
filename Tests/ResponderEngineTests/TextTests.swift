import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Text")
struct TextTests {
    @Test("§2.3 text that cannot be edited takes no keys")
    func notEditable() throws {
        let bench = try Bench("ios15")
        let text = bench.addTextView(text: "abc")
        text.isEditable = false
        #expect(try bench.press("x").outcome == .unhandled)
        #expect(try bench.press("cmd+a").takenBy == .standardEdit)
        #expect(try bench.press("cmd+x").outcome == .unhandled && text.text == "abc")
    }

    @Test("§2.3 editing keys move and delete by whole characters")
    func editing() throws {
        let bench = try Bench("ios15")
        let text = bench.addTextView(text: "one two\nthree")
        for (chord, expected) in [
            ("opt+delete", "one two\n"), ("left", "one two\n"), ("delete", "one tw\n"), ("cmd+left", "one tw\n"),
            ("ctrl+k", "\n"), ("cmd+z", "one tw\n"), ("shift+cmd+z", "\n"), ("cmd+z", "one tw\n"),
            ("cmd+down", "one tw\n"),
            ("up", "one tw\n"), ("deleteforward", "ne tw\n"), ("ctrl+e", "ne tw\n"), ("ctrl+t", "ne wt\n"),
            ("opt+left", "ne wt\n"), ("cmd+delete", "wt\n"), ("cmd+a", "wt\n"), ("x", "x"), ("a", "xa"),
            ("shift+left", "xa"), ("cmd+x", "x"), ("cmd+v", "xa"), ("ctrl+o", "xa\n"), ("b", "xab\n"),
        ] {
            try bench.press(chord)
            #expect(text.text == expected, "\(chord)")
        }
    }

    @Test("§2.3 single-line text takes Return without inserting it")
    func singleLine() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField(text: "a")
        let resolution = try bench.press("return")
        #expect(resolution.outcome == .consumedByText && resolution.text == nil && field.text == "a")
        #expect(resolution.effects.isEmpty)
    }

    @Test("TX-8 marked text is replaced by new marked text, by insertion, and committed in place")
    func marked() throws {
        let view = TextView(text: "ab")
        view.setMarkedText("に")
        view.setMarkedText("日本")
        #expect(view.text == "ab日本" && view.markedText == "日本")
        view.insertText("x")
        #expect(view.text == "abx" && view.markedText == nil)
        view.setMarkedText("y")
        view.unmarkText()
        #expect(view.text == "abxy" && view.markedText == nil)
        view.setMarkedText("z")
        view.setMarkedText(nil)
        #expect(view.text == "abxy")
    }

    @Test("TX-10 of a secure field neither text, nor length, nor clipboard")
    func secure() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField()
        field.isSecureTextEntry = true
        bench.engine.track([field])
        let state = bench.engine.stateHash()
        let resolution = try bench.press("a")
        #expect(resolution.outcome == .consumedByText && resolution.text == nil && resolution.effects.isEmpty)
        #expect(bench.engine.stateHash() == state && field.text == "a")
        #expect(try bench.press("cmd+c").outcome == .unhandled)
    }

    @Test("dead keys wait for the letter")
    func deadKeys() throws {
        let bench = try Bench("ios15", layout: "fr")
        let field = bench.addTextField()
        #expect(try bench.press("[").text == nil)
        #expect(try bench.press("e").text == "ê" && field.text == "ê")
        try bench.press("[")
        try bench.press("left")
        #expect(try bench.press("e").text == "e")
    }

    @Test("T-27 vertical arrows are dead where the parameter says so")
    func deadArrows() throws {
        let bench = try Bench("ios7")
        let text = bench.addTextView(text: "a\nb")
        try bench.engine.profile.set("verticalArrowsDeadInTextView", to: "true")
        #expect(try bench.press("up").takenBy == .text && text.editor.caret == 3)
    }
}

@Suite("Profiles")
struct ProfileTests {
    @Test("every shipped profile reads, prints and reads again", arguments: Profile.shippedNames)
    func roundTrip(name: String) throws {
        let profile = try #require(Profile.named(name))
        #expect(profile.name == name)
        #expect(try Profile(text: profile.text) == profile)
        if profile.appKit == nil { #expect(profile.parameters.map(\.name) == Profile.parameterNames) }
        #expect(Profile.named("ios99") == nil)
    }

    @Test("the contract's parameters come first, in its order")
    func names() {
        let contract = """
            stageOrder rawPresses repeats overlay localises mirrors blocksUnperformable passesPerKeyDown queryOnKeyUp \
            queryOnRepeatTick startWithoutFirstResponder matchAlphaShift keyWindowScope swallowBlocksSystem \
            pressesSeenForMatchedCommands precedence mainMenuPosition shiftedWithShift priorityBeforeIME \
            imeBeforeCommandsLegacy modalFilterAffectsCollection repeatDelay repeatInterval commandDotIsEscape \
            alternatePrecedence hudModifierOrder laterDownEndsRepeat splitViewQueriesPrimary \
            applicationCommandsNeedSecondPress verticalArrowsDeadInTextView emptyInputMatchesModifier \
            emptyFocusConsumes escapeTakenByText
            """.split(separator: " ").map(String.init)
        #expect(Array(Profile.parameterNames.prefix(contract.count)) == contract)
    }

    @Test("parameters are set by text, and wrong ones say what was expected")
    func set() throws {
        var profile = try #require(Profile.named("ios15"))
        try profile.set("repeatDelay", to: "250ms")
        #expect(profile.repeatDelay.nanoseconds == 250_000_000 && profile.value(of: "repeatDelay") == "250ms")
        let wrong = [
            ("repeatDelay", "250"), ("repeatDelay", "0ms"), ("stageOrder", "both"), ("repeats", "yes"),
            ("passesPerKeyDown", "-1"), ("hudModifierOrder", "⌃⌃⌥⇧"), ("localisationTable", "de=["),
        ]
        for (name, value) in wrong {
            let error = #expect(throws: ProfileError.self) { try profile.set(name, to: value) }
            #expect(error?.description.contains(name) == true && error?.description.contains("found \(value)") == true)
        }
        #expect(throws: ProfileError.unknownParameter("nope")) { try profile.set("nope", to: "1") }
    }

    @Test("a profile text names the line that is wrong")
    func malformed() throws {
        let text = try #require(Profile.named("ios15")).text
        let cases: [(String, String)] = [
            (text.replacing("repeats: true", with: "repeats: maybe"), "line 4"),
            (text.replacing("repeats: true", with: "repeats"), "line 4"),
            (text.replacing("repeats: true\n", with: ""), "repeats"),
            (text + "repeats: true\n", "repeats again"), (text + "colour: red\n", "colour"), ("", "stageOrder"),
        ]
        for (text, words) in cases {
            let error = #expect(throws: ProfileError.self) { try Profile(text: text) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test("§0.1 the shipped profiles differ as the table says")
    func table() throws {
        let rows: [(String, [String])] = [
            ("stageOrder", Array(repeating: "commandsFirst", count: 4) + Array(repeating: "textFirst", count: 4)),
            ("rawPresses", ["false", "false", "false", "true", "true", "true", "true", "true"]),
            ("repeats", ["false", "true", "true", "true", "true", "true", "true", "true"]),
            ("overlay", ["none", "hud", "hud", "hud", "menus", "menus", "menuBar", "menuBar"]),
            ("mirrors", ["false", "false", "false", "false", "true", "true", "true", "true"]),
            ("blocksUnperformable", ["false", "false", "false", "false", "true", "true", "true", "true"]),
            ("passesPerKeyDown", ["3", "1", "1", "1", "1", "1", "1", "1"]),
            ("queryOnKeyUp", ["false", "true", "true", "true", "false", "false", "false", "false"]),
            ("startWithoutFirstResponder", ["none", "windowTail"] + Array(repeating: "deepest", count: 6)),
            ("matchAlphaShift", ["true", "true", "false", "false", "false", "false", "false", "false"]),
            ("honoursRepeatBehavior", ["false", "false", "false", "false", "false", "false", "true", "true"]),
            ("emptyInputMatchesModifier", Array(repeating: "true", count: 8)),
            ("emptyFocusConsumes", Array(repeating: "true", count: 8)),
            ("escapeTakenByText", Array(repeating: "true", count: 8)),
            ("keyWindowScope", ["app", "app", "app", "app", "scene", "scene", "scene", "scene"]),
        ]
        for (name, values) in rows {
            #expect(Profile.versionNames.map { Profile.named($0)?.value(of: name) } == values, "\(name)")
        }
    }
}

@Suite("State hash")
struct StateHashTests {
    @Test("the hash tells states apart and comes back with them")
    func changes() throws {
        let bench = try Bench("ios15")
        let table = TableView(id: "table", sections: [3, 2])
        bench.view.addSubview(table)
        bench.engine.track([bench.view, table])
        let start = bench.engine.stateHash()
        var seen: Set<UInt64> = [start]
        table.select([4])
        #expect(seen.insert(bench.engine.stateHash()).inserted)
        try bench.down("cmd+k")
        #expect(seen.insert(bench.engine.stateHash()).inserted)
        try bench.up("cmd+k")
        bench.engine.focus(bench.vc)
        #expect(seen.insert(bench.engine.stateHash()).inserted)
        bench.engine.focus(bench.view)
        table.select([])
        #expect(bench.engine.stateHash() == start)
    }

    @Test("text itself is not in it, its length is")
    func text() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField(text: "abc")
        bench.engine.track([field])
        let state = bench.engine.stateHash()
        field.text = "xyz"
        #expect(bench.engine.stateHash() == state)
        field.text = "wxyz"
        #expect(bench.engine.stateHash() != state)
    }
}

@Suite("Ready-made responders")
struct ResponderKitTests {
    @Test("clicks select; with command they add and remove, with shift they select a range")
    func clicks() {
        let table = TableView(id: "table", sections: [3, 3])
        table.click(1)
        table.click(3, modifiers: .command)
        #expect(table.selectedRows == [3])
        table.allowsMultipleSelection = true
        table.click(1)
        table.click(4, modifiers: .command)
        #expect(table.selectedRows == [1, 4])
        table.click(2, modifiers: .shift)
        #expect(table.selectedRows == [2, 3, 4])
        table.click(3, modifiers: .command)
        table.click(99)
        #expect(table.selectedRows == [2, 4])
        table.select([9, -1])
        #expect(table.selectedRows.isEmpty)
    }

    @Test("a date keeps within its limits and within the calendar")
    func dates() throws {
        let picker = DatePicker(id: "date", date: try #require(CalendarDay(text: "2024-02-28")))
        picker.maximumDate = CalendarDay(text: "2024-02-29")
        #expect(picker.setDate(try #require(CalendarDay(text: "2024-02-29"))))
        #expect(!picker.setDate(try #require(CalendarDay(text: "2024-03-01"))))
        #expect(picker.date.text == "2024-02-29")
        for text in ["2023-02-29", "2024-13-01", "24-01-01", "2024-1-1", "2024-00-10", "x"] {
            #expect(CalendarDay(text: text) == nil)
        }
    }

    @Test("a tab or an offset that does not exist changes nothing")
    func bounds() {
        let tabs = TabBarController(id: "tabs", viewControllers: [ViewController(id: "a"), ViewController(id: "b")])
        tabs.selectedIndex = 5
        tabs.selectedIndex = -1
        #expect(tabs.selectedViewController?.id == "a")
        let scroll = ScrollView(id: "s")
        scroll.contentSize = Extent(width: 10, height: 10)
        #expect(scroll.setContentOffset(Extent(width: 50, height: -5)))
        #expect(scroll.contentOffset == Extent(width: 10, height: 0))
    }

    @Test("pushes, pops, presentations and selections inside an action are effects of the press")
    func effects() throws {
        let bench = try Bench("ios15")
        let nav = NavigationController(id: "nav", rootViewController: ViewController(id: "list"))
        bench.vc.addChild(nav)
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        bench.vc.onAction = { _ in
            nav.pushViewController(ViewController(id: "detail"))
            nav.popViewController()
            bench.vc.present(ViewController(id: "sheet"))
            bench.vc.dismiss()
        }
        #expect(
            try bench.press("cmd+k").effects == [
                Effect(id: "nav", kind: .push, value: .text("detail")),
                Effect(id: "nav", kind: .pop, value: .text("detail")),
                Effect(id: "vc", kind: .present, value: .text("sheet")),
                Effect(id: "vc", kind: .dismiss, value: .text("sheet")),
            ])
    }
}
