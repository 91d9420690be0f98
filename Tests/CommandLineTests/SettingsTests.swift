import Foundation
import KeyModel
import Testing

@testable import keyflight

/// Environment variables that stand for options.
@Suite struct SettingsTests {
    private static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    private static let script = Files.path("Traces/golden/pdf-viewer/input.keys")

    private func run(_ arguments: [String], _ environment: [String: String]) -> CommandRun {
        CommandRun(arguments, environment: ProcessEnvironment(environment))
    }

    @Test func aSceneAndAProfileAreTakenWhereTheInputHasNone() throws {
        let environment = ["KEYFLIGHT_SCENE": Self.scene, "KEYFLIGHT_PROFILE": "ios13"]
        let found = run(["replay", Self.script], environment)
        #expect(found.status == 0 && found.text.contains("ios13"), "\(found.notes)\(found.text)")
        #expect(found.text == CommandRun("replay", Self.script, "--scene", Self.scene, "--profile", "ios13").text)
        #expect(run(["replay", Self.script, "--profile", "ios15"], environment).text.contains("ios15"))
        // A recording keeps the rules that it was made under.
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            #expect(
                CommandRun("replay", Self.script, "--scene", Self.scene, "--profile", "ios26", "-o", trace).status == 0)
            for verb in [["stats", trace], ["verify", trace], ["explain", trace, "--press", "1"], ["replay", trace]] {
                let settled = run(verb, environment)
                let plain = CommandRun(verb)
                #expect(settled.status == plain.status && settled.text == plain.text, "\(verb): \(settled.notes)")
            }
        }
    }

    @Test func aLayoutIsTakenForScriptsAndCaptures() {
        let show = run(["show", Self.script], ["KEYFLIGHT_LAYOUT": "fr"])
        #expect(show.text == CommandRun("show", Self.script, "--layout", "fr").text)
        #expect(show.text != CommandRun("show", Self.script).text)
    }

    @Test("export and replay --to take the layout of the environment as well")
    func aLayoutIsTakenForKeysOfOtherPrograms() throws {
        try Files.withFolder { folder in
            let script = folder + "/a.keys"
            try TabsApp.put("keys 1\ntype a\n", script)
            for verb in [
                ["export", script, "--format", "evemu", "-o", "-"],
                ["replay", script, "--to", "evemu", "--cadence", "virtual"],
            ] {
                let found = run(verb, ["KEYFLIGHT_LAYOUT": "fr"])
                #expect(found.status == 0 && found.text == CommandRun(verb + ["--layout", "fr"]).text, "\(found.notes)")
                #expect(found.text != CommandRun(verb).text, "\(verb)")
            }
        }
    }

    @Test func theGateAndReviewTakeTheirFolderFromIt() {
        let environment = ["KEYFLIGHT_GOLDENS": "/nowhere/goldens"]
        #expect(run(["review"], environment).notes.contains("/nowhere/goldens"))
        #expect(run(["gate"], environment).notes.contains("/nowhere/goldens"))
        #expect(run(["accept", "x"], environment).notes.contains("/nowhere/goldens"))
        #expect(CommandRun("gate").status == 64)
    }

    @Test func redactionIsNarrowedOnlyAloudAndNeverToLeaveText() throws {
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            #expect(CommandRun("replay", Self.script, "--scene", Self.scene, "-o", trace).status == 0)
            let redact = ["redact", trace, "-o", folder + "/r.keyflight"]
            let refused = run(redact, ["KEYFLIGHT_REDACT_REMOVE": "titles"])
            #expect(refused.status == 64 && refused.notes.hasSuffix("found titles [KF6410]\n"), "\(refused.notes)")
            let run = run(redact, ["KEYFLIGHT_REDACT_REMOVE": "text,titles"])
            #expect(run.status == 0)
            let note = "runs, timing: left in, as KEYFLIGHT_REDACT_REMOVE says\n"
            #expect(run.notes.hasPrefix(note), "\(run.notes)")
        }
    }

    @Test(arguments: [
        ("KEYFLIGHT_CACHE", "chains", "expected none, press, responder, chain, found chains"),
        ("KEYFLIGHT_COLOR", "pink", "expected auto, always, never, found pink"),
        ("KEYFLIGHT_ASCII", "maybe", "expected 1 or 0, found maybe"),
        ("KEYFLIGHT_PAGER", "less", "expected 1 or 0, found less"),
        ("KEYFLIGHT_PROGRESS", "2", "expected 1 or 0, found 2"),
        ("KEYFLIGHT_GATE_MARGIN", "-1", "expected a number from 0 to 999, found -1"),
        ("KEYFLIGHT_GATE_MARGIN", "nan", "expected a number from 0 to 999, found nan"),
        ("KEYFLIGHT_GATE_RUNS", "11", "expected a whole number from 12 to 10000, found 11"),
        ("KEYFLIGHT_GATE_TIME", "pass", "expected report, fail, found pass"),
        ("KEYFLIGHT_GATE_STRICT", "maybe", "expected 1 or 0, found maybe"),
    ])
    func aWrongValueStopsEveryVerbInOneLineAndHelpStillWorks(_ name: String, _ value: String, _ reason: String) {
        let run = run(["info", Self.script], [name: value])
        #expect(run.status == 64 && run.text == "")
        #expect(run.notes == "\(name): \(reason) [KF6410]\n")
        #expect(self.run(["help", "KF6410"], [name: value]).status == 0)
        #expect(self.run(["info", Self.script], [name: ""]).status == 0)
    }

    @Test func aWrongNameIsReportedWithItsVariable() {
        let replay = run(["replay", Self.script, "--scene", Self.scene], ["KEYFLIGHT_PROFILE": "ios99"])
        #expect(replay.status == 64 && replay.notes.hasPrefix("KEYFLIGHT_PROFILE: "), "\(replay.notes)")
        let show = run(["show", Self.script], ["KEYFLIGHT_LAYOUT": "bogus"])
        #expect(show.notes.hasPrefix("KEYFLIGHT_LAYOUT: ") && show.notes.contains("[KF6406]"), "\(show.notes)")
    }

    @Test func nearWordsAreFound() {
        #expect(EditDistance.nearest(to: "proflie", among: ["profile", "pager"]) == "profile")
        #expect(EditDistance.nearest(to: "PAGER", among: ["profile", "pager"]) == "pager")
        #expect(EditDistance.nearest(to: "xyz", among: ["profile", "pager"]) == nil)
        #expect(EditDistance.nearest(to: String(repeating: "p", count: 1000), among: ["pager"]) == nil)
    }
}
