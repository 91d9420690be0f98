import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Overlay")
struct OverlayTests {
    private func titled(
        _ title: String, _ input: String?, _ modifiers: KeyModifiers = .command, _ action: Selector,
        discoverability: String? = nil, attributes: MenuElement.Attributes = []
    ) -> KeyCommand {
        KeyCommand(
            title: title, action: action, input: input, modifierFlags: modifiers,
            discoverabilityTitle: discoverability, attributes: attributes)
    }

    private func bench(_ profile: String, _ commands: [KeyCommand], layout: String = "us") throws -> Bench {
        let bench = try Bench(profile, layout: layout)
        // An iPhone has no menu bar.
        bench.engine.isPad = true
        bench.vc.commands = commands
        bench.vc.implemented = Set(commands.map(\.action.name))
        return bench
    }

    private func lines(_ overlay: Overlay) -> [String] { overlay.entries.map { "\($0.key) \($0.title)" } }

    @Test("G23 on iOS 9 a command without a discoverability title is not shown, and still works")
    func g23() throws {
        let bench = try bench(
            "ios9",
            [titled("", "w", .command, "close:", discoverability: "Close Tab"), titled("", "k", .command, "k:")])
        #expect(lines(bench.engine.overlay()) == ["⌘W Close Tab"])
        #expect(bench.engine.overlay().text == "⌘W  Close Tab\n")
        #expect(try bench.press("cmd+k").outcome == .performed)
    }

    @Test(
        "HUD the title is none before 9, the discoverability title before 13, then that or the title",
        arguments: [
            ("ios7", []), ("ios9", ["⌘B Both (long)"]), ("ios13", ["⌘A Title", "⌘B Both (long)"]),
            ("ios134", ["⌘A Title", "⌘B Both (long)"]), ("ios15", ["⌘A Title", "⌘B Both (long)"]),
            ("ios26", ["⌘A Title", "⌘B Both (long)"]),
        ])
    func titles(profile: String, expected: [String]) throws {
        let bench = try bench(
            profile,
            [
                titled("Title", "a", .command, "a:"),
                titled("Both", "b", .command, "b:", discoverability: "Both (long)"), titled("", "c", .command, "c:"),
            ])
        let own = bench.engine.overlay().entries.filter { !$0.isSystem }
        #expect(own.map { "\($0.key) \($0.title)" } == expected)
    }

    @Test("HUD-1 entries stand in chain order, then in the order of each list")
    func hud1() throws {
        let bench = try bench("ios134", [titled("Third", "3", .command, "c:")])
        let near = ProbeController(id: "near")
        near.commands = [titled("First", "1", .command, "a:"), titled("Second", "2", .command, "b:")]
        near.implemented = ["a:", "b:"]
        near.nextOverride = bench.vc
        bench.engine.focus(near)
        #expect(bench.engine.overlay().entries.map(\.title) == ["First", "Second", "Third"])
        #expect(bench.engine.overlay().entries.map(\.supplierID) == ["near", "near", "vc"])
    }

    @Test("HUD-2 what nobody performs, what is disabled and what is hidden is left out")
    func hud2() throws {
        let bench = try bench(
            "ios15",
            [
                titled("On", "a", .command, "a:"), titled("Off", "b", .command, "b:", attributes: .disabled),
                titled("Hidden", "c", .command, "c:", attributes: .hidden), titled("Nobody", "d", .command, "d:"),
            ])
        bench.vc.refused = ["d:"]
        #expect(lines(bench.engine.overlay()) == ["⌘A On"])
    }

    @Test("HUD-3 of commands with one key the first is shown")
    func hud3() throws {
        let bench = try bench(
            "ios134", [titled("First", "a", .command, "a:"), titled("Second", "A", .command, "b:")])
        #expect(lines(bench.engine.overlay()) == ["⌘A First"])
    }

    @Test("HUD-4 modifiers stand in the parameter's order, keys have their glyphs or names")
    func hud4() throws {
        let inputs: [(String, String)] = [
            (KeyCommand.inputEscape, "esc"), ("\t", "⇥"), ("\r", "⏎"), (" ", "space"),
            (KeyCommand.inputDelete, "⌫"),
            (KeyCommand.inputUpArrow, "↑"), (KeyCommand.inputPageDown, "page down"), (KeyCommand.inputHome, "home"),
            (KeyCommand.f5, "F5"), ("é", "É"), ("\u{3}", ""),
        ]
        let bench = try bench("ios15", inputs.map { titled("x", $0.0, [.shift, .command, .control, .option], "x:") })
        #expect(bench.engine.overlay().entries.map(\.key) == inputs.map { "⌃⌥⇧⌘" + $0.1 })
        try bench.engine.profile.set("hudModifierOrder", to: "⇧⌃⌥⌘")
        #expect(bench.engine.overlay().entries.first?.key == "⇧⌃⌥⌘esc")
    }

