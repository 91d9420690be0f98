import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("iOS 26 and 27")
struct RecentSystemTests {
    /// A bench on an iPad, whose first responder is a plain view.
    private func pad(_ profile: String) throws -> Bench {
        let bench = try Bench(profile)
        bench.engine.isPad = true
        return bench
    }

    @Test("I26-1 a view without key input that swallows presses hears of no key that a command has",
        arguments: [("ios15", false), ("ios26", true), ("ios27", true)])
    func commandsBeforePresses(profile: String, isPerformed: Bool) throws {
        let bench = try Bench(profile)
        bench.vc.swallows = true
        bench.vc.commands = [
            command("k", .command, "act"), command("d", .command, "early", priority: true),
        ]
        bench.vc.implemented = ["act", "early"]
        for chord in ["cmd+k", "cmd+d"] {
            let resolution = try bench.press(chord)
            #expect(resolution.outcome == (isPerformed ? .performed : .swallowedByPresses), "\(chord)")
            #expect(resolution.receivers.isEmpty == isPerformed)
        }
        // Typing stays blocked, and so does a key that no command has.
        #expect(try bench.press("j").outcome == .swallowedByPresses)
        #expect(try bench.press("cmd+j").outcome == .swallowedByPresses)
    }

    @Test("I27-5 where the first responder takes key input, presses come first, also before priority",
        arguments: ["ios26", "ios27"])
    func keyInput(profile: String) throws {
        let bench = try pad(profile)
        let text = bench.addTextView()
        bench.vc.commands = [command("w", .command, "act", priority: true)]
        bench.vc.implemented = ["act"]
        #expect(try bench.press("cmd+w").action == "act")
        bench.vc.swallows = true
        for chord in ["cmd+w", "cmd+c", "a"] {
            #expect(try bench.press(chord).outcome == .swallowedByPresses, "\(chord)")
        }
        #expect(text.text.isEmpty)
    }

    @Test("I26-2 on an iPad the system's menu items come before an app's commands, on an iPhone they do not")
    func systemMenu() throws {
        for (isPad, taken) in [(true, "performClose:"), (false, "mine")] {
            let bench = try Bench("ios26")
            bench.engine.isPad = isPad
            bench.vc.commands = [command("w", .command, "mine", priority: true)]
            bench.vc.implemented = ["mine", "performClose:"]
            #expect(try bench.press("cmd+w").action?.name == taken)
        }
        let older = try pad("ios26")
        try older.engine.profile.set("systemMenuBeforePriority", to: "never")
        older.vc.commands = [command("w", .command, "mine")]
        older.vc.implemented = ["mine", "performClose:"]
        #expect(try older.press("cmd+w").action == "mine")
    }

    @Test("I26-2 a key whose item is removed from the menu is the app's")
    func removedItem() throws {
        let bench = try pad("ios26")
        bench.application.menuChanges = [.remove(.close)]
        bench.vc.commands = [command("w", .command, "mine")]
        bench.vc.implemented = ["mine"]
        #expect(try bench.press("cmd+w").action == "mine")
    }

    @Test("I26-3 ⌘B and ⌘F go no further where nobody performs their action", arguments: ["b", "f", "i", "u"])
    func blocking(key: String) throws {
        let bench = try pad("ios26")
        bench.vc.commands = [command(key, .command, "mine"), command("d", .command, "mine")]
        bench.vc.implemented = ["mine"]
        let resolution = try bench.press("cmd+\(key)")
        #expect(resolution.outcome == .blockedUnperformable && resolution.takenBy == .standardEdit)
        // Removing the menu does not help; keys of no item arrive.
        bench.application.menuChanges = [.remove(.format), .remove(.find)]
        bench.engine.setNeedsRebuild()
        #expect(try bench.press("cmd+\(key)").outcome == .blockedUnperformable)
        #expect(try bench.press("cmd+d").action == "mine")
    }

    @Test("I26-4 ⌘W closes the scene, where nobody nearer closes something", arguments: ["ios26", "ios27"])
    func close(profile: String) throws {
        let bench = try pad(profile)
        bench.vc.implemented = ["performClose:"]
        #expect(try bench.press("cmd+w").target === bench.vc)
        bench.vc.implemented = []
        let other = WindowScene(id: "other")
        other.addWindow(Window(id: "otherWindow"))
        bench.application.connect(other)
        let resolution = try bench.press("cmd+w")
        #expect(resolution.outcome == .performed && resolution.target === bench.scene)
        #expect(resolution.effects.contains(Effect(id: "app", kind: .dismiss, value: .text("scn"))))
        #expect(bench.application.keyWindow?.id == "otherWindow")
    }

