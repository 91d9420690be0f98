import WhatIf
import FlightReplay
import Foundation
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import SceneGeneration
import Scenes
import Testing
import TraceFormat
import TraceReports

/// What `explain --format json` says of each press of generated scenes is what a replay gives, under every profile.
@Suite struct ExplainPropertyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var profile: String
        var seed: UInt64
        var testDescription: String { "\(profile), seed \(seed)" }
    }

    static let cases = OtherProfiles.comparableNames.flatMap { profile in
        (1...6).map { Case(profile: profile, seed: UInt64($0)) }
    }

    @Test("Calls, questions, names, losers, repeats and other profiles are those of the replay", arguments: cases)
    func agrees(_ made: Case) throws {
        var generator = CaseGenerator(seed: made.seed, limits: .init(responders: 8, commands: 6, keys: 14))
        let generated = generator.make()
        func plan(_ profile: String) throws -> (replay: SceneReplay, timeline: ReplayTimeline) {
            var replay = SceneReplay(
                try Scene(text: generated.scene, file: "generated.scene.yaml"), resources: RecordedStory.resources)
            replay.options.profile = try #require(Profile.named(profile) as Profile?)
            replay.options.profile?.requiresWindowScene = false
            return (replay, try replay.timeline(of: try KeyScript(text: generated.script, file: "generated.keys")))
        }
        let own = try plan(made.profile)
        let lines = try own.replay.lines(of: own.timeline)
        let recording = try own.replay.record(own.timeline, showsKeys: true)
        let downs = lines.filter { $0.press != nil && !$0.isRepeat }
        #expect(downs.count > 5)
        for line in downs {
            let press = try #require(line.press)
            var explainer = PressExplainer(.press(press))
            explainer.consume(recording)
            let explanation = explainer.explanation(definitions: recording.definitions)
            let found = try #require(explanation)
            var report = ExplainReport(found, info: explainer.facts.info(), name: "generated")
            if press <= 3 { report.others = try OtherProfiles(of: press, by: own.replay, own.timeline) }
            let json = try Self.object(report.json)
            let place: Comment = "press \(press) \(line.chord?.text ?? "") of\n\(generated.text)"
            Self.expectResolution(json, line, place)
            Self.expectLadder(json, line, place)
            let repeats = lines.filter { $0.press == press && $0.isRepeat }
            Self.expectRepeats(json, repeats, place)
            // Later presses come after what happened under the profile's own rules.
            let isFirst = generated.steps.first.map { $0.line.hasPrefix("press") || $0.line.hasPrefix("hold") }
            guard press == 1, isFirst == true else { continue }
            try Self.expectOthers(json, line, repeats, made.profile, place) { profile in
                let other = try plan(profile)
                return try other.replay.lines(of: other.timeline).filter { $0.press == press }
            }
        }
    }

    private typealias Object = [String: Any]

    private static func object(_ json: String) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Object)
    }

    private static func expectResolution(_ json: Object, _ line: ReplayLine, _ place: Comment) {
        let resolution = json["resolution"] as? Object ?? [:]
        #expect(resolution["outcome"] as? String == line.outcome.name, place)
        #expect(resolution["takenBy"] as? String == line.takenBy?.name, place)
        #expect(resolution["action"] as? String == line.action, place)
        #expect(resolution["supplier"] as? String == line.supplier, place)
        #expect(resolution["target"] as? String == line.target, place)
        #expect(resolution["text"] as? String == line.text, place)
        #expect(resolution["character"] as? String == line.character, place)
        #expect(resolution["state"] as? String == line.state.hexadecimal(16), place)
        func calls(_ kind: String, in key: String = "calls") -> Int {
            (json[key] as? Object)?[kind] as? Int ?? 0
        }
        #expect(calls("keyCommands") == line.calls.keyCommands + line.keyCommandsOnRelease, place)
        #expect(calls("canPerformAction") == line.calls.canPerformAction, place)
        #expect(calls("validate") == line.calls.validate, place)
        #expect(calls("buildMenu") == line.calls.buildMenu, place)
        #expect(calls("keyCommands", in: "callsOnRelease") == line.keyCommandsOnRelease, place)
    }

    private static func expectLadder(_ json: Object, _ line: ReplayLine, _ place: Comment) {
        let ladder = json["ladder"] as? [Object] ?? []
        let receivers = ladder.filter { $0["receiver"] as? Bool == true }.compactMap { $0["id"] as? String }
        #expect(receivers == line.receivers, place)
        let reads = ladder.compactMap { $0["calls"] as? Int }.reduce(0, +)
        #expect(reads == line.calls.keyCommands + line.keyCommandsOnRelease, place)
        let asked = ladder.flatMap { $0["answers"] as? [Object] ?? [] }
        #expect(asked.count { $0["kind"] as? String == "canPerformAction" } == line.calls.canPerformAction, place)
        let target = ladder.filter { $0["target"] as? Bool == true }.compactMap { $0["id"] as? String }
        #expect(target == (line.target.map { [$0] } ?? []), place)
        var (lost, tried): ([ReplayLine.Candidate], [ReplayLine.Candidate]) = ([], [])
        var won: [ReplayLine.Candidate] = []
        for rung in ladder {
            for candidate in rung["candidates"] as? [Object] ?? [] {
                let found = ReplayLine.Candidate(
                    supplier: rung["id"] as? String ?? "", action: candidate["action"] as? String ?? "")
                switch candidate["verdict"] as? String {
                case "shadowed", "taken": lost.append(found)
                case "unperformable": tried.append(found)
                case "won": won.append(found)
                default: break
                }
            }
        }
        for loser in line.shadowed { #expect((lost + tried).contains(loser), place) }
        for loser in lost { #expect(line.shadowed.contains(loser), place) }
        let isCommand = line.outcome == .performed && line.supplier != nil
        let winner = isCommand ? [ReplayLine.Candidate(supplier: line.supplier ?? "", action: line.action ?? "")] : []
        #expect(won == winner, place)
    }

    private static func expectRepeats(_ json: Object, _ repeats: [ReplayLine], _ place: Comment) {
        let said = json["repeats"] as? Object ?? [:]
        #expect(said["count"] as? Int == repeats.count, place)
        for outcome in said["outcomes"] as? [Object] ?? [] {
            let name = outcome["outcome"] as? String
            #expect(outcome["count"] as? Int == repeats.count { $0.outcome.name == name }, place)
        }
    }

    private static func expectOthers(
        _ json: Object, _ own: ReplayLine, _ repeats: [ReplayLine], _ profile: String, _ place: Comment,
        lines: (String) throws -> [ReplayLine]
    ) throws {
        let others = try #require(json["otherProfiles"] as? Object, place)
        var seen: [String] = [profile]
        for name in others["same"] as? [String] ?? [] {
            let made = try lines(name)
            #expect(made.first?.outcome == own.outcome && made.first?.action == own.action, place)
            #expect(made.first?.target == own.target && made.count == repeats.count + 1, place)
            seen.append(name)
        }
        for difference in others["differing"] as? [Object] ?? [] {
            for name in difference["profiles"] as? [String] ?? [] {
                let made = try lines(name)
                #expect(difference["outcome"] as? String == made.first?.outcome.name, place)
                #expect(difference["action"] as? String == made.first?.action, place)
                #expect(difference["supplier"] as? String == made.first?.supplier, place)
                #expect(difference["target"] as? String == made.first?.target, place)
                #expect(difference["repeats"] as? Int == made.count - 1, place)
                seen.append(name)
            }
        }
        #expect(Set(seen) == Set(OtherProfiles.comparableNames), place)
    }
}
