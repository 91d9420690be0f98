import KeyflightEngine
import Testing

/// A view that keeps Space for itself.
final class Canvas: View {
    private(set) var isPanning = false

    override var canBecomeFirstResponder: Bool { true }

    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if presses.contains(where: { $0.key?.keyCode == .spacebar }) {
            isPanning = true
        } else {
            super.pressesBegan(presses, with: event)
        }
    }
}

/// A page that can be reloaded, when there is something to reload.
final class Reader: ViewController {
    var isLoaded = true

    override var canBecomeFirstResponder: Bool { true }
    override class var actions: [Action] { [Action("reloadPage:", reloadPage)] }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == "reloadPage:" { return isLoaded }
        return super.canPerformAction(action, withSender: sender)
    }

    func reloadPage(_ sender: Any?) {}
}

/// Adds ⌘R to the File menu.
final class ReaderDelegate: Responder, ApplicationDelegate {
    override func buildMenu(with builder: any MenuBuilder) {
        guard builder.system == .main else { return }
        let reload = KeyCommand(title: "Reload", action: "reloadPage:", input: "r", modifierFlags: .command)
        builder.insertChild(Menu(children: [reload]), atStartOfMenu: .file)
    }
}

/// The examples of the engine's documentation.
@Suite struct EngineExamples {
    @Test func pressKeysAtAController() throws {
        let tabs = TabsController()
        let engine = KeyboardEngine(rootViewController: tabs, layout: try Layout.named("us"))
        tabs.becomeFirstResponder()

        try engine.press("⌘T")
        let close = try engine.press("⌘W")
        #expect(close?.outcome == .performed)
        #expect(close?.action == "closeTab:")
        #expect(close?.target === tabs)
        #expect(tabs.tabs == ["Contract"])

        // The last tab stays: nobody performs the command, which keeps the key from anybody else.
        #expect(try engine.press("⌘W")?.outcome == .blockedUnperformable)
    }

    @Test func delivery() throws {
        let canvas = Canvas()
        let controller = ViewController()
        controller.view = canvas
        let engine = KeyboardEngine(rootViewController: controller, layout: try Layout.named("us"))
        canvas.becomeFirstResponder()

        let space = try engine.press("space")
        #expect(space?.outcome == .swallowedByPresses)
        #expect(space?.receivers.map(\.id) == ["Canvas"])

        let letter = try engine.press("x")
        #expect(letter?.receivers.map(\.id) == ["Canvas", "ViewController", "window", "scene", "app"])
    }

    @Test func textAndFocus() throws {
        let chat = ViewController(id: "chat")
        chat.addAction(Action("send:", performing: { (_: ViewController, _) in }))
        let send = KeyCommand(input: "\r", modifierFlags: .shift, action: "send:")
        chat.addKeyCommand(send)
        let root = View(id: "root")
        chat.view = root
        let composer = TextView(id: "composer", text: "Hello")
        root.addSubview(composer)
        let engine = KeyboardEngine(rootViewController: chat, layout: try Layout.named("us"))
        composer.becomeFirstResponder()

        // ⇧Return is a line break, as Return is.
        #expect(try engine.press("⇧Return")?.takenBy == .text)
        send.wantsPriorityOverSystemBehavior = true
        #expect(try engine.press("⇧Return")?.action == "send:")

        let photos = ViewController(id: "photos")
        photos.addAction(Action("next:", performing: { (_: ViewController, _) in }))
        photos.addKeyCommand(KeyCommand(input: KeyCommand.inputRightArrow, modifierFlags: [], action: "next:"))
        let tablet = KeyboardEngine(rootViewController: photos, layout: try Layout.named("us"))
        #expect(try tablet.press("right")?.takenBy == .focus)
        tablet.hasFocusSystem = false
        #expect(try tablet.press("right")?.action == "next:")
    }

    @Test func responderChain() throws {
        let canvas = Canvas()
        let controller = ViewController()
        controller.view = canvas
        let engine = KeyboardEngine(rootViewController: controller, layout: try Layout.named("us"))

        #expect(canvas.becomeFirstResponder())
        #expect(engine.firstResponder === canvas)
        let chain = sequence(first: canvas as Responder, next: \.next)
        #expect(chain.map(\.id) == ["Canvas", "ViewController", "window", "scene", "app"])

        // A chain that comes back to itself is followed once, and told.
        controller.explicitNext = canvas
        #expect(try engine.press("⌘X")?.cycle?.description == "Canvas → ViewController → Canvas")
        controller.explicitNext = nil
    }

