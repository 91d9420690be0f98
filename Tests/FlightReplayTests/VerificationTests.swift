import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

@Suite struct VerificationTests {
    private func record(
        _ scene: String, _ script: String, _ options: SceneReplay.Options = .init(), showsKeys: Bool = true
    ) throws -> Recording {
        let test = try TestReplay(scene, script, options)
        return try test.replay.record(test.timeline, showsKeys: showsKeys)
    }

    private func replayed(
        _ recording: Recording, _ scene: String, _ options: SceneReplay.Options = .init()
    ) throws -> Recording {
        var replay = try TestReplay(scene, "", options).replay
        replay.adopt(RecordedEnvironment(recording))
        return try replay.record(try ReplayTimeline(recording), showsKeys: true)
    }

    private func verify(
        _ recorded: Recording, with scene: String, _ options: SceneReplay.Options = .init()
    ) throws -> Verification {
        Verification(
            recorded: recorded, first: try replayed(recorded, scene, options),
            second: try replayed(recorded, scene, options))
    }

    private let script = "press cmd+g\nhold cmd+g 600ms\npress cmd+w\npress x\n"

    @Test(arguments: ["ios7", "ios9", "ios134", "ios15", "ios26"])
    func theSameSceneIsIdentical(_ profile: String) throws {
        let scene = chainOfFive(profile: profile)
        let verification = try verify(try record(scene, script), with: scene)
        #expect(verification.isIdentical, "\(verification.text(name: "a"))")
        #expect(verification.isRecorded)
        #expect(verification.lines >= 4)
    }

