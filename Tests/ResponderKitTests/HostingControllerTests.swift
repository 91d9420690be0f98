import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// SwiftUI in a UIKit chain: shortcuts of the scene, and key press handlers along the focus path.
@Suite("Hosting controllers")
struct HostingControllerTests {
    /// Two hosting controllers side by side in a container with a command of its own, and a field in the second.
    private struct Bench {
        let application = Application(id: "app")
        let root = CommandController(id: "root")
        let leading = PerformingHost(id: "leading")
        let trailing = PerformingHost(id: "trailing")
        let list = View(id: "list")
        let field = TextField(id: "field")
        let engine: KeyboardEngine

        init(_ profile: String = "ios15", policy: CachePolicy = .none, set: [String: String] = [:]) throws {
            var rules = try #require(Profile.named(profile))
            for (name, value) in set { try rules.set(name, to: value) }
            engine = KeyboardEngine(
                application: application, profile: rules, layout: try #require(ShippedLayouts.named("us")),
                cachePolicy: policy)
            let window = Window(id: "win")
            application.addWindow(window)
            window.rootViewController = root
            root.view = View(id: "rootView")
            for host in [leading, trailing] {
                root.addChild(host)
                host.view = View(id: host.id + "View")
                host.view.map { root.view?.addSubview($0) }
            }
            trailing.view?.addSubview(list)
            list.addSubview(field)
            application.makeKey(window)
            engine.focus(trailing.view)
        }
    }

    private static func command(_ input: String, _ flags: KeyModifiers, _ action: String) -> KeyCommand {
        KeyCommand(input: input, modifierFlags: flags, action: Selector(action))
    }

    @Test("SwiftUI shortcuts are the scene's: depth first from the leading edge, the first found", arguments: [
        CachePolicy.none, .responder, .press, .chain,
    ])
    func searchOrder(policy: CachePolicy) throws {
        let bench = try Bench(policy: policy)
        bench.leading.shortcuts = [Self.command("s", .command, "first:"), Self.command("s", .command, "second:")]
        bench.trailing.shortcuts = [Self.command("s", .command, "third:"), Self.command("t", .command, "own:")]
        // The first responder is in the trailing one; the leading one is not on the chain and is found first.
        let found = try #require(try bench.engine.press("cmd+s"))
        #expect(found.action == "first:" && found.supplier === bench.leading && found.target === bench.leading)
        #expect(found.shadowed.map(\.action) == ["second:", "third:"])
        #expect(found.calls.canPerformAction == 0, "a control performs its action itself")
        #expect(bench.leading.performed == ["first:"])
        #expect(try bench.engine.press("cmd+t")?.action == "own:")
        bench.leading.shortcuts = []
        #expect(try bench.engine.press("cmd+s")?.action == "third:")
        bench.leading.removeFromParent()
        bench.trailing.removeFromParent()
        #expect(try bench.engine.press("cmd+s")?.outcome == .unhandled, "what is not in the scene is not found")
    }

    @Test("hostedShortcuts: after the chain's commands, before them, or before text; the main menu is last")
    func interplay() throws {
        for (value, plain, letter) in [
            ("afterChain", "chain:", nil), ("beforeChain", "hosted:", nil), ("beforeText", "hosted:", "letter:"),
            ("none", "chain:", nil),
        ] {
            let bench = try Bench(set: ["hostedShortcuts": value])
            bench.root.commands = [Self.command("s", .command, "chain:")]
            bench.trailing.shortcuts = [Self.command("s", .command, "hosted:"), Self.command("n", [], "letter:")]
            #expect(try bench.engine.press("cmd+s")?.action?.name == plain, "\(value)")
            bench.engine.focus(bench.field)
            #expect(try bench.engine.press("n")?.action?.name == letter, "\(value)")
            #expect(bench.field.text == (letter == nil ? "n" : ""), "\(value)")
        }
    }

