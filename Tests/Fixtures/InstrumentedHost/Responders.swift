import FlightRecorder

/// A key command of this program.
struct Shortcut: RecordedCommand, Equatable {
    var input: Character
    var modifiers: KeyModifiers
    var action: String
    /// Made of what a person wrote: never recorded.
    var title: String

    var recordedInput: String? { String(input) }
    var recordedModifiers: KeyModifiers { modifiers }
    var recordedAction: String { action }
}

/// An object on the chain of this program.
class Responder {
    let name: String
    let next: Responder?
    /// How long this responder takes over its answers.
    var cost: HandlerWork

    init(_ name: String, next: Responder?, cost: HandlerWork) {
        self.name = name
        self.next = next
        self.cost = cost
        Keyflight.name(self, name)
        Keyflight.link(self, to: next)
    }

    deinit { Keyflight.forget(self) }

    var keyCommands: [Shortcut] { [] }
    func canPerform(_ action: String) -> Bool { false }
    func validate(_ action: String) -> Bool { true }
    func perform(_ action: String) {}

    /// True when the press goes on to the next responder.
    func pressBegan() -> Bool {
        Keyflight.received(self, .down)
        return true
    }
}

/// Builds its list anew whenever it is asked, as many apps do.
final class TabBar: Responder {
    private(set) var closedTabs = 0

    override var keyCommands: [Shortcut] {
        Keyflight.keyCommands(of: self) {
            cost.run()
            return [
                Shortcut(input: "t", modifiers: .command, action: "newTab:", title: "New Tab"),
                Shortcut(input: "w", modifiers: .command, action: "closeTab:", title: "Close My Secret Plan"),
            ]
        }
    }

    override func canPerform(_ action: String) -> Bool {
        Keyflight.canPerform(action, on: self) { action == "closeTab:" || action == "newTab:" }
    }

    override func validate(_ action: String) -> Bool {
        Keyflight.validate(action, on: self) {
            cost.run()
            return true
        }
    }

    override func perform(_ action: String) {
        cost.run()
        if action == "closeTab:" { closedTabs += 1 }
    }
}

/// Keeps its list until it changes.
final class Editor: Responder {
    private var list: [Shortcut]?

    override var keyCommands: [Shortcut] {
        if let list { return list }
        let fresh = Keyflight.keyCommands(of: self) {
            cost.run()
            return [Shortcut(input: "b", modifiers: .command, action: "bold:", title: "Bold")]
        }
        list = fresh
        return fresh
    }

    override func canPerform(_ action: String) -> Bool { Keyflight.canPerform(action, on: self) { action == "bold:" } }
}