    @Test func theFirstDivergenceNamesTheCommandThatExplainsIt() throws {
        let scene = chainOfFive(profile: "ios15")
        let changed = scene.replacing("input: w, modifiers: [command]", with: "input: w, modifiers: [control]")
        let divergence = try #require(try verify(try record(scene, script), with: changed).divergence)
        #expect(divergence.at == PressTick(press: 3, tick: 0))
        #expect(divergence.chord == "cmd+w")
        #expect(divergence.field == "outcome")
        #expect(divergence.expected == "performed")
        #expect(divergence.found == "unhandled")
        #expect(
            divergence.explanation == "key command 1 of parent is control+w close:, not command+w close:")
    }

    /// As `verify` does, which keeps the lists of a replay only where they explain a difference.
    @Test(arguments: [
        (
            "press cmd+w\n", "input: w, modifiers: [command]", "input: w, modifiers: [control]",
            "key command 1 of parent is control+w close:, not command+w close:"
        ),
        (
            "press cmd+w\n", "{input: w, modifiers: [command], action: \"close:\"}",
            "{input: w, modifiers: [command], action: \"go:\"}, {input: w, modifiers: [command], action: \"close:\"}",
            "key command 1 of parent is new: command+w go:"
        ),
    ])
    func aReplayThatIsComparedAsItGoesOnNamesTheCommand(
        _ script: String, _ from: String, _ to: String, _ explanation: String
    ) throws {
        let scene = chainOfFive(profile: "ios15")
        let recorded = RecordedTrace(try record(scene, script))
        let changed = scene.replacing(from, with: to)
        #expect(changed != scene)
        var replay = try TestReplay(changed, "").replay
        replay.adopt(RecordedEnvironment(recorded))
        let divergence = try #require(
            try Verification(recorded: recorded, of: try ReplayTimeline(recorded), by: replay).divergence)
        #expect(divergence.explanation == explanation)
    }

    @Test func theFirstDivergenceNamesTheLinkThatExplainsIt() throws {
        let scene = chainOfFive(profile: "ios15")
        let changed = scene.replacing("next: parent", with: "next: win")
        let divergence = try #require(try verify(try record(scene, "press cmd+w\n"), with: changed).divergence)
        #expect(divergence.explanation == "after vc the chain goes to win, not to parent")
    }

    @Test func theFirstDivergenceNamesTheAnswerThatExplainsIt() throws {
        let scene = chainOfFive(profile: "ios15")
        let changed = chainOfFive(profile: "ios15", extra: #"canPerform: {"go:": false}"#)
        let divergence = try #require(try verify(try record(scene, "press cmd+g\n"), with: changed).divergence)
        #expect(divergence.expected == "performed")
        #expect(divergence.found == "blockedUnperformable")
        #expect(divergence.explanation == "vc answers no to canPerformAction(go:), not yes")
    }

    @Test func theFirstDivergenceNamesTheStartThatExplainsIt() throws {
        let scene = chainOfFive(profile: "ios15")
        let changed = scene.replacing("firstResponder: view", with: "firstResponder: win")
        let divergence = try #require(try verify(try record(scene, "press cmd+g\n"), with: changed).divergence)
        #expect(divergence.explanation == "the chain starts at win, not at view")
    }

    @Test func aChangedCountIsADivergenceUnderTheSamePolicyOnly() throws {
        let scene = chainOfFive(profile: "ios15")
        let recorded = try record(scene, script)
        #expect(try verify(recorded, with: scene, .policy(.chain)).isIdentical)
        let asksMore = scene + "\nparameters: {passesPerKeyDown: 2}\n"
        let divergence = try #require(try verify(recorded, with: asksMore).divergence)
        #expect(divergence.field == "calls.keyCommands")
        #expect(divergence.expected == "5")
        #expect(divergence.found == "10")
        #expect(divergence.explanation == nil)
    }

    /// Interfaces: masked presses are compared by outcome, `takenBy` and target.
    @Test func maskedPressesAreComparedByOutcomeTakerAndTarget() throws {
        let scene = fieldScene(profile: "ios15")
        let recorded = try record(scene, "press a\npress b\npress cmd+k\n", showsKeys: false)
        let verification = try verify(recorded, with: scene)
        #expect(verification.isIdentical, "\(verification.text(name: "a"))")
        #expect(verification.lines == 3)
        let changed = scene.replacing("kind: textField", with: "kind: view, canBecomeFirstResponder: true")
            .replacing(#", text: """#, with: "")
        // Some letter is a command now: whether these were is not known.
        let undecided = try verify(recorded, with: changed)
        #expect(undecided.isIdentical && undecided.lines == 1 && undecided.notCompared.masked == 2)
        #expect(undecided.text(name: "a") == "a: 1 press or repeat, twice as recorded; 2 masked presses not compared\n")
        let without = changed.replacing("{input: f, action", with: "{input: f, modifiers: [command], action")
        let divergence = try #require(try verify(recorded, with: without).divergence)
        #expect(divergence.at.press == 1)
        #expect(divergence.chord == nil)
        #expect(divergence.field == "outcome")
        #expect(divergence.expected == "consumedByText" && divergence.found == "unhandled")
    }

    @Test func aMissingLineIsADivergence() throws {
        let scene = chainOfFive(profile: "ios9")
        let recorded = try record(scene, "hold cmd+g 600ms\npress cmd+w\n")
        let changed = scene + "\nparameters: {repeats: false}\n"
        let divergence = try #require(try verify(recorded, with: changed).divergence)
        #expect(divergence.at == PressTick(press: 1, tick: 1))
        #expect(divergence.field == "line")
        #expect(divergence.expected == "performed")
        #expect(divergence.found == "none")
    }

    @Test func keysAloneAreReplayedTwice() throws {
        let test = try TestReplay(chainOfFive(profile: "ios15"), script)
        let layout = try TestReplay.resources.layoutNamed("us")
        let keys = test.timeline.recording(layout: layout, showsKeys: true)
        #expect(!RecordedTrace(keys).hasResolutions)
        let replayed = try replayed(keys, chainOfFive(profile: "ios15"))
        let verification = Verification(recorded: nil, first: replayed, second: replayed)
        #expect(verification.isIdentical)
        #expect(!verification.isRecorded)
        #expect(verification.json.contains(#""identical":true"#))
    }

    @Test func whatWasMadeUnderOtherFactsIsNotComparable() throws {
        let scene = chainOfFive(profile: "ios15")
        let recorded = ReplayFacts(try record(scene, script))
        #expect(recorded.mismatch(with: ReplayFacts(try record(scene, script, .profile("ios26"))))?.fact == "profile")
        let renamed = scene.replacing("name: chain-of-five", with: "name: other")
        let mismatch = recorded.mismatch(with: ReplayFacts(try record(renamed, script)))
        #expect(mismatch?.fact == "scene")
        #expect(mismatch?.expected == "chain-of-five")
        #expect(mismatch?.found == "other")
        #expect(recorded.mismatch(with: ReplayFacts(try record(scene, "press cmd+g\n"))) == nil)
    }
}
