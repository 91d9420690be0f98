package import FlightReplay
import KeyModel
package import LatencyAnalysis
import ResponderEngine
import Scenes
package import TraceFormat

/// Presses every chord that a scene offers, in every focus context that it has: each of them in responders of its
/// own, so that one press leaves nothing behind for the next.
package struct SceneSweep {
    private let replay: SceneReplay
    /// The first responder of each context; `nil` without one.
    package let contexts: [String?]
    /// Presses in the sweep. Limited, since a scene may have too many chords and contexts.
    package private(set) var presses = 0
    /// True if not every chord was pressed in every context.
    package private(set) var isShortened = false
    package static let pressLimit = 20_000

    /// Ids of the responders that were asked for their commands in some context.
    package private(set) var asked: Set<String> = []

    /// The context in which the scene begins comes first, then one for each responder that can be first or have the
    /// focus, in the order of the scene. One that is not in a window, such as a controller that is not presented, is
    /// left out, and one that the focus does not come to.
    package init(_ replay: SceneReplay) throws {
        self.replay = replay
        let instance = try replay.instantiate()
        let first = instance.engine.firstResponder?.id
        let others = try instance.responders.filter { responder in
            guard responder.id != first, SceneSweep.isAttached(responder) else { return false }
            if !responder.canBecomeFirstResponder, !instance.engine.isDeclaredFocusable(responder) { return false }
            let other = try replay.instantiate()
            try? other.apply(.focus(responder.id), at: .zero)
            return other.engine.firstResponder?.id == responder.id || other.engine.focusedItem?.id == responder.id
        }
        contexts = [first] + others.map { $0.id }
    }

    /// The chain from it ends at the application, or goes by a window.
    static func isAttached(_ responder: Responder) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        var here: Responder? = responder
        while let responder = here, seen.insert(ObjectIdentifier(responder)).inserted {
            if responder is Window || responder is Application { return true }
            here = responder.next
        }
        return false
    }

    /// One press in a context of the scene, recorded in clear at level `calls`.
    package struct Press {
        /// The responder that is first or has the focus; `nil` without one.
        package var context: String?
        /// The chord, as a command has it; `nil` for the press that asks all responders for their commands.
        package var chord: CommandChord?
        package var recording: Recording

        /// `focus search`, or `nobody is first responder`.
        package var place: String { context.map { "focus \($0)" } ?? "nobody is first responder" }
    }

    /// In each context, a press of a key that no command has, then one of each chord that is offered there.
    package mutating func run(_ visit: (Press) throws -> Void) throws {
        for context in contexts {
            guard let probe = try record(SceneSweep.unusedKey, in: context) else { continue }
            try visit(Press(context: context, recording: probe))
            for chord in offers(of: probe) {
                guard presses < SceneSweep.pressLimit else {
                    isShortened = true
                    return
                }
                guard let recording = try record(chord, in: context) else { continue }
                presses += 1
                try visit(Press(context: context, chord: chord, recording: recording))
            }
        }
    }

    /// The receiver of each chord that is offered, in each context.
    package mutating func bindings(_ visit: (Press) throws -> Void = { _ in }) throws -> BindingsAnalysis {
        var analyzer = BindingsAnalyzer()
        try run { press in
            analyzer.scan(press.recording, context: press.context, chord: press.chord)
            try visit(press)
        }
        return analyzer.analysis()
    }

    /// The result of a press of this chord in a context; `nil` for one that the layout does not type.
    package func answer(to chord: CommandChord, in context: String?) throws -> BindingsAnalysis.Answer? {
        try record(chord, in: context).flatMap(BindingsAnalyzer.answer)
    }

    /// A key that no keyboard of today has.
    private static let unusedKey = KeyScript.KeyChord(modifiers: [], key: .usage(.keyboard(0x73)))

    /// The chords that are offered in this context, the main menu included, each once, in the order of the chain.
    private mutating func offers(of probe: Recording) -> [CommandChord] {
        var seen: Set<CommandChord> = []
        var chords: [CommandChord] = []
        for case .call(let call) in probe.records.map(\.body) {
            guard case .commands(let list) = call.answer else { continue }
            if call.kind == .keyCommands, let id = probe.definitions.id(of: call.responder) { asked.insert(id) }
            for command in (probe.definitions[list] ?? []).compactMap({ probe.definitions[$0] }) {
                guard let input = command.input, !input.isEmpty else { continue }
                let chord = CommandChord(input: input, modifiers: command.modifiers)
                if seen.insert(chord.folded).inserted { chords.append(chord) }
            }
        }
        return chords
    }

    private func record(_ chord: CommandChord, in context: String?) throws -> Recording? {
        try SceneSweep.key(of: chord).flatMap { try record($0, in: context) }
    }

    /// `nil` for a chord that the layout does not type.
    private func record(_ chord: KeyScript.KeyChord, in context: String?) throws -> Recording? {
        guard let timeline = try timeline(of: chord, in: context) else { return nil }
        return try replay.record(timeline, showsKeys: true)
    }

    /// A press of a command's chord in a context; `nil` for one that the layout does not type.
    package func timeline(of chord: CommandChord, in context: String?) throws -> ReplayTimeline? {
        try SceneSweep.key(of: chord).flatMap { try timeline(of: $0, in: context) }
    }

    private func timeline(of chord: KeyScript.KeyChord, in context: String?) throws -> ReplayTimeline? {
        var steps: [KeyScript.Line] = []
        // The scene begins in the first of them.
        if let context, context != contexts.first { steps.append(.init(number: 1, step: .context(.focus(context)))) }
        steps.append(.init(number: 2, step: .press(chord)))
        do {
            return try replay.timeline(of: KeyScript(file: replay.scene.file, steps: steps))
        } catch is SourceTextError {
            return nil
        }
    }

    private static func key(of chord: CommandChord) -> KeyScript.KeyChord? {
        let modifiers = chord.modifiers.intersection(.matchMask)
        if let usage = CommandDefinition.key(ofInput: chord.input) {
            return KeyScript.KeyChord(modifiers: modifiers, key: .usage(usage))
        }
        guard chord.input.count == 1, let character = chord.input.lowercased().first else { return nil }
        return KeyScript.KeyChord(modifiers: modifiers, key: .character(character))
    }
}
