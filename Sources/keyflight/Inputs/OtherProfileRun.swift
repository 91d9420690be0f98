import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import TraceFormat
import WhatIf

extension RecordSource {
    /// Presses of a scene that are brought about again, so that its responders can be asked anew. A later one is
    /// decided by what was recorded of it alone.
    private static let replayedPresses: UInt32 = 2_000

    /// The replay, where its responders are those of a scene.
    var jobOfScene: ReplayJob? {
        guard case .replay(let job) = origin, job.replay is SceneReplay else { return nil }
        return job
    }

    /// Adds those who offer the chord of a press and were not asked: by `recorded`, their lists at any press, and by
    /// the scene of a replay as it begins. The source must not have been read.
    func addUnasked(
        _ explanation: inout PressExplanation, _ recorded: [(id: String, commands: [CommandDefinition])],
        _ definitions: TraceDefinitions
    ) throws {
        let layout = explanation.rules.layoutTable == nil ? explanation.rules.layoutName ?? "us" : "us"
        let otherwise = (
            profile: try ProfileChoice.named("ios15"),
            layout: try (try? LayoutChoice.named(layout)) ?? LayoutChoice.named("us")
        )
        let engine = explanation.rules.engine(definitions, otherwise: otherwise)
        explanation.addUnasked(recorded.map { ($0.id, KeyCommand.commands($0.commands)) }, under: engine)
        guard let replay = jobOfScene?.replay as? SceneReplay else { return }
        try explanation.addUnasked(of: replay, under: engine)
    }

    /// Adds what the chords would come to that were not pressed: by a replay, or by the recorded profile and layout,
    /// since of a recording no responder can be asked anew. The source must not have been read.
    func answer(_ analysis: inout BindingsAnalysis, _ definitions: TraceDefinitions) throws {
        guard let rules = analysis.rules, rules.layoutName != nil else { return }
        if let job = jobOfScene {
            try ReplayJob.explaining(name) { try analysis.pressOthers(by: job.replay, job.timeline) }
        }
        guard rules.layoutTable != nil, rules.environment["profile"] != nil else { return }
        let otherwise = (profile: try ProfileChoice.named("ios15"), layout: try LayoutChoice.named("us"))
        let engine = rules.engine(definitions, otherwise: otherwise)
        if jobOfScene == nil { analysis.markUnreachable(under: engine) }
        analysis.findKeys(under: engine)
    }

    /// The outcomes of this press under other profiles. The source must not have been read.
    func otherProfiles(of explanation: PressExplanation) throws -> OtherProfiles? {
        guard explanation.hasOtherProfiles else { return nil }
        guard explanation.key?.key.usage != nil else { return OtherProfiles(unknown: .masked) }
        if let job = jobOfScene, explanation.press <= RecordSource.replayedPresses {
            return try OtherProfiles(of: explanation.press, by: job.replay, job.timeline)
        }
        guard header.level == .calls, explanation.level == .calls else { return OtherProfiles(unknown: .noCalls) }
        guard explanation.calls != nil else { return OtherProfiles(unknown: .notAsked) }
        if case .trace(let reader) = origin, header.form == .canonical,
            let index = TraceIndex(stored: reader.bytes)
        {
            let found = PressExcerpt.reading(explanation.press, by: index, of: reader)
            return try found.map { try otherProfiles(of: explanation.press, in: $0) }
                ?? OtherProfiles(unknown: .notReproduced)
        }
        var source = self
        source.derivesCandidates = false
        var excerpt = PressExcerpt(of: explanation.press)
        try source.feed(&excerpt)
        guard let found = excerpt.recording(source.definitions) else { return OtherProfiles(unknown: .notReproduced) }
        return try otherProfiles(of: explanation.press, in: found)
    }

    private func otherProfiles(of press: UInt32, in excerpt: Recording) throws -> OtherProfiles {
        do {
            return try OtherProfiles(of: press, in: excerpt, otherwise: try RecordedEnvironment(excerpt).defaults())
        } catch where error is ReplayTimeline.InputError || error is RecordedReplay.TooLarge {
            // A trace that does not replay is explained without other profiles.
            return OtherProfiles(unknown: .notReproduced)
        }
    }
}
