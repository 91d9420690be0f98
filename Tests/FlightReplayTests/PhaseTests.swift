import FlightReplay
import KeyModel
import ResponderEngine
import Testing

/// Ends of presses.
@Suite struct PhaseTests {
    private func rows(_ scene: String, _ script: String) throws -> [ReplayRow] {
        var options = SceneReplay.Options()
        options.phases = true
        let test = try TestReplay(scene, script, options)
        var rows: [ReplayRow] = []
        try test.replay.run(test.timeline) { rows.append($0) }
        return rows
    }

    /// Golden vector G25 and spec EV-6: one began, one cancelled, and nothing when the key comes up later.
    @Test func aDeactivationCancelsEachHeldPressOnce() throws {
        let script = "down LeftGUI\ndown k\ndo deactivate\ndo activate win\nup k\nup LeftGUI\npress a\n"
        let rows = try rows(fieldScene(), script)
        let phases = rows.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
        #expect(phases.map(\.phase) == [.cancel, .up])
        #expect(phases.map(\.press) == [1, 2])
        #expect(phases[0].receivers == ["field", "vc", "win", "app"])
        #expect(rows.count == 4)
    }

    /// Spec EV-6, golden vector G14: those that got the began get the ended, whoever is first responder by then.
    @Test func endsGoToTheReceiversOfTheBegan() throws {
        let rows = try rows(fieldScene(), "down a\ndo focus vc\ndo resign\nup a\n")
        guard case .phase(let up)? = rows.last else {
            Issue.record("no up")
            return
        }
        #expect(up.phase == .up)
        #expect(up.receivers == ["field", "vc", "win", "app"])
        #expect(up.json.hasPrefix(#"{"press":1,"t_ns":30000000,"phase":"up","synthetic":false,"receivers":["field""#))
    }

    /// Reads at key-up stand in the line of the key's down, and lines keep the order of the downs.
    @Test func aLineWaitsForItsRelease() throws {
        let script = "down k\ndown l\nup l\nup k\n"
        let lines = try TestReplay(fieldScene(profile: "ios9"), script).lines()
        #expect(lines.map(\.press) == [1, 2])
        #expect(lines.map(\.keyCommandsOnRelease) == [4, 4])
        #expect(lines.map(\.calls.keyCommands) == [4, 4])
    }

    @Test func overlappingPressesKeepTheirOrder() throws {
        let keys = ["a", "b"]
        let steps = (0..<3_000).map { "down \(keys[$0 % 2])\nup \(keys[($0 + 1) % 2])" }
        let lines = try TestReplay(fieldScene(), steps.joined(separator: "\n")).lines()
        #expect(lines.map(\.press) == (1...3_000).map { Optional(UInt32($0)) })
    }

    /// A lone modifier yields no line.
    @Test func modifiersYieldNoLines() throws {
        let lines = try TestReplay(fieldScene(), "press LeftShift\npress cmd+k\n").lines()
        #expect(lines.map(\.press) == [1])
    }

    @Test func aKeyHeldToTheEndRepeatsUpToIt() throws {
        let lines = try TestReplay(fieldScene(text: "abcdefghij"), "down delete\nwait 600ms\n").lines()
        #expect(lines.map(\.isRepeat) == [false, true, true, true])
    }

    @Test func aLaterDownEndsTheRepeatOfTheEarlierKey() throws {
        let lines = try TestReplay(fieldScene(), "down a\nwait 450ms\ndown b\nwait 500ms\nup b\nup a\n").lines()
        #expect(lines.map(\.text) == ["a", "a", "b", "b", "b"])
    }
}
