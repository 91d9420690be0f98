import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// A responder that is told what it does: commands, actions, swallowed presses; and counts what it is asked.
final class ProbeController: ViewController {
    var commands: [KeyCommand] = []
    var implemented: Set<String> = []
    var refused: Set<String> = []
    var swallows = false
    var nextOverride: Responder?
    var redirect: [String: Responder?] = [:]
    var onAction: (String) -> Void = { _ in }
    private(set) var performed: [String] = []
    private(set) var reads = 0
    private(set) var presses: [String] = []
    var firstAllowed = true

    override var canBecomeFirstResponder: Bool { firstAllowed }
    override var next: Responder? { nextOverride ?? super.next }
    override var keyCommands: [KeyCommand]? {
        reads += 1
        return commands
    }
    override func responds(to action: Selector) -> Bool { implemented.contains(action.name) }
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        !refused.contains(action.name) && super.canPerformAction(action, withSender: sender)
    }
    override func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        if let target = redirect[action.name] { return target }
        return super.target(forAction: action, withSender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        performed.append(action.name)
        onAction(action.name)
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        self.presses.append("began \(presses.first?.key?.charactersIgnoringModifiers ?? "")")
        if !swallows { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) { self.presses.append("ended") }
    override func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) {
        self.presses.append("cancelled")
    }
}

/// An app of one window: application ← scene ← window ← `vc` ← `view`.
struct Bench {
    let application = Application(id: "app")
    let scene = WindowScene(id: "scn")
    let window = Window(id: "win")
    let vc = ProbeController(id: "vc")
    let view = View(id: "view")
    let engine: KeyboardEngine

    init(_ profile: String, layout: String = "us", cache: CachePolicy = .none) throws {
        engine = KeyboardEngine(
            application: application, profile: try #require(Profile.named(profile)),
            layout: try #require(ShippedLayouts.named(layout)), cachePolicy: cache)
        // Keys that no focus system takes: an iPhone's, unless a test says otherwise.
        engine.hasFocusSystem = false
        application.connect(scene)
        scene.addWindow(window)
        window.rootViewController = vc
        window.addSubview(view)
        vc.view = view
        application.makeKey(window)
        engine.focus(view)
    }

    func addTextField(text: String = "") -> TextField {
        let field = TextField(id: "field", text: text)
        view.addSubview(field)
        engine.focus(field)
        return field
    }

    func addTextView(text: String = "") -> TextView {
        let field = TextView(id: "text", text: text)
        view.addSubview(field)
        engine.focus(field)
        return field
    }

    static func keys(_ chord: String) throws -> [KeyUsage] {
        let (modifiers, key) = try Chord.parse(chord)
        guard case .usage(let usage) = key else { return [] }
        let order: [(KeyModifiers, KeyUsage)] = [
            (.control, .leftControl), (.option, .leftAlt), (.shift, .leftShift), (.command, .leftGUI),
        ]
        return order.filter { modifiers.contains($0.0) }.map(\.1) + [usage]
    }

    /// Modifiers down, the key down, and no up.
    @discardableResult
    func down(_ chord: String) throws -> Resolution {
        let resolutions = try Bench.keys(chord).map { engine.keyDown(.clear($0), at: .zero) }
        return try #require(resolutions.last ?? nil)
    }

    @discardableResult
    func up(_ chord: String) throws -> Release {
        let releases = try Bench.keys(chord).reversed().map { engine.keyUp(.clear($0), at: .zero) }
        return try #require(releases.first ?? nil)
    }

    @discardableResult
    func press(_ chord: String) throws -> Resolution {
        let resolution = try down(chord)
        try up(chord)
        return resolution
    }
}

func command(
    _ input: String, _ modifiers: KeyModifiers = [], _ action: Selector, priority: Bool = false,
    attributes: MenuElement.Attributes = []
) -> KeyCommand {
    let command = KeyCommand(title: "", action: action, input: input, modifierFlags: modifiers, attributes: attributes)
    command.wantsPriorityOverSystemBehavior = priority
    return command
}