    @Test("I26-4 after presses and an app's commands where the first responder takes key input")
    func closeLast() throws {
        let bench = try pad("ios26")
        _ = bench.addTextField()
        bench.vc.commands = [command("w", .command, "mine")]
        bench.vc.implemented = ["mine"]
        #expect(try bench.press("cmd+w").action == "mine")
        bench.vc.commands = []
        bench.vc.setNeedsKeyCommandsUpdate()
        #expect(try bench.press("cmd+w").target === bench.scene)
    }

    @Test("I26-5, I26-6 ⌘, opens the settings, ⌘M ⌘Q and ⌘N are the system's, on an iPad alone")
    func windowKeys() throws {
        let bench = try pad("ios26")
        let settings = try bench.press("cmd+,")
        #expect(settings.target === bench.application && settings.action?.name == "orderFrontPreferencesPanel:")
        for chord in ["cmd+m", "cmd+q", "cmd+n"] {
            #expect(try bench.press(chord).takenBy == .system, "\(chord)")
        }
        bench.vc.implemented = ["newScene:"]
        #expect(try bench.press("cmd+n").target === bench.vc)
        bench.engine.isPad = false
        for chord in ["cmd+,", "cmd+m", "cmd+q", "cmd+w"] {
            let resolution = try bench.press(chord)
            #expect(resolution.outcome == .unhandled && resolution.takenBy == nil, "\(chord)")
        }
    }

    @Test("I26-6 an inserted menu with one of the window keys is dropped whole on an iPad")
    func insertion() throws {
        for (isPad, action) in [(true, nil), (false, "mine")] {
            let bench = try Bench("ios26")
            bench.engine.isPad = isPad
            let tabs = Menu(title: "Tabs", children: [command("w", .command, "other"), command("d", .command, "mine")])
            bench.application.menuChanges = [.insertAfter(.edit, tabs)]
            bench.vc.implemented = ["mine"]
            #expect(try bench.press("cmd+d").action?.name == action)
        }
    }

    @Test("I26-9 an addition whose elements repeat each other ends the app on iOS 26, and is dropped before",
        arguments: ["ios15", "ios16", "ios26", "ios27"])
    func repeatedKeys(profile: String) throws {
        let bench = try pad(profile)
        let own = Menu(title: "Own", children: [command("d", .command, "a"), command("d", .command, "b")])
        bench.application.menuChanges = [.insertAfter(.edit, own)]
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act", "a"]
        let isEnd = ["ios26", "ios27"].contains(profile)
        let first = try bench.press("cmd+k")
        #expect(first.outcome == (isEnd ? .noStart : .performed))
        #expect(first.effects.map(\.kind) == [isEnd ? .menuException : .menuDropped])
        #expect(try bench.press("cmd+d").outcome == (isEnd ? .noStart : .unhandled))
    }

    @Test("I26-12 an app may say which keys do not repeat unless a command asks for it")
    func exceptionsFromRepeats() throws {
        let bench = try Bench("ios26")
        try bench.engine.profile.set("automaticRepeatExceptions", to: "escape cmd+k")
        let repeatable = command("k", .command, "act")
        repeatable.repeatBehavior = .repeatable
        bench.vc.implemented = ["act"]
        for (commands, chord, repeats) in [
            ([command("k", .command, "act")], "cmd+k", false), ([command("j", .command, "act")], "cmd+j", true),
            ([repeatable], "cmd+k", true),
        ] {
            bench.vc.commands = commands
            #expect(try bench.press(chord).repeatsWhileHeld == repeats)
        }
    }

    @Test("I26-13, I26-14 the bar dims what is not available, lists what has no key, and has the rest in Help")
    func bar() throws {
        for (profile, isRecent) in [("ios16", false), ("ios26", true), ("ios27", true)] {
            let bench = try pad(profile)
            let off = KeyCommand(title: "Off", action: "off", input: "o", modifierFlags: .command)
            off.attributes = .disabled
            bench.application.menuChanges = [
                .insertAfter(.edit, Menu(title: "Own", children: [off, Command(title: "Keyless", action: "keyless")]))
            ]
            bench.vc.commands = [KeyCommand(title: "Mine", action: "mine", input: "k", modifierFlags: .command)]
            bench.vc.implemented = ["mine", "keyless", "off"]
            let sections = bench.engine.overlay(applicationTitle: "App").sections
            let own = sections.first { $0.title == "Own" }?.entries ?? []
            #expect(own.map(\.title) == (isRecent ? ["Off", "Keyless"] : []), "\(profile)")
            #expect(own.map(\.isDimmed) == (isRecent ? [true, false] : []))
            #expect(sections.first { $0.title == "Help" }?.entries.map(\.title) == (isRecent ? ["Mine"] : nil))
            #expect(sections.first { $0.title == "App" }?.entries.contains { $0.title == "Mine" } == !isRecent)
        }
    }

