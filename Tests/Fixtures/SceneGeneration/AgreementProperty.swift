import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat
import WhatIf

/// What `bindings`, the overlay, `explain` and `replay` have in common: for each chord that a scene offers, in each of
/// its focus contexts, in a second window too, they name the same outcome, supplier, action and target; and so does
/// `bindings` of a script for each chord that the script did not press.
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

    package static let profiles = ["ios9", "ios134", "ios15", "ios26", "catalyst"]

    /// The scene of a seed, with a few keys; in every third one a responder swallows presses, and every other one has a
    /// second window.
    package static func scene(_ seed: UInt64, commands: Int = 3) -> GeneratedCase {
        let limits = CaseGenerator.Limits(responders: commands + 2, commands: commands, keys: 4)
        var generator = CaseGenerator(seed: seed, limits: limits)
        var made = generator.make()
        if seed % 3 == 0 { made.members[Int(seed / 3) % made.members.count].swallows = true }
        guard seed % 2 == 0 else { return made }
        var other = CaseGenerator(seed: ~seed, limits: limits)
        made.others = other.make().members.map { member in
            var other = member
            other.id = "other-" + member.id
            return other
        }
        return made
    }

    /// The profile of a seed: each scene is tried under one.
    package static func profile(_ seed: UInt64) -> String { profiles[Int(seed % UInt64(profiles.count))] }

    /// The first disagreement; `nil` where there is none. `pressed` counts the chords.
    /// `hasSystemItems`: those of the overlay are pressed as well.
    package static func failure(
        of generated: GeneratedCase, profile: String, hasSystemItems: Bool = true, pressed: inout Int
    ) throws -> String? {
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
        return try overlayFailure(replay, sweep, hasSystemItems).map { "overlay under \(profile): \($0)" }
            ?? scriptFailure(of: generated, replay).map { "script under \(profile): \($0)" }
    }

    /// A chord that a script did not press comes to what `bindings` has where it is pressed in place of the last press
    /// of its context.
    private static func scriptFailure(of generated: GeneratedCase, _ replay: SceneReplay) throws -> String? {
        func timeline(_ steps: ArraySlice<GeneratedCase.Step>, _ end: String = "") throws -> ReplayTimeline {
            var part = generated
            part.steps = Array(steps)
            return try replay.timeline(of: try KeyScript(text: part.script + "\n" + end, file: "generated.keys"))
        }
        let whole = try timeline(generated.steps[...])
        let recording = try replay.record(whole, showsKeys: true)
        var analyzer = BindingsAnalyzer()
        analyzer.begin(recording.initialContext)
        analyzer.consume(recording)
        var analysis = analyzer.analysis(definitions: recording.definitions)
        try analysis.pressOthers(by: replay, whole)
        let presses = generated.steps.indices.filter {
            generated.steps[$0].line.hasPrefix("press") || generated.steps[$0].line.hasPrefix("hold")
        }
        for binding in analysis.bindings {
            guard let key = binding.typedKey, let answer = binding.answer,
                let context = analysis.contexts.first(where: { $0.start == binding.context })
            else { continue }
            let before = generated.steps[..<presses[Int(context.lastPress) - 1]]
            let line = try replay.lines(of: try timeline(before, "press \(key.text)")).last
            guard line.map({ Result($0) }) != Result(answer) else { continue }
            return "\(key.text) before press \(context.lastPress): bindings \(answer), replay \(line as Any)"
        }
        return nil
    }

    private static func binding(
        of chord: CommandChord, _ press: SceneSweep.Press, _ analysis: BindingsAnalysis
    ) -> BindingsAnalysis.Binding? {
        let start = press.context.responder ?? start(of: press.recording)
        return analysis.bindings.first {
            CommandChord(input: $0.input, modifiers: $0.modifiers).folded == chord.folded && $0.context == start
        }
    }

    /// Where the press of a recording entered the chain.
    private static func start(of recording: Recording) -> String? {
        for case .resolution(let resolution) in recording.records.map(\.body) {
            return resolution.start.flatMap { recording.definitions[$0]?.id }
        }
        return nil
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

    /// The keys of the overlay's entries: what each comes to, that a dimmed item does not run by its key, and that one
    /// that is not dimmed does something.
    private static func overlayFailure(
        _ replay: SceneReplay, _ sweep: SceneSweep, _ hasSystemItems: Bool
    ) throws -> String? {
        let context = sweep.contexts[0]
        // Its end would take the chain apart.
        let instance = try replay.instantiate()
        let entries = withExtendedLifetime(instance) { instance.engine.overlay().entries }
        for entry in entries {
            guard let input = entry.effectiveInput, hasSystemItems || !entry.isSystem else { continue }
            let name = "\(entry.key) \(entry.action.name)"
            func line(_ key: Chord) throws -> ReplayLine? {
                try sweep.timeline(of: key, in: context).flatMap { try replay.lines(of: $0).last }
            }
            func runs(_ line: ReplayLine?) -> Bool {
                guard let line, entry.supplier == nil else { return false }
                if entry.isSystem, line.takenBy == .system { return true }
                let isOfMenu = line.supplier == "mainMenu" || line.takenBy == .standardEdit
                return line.outcome == .performed && line.action == entry.action.name && isOfMenu
            }
            let typed = CommandChord(input: input, modifiers: entry.modifiers)
            guard let answer = try sweep.answer(to: typed, in: context), let key = sweep.key(of: typed) else {
                for usage in UInt16(0x04)...0x65 {
                    for modifiers in [entry.modifiers, entry.modifiers.union(.shift)] {
                        let key = Chord(modifiers: modifiers, usage: .keyboard(usage))
                        if runs(try line(key)) { return "\(name): nowhere, and \(key.text) runs it" }
                    }
                }
                continue
            }
            let found = try line(key)
            if found.map({ Result($0) }) != Result(answer) { return "\(name): \(answer), replay \(found as Any)" }
            if entry.isDimmed, runs(found) { return "\(name): dimmed, and its key runs it" }
            let isDead = found?.outcome == .unhandled && found?.takenBy == nil
            if !entry.isDimmed, isDead { return "\(name): not dimmed, and its key does nothing" }
        }
        return nil
    }
}