    @Test("§7 the overlay lists SwiftUI's titled shortcuts in the order in which they are searched")
    func overlay() throws {
        func titled(_ title: String, _ input: String, _ action: String) -> KeyCommand {
            KeyCommand(title: title, action: Selector(action), input: input, modifierFlags: .command)
        }
        for (value, expected) in [
            ("afterChain", ["Find", "Save", "Open"]), ("beforeChain", ["Save", "Open", "Find"]),
            ("none", ["Find", "Mark"]),
        ] {
            let bench = try Bench(set: ["hostedShortcuts": value])
            bench.root.commands = [titled("Find", "f", "find:")] + (value == "none" ? [titled("Mark", "s", "m:")] : [])
            let off = titled("Off", "x", "off:")
            off.attributes = .disabled
            bench.leading.shortcuts = [titled("Save", "s", "save:"), off, Self.command("u", .command, "untitled:")]
            bench.trailing.shortcuts = [titled("Later", "s", "later:"), titled("Open", "o", "open:")]
            let overlay = bench.engine.overlay()
            let own = overlay.entries.filter { !$0.isSystem }
            #expect(own.map(\.title) == expected, "\(value)")
            #expect(own.filter { $0.title == "Save" }.allSatisfy { $0.target === bench.leading })
        }
    }

    @Test("SwiftUI shortcuts exist from iOS 14 on", arguments: Profile.uiKitNames)
    func versions(profile: String) throws {
        let bench = try Bench(profile)
        bench.trailing.shortcuts = [Self.command("s", .command, "hosted:")]
        let isThere = ["ios134", "ios15", "ios16", "ios26", "ios27", "catalyst"].contains(profile)
        #expect((try bench.engine.press("cmd+s")?.outcome == .performed) == isThere)
    }

    @Test("onKeyPress: from the focused view outwards; handled ends the press, ignored lets it go on")
    func handlers() throws {
        let bench = try Bench()
        bench.root.commands = [Self.command(" ", [], "chain:")]
        bench.engine.focus(bench.list)
        typealias Handler = HostingController.KeyPressHandler
        bench.trailing.keyPressHandlers = [Handler(keys: [" "], isHandled: false)]
        #expect(try bench.engine.press("space")?.outcome != .handledByKeyPress)
        bench.trailing.keyPressHandlers.append(Handler(view: bench.list, keys: [" "], isHandled: true))
        let handled = try #require(try bench.engine.press("space"))
        #expect(handled.outcome == .handledByKeyPress && handled.receivers.last === bench.trailing)
        #expect(try bench.engine.press("a")?.outcome == .unhandled, "another key")
        bench.engine.focus(bench.trailing.view)
        #expect(try bench.engine.press("space")?.outcome != .handledByKeyPress, "the focus is outside its view")
        bench.trailing.keyPressHandlers = [Handler(isHandled: true)]
        #expect(try bench.engine.press("a")?.outcome == .handledByKeyPress, "every key")
    }

    @Test("onKeyPress: a held key that was handled repeats, in the handler's phases", arguments: [
        ([HostingController.KeyPressHandler.Phase.down, .repeat], true, true), ([.down], true, false),
        ([.down, .up], true, false), ([.repeat], false, false), ([.up], false, false),
    ])
    func phases(_ phases: [HostingController.KeyPressHandler.Phase], isSwallowed: Bool, repeats: Bool) throws {
        let bench = try Bench()
        bench.engine.focus(bench.list)
        bench.trailing.keyPressHandlers = [.init(keys: [" "], phases: Set(phases), isHandled: true)]
        let down = try #require(bench.engine.keyDown(.clear(.spacebar), at: .zero))
        #expect((down.outcome == .handledByKeyPress) == isSwallowed && down.repeatsWhileHeld == repeats)
        let tick = bench.engine.repeatTick(.clear(.spacebar), at: TraceTime(nanoseconds: 400_000_000))
        #expect(tick?.outcome == (repeats ? .handledByKeyPress : nil) && tick?.receivers.isEmpty != false)
        bench.trailing.keyPressHandlers = []
        // The handler is gone: the key it had goes nowhere else.
        let late = bench.engine.repeatTick(.clear(.spacebar), at: TraceTime(nanoseconds: 500_000_000))
        #expect(late?.outcome == (repeats ? .unhandled : nil))
    }

