import FlightReplay
import KeyModel
import Testing

/// Text in replays: what is inserted, what a deletion removes, and what a masked key leaves open.
@Suite struct TextTests {
    @Test func aMaskedLetterIsTypedAsAReplacementCharacter() throws {
        let lines = try masked(.letter, fieldScene())
        #expect(lines.count == 1)
        #expect(lines[0].outcome == .consumedByText)
        #expect(lines[0].chord == nil && lines[0].character == nil && lines[0].text == nil)
        #expect(lines[0].maskedClass == .letter)
        #expect(lines[0].effects.first?.value == "1")
    }

    /// Under iOS 15 only a command with priority comes before text; under 13.4 each does.
    @Test func aMaskedKeyThatACommandCouldMatchIsUndetermined() throws {
        for (scene, isOpen) in [
            (fieldScene(), false), (fieldScene(priority: true), true), (fieldScene(profile: "ios134"), true),
        ] {
            let line = try #require(try masked(.letter, scene).first)
            #expect((line.outcome == .undetermined) == isOpen)
            #expect(line.possible == (isOpen ? [.init(supplier: "vc", action: "flag:")] : []))
            let digit = try #require(try masked(.digit, scene).first)
            #expect(digit.outcome == .consumedByText)
        }
    }

    private func masked(_ textClass: TextKeyClass, _ scene: String) throws -> [ReplayLine] {
        let replay = try TestReplay(scene, "")
        let arrivals = [KeyPhase.down, .up].enumerated().map { index, phase in
            let time = TraceTime(nanoseconds: Int64(index) * 30_000_000)
            let event = KeyEvent(time: time, key: .masked(textClass), phase: phase)
            return ReplayTimeline.Arrival(time: time, input: .key(event, press: 1))
        }
        return try replay.replay.lines(of: ReplayTimeline(arrivals: arrivals, end: .zero))
    }
}
