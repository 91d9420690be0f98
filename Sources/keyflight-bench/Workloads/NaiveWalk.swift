import KeyModel
import ResponderEngine

/// The baseline of dispatch: the cost for an app that answers `keyCommands` as documented, asked in three
/// passes. Each responder builds its array anew on every read; the last pass's list is searched for the press; the
/// first responder on the chain that performs the action gets it. It shares no code with the engine.
final class NaiveResponder {
    struct Binding {
        let input: String
        let modifiers: UInt32
        let action: String
        let title: String
    }

    final class Command {
        let input: String
        let modifiers: UInt32
        let action: String
        let title: String

        init(_ binding: Binding) {
            input = binding.input
            modifiers = binding.modifiers
            action = binding.action
            title = binding.title
        }
    }

    let bindings: [Binding]
    private let actions: Set<String>
    let next: NaiveResponder?
    private(set) var performed = 0

    init(bindings: [Binding], next: NaiveResponder?) {
        self.bindings = bindings
        self.next = next
        actions = Set(bindings.map(\.action))
    }

    var keyCommands: [Command] { bindings.map(Command.init) }
    func canPerform(_ action: String) -> Bool { actions.contains(action) }
    func perform() { performed &+= 1 }
}

struct NaiveWalk {
    let first: NaiveResponder
    private static let passes = 3

    /// Presses of an app that is asked three times for all of its commands.
    static func row(_ workload: Workload, _ name: String, _ app: ChainApp, presses: Int) throws -> BenchCase {
        let bindings = PressSequence(app, presses: presses).bindings
        let walk = try NaiveWalk(app)
        return BenchCase(
            workload: workload, name: name, unit: "press", unitsPerRun: bindings.count,
            counters: [ExactCounter("keyCommands calls", passes * app.sources.count)],
            run: { try walk.press(bindings) })
    }

    /// The same commands at the same places of a chain.
    init(_ app: ChainApp) throws {
        var next: NaiveResponder?
        for source in app.sources.reversed() {
            let bindings = source.bindings.map {
                NaiveResponder.Binding(
                    input: $0.input, modifiers: $0.modifiers.rawValue, action: $0.action.name, title: "")
            }
            next = NaiveResponder(bindings: bindings, next: next)
        }
        guard let next else { throw BenchFailure("a chain without responders") }
        first = next
    }

    func press(_ bindings: [KeyBinding]) throws {
        for binding in bindings {
            let isPerformed = press(input: binding.input, modifiers: binding.modifiers.rawValue)
            try BenchFailure.check(isPerformed, "the naive walk missed \(binding.action)")
        }
    }

    /// True when a responder performed a command for this press.
    func press(input: String, modifiers: UInt32) -> Bool {
        var match: NaiveResponder.Command?
        for _ in 0..<NaiveWalk.passes {
            var collected: [NaiveResponder.Command] = []
            var asked: NaiveResponder? = first
            while let responder = asked {
                collected.append(contentsOf: responder.keyCommands)
                asked = responder.next
            }
            match = collected.first { $0.modifiers == modifiers && $0.input == input }
        }
        guard let match else { return false }
        var asked: NaiveResponder? = first
        while let responder = asked {
            if responder.canPerform(match.action) {
                responder.perform()
                return true
            }
            asked = responder.next
        }
        return false
    }
}
