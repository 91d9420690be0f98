package import FlightReplay
package import KeyModel
package import LatencyAnalysis
package import ResponderEngine
import ResponderKit
import Scenes
package import TraceFormat

extension PressRules {
    /// An engine without responders under these rules; `otherwise` where the recording names no profile or layout.
    package func engine(
        _ definitions: TraceDefinitions, otherwise: (profile: Profile, layout: Layout)
    ) -> KeyboardEngine {
        let parameters = environment.sorted { $0.key < $1.key }.compactMap { fact in
            EnvironmentRecord.profileParameter(fact.key).map { (name: $0, value: fact.value) }
        }
        let profile = environment["profile"].flatMap { RecordedEnvironment.profile($0, parameters) }
        let layout = layoutTable.flatMap { definitions[$0] }.flatMap { try? Layout(text: $0) }
        let engine = KeyboardEngine(
            application: Application(id: ""), profile: profile ?? otherwise.profile,
            layout: layout ?? otherwise.layout)
        if environment["direction"] == "rtl" { engine.layoutDirection = .rtl }
        return engine
    }
}

extension PressExplanation {
    /// Adds those who offer a command for the pressed key among `offers` and were not asked for this press. `engine`
    /// has the rules of the press.
    package mutating func addUnasked(_ offers: [(id: String, commands: [KeyCommand])], under engine: KeyboardEngine) {
        // Without the links of the chain none can be said to be off it.
        guard !ladder.isEmpty, missingCandidates != .firstResponder, missingCandidates != .links, let key,
            let usage = key.key.usage
        else { return }
        for offer in offers where !ladder.contains(where: { $0.id == offer.id }) {
            guard let found = engine.match(of: offer.commands, key: usage, modifiers: key.modifiers) else { continue }
            let command = CommandDefinition(
                input: found.command.input, modifiers: found.modifiers, action: found.action.name)
            guard !notAsked.contains(where: { $0.id == offer.id && $0.command.action == command.action }) else {
                continue
            }
            notAsked.append(UnaskedOffer(id: offer.id, command: command, departure: departures[offer.id]))
        }
    }
}

extension PressExplanation {
    /// Adds the responders of a scene as it begins: with key commands, SwiftUI's shortcuts, and the keys that
    /// `onKeyPress` handles.
    package mutating func addUnasked(of replay: SceneReplay, under engine: KeyboardEngine) throws {
        let handlers = engine.profile.keyPressHandlers == .none ? [] : replay.scene.responders.flatMap { responder in
            responder.hosted.keyPressHandlers.map { (id: responder.id, handler: $0) }
        }
        let handled = handlers.filter { $0.handler.result == .handled && $0.handler.phases.contains(.down) }
        let held = (key?.modifiers ?? []).intersection(.matchMask)
        let offers = try replay.instantiate().responders.map { responder in
            let keys = handled.filter { $0.id == responder.id }.flatMap(\.handler.keys)
            let commands = (responder.keyCommands ?? []) + ((responder as? ViewController)?.hostedShortcuts ?? [])
                + keys.map { KeyCommand(input: $0, modifierFlags: held, action: "onKeyPress") }
            return (id: responder.id, commands: commands)
        }
        addUnasked(offers, under: engine)
    }
}

extension BindingsAnalysis {
    /// Presses of chords that a script did not press. Limited, since each takes all presses before it.
    private static let pressLimit: UInt64 = 200_000

    /// Presses each chord that was offered and never pressed, where keys started last, and in responders of its own.
    package mutating func pressOthers(by plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        layout = rules?.layoutName
        var left = BindingsAnalysis.pressLimit
        for at in bindings.indices where bindings[at].presses == 0 {
            let binding = bindings[at]
            guard let context = contexts.first(where: { $0.start == binding.context }), context.lastPress > 0,
                left >= UInt64(context.lastPress)
            else { continue }
            left -= UInt64(context.lastPress)
            let place = ReplayCheckpoint(plan, timeline, before: context.lastPress)
            var typed: String?
            let found = try place.resolution { engine in
                let (input, key) = engine.key(of: binding)
                typed = input
                return key
            }
            bindings[at].hasNoKey = found == nil
            guard let found else { continue }
            bindings[at].typedInput = typed
            bindings[at].typedKey = found.chord
            bindings[at].answer = Answer(found)
        }
    }

    /// Finds the key that each pressed chord has on the layout.
    package mutating func findKeys(under engine: KeyboardEngine) {
        layout = rules?.layoutName
        for at in bindings.indices where bindings[at].typedKey == nil && !bindings[at].isNowhere {
            let (input, key) = engine.key(of: bindings[at])
            guard let key else { continue }
            (bindings[at].typedInput, bindings[at].typedKey) = (input, key)
        }
    }

    /// Marks the chords of a recording that no command gets: those that no key of the layout types, and those that the
    /// system keeps.
    package mutating func markUnreachable(under engine: KeyboardEngine) {
        for at in bindings.indices where bindings[at].presses == 0 {
            let key = engine.key(of: bindings[at]).key
            bindings[at].hasNoKey = key.map(engine.becomesEscape) ?? true
            guard let key, engine.isReserved(key) else { continue }
            bindings[at].answer = Answer(
                outcome: .unhandled, takenBy: .system, supplier: nil, action: nil, target: nil, swallower: nil,
                isUnperformable: false)
        }
    }
}

extension KeyboardEngine {
    /// The input under which a binding's chord is searched, and the key that has it; `nil` where none has.
    fileprivate func key(of binding: BindingsAnalysis.Binding) -> (input: String, key: Chord?) {
        let input = effectiveInput(
            of: binding.input, isLocalised: !binding.attributes.contains(.notLocalised),
            isMirrored: !binding.attributes.contains(.notMirrored))
        return (input, key(ofInput: input, binding.modifiers))
    }
}

extension BindingsAnalysis.Answer {
    init(_ resolution: Resolution) {
        let swallower = resolution.outcome.isSwallowed ? resolution.receivers.last?.id : nil
        self.init(
            outcome: resolution.outcome, takenBy: resolution.takenBy, supplier: resolution.supplierID,
            action: resolution.action?.name, target: resolution.target?.id, swallower: swallower,
            isUnperformable: resolution.outcome == .unhandled && resolution.takenBy == nil
                && !resolution.shadowed.isEmpty)
    }
}