    @Test("I27-2 a window that belongs to no scene is never key on iOS 27",
        arguments: [("ios26", false), ("ios27", true)])
    func windowWithoutScene(profile: String, isLost: Bool) throws {
        let bench = try Bench(profile)
        bench.vc.commands = [command("k", .command, "act")]
        bench.vc.implemented = ["act"]
        bench.scene.removeWindow(bench.window)
        bench.application.addWindow(bench.window)
        bench.application.makeKey(bench.window)
        #expect(try bench.press("cmd+k").outcome == (isLost ? .noStart : .performed))
    }

    @Test("A resolution of a key without a character is described by the key's glyph",
        arguments: [("esc", "⎋"), ("cmd+left", "⌘←"), ("return", "⏎"), ("ctrl+space", "⌃Space")])
    func description(chord: String, glyph: String) throws {
        let bench = try Bench("ios15")
        #expect(try bench.press(chord).description == "\(glyph) → unhandled")
    }

    @Test("I27-3 an item that is picked starts at the application on iOS 27; its key works as before")
    func picking() throws {
        for (profile, target) in [("ios26", "vc"), ("ios27", nil)] {
            let bench = try pad(profile)
            bench.application.mainMenu = [
                Menu(
                    title: "Own",
                    children: [KeyCommand(title: "Go", action: "go", input: "g", modifierFlags: .control)])
            ]
            bench.vc.implemented = ["go"]
            for name in ["go", "Go"] {
                let picked = try #require(bench.engine.pickMenuItem(name, at: .zero))
                #expect(picked.target?.id == target && picked.isFromMainMenu)
                #expect(picked.outcome == (target == nil ? .unhandled : .performed))
                #expect(picked.description == (target == nil ? "picked → unhandled (go)" : "picked → vc.go"))
            }
            let typed = try bench.press("ctrl+g")
            #expect(typed.target === bench.vc && typed.description == "⌃G → vc.go")
            #expect(try bench.press("ctrl+y").description == "⌃Y → unhandled")
            // The system's own items work from the bar.
            #expect(bench.engine.pickMenuItem("Settings…", at: .zero)?.target === bench.application)
            #expect(bench.engine.pickMenuItem("Nothing", at: .zero) == nil)
        }
    }

    @Test("I27-3 the first responder resigns to the menu bar, and comes back when it closes", arguments: [true, false])
    func firstResponderOfMenuBar(comesBack: Bool) throws {
        for profile in ["ios26", "ios27"] {
            let bench = try pad(profile)
            try bench.engine.profile.set("menuBarRestoresFirstResponder", to: "\(comesBack)")
            bench.vc.becomeFirstResponder()
            try #require(bench.engine.firstResponder === bench.vc)
            #expect(bench.engine.pickMenuItem("Settings…", at: .zero)?.target === bench.application)
            #expect((bench.engine.firstResponder === bench.vc) == (comesBack || profile == "ios26"))
        }
    }

    @Test("I26-4 from iOS 16 an untaken ⌘W closes the scene, on the Mac too, after an app's own command",
        arguments: ["ios15", "ios16", "catalyst"])
    func closeBefore26(profile: String) throws {
        let bench = try pad(profile)
        bench.vc.commands = [command("w", .command, "mine")]
        bench.vc.implemented = ["mine"]
        #expect(try bench.press("cmd+w").action == "mine")
        bench.vc.commands = []
        #expect(try bench.press("cmd+w").target === bench.scene)
    }

    @Test("MT-13 ⌘Q is the system's on an iPad, and on the Mac",
        arguments: ["ios134", "ios15", "ios16", "ios26", "catalyst"])
    func quit(profile: String) throws {
        let bench = try pad(profile)
        #expect(try bench.press("cmd+q").takenBy == .system)
    }