    @Test("keyPressHandlers: whether a UIKit field's keys reach onKeyPress is the profile's")
    func handlersAndText() throws {
        for (value, typed) in [("beforeText", ""), ("afterText", "a"), ("none", "a")] {
            let bench = try Bench(set: ["keyPressHandlers": value])
            bench.trailing.keyPressHandlers = [.init(keys: ["a", KeyCommand.f12], isHandled: true)]
            bench.engine.focus(bench.field)
            try bench.engine.press("a")
            #expect(bench.field.text == typed, "\(value)")
            // No key of text's.
            #expect((try bench.engine.press("f12")?.outcome == .handledByKeyPress) == (value != "none"), "\(value)")
        }
    }
}

/// A web page in a chain (spec EV-9).
@Suite("Web views")
struct WebViewTests {
    private let application = Application(id: "app")
    private let root = CommandController(id: "root")
    private let page = WebView(id: "page")

    private func engine(_ profile: String) throws -> KeyboardEngine {
        let engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named(profile)),
            layout: try #require(ShippedLayouts.named("us")))
        let window = Window(id: "win")
        application.addWindow(window)
        window.rootViewController = root
        root.view = View(id: "rootView")
        root.view?.addSubview(page)
        application.makeKey(window)
        engine.focus(page)
        return engine
    }

    private func command(_ input: String, _ flags: KeyModifiers, _ action: String) -> KeyCommand {
        KeyCommand(input: input, modifierFlags: flags, action: Selector(action))
    }

    @Test("EV-9 a page's handlers come first, then text commands, then the app's commands, then typing", arguments: [
        "ios134", "ios15", "ios26",
    ])
    func stages(profile: String) throws {
        let engine = try engine(profile)
        page.isEditable = true
        root.commands = [
            command("n", [], "next:"), command(KeyCommand.inputLeftArrow, [], "back:"), command("k", .command, "all:"),
        ]
        #expect(try engine.press("n")?.action == "next:", "the app's command before typing")
        #expect(page.text.isEmpty)
        #expect(try engine.press("left")?.takenBy == .text, "a text command before the app's")
        #expect(try engine.press("x")?.takenBy == .text && page.text == "x")
        #expect(try engine.press("return")?.text == "\n")
        page.preventedKeys = .chords([Chord(modifiers: .command, usage: .keyboard(0x0E))])
        let prevented = try #require(try engine.press("cmd+k"))
        #expect(prevented.outcome == .swallowedByPresses && prevented.receivers.map(\.id) == ["page"])
        page.preventedKeys = .none
        #expect(try engine.press("cmd+k")?.action == "all:")
        #expect(try engine.press("cmd+y")?.outcome == .unhandled && page.text == "x\n", "no character with Command")
    }

    @Test("EV-9 Tab and letters of a page without a focused field are left to the app")
    func notEditable() throws {
        let engine = try engine("ios15")
        root.commands = [command("\t", [], "tab:"), command("j", [], "next:")]
        #expect(try engine.press("tab")?.action == "tab:")
        #expect(try engine.press("j")?.action == "next:")
        #expect(try engine.press("z")?.outcome == .unhandled && page.text.isEmpty)
        page.preventedKeys = .all
        #expect(try engine.press("z")?.outcome == .swallowedByPresses)
    }
}

/// Performs what its shortcuts ask for, and keeps it in mind.
private final class PerformingHost: HostingController {
    var performed: [Selector] = []
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { performed.append(action) }
}

private final class CommandController: ViewController {
    var commands: [KeyCommand] = []
    override var keyCommands: [KeyCommand]? { commands }
    override func responds(to action: Selector) -> Bool { commands.contains { $0.action == action } }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {}
}
