import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat
import WhatIf

/// What `bindings`, the overlay, `explain` and `replay` have in common: for each chord that a scene offers, in each of
/// its focus contexts, they name the same outcome, supplier, action and target.
package enum AgreementProperty {
    private struct Result: Equatable {
        var outcome: Outcome
        var takenBy: TakenBy?
        var supplier: String?
        var action: String?
        var target: String?

        init(_ line: ReplayLine) {
            (outcome, takenBy, supplier) = (line.outcome, line.takenBy, line.supplier)
            (action, target) = (line.action, line.target)
        }

        init(_ answer: BindingsAnalysis.Answer) {
            (outcome, takenBy, supplier) = (answer.outcome, answer.takenBy, answer.supplier)
            (action, target) = (answer.action, answer.target)
        }

        init(_ facts: PressExplanation.ResolutionFacts) {
            (outcome, takenBy, supplier) = (facts.outcome, facts.takenBy, facts.supplier)
            (action, target) = (facts.action, facts.target)
        }
    }

    package static let profiles = ["ios9", "ios134", "ios15", "ios26"]

    /// The scene of a seed, without keys; in every third one a responder swallows presses.
    package static func scene(_ seed: UInt64, commands: Int = 3) -> GeneratedCase {
        let limits = CaseGenerator.Limits(responders: commands + 2, commands: commands, keys: 0)
        var generator = CaseGenerator(seed: seed, limits: limits)
        var made = generator.make()
        if seed % 3 == 0 { made.members[Int(seed / 3) % made.members.count].swallows = true }
        return made
    }

    /// The profile of a seed: each scene is tried under one.
    package static func profile(_ seed: UInt64) -> String { profiles[Int(seed % UInt64(profiles.count))] }

    /// The first disagreement; `nil` where there is none. `pressed` counts the chords.
    package static func failure(of generated: GeneratedCase, profile: String, pressed: inout Int) throws -> String? {
        let replay = try CacheProperty.replay(of: generated, profile: profile)
        var sweep = try SceneSweep(replay)
        var presses: [SceneSweep.Press] = []
        let analysis = try sweep.bindings { if $0.chord != nil { presses.append($0) } }
        for press in presses {
            pressed += 1
            guard let chord = press.chord, let key = press.key,
                let timeline = try sweep.timeline(of: key, in: press.context),
                let line = try replay.lines(of: timeline).last
            else { return "\(press.place): nothing replays" }
            let place = "\(press.place), \(chord.modifiers.names) \(chord.input) under \(profile)"
            let expected = Result(line)
            guard let binding = binding(of: chord, press, analysis), let answer = binding.answer else {
                return "\(place): bindings has no answer, replay \(expected)"
            }
            if Result(answer) != expected { return "\(place): bindings \(answer), replay \(expected)" }
            if let failure = disagreement(binding, expected) { return "\(place): \(failure)" }
            if let failure = explained(press.recording, expected) { return "\(place): \(failure)" }
        }
        return try overlayFailure(replay, sweep).map { "overlay under \(profile): \($0)" }
    }

    private static func binding(
        of chord: CommandChord, _ press: SceneSweep.Press, _ analysis: BindingsAnalysis
    ) -> BindingsAnalysis.Binding? {
        analysis.bindings.first {
            CommandChord(input: $0.input, modifiers: $0.modifiers).folded == chord.folded
                && (press.context == nil || $0.context == press.context)
        }
    }

    /// The provider is the command that runs, where that is one of those that have the chord.
    private static func disagreement(_ binding: BindingsAnalysis.Binding, _ result: Result) -> String? {
        guard let provider = binding.provider else {
            let offers = binding.offers.contains { $0.supplier == result.supplier && $0.action == result.action }
            return result.outcome == .performed && offers ? "no provider, and replay \(result)" : nil
        }
        let agrees = result.outcome == .performed && provider.supplier == result.supplier
            && provider.action == result.action
        return agrees ? nil : "provider \(provider), and replay \(result)"
    }

    private static func explained(_ recording: Recording, _ result: Result) -> String? {
        var explainer = PressExplainer(.press(1))
        explainer.begin(recording.initialContext)
        explainer.consume(recording)
        guard let facts = explainer.explanation(definitions: recording.definitions)?.resolution else {
            return "explain has no resolution, replay \(result)"
        }
        return Result(facts) == result ? nil : "explain \(facts), replay \(result)"
    }

    /// What the overlay says of its entries' keys.
    private static func overlayFailure(_ replay: SceneReplay, _ sweep: SceneSweep) throws -> String? {
        let context = sweep.contexts[0]
        for entry in try replay.instantiate().engine.overlay().entries {
            guard let own = entry.input, let input = entry.effectiveInput else { continue }
            let typed = CommandChord(input: input, modifiers: entry.modifiers)
            let chord = CommandChord(input: own, modifiers: entry.modifiers)
            guard let answer = try sweep.answer(to: chord, as: typed, in: context), let key = sweep.key(of: typed),
                let timeline = try sweep.timeline(of: key, in: context)
            else { continue }
            let line = try replay.lines(of: timeline).last
            if line.map({ Result($0) }) != Result(answer) { return "\(entry.key) \(entry.action.name)" }
        }
        return nil
    }
}
