import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Profiles that are no version of iOS")
struct OtherProfileTests {
    @Test(
        "§15 on the Mac a menu's keys act before text and before the chain's commands", arguments: CachePolicy.allCases)
    func menuFirst(policy: CachePolicy) throws {
        let bench = try Bench("catalyst", cache: policy)
        bench.application.mainMenu = [
            Menu(title: "Go", identifier: "go", children: [command(KeyCommand.inputLeftArrow, .command, "back:")])
        ]
        bench.vc.commands = [command("k", .command, "near:"), command("e", .control, "end:", priority: true)]
        bench.vc.implemented = ["back:", "near:", "end:"]
        let field = bench.addTextField(text: "ab")
        #expect(try bench.press("cmd+left").action == "back:")
        #expect(try bench.press("cmd+k").action == "near:")
        #expect(try bench.press("ctrl+e").action == "end:", "priority reclaims ⌃E")
        #expect(try bench.press("ctrl+a").target === field)
        let pad = try Bench("ios15", cache: policy)
        pad.application.mainMenu = bench.application.mainMenu
        pad.vc.implemented = ["back:"]
        let text = pad.addTextField(text: "ab")
        #expect(try pad.press("cmd+left").target === text)
    }

    @Test("EV-14 Return activates what has the focus on an iPad, Space on the Mac")
    func activation() throws {
        for (profile, key, other) in [("ios15", "return", "space"), ("catalyst", "space", "return")] {
            let bench = try Bench(profile)
            bench.engine.hasFocusSystem = true
            #expect(try bench.press(key).takenBy == .focus)
            #expect(try bench.press(other).takenBy == nil)
        }
    }

    @Test("§15 ⌘N, ⌘W and ⌘, come with the Mac's default menu, and act where somebody performs them")
    func macMenus() throws {
        let bench = try Bench("catalyst")
        let keys = [("cmd+n", "newScene:"), ("cmd+w", "performClose:"), ("cmd+,", "orderFrontPreferencesPanel:")]
        for (chord, action) in keys {
            #expect(try bench.press(chord).outcome == .unhandled)
            bench.vc.implemented = [action]
            #expect(try bench.press(chord).action?.name == action)
        }
        bench.application.mainMenu = [
            Menu(title: "Tabs", identifier: "tabs", children: [command("w", .command, "closeTab:")])
        ]
        bench.vc.implemented = ["closeTab:"]
        bench.engine.setNeedsRebuild()
        #expect(try bench.press("cmd+w").outcome == .unhandled, "the default menu holds ⌘W, so this one was dropped")
    }

    @Test("HUD-2 the Mac's menus dim what is disabled or performed by nobody; others leave it out")
    func dimmed() throws {
        for (profile, count) in [("catalyst", 3), ("ios15", 1)] {
            let bench = try Bench(profile)
            let commands = ["a", "b", "c"].map { command($0, .option, Selector("do\($0):")) }
            for command in commands { command.title = command.input ?? "" }
            commands[1].attributes = .disabled
            bench.vc.commands = commands
            bench.vc.implemented = ["doa:", "dob:"]
            let shown = bench.engine.overlay().entries.filter { $0.supplier === bench.vc }
            #expect(shown.count == count && shown.map(\.isDimmed) == Array([false, true, true].prefix(count)))
            #expect(bench.engine.overlay().text.contains("b (dimmed)") == (profile == "catalyst"))
        }
    }

    @Test("T-23 on the Mac arrows carry the numericPad flag, elsewhere they do not", arguments: Profile.uiKitNames)
    func arrows(profile: String) throws {
        let bench = try Bench(profile)
        bench.engine.focus(bench.vc)
        bench.vc.commands = [command(KeyCommand.inputUpArrow, .numericPad, "pad:")]
        bench.vc.implemented = ["pad:"]
        #expect((try bench.press("up").outcome == .performed) == (profile == "catalyst"))
    }

    @Test("React Native's commands observe: a plain key matches any modifiers, all run, nobody is read or asked")
    func reactNative() throws {
        for policy in CachePolicy.allCases {
            let (engine, application) = try developerApp(policy)
            let plain = try #require(try engine.press("r"))
            #expect(plain.action == "reload:" && plain.shadowed.isEmpty && plain.target === application)
            #expect(plain.effects == [Effect(id: "app", kind: .alsoPerformed, value: .text("record:"))])
            #expect(application.performed == ["reload:", "record:"])
            #expect(plain.calls.canPerformAction == 0 && plain.shadowReads == 1)
            #expect(try engine.press("cmd+r")?.effects.isEmpty == true)
        }
        // The counts are UIKit's own, of an app without these commands.
        let (engine, _) = try developerApp(.none)
        let (bare, application) = try developerApp(.none, profile: "ios9")
        application.commands = []
        let counts = (try #require(try engine.press("r")), try #require(try bare.press("r")))
        #expect(counts.0.calls.keyCommands == counts.1.calls.keyCommands - 1, "UIKit reads the window alone")
    }

    @Test("React Native's commands pass the event on: text and commands of the system's path have it as in ios9")
    func reactNativePassesOn() throws {
        let (engine, application) = try developerApp(.none)
        let field = TextField(id: "field")
        let controller = ProbeController(id: "vc")
        controller.commands = [command("r", .command, "rename:")]
        controller.implemented = ["rename:"]
        application.keyWindow?.rootViewController = controller
        controller.view = View(id: "view")
        controller.view?.addSubview(field)
        engine.focus(field)
        #expect(try engine.press("r")?.takenBy == .text && field.text == "r")
        let chord = try #require(try engine.press("cmd+r"))
        #expect(chord.action == "rename:" && chord.target === controller && application.performed.isEmpty)
        #expect(chord.calls.keyCommands > 0 && chord.calls.canPerformAction > 0)
    }

    private func developerApp(
        _ policy: CachePolicy, profile: String = "react-native-dev"
    ) throws -> (KeyboardEngine, ListApplication) {
        let application = ListApplication(id: "app")
        application.commands = [
            command("r", .command, "reload:"), command("d", .command, "menu:"), command("r", .control, "record:"),
        ]
        let engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named(profile)),
            layout: try Bench("ios9").engine.layout, cachePolicy: policy)
        let window = Window(id: "win")
        application.addWindow(window)
        application.makeKey(window)
        return (engine, application)
    }

    @Test("MT-12 menus show the alternate for the modifiers that are held; performing it needs them too")
    func alternates() throws {
        let bench = try Bench("ios15")
        let reload = KeyCommand(
            title: "Reload", action: "reload:", input: "r", modifierFlags: .command,
            alternates: [CommandAlternate(title: "Reload from Origin", action: "origin:", modifierFlags: .option)])
        bench.vc.commands = [reload]
        bench.vc.implemented = ["reload:", "origin:"]
        #expect(bench.engine.overlay().text == "⌘R  Reload\n")
        #expect(bench.engine.overlay(holding: [.command, .option]).text == "⌥⌘R  Reload from Origin\n")
        #expect(bench.engine.overlay(holding: .shift).text == "⌘R  Reload\n")
    }
}

/// An application with commands of its own.
private final class ListApplication: Application {
    var commands: [KeyCommand] = []
    var performed: [String] = []
    override var keyCommands: [KeyCommand]? { commands }
    override func responds(to action: Selector) -> Bool { commands.contains { $0.action == action } }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { performed.append(action.name) }
}
