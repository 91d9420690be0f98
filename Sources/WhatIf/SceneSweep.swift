package import FlightReplay
import KeyModel
import LatencyAnalysis
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

    /// The context in which the scene begins comes first, then one for each responder that can be first or have the
    /// focus, in the order of the scene.
    package init(_ replay: SceneReplay) throws {
        self.replay = replay
        let instance = try replay.instantiate()
        let first = instance.engine.firstResponder?.id
        let others = instance.responders.filter { responder in
            guard responder.id != first else { return false }
            return responder.canBecomeFirstResponder || instance.engine.isDeclaredFocusable(responder)
        }
        contexts = [first] + others.map { $0.id }
    }

    /// One press in a context of the scene, recorded in clear at level `calls`.
    package struct Press {
        /// `focus search`, or `nobody is first responder`.
        package var place: String
        package var recording: Recording
    }

    package mutating func run(_ visit: (Press) throws -> Void) throws {
        for context in contexts {
            let place = SceneSweep.place(context)
            for chord in try offers(in: context) {
                guard presses < SceneSweep.pressLimit else {
                    isShortened = true
                    return
                }
                guard let recording = try record(chord, in: context) else { continue }
                presses += 1
                try visit(Press(place: place, recording: recording))
            }
        }
    }

    /// Asks all responders once in each context, by a press without a command.
    package func probe(_ visit: (Press) throws -> Void) throws {
        for context in contexts {
            guard let recording = try record(SceneSweep.unusedKey, in: context) else { continue }
            try visit(Press(place: SceneSweep.place(context), recording: recording))
        }
    }

    private static func place(_ context: String?) -> String {
        context.map { "focus \($0)" } ?? "nobody is first responder"
    }

    /// A key that no keyboard of today has.
    private static let unusedKey = KeyScript.KeyChord(modifiers: [], key: .usage(.keyboard(0x73)))

    /// The chords that are offered in this context, the main menu included, each once, in the order of the chain.
    private func offers(in context: String?) throws -> [KeyScript.KeyChord] {
        guard let recording = try record(SceneSweep.unusedKey, in: context) else { return [] }
        var chords: [KeyScript.KeyChord] = []
        for case .call(let call) in recording.records.map(\.body) {
            guard case .commands(let list) = call.answer else { continue }
            for command in (recording.definitions[list] ?? []).compactMap({ recording.definitions[$0] }) {
                guard let chord = SceneSweep.chord(of: command), !chords.contains(chord) else { continue }
                chords.append(chord)
            }
        }
        return chords
    }

    /// `nil` for a chord that the layout does not type.
    private func record(_ chord: KeyScript.KeyChord, in context: String?) throws -> Recording? {
        var steps: [KeyScript.Line] = []
        // The scene begins in the first of them.
        if let context, context != contexts.first { steps.append(.init(number: 1, step: .context(.focus(context)))) }
        steps.append(.init(number: 2, step: .press(chord)))
        let timeline: ReplayTimeline
        do {
            timeline = try replay.timeline(of: KeyScript(file: replay.scene.file, steps: steps))
        } catch is SourceTextError {
            return nil
        }
        return try replay.record(timeline, showsKeys: true)
    }

    private static func chord(of command: CommandDefinition) -> KeyScript.KeyChord? {
        guard let input = command.input else { return nil }
        let modifiers = command.modifiers.intersection(.matchMask)
        if let usage = CommandDefinition.key(ofInput: input) {
            return KeyScript.KeyChord(modifiers: modifiers, key: .usage(usage))
        }
        guard input.count == 1, let character = input.lowercased().first else { return nil }
        return KeyScript.KeyChord(modifiers: modifiers, key: .character(character))
    }
}
