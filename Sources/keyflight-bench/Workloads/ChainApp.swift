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

    /// The responders' manner of answering, apart from what they perform.
    struct Manner {
        /// Each of them answers `canPerformAction` by code of its own, which is asked on every press.
        var answersItself = false
        /// Key commands are made once, not on every read.
        var keepsCommands = false
        /// Key commands that are kept come in the opposite order each time.
        var turnsCommands = false
    }

    convenience init(depth: Int, commands: Int, policy: CachePolicy, profile: String = "ios15") throws {
        try self.init(depth: depth, commandsInAll: depth * commands, policy: policy, profile: profile)
    }

    /// The commands are dealt out: each responder has one more than the last ones or as many.
    init(
        depth: Int, commandsInAll: Int, policy: CachePolicy, profile: String = "ios15", manner: Manner = Manner()
    ) throws {
        guard let layout = ShippedLayouts.named("us"), let profile = Profile.named(profile) else {
            throw BenchFailure("the shipped layout us and the profile are missing")
        }
        let bindings = (0..<commandsInAll).map(KeyBinding.init)
        self.bindings = bindings
        sources = (0..<depth).map { place in
            CommandSource(
                stride(from: place, to: bindings.count, by: depth).map { bindings[$0] }, manner)
        }
        let application = ChainApplication(sources[depth - 1])
        let window = ChainWindow(sources[depth - 2])
        application.addWindow(window)
        application.makeKey(window)
        var chain: [Responder] = [window, application]
        var outer: View = window
        for place in (0..<depth - 2).reversed() {
            let id = "view\(place)"
            let view =
                manner.answersItself ? AnsweringView(sources[place], id: id) : ChainView(sources[place], id: id)
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

    /// Letters but H, Q and Z: ⌘H and ⌘Q are the system's, and ⌘Z an edit command that text views would take first.
    private static let letters = Array("abcdefgijklmnoprstuvwxy")

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

/// The number of actions a responder performed.
private final class PerformedCount {
    var count = 0
}

/// The commands of one responder, and what it performs.
final class CommandSource {
    let bindings: [KeyBinding]
    let actions: Set<Selector>
    private let performed = PerformedCount()
    private var kept: [KeyCommand]?
    /// The answer to the next read.
    private var turned: [KeyCommand]?

    init(_ bindings: [KeyBinding], _ manner: ChainApp.Manner) {
        self.bindings = bindings
        actions = Set(bindings.map(\.action))
        if manner.keepsCommands { kept = made }
        if manner.turnsCommands { turned = kept?.reversed() }
    }

    fileprivate var keyCommands: [KeyCommand] {
        if turned != nil { swap(&kept, &turned) }
        return kept ?? made
    }

    private var made: [KeyCommand] {
        bindings.map { KeyCommand(input: $0.input, modifierFlags: $0.modifiers, action: $0.action) }
    }

    fileprivate func addActions(to responder: Responder) {
        for binding in bindings {
            responder.addAction(
                Action(binding.action, performing: { [performed] (_: Responder, _: Any?) in performed.count &+= 1 }))
        }
    }
}

private class ChainView: View {
    let source: CommandSource
    init(_ source: CommandSource, id: String) {
        self.source = source
        super.init(id: id)
        source.addActions(to: self)
    }
    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
}

private final class AnsweringView: ChainView {
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        source.actions.contains(action)
    }
}

private final class ChainWindow: Window {
    let source: CommandSource
    init(_ source: CommandSource) {
        self.source = source
        super.init(id: "window")
        source.addActions(to: self)
    }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
}

private final class ChainApplication: Application {
    let source: CommandSource
    init(_ source: CommandSource) {
        self.source = source
        super.init(id: "application")
        source.addActions(to: self)
    }
    override var keyCommands: [KeyCommand]? { source.keyCommands }
}
