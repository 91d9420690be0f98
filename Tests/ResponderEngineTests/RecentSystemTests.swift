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
