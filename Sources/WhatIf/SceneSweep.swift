package import FlightReplay
package import KeyModel
package import LatencyAnalysis
import ResponderEngine
import Scenes
package import TraceFormat

/// Presses every chord that a scene offers, in every focus context that it has: each of them in responders of its
/// own, so that one press leaves nothing behind for the next.
package struct SceneSweep {
    private let replay: SceneReplay
    /// The scene as it begins.
    private let scene: SceneInstance
    private var engine: KeyboardEngine { scene.engine }
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
        scene = instance
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

    /// Name of the layout that is typed on.
    package var layout: String { engine.layout.name }

    /// The chain from it ends at the application, or goes by a window.
    static func isAttached(_ responder: Responder) -> Bool {
        var walk = ChainWalk(from: responder)
        while let here = walk.step() {
            if here is Window || here is Application { return true }
        }
        return false
    }

    /// One press in a context of the scene, recorded in clear at level `calls`.
    package struct Press {
        /// The responder that is first or has the focus; `nil` without one.
        package var context: String?
        /// The chord, as a command has it; `nil` for the press that asks all responders for their commands.
        package var chord: CommandChord?
        /// The chord under which it is searched on the scene's layout.
        package var typed: CommandChord?
        /// The key that was pressed for it.
        package var key: Chord?
        package var recording: Recording

        /// `focus search`, or `nobody is first responder`.
        package var place: String { context.map { "focus \($0)" } ?? "nobody is first responder" }
    }

    /// In each context, a press of a key that no command has, then one of each chord that is offered there.
    package mutating func run(_ visit: (Press) throws -> Void) throws {
        for context in contexts {
            guard let probe = try record(SceneSweep.unusedKey, in: context) else { continue }
            try visit(Press(context: context, recording: probe))
            for (chord, typed) in offers(of: probe) {
                guard presses < SceneSweep.pressLimit else {
                    isShortened = true
                    return
                }
                presses += 1
                guard let (key, recording) = try press(chord, as: typed, in: context) else { continue }
                try visit(Press(context: context, chord: chord, typed: typed, key: key, recording: recording))
            }
        }
    }

    /// The receiver of each chord that is offered, in each context.
    package mutating func bindings(_ visit: (Press) throws -> Void = { _ in }) throws -> BindingsAnalysis {
        var analyzer = BindingsAnalyzer()
        var drops: [String] = []
        try run { press in
            for case .effect(let effect) in press.recording.records.map(\.body) {
                guard let conflict = effect.menuConflict(press.recording.definitions), conflict.isDropped,
                    !drops.contains(conflict.what)
                else { continue }
                drops.append(conflict.what)
            }
            analyzer.scan(press.recording, context: press.context, chord: press.chord, typed: press.typed?.input)
            try visit(press)
        }
        var analysis = analyzer.analysis()
        analysis.menuDrops = drops
        return analysis
    }

    /// The result of a press of a command's chord, which is searched as `typed`; `nil` where the layout has it not.
    package func answer(
        to chord: CommandChord, as typed: CommandChord, in context: String?
    ) throws -> BindingsAnalysis.Answer? {
        try press(chord, as: typed, in: context).flatMap { BindingsAnalyzer.answer(of: $0.recording) }
    }

    private func press(
        _ chord: CommandChord, as typed: CommandChord, in context: String?
    ) throws -> (key: Chord, recording: Recording)? {
        guard let key = key(of: typed), let recording = try record(key, in: context) else { return nil }
        // A character on another level of its key brings modifiers that the command does not have.
        let isExact = key.modifiers == typed.modifiers.intersection(.matchMask)
        return isExact || SceneSweep.reaches(chord, recording) ? (key, recording) : nil
    }

    /// Some command with this chord was found by the press.
    private static func reaches(_ chord: CommandChord, _ recording: Recording) -> Bool {
        recording.records.contains {
            guard case .candidate(let candidate) = $0.body, candidate.verdict != .otherModifiers,
                let command = recording.definitions[candidate.command]
            else { return false }
            return CommandChord(input: command.input ?? "", modifiers: command.modifiers).folded == chord.folded
        }
    }

    /// A key that no keyboard of today has.
    private static let unusedKey = Chord(modifiers: [], usage: .keyboard(0x73))

    /// The chords that are offered in this context, the main menu included, each once, in the order of the chain, and
    /// what each is searched as.
    private mutating func offers(of probe: Recording) -> [(own: CommandChord, typed: CommandChord)] {
        var seen: Set<CommandChord> = []
        var chords: [(own: CommandChord, typed: CommandChord)] = []
        for case .call(let call) in probe.records.map(\.body) {
            guard case .commands(let list) = call.answer else { continue }
            if call.kind == .keyCommands, let id = probe.definitions.id(of: call.responder) { asked.insert(id) }
            for command in (probe.definitions[list] ?? []).compactMap({ probe.definitions[$0] }) {
                guard let input = command.input, !input.isEmpty else { continue }
                let chord = CommandChord(input: input, modifiers: command.modifiers)
                guard seen.insert(chord.folded).inserted else { continue }
                let effective = engine.effectiveInput(
                    of: input, isLocalised: !command.attributes.contains(.notLocalised),
                    isMirrored: !command.attributes.contains(.notMirrored))
                chords.append((chord, CommandChord(input: effective, modifiers: command.modifiers)))
            }
        }
        return chords
    }

    private func record(_ chord: Chord, in context: String?) throws -> Recording? {
        guard let timeline = try timeline(of: chord, in: context) else { return nil }
        return try replay.record(timeline, showsKeys: true)
    }

    /// A press of a key in a context; `nil` for a context that the scene does not come to.
    package func timeline(of chord: Chord, in context: String?) throws -> ReplayTimeline? {
        var steps: [KeyScript.Line] = []
        // The scene begins in the first of them.
        if let context, context != contexts.first { steps.append(.init(number: 1, step: .context(.focus(context)))) }
        let key = KeyScript.KeyChord(modifiers: chord.modifiers, key: .usage(chord.usage))
        steps.append(.init(number: 2, step: .press(key)))
        do {
            return try replay.timeline(of: KeyScript(file: replay.scene.file, steps: steps))
        } catch is SourceTextError {
            return nil
        }
    }

    /// The key that types the input, with the modifiers that it takes besides; `nil` where no key alone does.
    package func key(of chord: CommandChord) -> Chord? {
        let modifiers = chord.modifiers.intersection(.matchMask)
        if let usage = CommandDefinition.key(ofInput: chord.input) {
            return Chord(modifiers: modifiers, usage: usage)
        }
        guard chord.input.count == 1, let character = chord.input.lowercased().first,
            let strokes = engine.layout.keyStrokes(typing: character), let stroke = strokes.first, strokes.count == 1
        else { return nil }
        return Chord(modifiers: modifiers.union(stroke.modifiers), usage: stroke.usage)
    }
}
