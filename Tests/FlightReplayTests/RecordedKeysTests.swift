import KeyModel
import Testing

@testable import FlightReplay

@Suite struct RecordedKeysTests {
    private func event(_ usage: KeyUsage, _ phase: KeyPhase) -> KeyEvent {
        KeyEvent(time: .zero, key: .clear(usage), phase: phase)
    }

    @Test func aTypedLetterKeepsItsClassAndAChordItsKey() {
        var keys = RecordedKeys(showsKeys: false)
        #expect(keys.apply(event(.keyboard(0x04), .down)).key == .masked(.letter))
        #expect(keys.apply(event(.keyboard(0x04), .up)).key == .masked(.letter))
        let command = keys.apply(event(.leftGUI, .down))
        #expect(command.key == .clear(.leftGUI))
        #expect(command.modifiers == .command)
        #expect(keys.apply(event(.keyboard(0x04), .down)).key == .clear(.keyboard(0x04)))
    }

    /// Spec EV-17: a deactivation forgets the modifiers, so that a release of ⌘ seen elsewhere unmasks nothing.
    @Test func afterADeactivationLettersAreMaskedAgain() {
        var keys = RecordedKeys(showsKeys: false)
        _ = keys.apply(event(.leftGUI, .down))
        keys.cancelAll()
        let letter = keys.apply(event(.keyboard(0x04), .down))
        #expect(letter.key == .masked(.letter))
        #expect(letter.modifiers == [])
    }

    @Test func shownKeysStayInClear() {
        var keys = RecordedKeys(showsKeys: true)
        #expect(keys.apply(event(.keyboard(0x04), .down)).key == .clear(.keyboard(0x04)))
    }
}
