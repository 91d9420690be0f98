import FlightReplay
import KeyLayout
import KeyModel
import ResponderEngine
import Scenes

/// An app of nothing but a chain: nested views, their window and the application, each with key commands of its own
/// that it builds anew on every read, as apps do, and performs itself.
final class ChainApp: ReplaySubject {
    let name = "bench chain"
    let engine: KeyboardEngine
    let responders: [Responder]
    var costs = ServiceCosts()
    let bindings: [KeyBinding]
    /// The chain's commands, nearest responder first.
    let sources: [CommandSource]

    init(depth: Int, commands: Int, policy: CachePolicy, profile: String = "ios15") throws {
        guard let layout = ShippedLayouts.named("us"), let profile = Profile.named(profile) else {
            throw BenchFailure("the shipped layout us and the profile are missing")
        }
        let bindings = (0..<depth * commands).map(KeyBinding.init)
        self.bindings = bindings
        sources = (0..<depth).map { place in
            CommandSource(bindings.enumerated().filter { $0.offset % depth == place }.map(\.element))
        }
        let application = ChainApplication(sources[depth - 1])
        let window = ChainWindow(sources[depth - 2])
        application.addWindow(window)
        application.makeKey(window)
        var chain: [Responder] = [window, application]
        var outer: View = window
        for place in (0..<depth - 2).reversed() {
            let view = ChainView(sources[place], id: "view\(place)")
            outer.addSubview(view)
            chain.insert(view, at: 0)
            outer = view
        }
        responders = chain
        engine = KeyboardEngine(application: application, profile: profile, layout: layout, cachePolicy: policy)
        engine.focus(chain[0])
    }

    func perform(_ step: ContextStep, at time: TraceTime) throws {
        throw BenchFailure("a chain has no step \(step.text)")
    }
}

/// One shortcut: the `number`th distinct pair of modifiers and key.
struct KeyBinding {
    let input: String
    let modifiers: KeyModifiers
    let action: Selector
    /// `nil` for inputs that no key of the layout types.
    let usage: KeyUsage?

    /// Letters but H and Z: ⌘H is the system's, and ⌘Z an edit command that text views would take first.
    private static let letters = Array("abcdefgijklmnopqrstuvwxy")

    /// Sixteen sets of modifiers, then the next letter; when letters end, characters of other scripts.
    init(number: Int) {
        let at = number / 16
        var modifiers: KeyModifiers = []
        for (bit, flag) in [KeyModifiers.shift, .control, .option, .command].enumerated() where number >> bit & 1 == 1 {
            modifiers.insert(flag)
        }
        self.modifiers = modifiers
        action = Selector("perform\(number):")
        if at < KeyBinding.letters.count {
            let letter = KeyBinding.letters[at]
            input = String(letter)
            usage = KeyUsage(name: String(letter))
        } else {
            input = Unicode.Scalar(0x4E00 + UInt32(at)).map { String(Character($0)) } ?? ""
            usage = nil
        }
    }
}

/// The commands of one responder, and what it performs.
final class CommandSource {
    let bindings: [KeyBinding]
    private let actions: SelectorSet
    fileprivate(set) var performed = 0

    init(_ bindings: [KeyBinding]) {
        self.bindings = bindings
        actions = SelectorSet(bindings.map(\.action))
    }

    fileprivate var keyCommands: [KeyCommand] {
        bindings.map { KeyCommand(input: $0.input, modifierFlags: $0.modifiers, action: $0.action) }
    }
    fileprivate func responds(to action: Selector) -> Bool { actions.contains(action) }
}

private final class ChainView: View {
    let source: CommandSource
    init(_ source: CommandSource, id: String) {
        self.source = source
        super.init(id: id)
    }
    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
    override func responds(to action: Selector) -> Bool { source.responds(to: action) }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { source.performed &+= 1 }
}

private final class ChainWindow: Window {
    let source: CommandSource
    init(_ source: CommandSource) {
        self.source = source
        super.init(id: "window")
    }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
    override func responds(to action: Selector) -> Bool { source.responds(to: action) }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { source.performed &+= 1 }
}

private final class ChainApplication: Application {
    let source: CommandSource
    init(_ source: CommandSource) {
        self.source = source
        super.init(id: "application")
    }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
    override func responds(to action: Selector) -> Bool { source.responds(to: action) }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { source.performed &+= 1 }
}
