import FlightReplay
import KeyModel
import Testing
import TraceFormat

/// What is typed into a secure field leaves nothing in a recording but a gap (spec TX-10).
@Suite struct SecureEntryTests {
    private let scene = """
        scene: 1
        name: sign-in
        profile: ios15
        responders:
          - {id: name, kind: textField, superview: win}
          - {id: password, kind: textField, superview: win, secure: true}
          - {id: win, kind: window, application: app, keyWindow: true}
          - id: app
            kind: application
            actions: {"signIn:": [{focus: name}]}
            keyCommands: [{input: return, action: "signIn:", wantsPriority: true}]
        firstResponder: name
        """

    private func record(_ script: String, showsKeys: Bool = false) throws -> Recording {
        let test = try TestReplay(scene, script)
        return try test.replay.record(test.timeline, showsKeys: showsKeys)
    }

    private func keys(_ recording: Recording) -> [KeyRecord] {
        recording.records.compactMap { if case .key(let key) = $0.body { key } else { nil } }
    }

    @Test func neitherKeysNorTheirNumberAreRecorded() throws {
        let script = { (password: String) in "type ab\ndo focus password\ntype \(password)\ndo focus name\ntype c\n" }
        let recording = try record(script("qzqzqz"))
        let downs = keys(recording).filter { $0.phase == .down }
        #expect(downs.map(\.press) == [1, 2, 3])
        #expect(keys(recording).filter { $0.phase == .up }.map(\.press) == [1, 2, 3])
        let losses = recording.records.compactMap { if case .loss(let loss) = $0.body { loss } else { nil } }
        #expect(losses.map(\.cause) == [.secureEntry])
        #expect(losses.first?.count == nil)
        // From the record before it to the next full second.
        #expect(losses.first?.duration == TraceDuration(nanoseconds: 920_000_000))
        let resolutions = recording.records.compactMap { if case .resolution(let it) = $0.body { it } else { nil } }
        #expect(resolutions.map(\.at.press) == [1, 2, 3])
    }

    /// Two passwords of different length and rhythm give recordings that differ in the times after them only.
    @Test func passwordsOfDifferentLengthLeaveTheSameRecords() throws {
        let bodies = try ["type qz\nwait 160ms", "type zqqzz\nwait 40ms"].map { password in
            try record("do focus password\n\(password)\npress return\ntype c\n").records.map(\.body)
        }
        #expect(bodies[0] == bodies[1])
    }

    @Test func pastedTextIsAGapAsWell() throws {
        let recording = try record("do focus password\ninsert \"canary\"\ndo focus name\n")
        #expect(!recording.records.contains { if case .text = $0.body { true } else { false } })
        #expect(recording.records.contains { if case .loss = $0.body { true } else { false } })
    }

    @Test func aKeyHeldIntoTheFieldIsReleasedAndOneHeldOutOfItIsNot() throws {
        let recording = try record("down a\ndo focus password\ndown b\nup a\ndo focus name\nup b\ntype c\n")
        #expect(keys(recording).map(\.phase) == [.down, .up, .down, .up])
        #expect(keys(recording).map(\.press) == [1, 1, 2, 2])
    }

    @Test func timesNeverDecrease() throws {
        let recording = try record("type ab\ndo focus password\ntype qz\nhold delete 700ms\ndo focus name\ntype c\n")
        for (earlier, later) in zip(recording.records, recording.records.dropFirst()) {
            #expect(earlier.time <= later.time)
        }
        _ = try recording.bytes(header: TraceHeader(level: .calls, isMasked: true))
    }

    @Test func withShownKeysEverythingStands() throws {
        let recording = try record("do focus password\ntype qz\n", showsKeys: true)
        #expect(keys(recording).filter { $0.phase == .down }.count == 2)
    }
}
