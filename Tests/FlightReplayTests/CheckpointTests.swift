import FlightReplay
import KeyModel
import ResponderEngine
import SceneGeneration
import Testing
import TraceFormat

/// Going on from a checkpoint gives the end of the whole replay.
@Suite struct CheckpointTests {
    @Test(arguments: 1...8, ["none", "press", "responder", "chain"])
    func everyPressIsOneToGoOnFrom(_ seed: UInt64, _ policy: String) throws {
        var generator = CaseGenerator(seed: seed, limits: .init(responders: 8, commands: 5, keys: 14))
        let generated = generator.make()
        let options = try #require(ReplayRunOptions.named(policy))
        let test = try TestReplay(generated.scene, generated.script, options)
        let whole = try test.lines()
        let presses = Set(whole.compactMap(\.press)).sorted()
        for press in presses {
            let found = try ReplayCheckpoint(test.replay, test.timeline, before: press).lines()
            // Repeats of a key that was down before come first.
            let first = try #require(whole.firstIndex { $0.press == press && !$0.isRepeat })
            let earlier = found.prefix { $0.press != press }.count
            #expect(found == Array(whole[(first - earlier)...]), "seed \(seed), \(policy), press \(press)")
        }
    }

    @Test func oneGoesOnInARecordingOfCallsToo() throws {
        let test = try TestReplay(chainOfFive(profile: "ios15"), "press cmd+g\nhold cmd+w 600ms\npress x\npress cmd+g")
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        let replay = try #require(RecordedReplayTests.replay(recording, .none))
        let whole = try test.lines()
        let found = try ReplayCheckpoint(replay, try ReplayTimeline(recording), before: 3).lines(until: 3)
        #expect(found == whole.filter { $0.press == 3 })
    }
}
