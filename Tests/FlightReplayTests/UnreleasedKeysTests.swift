@testable import FlightReplay
import KeyModel
import ResponderEngine
import Testing
import TraceFormat
import TracePresses

/// Sources that never report that keys come up, with masked keys, of which each may be another one: what is kept of
/// presses that are down is limited.
@Suite struct UnreleasedKeysTests {
    private func resolution(_ press: UInt32) -> TraceRecord.Body {
        let at = PressTick(press: press, tick: 0)
        return .resolution(ResolutionRecord(at: at, outcome: .unhandled, takenBy: nil, state: nil))
    }

    private func record(_ press: UInt32) -> TraceRecord.Body {
        .key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: press, isSynthetic: false))
    }

    /// A writer of lines, with the resolution of a press.
    private func writer(
        _ sink: @escaping (ReplayRow) -> Void
    ) throws -> (writer: LineWriter, resolution: Resolution) {
        let test = try TestReplay(chainOfFive(profile: "ios15"), "press x\n")
        let engine = try test.replay.makeSubject().engine
        let resolution = try #require(engine.keyDown(.masked(.letter), at: .zero))
        return (LineWriter(engine, sink: sink), resolution)
    }

    @Test func theLineOfTheKeyThatIsHeldLongestLeavesWhenTooManyAreHeld() throws {
        var rows = 0
        var (writer, resolution) = try writer { _ in rows += 1 }
        for press in 1...300 as ClosedRange<UInt32> {
            writer.resolved(resolution, at: PressTick(press: press, tick: 0), stages: StageSplit())
        }
        #expect(rows == 300 - KeyboardState.usualLimit)
        writer.finished(at: .zero)
        #expect(rows == 300)
    }

    @Test func aKeyThatStaysDownKeepsALimitedNumberOfLinesBack() throws {
        var presses: [UInt32] = []
        var (writer, resolution) = try writer { row in
            if case .resolution(let line) = row, let press = line.press { presses.append(press) }
        }
        let event = KeyEvent(time: .zero, device: 1, key: .masked(.letter), phase: .up)
        for press in 1...40_000 as ClosedRange<UInt32> {
            writer.resolved(resolution, at: PressTick(press: press, tick: 0), stages: StageSplit())
            if press > 1 { writer.released(nil, of: event, press: press) }
            if press == 16_000 { #expect(presses.isEmpty) }
        }
        #expect(presses == Array(1...40_000))
    }

    @Test func theAnswersToPressesThatNeverEndAreForgotten() throws {
        var recording = Recording()
        recording.append(.level(LevelRecord(level: .calls)), at: .zero)
        for press in 1...5_000 as ClosedRange<UInt32> { recording.append(record(press), at: .zero) }
        var index = PressIndex(RecordedTrace(recording))
        func isKnown(_ press: UInt32) -> Bool {
            index.answers(PressTick(press: press, tick: 0), forRelease: false) != nil
        }
        for press in 1...5_000 as ClosedRange<UInt32> {
            index.forget(before: UInt64(press))
            #expect(isKnown(press))
            if press == 1_000 { #expect(isKnown(1)) }
        }
        #expect(!isKnown(1) && isKnown(4_000) && isKnown(5_000))
    }

    /// The resolution of a press is behind those of others, as in a modal loop, or too far behind them: the others have
    /// theirs in any case.
    @Test(arguments: [10_000, 100_000] as [UInt32])
    func aPressIsReadAheadForALimitedNumberOfOthers(_ count: UInt32) throws {
        var recording = Recording()
        recording.append(.level(LevelRecord(level: .calls)), at: .zero)
        for press in 1...count {
            recording.append(record(press), at: .zero)
            if press > 1 { recording.append(resolution(press), at: .zero) }
        }
        recording.append(resolution(1), at: .zero)
        var index = PressIndex(RecordedTrace(recording))
        var unresolved: [UInt32] = []
        for press in 1...count {
            index.forget(before: index.firstInput)
            _ = index.input(after: press == 1 ? 0 : UInt64(2 * press - 3))
            let answers = index.answers(PressTick(press: press, tick: 0), forRelease: false)
            if answers?.resolution == nil { unresolved.append(press) }
        }
        #expect(unresolved == (count > 16_384 ? [1] : []))
    }

    /// A damaged trace: the earlier press with a number is forgotten while the later one is still to come.
    @Test func theLaterPressWithANumberHasItsAnswers() throws {
        var recording = Recording()
        recording.append(.level(LevelRecord(level: .calls)), at: .zero)
        let late: UInt32 = 5_000
        for press in Array(1...1_200) + [late] + Array(1_201...2_000) + [1] + Array(2_001...2_300) {
            recording.append(record(press), at: .zero)
            if press != late { recording.append(resolution(press), at: .zero) }
        }
        recording.append(resolution(late), at: .zero)
        var index = PressIndex(RecordedTrace(recording))
        for input in recording.records {
            guard case .key(let key) = input.body, let press = key.press else { continue }
            _ = index.input(after: input.sequence - 1)
            index.forget(before: input.sequence)
            #expect(index.answers(PressTick(press: press, tick: 0), forRelease: false)?.resolution != nil)
        }
    }
}
