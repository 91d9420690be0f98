import KeyModel
import Testing
import TraceFormat
import TracePresses

/// What a cache of key equivalents remembers.
@Suite struct RefusedEquivalentsTests {
    private let view = ResponderRef(rawValue: 0)
    private let menu = ResponderRef(rawValue: 1)

    private func down(_ press: UInt32, _ usage: KeyUsage?, _ refused: inout RefusedEquivalents) {
        let key = usage.map { KeyIdentity.clear($0) } ?? .masked(.letter)
        refused.note(KeyRecord(device: 1, key: key, phase: .down, modifiers: .command, press: press))
    }

    private func asked(
        _ responder: ResponderRef, _ press: UInt32, _ answer: InvocationRecord.Answer,
        _ refused: inout RefusedEquivalents
    ) -> Bool? {
        var message = InvocationRecord(
            at: PressTick(press: press, tick: 0), kind: .keyEquivalent, occasion: .down, responder: responder,
            duration: .zero)
        message.answer = answer
        return refused.serve(message)
    }

    @Test func aRefusalIsRememberedForItsChord() {
        var refused = RefusedEquivalents()
        down(1, .keyboard(0x04), &refused)
        #expect(asked(view, 1, .no, &refused) == nil)
        down(2, .keyboard(0x04), &refused)
        #expect(asked(view, 2, .no, &refused) == false)
        // Somebody else, another chord, and a key that nobody knows.
        #expect(asked(menu, 2, .no, &refused) == nil)
        down(3, .keyboard(0x05), &refused)
        #expect(asked(view, 3, .no, &refused) == nil)
        down(4, nil, &refused)
        #expect(asked(view, 4, .no, &refused) == nil)
        down(5, .keyboard(0x04), &refused)
        #expect(asked(view, 5, .yes, &refused) == true, "it takes the key now")
        refused.invalidate(InvalidationRecord(scope: .responder, responder: view))
        down(6, .keyboard(0x04), &refused)
        #expect(asked(view, 6, .no, &refused) == nil)
    }

    @Test func twoMenusOfOnePressAreTwo() {
        var refused = RefusedEquivalents()
        down(1, .keyboard(0x04), &refused)
        #expect(asked(menu, 1, .no, &refused) == nil && asked(menu, 1, .yes, &refused) == nil)
        down(2, .keyboard(0x04), &refused)
        #expect(asked(menu, 2, .no, &refused) == false && asked(menu, 2, .yes, &refused) == nil)
    }
}
