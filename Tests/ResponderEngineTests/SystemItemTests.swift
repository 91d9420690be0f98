import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Items of the system's menu")
struct SystemItemTests {
    private func pad(_ profile: String) throws -> Bench {
        let bench = try Bench(profile)
        bench.engine.isPad = true
        return bench
    }

    @Test("I26-4, I26-5, I26-13 items that the system performs are not dimmed, those without a target are",
        arguments: ["ios26", "ios27", "catalyst"])
    func dimmed(profile: String) throws {
        let bench = try pad(profile)
        let entries = bench.engine.overlay().entries
        func isDimmed(_ key: String) -> Bool? { entries.first { $0.key == key }?.isDimmed }
        for key in ["⌘,", "⌘W", "⌘M", "⌘Q"] {
            let runs = try pad(profile).press(key == "⌘," ? "cmd+," : "cmd+" + key.dropFirst().lowercased())
            let isRun = runs.outcome == .performed || runs.takenBy == .system
            #expect(isDimmed(key) == !isRun, "\(key): \(runs)")
        }
        for key in ["⌘C", "⌘Z", "⌘B"] { #expect(isDimmed(key) == true, "\(key)") }
    }

    @Test("I26-6 an iPhone has no menu bar: none is shown, and no item can be picked", arguments: ["ios26", "ios27"])
    func phone(profile: String) throws {
        for (isPad, shown) in [(true, Profile.Overlay.menuBar), (false, .none)] {
            let bench = try Bench(profile)
            bench.engine.isPad = isPad
            let item = KeyCommand(title: "Go", action: "go", input: "j", modifierFlags: .command)
            bench.application.mainMenu = [Menu(title: "Own", children: [item])]
            bench.vc.implemented = ["go"]
            #expect(bench.engine.overlay().style == shown)
            #expect(bench.engine.overlay().entries.isEmpty == !isPad)
            #expect((bench.engine.pickMenuItem("go", at: .zero) != nil) == isPad)
            // Its key works on either.
            #expect(try bench.press("cmd+j").action == "go")
        }
    }

    @Test("I26-4 before iOS 26, and on an iPhone, ⌘W is no action that a responder could answer",
        arguments: [("ios134", true, nil), ("ios15", true, "scn"), ("ios16", true, "scn"), ("ios26", true, "vc"),
            ("ios26", false, nil), ("catalyst", true, "vc")] as [(String, Bool, String?)])
    func closing(profile: String, isPad: Bool, target: String?) throws {
        let bench = try Bench(profile)
        bench.engine.isPad = isPad
        bench.vc.implemented = ["performClose:"]
        #expect(try bench.press("cmd+w").target?.id == target)
    }

    @Test("I27-3 an item of the system that is picked without a target is performed by the system")
    func picking() throws {
        let bench = try pad("ios27")
        #expect(bench.engine.pickMenuItem("Quit", at: .zero)?.takenBy == .system)
        #expect(bench.engine.pickMenuItem("Copy", at: .zero)?.takenBy == nil)
    }

    @Test("I27-3 items are lost to the menu bar where the application does not perform them",
        arguments: [("ios26", []), ("ios27", ["find"])])
    func lostToMenuBar(profile: String, lost: [String]) throws {
        let bench = try pad(profile)
        bench.application.mainMenu = [
            Menu(
                title: "Own",
                children: [Command(title: "Find", action: "find"), Command(title: "None", action: "none")])
        ]
        bench.vc.implemented = ["find"]
        #expect(bench.engine.itemsLostToMenuBar.map(\.action.name) == lost)
        #expect(bench.engine.pickMenuItem("find", at: .zero)?.outcome == (lost.isEmpty ? .performed : .unhandled))
    }

    @Test("§15 on the Mac a chord that the menu has reaches the menu, and one that text has the text")
    func macUnderSwallower() throws {
        let bench = try pad("catalyst")
        let field = bench.addTextField(text: "ab")
        bench.vc.swallows = true
        for (chord, target) in [("cmd+w", "scn"), ("cmd+c", "field")] {
            let resolution = try pressAgain(chord, bench)
            #expect(resolution.outcome == .performed && resolution.target?.id == target, "\(chord): \(resolution)")
            #expect(resolution.receivers.isEmpty)
        }
        for chord in ["cmd+left", "ctrl+a", "x"] {
            #expect(try bench.press(chord).outcome == .consumedByText, "\(chord)")
        }
        #expect(field.text == "xab")
        bench.scene.removeWindow(bench.window)
        bench.application.addWindow(bench.window)
        bench.application.makeKey(bench.window)
        for chord in ["cmd+h", "cmd+w"] { #expect(try bench.press(chord).takenBy == .system, "\(chord)") }
        // What the menu does not have goes to presses.
        #expect(try bench.press("cmd+k").outcome == .swallowedByPresses)
    }

    /// ⌘W closes the scene: each key with responders that are there.
    private func pressAgain(_ chord: String, _ bench: Bench) throws -> Resolution {
        let resolution = try bench.press(chord)
        bench.application.connect(bench.scene)
        bench.application.makeKey(bench.window)
        return resolution
    }

    @Test("I26-1 a command that text comes before takes its key from no presses")
    func losingCommand() throws {
        for (isPriority, outcome) in [(false, Outcome.swallowedByPresses), (true, .performed)] {
            let bench = try Bench("ios15")
            try bench.engine.profile.set("commandsBeforePresses", to: "always")
            let field = bench.addTextField()
            bench.vc.swallows = true
            bench.vc.commands = [command("a", [], "act", priority: isPriority), command("k", .command, "act")]
            bench.vc.implemented = ["act"]
            #expect(try bench.press("a").outcome == outcome)
            #expect(try bench.press("cmd+k").outcome == .performed)
            #expect(field.text.isEmpty)
        }
    }

    @Test("MM-4 an addition names what it repeats: the system's item, the app's own, or itself")
    func causes() throws {
        func drops(_ menus: [Menu]) throws -> [Effect.Value] {
            let bench = try pad("ios15")
            bench.application.menuChanges = menus.map { .insertAfter(.edit, $0) }
            return try bench.press("cmd+k").effects.filter { $0.kind == .menuDropped }.map(\.value)
        }
        func menu(_ commands: KeyCommand...) -> Menu { Menu(title: "Own", children: commands) }
        let own = menu(command("d", .command, "a:"))
        #expect(
            try drops([menu(command("c", .command, "a:"))]) == [
                .text(
                    "a: (⌘C): the menu has a command with this key, the system's copy:; its whole menu is left out: a:")
            ])
        #expect(
            try drops([Menu(title: "Own", identifier: .edit)]) == [
                .text("menu edit: the menu has one with this identifier, the system's")
            ])
        #expect(
            try drops([own, menu(command("d", .command, "b:"))]) == [
                .text("b: (⌘D): the menu has a command with this key, the app's own a:; its whole menu is left out: b:")
            ])
        #expect(
            try drops([own, menu(command("e", .command, "a:"))]) == [
                .text("a: is in the menu already, the app's own a:; its whole menu is left out: a:")
            ])
        let named = Menu(title: "Own", identifier: "com.example.own")
        #expect(
            try drops([named, named]) == [
                .text("menu com.example.own: the menu has one with this identifier, the app's own")
            ])
        #expect(
            try drops([menu(command("d", .command, "a:"), command("d", .command, "b:"))]) == [
                .text("b: (⌘D): the addition has this key twice; its whole menu is left out: a:, b:")
            ])
    }

    @Test("MM-2 what building leaves out before the first press is an effect of that press, and of a pick")
    func builtBeforePress() throws {
        let bench = try pad("ios26")
        bench.application.menuChanges = [
            .insertAfter(.edit, Menu(title: "Own", children: [command("c", .command, "own:")]))
        ]
        let picked = bench.engine.pickMenuItem("Settings…", at: .zero)
        #expect(picked?.effects.contains { $0.kind == .menuDropped } == true)
        #expect(try bench.press("cmd+k").effects.map(\.kind) == [.menuDropped])
        #expect(try bench.press("cmd+k").effects == [])
    }

    @Test("MM-4 under another profile the menu is built anew")
    func otherProfile() throws {
        let bench = try pad("ios15")
        bench.application.menuChanges = [
            .insertAfter(.edit, Menu(title: "Own", children: [command("f", .command, "own")]))
        ]
        bench.vc.implemented = ["own"]
        #expect(try bench.press("cmd+f").action == "own")
        bench.engine.profile = try #require(Profile.named("ios16"))
        #expect(try bench.press("cmd+f").outcome == .unhandled)
        bench.engine.profile = try #require(Profile.named("ios15"))
        #expect(try bench.press("cmd+f").action == "own")
    }
}
