import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// An app of one window around components: presses in, what they came to and did out.
struct ComponentBench {
    let application: Application
    let scene: WindowScene
    let window: Window
    let engine: KeyboardEngine
    let root: ViewController

    /// `root` is the window's; a view becomes its root view and first responder.
    init(
        _ profile: String = "ios15", root: ViewController = ViewController(id: "vc"), view: View? = nil,
        rightToLeft: Bool = false, focusSystem: Bool = false, window: Window = Window(id: "win"),
        application: Application = Application(id: "app"), scene: WindowScene = WindowScene(id: "scn"),
        cache: CachePolicy = .none
    ) throws {
        self.application = application
        self.scene = scene
        self.window = window
        self.root = root
        engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named(profile)), layout: ComponentBench.layout,
            cachePolicy: cache)
        engine.layoutDirection = rightToLeft ? .rtl : .ltr
        engine.hasFocusSystem = focusSystem
        application.connect(scene)
        scene.addWindow(window)
        window.rootViewController = root
        application.makeKey(window)
        if let view {
            root.view = view
            window.addSubview(view)
            engine.focus(view)
        }
    }

    static let layout: Layout = {
        guard let layout = ShippedLayouts.named("us") else { fatalError("us is a shipped layout") }
        return layout
    }()

    /// A press and its release, and what it came to.
    @discardableResult
    func press(_ chord: String, at milliseconds: Int64 = 0) throws -> Resolution {
        engine.advance(to: TraceTime(nanoseconds: milliseconds * 1_000_000))
        return try #require(try engine.press(chord))
    }

    /// The action performed, or how it ended otherwise.
    func came(_ chord: String) throws -> String {
        let resolution = try press(chord)
        return resolution.outcome == .performed ? resolution.action?.name ?? "" : resolution.outcome.name
    }

    func effects(_ chord: String) throws -> [Effect] { try press(chord).effects }
}

extension Responder {
    /// Inputs with their modifiers, as a chord is written.
    var listed: [String] {
        (keyCommands ?? []).map { command in
            let flags = [(KeyModifiers.control, "⌃"), (.option, "⌥"), (.shift, "⇧"), (.command, "⌘")]
                .filter { command.modifierFlags.contains($0.0) }.map(\.1).joined()
            let names = [
                KeyCommand.inputUpArrow: "↑", KeyCommand.inputDownArrow: "↓", KeyCommand.inputLeftArrow: "←",
                KeyCommand.inputRightArrow: "→", KeyCommand.inputEscape: "esc", KeyCommand.inputDelete: "⌫",
                " ": "space", "\r": "⏎", "\t": "⇥", KeyCommand.inputPageUp: "pageUp",
                KeyCommand.inputPageDown: "pageDown", KeyCommand.inputHome: "home", KeyCommand.inputEnd: "end",
            ]
            let input = command.input ?? ""
            return flags + (names[input] ?? input.uppercased())
        }
    }

    /// The responder with this id on the chain from here.
    func find(_ id: String) -> Responder? {
        var here: Responder? = self
        while let responder = here, responder.id != id { here = responder.next }
        return here
    }
}