    @Test("HUD-5 a title of more than 25 characters breaks the columns")
    func hud5() throws {
        let bench = try bench(
            "ios134",
            [
                titled("Twenty-five characters ok", "a", .command, "a:"),
                titled("Twenty-six characters here", "b", .command, "b:"),
            ])
        #expect(bench.engine.overlay().entries.map(\.breaksColumns) == [false, true])
    }

    @Test("HUD-6 a menu's copy takes its title from validation")
    func hud6() throws {
        final class Tabs: ViewController {
            override func responds(to action: Selector) -> Bool { action == "tab:" }
            override func validate(_ command: Command) { command.title = "Inbox" }
        }
        let bench = try Bench("ios15")
        let near = Tabs(id: "near")
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        bench.application.mainMenu = [
            Menu(title: "Window", identifier: .window, children: [titled("Tab", "1", .command, "tab:")])
        ]
        #expect(bench.engine.overlay().text == "Window\n  ⌘1  Inbox\n")
        #expect(bench.engine.overlay().calls.validate == 1)
    }

    @Test("HUD-7 an input that no key types is shown all the same")
    func hud7() throws {
        let bench = try bench("ios15", [titled("Zoom Out", "\u{2212}", .command, "a:")])
        #expect(lines(bench.engine.overlay()) == ["⌘\u{2212} Zoom Out"])
    }

    @Test("HUD-8 the effective key is shown after localisation and mirroring")
    func hud8() throws {
        let german = try bench("ios15", [titled("Back", "[", .command, "a:")], layout: "de")
        #expect(lines(german.engine.overlay()) == ["⌘Ö Back"])
        let mirrored = try bench("ios15", [titled("Back", "[", .command, "a:")])
        mirrored.engine.layoutDirection = .rtl
        #expect(lines(mirrored.engine.overlay()) == ["⌘] Back"])
        #expect(mirrored.engine.overlay().entries.map(\.showsOtherKey) == [false])
    }

    @Test("T-20 up to iOS 14 the overlay mirrors arrows though the key is not", arguments: ["ios134", "ios15"])
    func t20(profile: String) throws {
        let bench = try bench(profile, [titled("Back", KeyCommand.inputLeftArrow, .command, "a:")])
        bench.engine.layoutDirection = .rtl
        let entry = try #require(bench.engine.overlay().entries.first)
        #expect(entry.key == "⌘→" && entry.showsOtherKey == (profile == "ios134"))
        #expect(try bench.press("cmd+right").outcome == (profile == "ios134" ? .unhandled : .performed))
    }

    @Test("MM-6 T-14 a command in the menu and on the chain is listed twice, in menu order after the application's")
    func mm6() throws {
        let bench = try bench("ios15", [titled("Find", "f", .command, "find:")])
        bench.application.mainMenu = [Menu(identifier: .edit, children: [titled("Find", "f", .command, "find:")])]
        let overlay = bench.engine.overlay(applicationTitle: "Reader")
        #expect(overlay.text == "Reader\n  ⌘F  Find\nEdit\n  ⌘F  Find\n")
        #expect(overlay.entries.map(\.isListedTwice) == [true, true])
        #expect(overlay.entries.map(\.supplierID) == ["vc", "mainMenu"])
    }

    @Test("MM-7 an inline menu at the top level shows nothing; its keys work")
    func mm7() throws {
        let bench = try bench("ios15", [])
        bench.vc.implemented = ["x:"]
        bench.application.menuChanges = [
            .insertAfter(
                .edit, Menu(identifier: "x", options: .displayInline, children: [titled("X", "k", .command, "x:")]))
        ]
        #expect(bench.engine.overlay().entries.isEmpty)
        #expect(try bench.press("cmd+k").outcome == .performed)
    }

    @Test("T-21 a command whose performer casts its sender is missing from the overlay though its key works")
    func t21() throws {
        let bench = try Bench("ios15")
        let near = CastingController(id: "near")
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        bench.application.mainMenu = [Menu(identifier: .edit, children: [titled("Move", "k", .command, "move:")])]
        #expect(bench.engine.overlay().entries.isEmpty)
        #expect(try bench.press("cmd+k").outcome == .performed)
    }

    @Test("HUD the system's own menu commands are included where somebody performs them")
    func system() throws {
        let bench = try bench("ios15", [])
        bench.vc.implemented = ["copy:"]
        let overlay = bench.engine.overlay()
        #expect(overlay.text == "Edit\n  ⌘C  Copy\n" && overlay.entries.map(\.isSystem) == [true])
    }

    @Test("KC-4 an overlay reads each responder once and leaves the counts of presses alone")
    func kc4() throws {
        let bench = try bench("ios134", [titled("A", "a", .command, "a:")])
        let overlay = bench.engine.overlay()
        #expect(overlay.calls.keyCommands == 5)
        #expect(try bench.press("cmd+a").calls.keyCommands == 5)
        #expect(bench.vc.reads == 3)
    }
}