    @Test func keyCommands() throws {
        let outer = ViewController(id: "library")
        outer.addKeyCommand(KeyCommand(input: "t", modifierFlags: .command, action: "newTable:"))
        let tabs = TabsController(id: "tabs")
        outer.addChild(tabs)
        let engine = KeyboardEngine(rootViewController: outer, layout: try Layout.named("us"))
        tabs.becomeFirstResponder()

        let resolution = try engine.press("⌘T")
        #expect(resolution?.supplierID == "tabs")
        #expect(resolution?.shadowed.map { "\($0.supplierID) \($0.action)" } == ["library newTable:"])

        // Commands that change without a word are read again at every press, unless a cache is on.
        #expect(try engine.press("⌘2")?.action == "showTab:")
        #expect(try engine.press("⌘3")?.outcome == .unhandled)
    }

    @Test func menus() throws {
        let reader = Reader()
        let engine = KeyboardEngine(rootViewController: reader, layout: try Layout.named("us"))
        engine.application.delegate = ReaderDelegate()
        reader.becomeFirstResponder()

        let resolution = try engine.press("⌘R")
        #expect(resolution?.takenBy == .mainMenu)
        #expect(resolution?.target === reader)

        // The menu is built once; a changed one is seen after this.
        engine.application.delegate = nil
        engine.application.setNeedsRebuild()
        #expect(try engine.press("⌘R")?.outcome == .unhandled)
    }

    @Test func matchingAndLocalisation() throws {
        let reader = Reader()
        reader.addKeyCommand(KeyCommand(input: "[", modifierFlags: .command, action: "reloadPage:"))
        let german = try Layout.named("de")
        let engine = KeyboardEngine(rootViewController: reader, layout: german)
        reader.becomeFirstResponder()

        // No German key types [ by itself. From iOS 15 the command moves to the one on its place.
        #expect(try engine.press("cmd+char:ö")?.action == "reloadPage:")
        engine.profile = try #require(Profile.named("ios134"))
        #expect(try engine.press("cmd+char:ö")?.outcome == .unhandled)
    }

    @Test func dispatch() throws {
        let outer = Reader(id: "outer")
        let inner = Reader(id: "inner")
        inner.addKeyCommand(KeyCommand(input: "r", modifierFlags: .command, action: "reloadPage:"))
        outer.addChild(inner)
        let engine = KeyboardEngine(rootViewController: outer, layout: try Layout.named("us"))
        inner.becomeFirstResponder()

        #expect(try engine.press("⌘R")?.target?.id == "inner")

        // Who supplies a command need not perform it: the first one up the chain that can is the target.
        inner.isLoaded = false
        let resolution = try engine.press("⌘R")
        #expect(resolution?.supplierID == "inner")
        #expect(resolution?.target?.id == "outer")

        // From code, as from a button.
        #expect(engine.application.sendAction("reloadPage:", to: nil, from: nil))
    }

    @Test func overlay() throws {
        let tabs = TabsController()
        let engine = KeyboardEngine(
            rootViewController: tabs, profile: try #require(Profile.named("ios13")), layout: try Layout.named("us"))
        tabs.becomeFirstResponder()

        // Close Tab is left out: the only tab cannot be closed.
        #expect(engine.overlay().text == "⌘T  New Tab\n⌘1  Contract\n")
        tabs.newTab(nil)
        #expect(engine.overlay().entries.map(\.title) == ["New Tab", "Close Tab", "Contract", "Untitled 1"])
    }

    @Test func caches() throws {
        let tabs = TabsController()
        let engine = KeyboardEngine(
            rootViewController: tabs, layout: try Layout.named("us"), cachePolicy: .chain)
        tabs.becomeFirstResponder()

        #expect(try engine.press("⌘1")?.calls.keyCommands == 4)
        #expect(try engine.press("⌘1")?.calls.keyCommands == 0)

        // The cache cannot know of a new tab. The shadow check finds what it serves in vain.
        tabs.newTab(nil)
        engine.shadowCheck = true
        #expect(try engine.press("⌘2")?.cache.stale == 1)
        engine.shadowCheck = false

        tabs.setNeedsKeyCommandsUpdate()
        #expect(try engine.press("⌘2")?.action == "showTab:")
    }
}