    @Test("§2.3, EV-14 Tab in a field of one line goes to the next field, in text of several lines it is typed",
        arguments: [("ios134", false), ("ios15", false), ("ios15", true), ("ios26", true)])
    func tab(profile: String, hasFocus: Bool) throws {
        let bench = try Bench(profile)
        bench.engine.hasFocusSystem = hasFocus
        let field = bench.addTextField()
        let other = TextField(id: "other")
        let text = TextView(id: "text")
        bench.view.addSubview(other)
        bench.view.addSubview(text)
        #expect(try bench.press("tab").takenBy == (hasFocus ? .focus : .text))
        #expect(bench.engine.firstResponder === other && field.text.isEmpty)
        #expect(try bench.press("shift+tab").takenBy == (hasFocus ? .focus : .text))
        #expect(bench.engine.firstResponder === field)
        bench.engine.focus(text)
        #expect(try bench.press("tab").text == "\t")
        #expect(text.text == "\t" && bench.engine.firstResponder === text)
    }

    private static let desktopChords: [(String, KeyModifiers)] = [
        ("f", .command), ("g", [.command, .shift]), ("s", [.command, .shift]), ("t", .command), ("{", .command),
        ("}", .command), ("h", .command), ("j", .command), (":", .command), ("c", [.command, .option]),
    ]

    @Test("§15 the Mac's default menu has its keys: an inserted menu with one of them is dropped whole",
        arguments: RecentSystemTests.desktopChords)
    func desktopKeys(key: String, modifiers: KeyModifiers) throws {
        for (profile, isDropped) in [("catalyst", true), ("ios15", false)] {
            let bench = try pad(profile)
            let own = Menu(title: "Own", children: [command(key, modifiers, "own"), command("d", .command, "mine")])
            bench.application.menuChanges = [.insertAfter(.edit, own)]
            bench.vc.implemented = ["mine", "own"]
            #expect(try bench.press("cmd+d").outcome == (isDropped ? .unhandled : .performed), "\(profile)")
        }
    }

    @Test("§1.5 the identifier of the speech menu is no com.apple.menu one; new-item leads to new-scene's item on 26")
    func identifiers() throws {
        #expect(Menu.Identifier.system("speech").name == "com.apple.command.speech")
        for identifier in [Menu.Identifier.newItem, .newScene] {
            let bench = try pad("ios26")
            bench.application.menuChanges = [.remove(identifier)]
            bench.vc.commands = [command("n", .command, "mine")]
            bench.vc.implemented = ["mine"]
            #expect(try bench.press("cmd+n").action == "mine")
        }
        #expect(Menu.Identifier.newItem.name == "com.apple.menu.new-item")
    }

    @Test("a presented alert is first responder")
    func alert() throws {
        let bench = try Bench("ios15")
        let alert = AlertController(id: "alert")
        bench.vc.present(alert)
        #expect(bench.engine.firstResponder === alert)
        alert.addKeyCommand(command("\r", [], "confirm"))
        alert.addAction(Action("confirm", performing: { (_: AlertController, _) in }))
        #expect(try bench.press("return").target === alert)
        bench.vc.dismiss()
        #expect(bench.engine.firstResponder == nil)
    }

    @Test("§15 on the Mac text types before a controller hears of the press, and a menu item has ⌘.")
    func mac() throws {
        let bench = try pad("catalyst")
        bench.application.mainMenu = [Menu(title: "Own", children: [command(".", .command, "stop")])]
        bench.vc.implemented = ["stop"]
        let field = bench.addTextField()
        bench.vc.swallows = true
        #expect(try bench.press("a").outcome == .consumedByText)
        #expect(field.text == "a")
        #expect(try bench.press("cmd+.").action == "stop")
        #expect(try bench.press("f5").outcome == .swallowedByPresses)
    }

    @Test("a profile file of before iOS 26 says whether presses of matched commands are seen")
    func olderFiles() throws {
        var profile = try #require(Profile.named("ios26"))
        #expect(profile.value(of: "pressesSeenForMatchedCommands") == "false")
        try profile.set("pressesSeenForMatchedCommands", to: "true")
        #expect(profile.commandsBeforePresses == .never)
        let names = ["commandsBeforePresses", "systemMenu", "windowMenuKeys", "closeAction", "settings", "requires"]
        let lines = profile.text.split(separator: "\n").filter { line in !names.contains { line.hasPrefix($0) } }
        let older = try Profile(text: lines.joined(separator: "\n") + "\n")
        #expect(older.commandsBeforePresses == .never && older.windowMenuKeys.chords.isEmpty)
    }
}
