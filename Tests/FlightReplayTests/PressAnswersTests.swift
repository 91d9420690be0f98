@testable import FlightReplay
import KeyModel
import Testing
import TraceFormat

/// The work of a press does not grow with the square of its chain: counted, not timed.
@Suite struct PressAnswersTests {
    /// Counts comparisons of elements that have different hashes.
    private struct Counted: Hashable {
        final class Comparisons {
            var count = 0
        }

        let number: Int
        let comparisons: Comparisons

        static func == (a: Counted, b: Counted) -> Bool {
            a.comparisons.count += 1
            return a.number == b.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test func anOpenQuestionIsNotComparedWithAllBefore() {
        let comparisons = Counted.Comparisons()
        var list = UniqueList<Counted>()
        for number in 0..<1_000 { list.append(Counted(number: number, comparisons: comparisons)) }
        for number in (0..<1_000).reversed() { list.append(Counted(number: number, comparisons: comparisons)) }
        #expect(list.elements.map(\.number) == Array(0..<1_000))
        // The second half meets its equals; others meet only where hashes collide.
        #expect(comparisons.count < 10_000)
    }

    @Test func listsAndAnswersAreFoundByResponder() {
        let press = PressAnswers(start: 7)
        for turn in 0..<2 as Range<UInt32> {
            for number in 0..<100 as Range<UInt32> {
                let responder = ResponderRef(rawValue: number)
                press.append(
                    PressAnswers.List(
                        responder: responder, occasion: .down, list: CommandListRef(rawValue: turn * 100 + number)))
                press.append(
                    turn == 1, to: PressAnswers.Question(responder: responder, action: "a:"), StringRef(rawValue: 3))
            }
        }
        for number in 0..<100 {
            let responder = ResponderRef(rawValue: UInt32(number))
            #expect(press.listPlaces[responder] == [number, number + 100])
            #expect(press.answers[PressAnswers.Question(responder: responder, action: "a:")] == [false, true])
        }
        #expect(press.actions == [StringRef(rawValue: 3)])
    }

    /// The first answer about a receiver counts, and the last receiver is known.
    @Test func aReceiverCountsOnce() {
        let press = PressAnswers(start: 0)
        for (number, isSwallowed) in [(1, false), (2, true), (1, true)] as [(UInt32, Bool)] {
            press.append(
                ReceiverRecord(
                    at: PressTick(press: 1, tick: 0), responder: ResponderRef(rawValue: number), phase: .down,
                    isSwallowed: isSwallowed))
        }
        #expect(press.receivers == [ResponderRef(rawValue: 1): false, ResponderRef(rawValue: 2): true])
        #expect(press.lastReceiver == ResponderRef(rawValue: 1))
    }
}
