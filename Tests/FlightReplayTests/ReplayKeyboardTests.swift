import FlightReplay
import KeyModel
import ResponderEngine
import Testing
import TraceFormat

/// The keys that are down in a replay, which its recorder reads: what the engine still holds, they hold.
@Suite struct ReplayKeyboardTests {
    private struct Releases: ReplayVisitor {
        var presses: [UInt32] = []
        mutating func released(_ release: Release?, of event: KeyEvent, press: UInt32) { presses.append(press) }
    }

    private static func keys(_ recording: Recording) -> [KeyRecord] {
        recording.records.compactMap { if case .key(let key) = $0.body { key } else { nil } }
    }

    private static func resolutions(_ recording: Recording) -> [ResolutionRecord] {
        recording.records.compactMap { if case .resolution(let resolution) = $0.body { resolution } else { nil } }
    }

    /// The keys and releases of a script under a profile that leaves keys down at a deactivation, or cancels them.
    private func run(
        _ script: String, profile name: String = "ios15", cancelsKeys: Bool = true
    ) throws -> (recording: Recording, releases: [UInt32]) {
        var options = SceneReplay.Options()
        var profile = try #require(Profile.named(name))
        profile.deactivationCancelsKeys = cancelsKeys
        options.profile = profile
        let test = try TestReplay(chainOfFive(profile: name), script, options)
        let recorder = TraceRecorder()
        var releases = Releases()
        try Replayer(try test.replay.instantiate(), recorder: recorder).run(test.timeline, &releases)
        return (recorder.recording, releases.presses)
    }

    @Test("a key that a deactivation leaves down ends its press when it comes up", arguments: [true, false])
    func leftDown(_ cancelsKeys: Bool) throws {
        let script = "down a\ndo deactivate\nwait 50ms\ndo activate win\nup a\n"
        let (recording, releases) = try run(script, cancelsKeys: cancelsKeys)
        let keys = Self.keys(recording)
        #expect(releases == [1])
        #expect(keys.map(\.phase) == (cancelsKeys ? [.down, .cancel, .up] : [.down, .up]))
        #expect(keys.map(\.press) == (cancelsKeys ? [1, 1, nil] : [1, 1]))
    }

    @Test("a modifier whose release goes elsewhere unmasks nothing", arguments: [true, false])
    func lostRelease(_ cancelsKeys: Bool) throws {
        let script = "down LeftGUI\npress d\ndo deactivate\nwait 50ms\ndo activate win\npress d\n"
        let keys = Self.keys(try run(script, cancelsKeys: cancelsKeys).recording).filter { $0.press != nil }
        #expect(keys.map(\.key.maskedClass) == [nil, nil, .letter, .letter])
        #expect(keys.map(\.modifiers) == [.command, .command, [], []])
    }

    @Test("a key that the engine never held ends its press after a deactivation")
    func neverHeld() throws {
        let (recording, releases) = try run("down CapsLock\ndo deactivate\nup CapsLock\n", profile: "appkit")
        #expect(Self.keys(recording).map(\.press) == [1, 1] && releases == [1])
    }

    /// A state hash covers the keys that are down: a dictionary of keys would find a masked one.
    @Test("a recorder of a second run keeps back what a masked key of the first one is in")
    func secondRun() throws {
        let held = try TestReplay(chainOfFive(profile: "ios15"), "down a\n")
        let other = try TestReplay(chainOfFive(profile: "ios15"), "down LeftGUI\npress w\n")
        for leavesKey in [true, false] {
            let recorder = TraceRecorder(level: .resolutions)
            let replayer = Replayer(try held.replay.instantiate(), recorder: recorder)
            var releases = Releases()
            if leavesKey { try replayer.run(held.timeline, &releases) }
            try replayer.run(other.timeline, &releases)
            #expect((Self.resolutions(recorder.recording).last?.state == nil) == leavesKey)
            // The engine goes on with the modifier of the run before.
            try replayer.run(other.timeline, &releases)
            #expect(Self.keys(recorder.recording).last?.modifiers == .command)
        }
    }
}
