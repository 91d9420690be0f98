import KeyModel
import Testing

@testable import FlightReplay

@Suite struct HeldPressesTests {
    private func event(_ key: KeyIdentity, _ phase: KeyPhase, device: UInt16 = 1) -> KeyEvent {
        KeyEvent(time: .zero, device: device, key: key, phase: phase)
    }

    @Test func ordinalsCountTheDownsOfKeysThatAreNoModifiers() {
        var held = HeldPresses()
        #expect(held.down(event(.clear(.leftGUI), .down), recorded: nil) == nil)
        #expect(held.down(event(.clear(.keyboard(0x1A)), .down), recorded: nil) == 1)
        #expect(held.down(event(.clear(.keyboard(0x04)), .down), recorded: nil) == 2)
        #expect(held.up(event(.clear(.keyboard(0x1A)), .up), recorded: nil)?.press == 1)
        #expect(held.up(event(.clear(.keyboard(0x1A)), .up), recorded: nil) == nil)
    }

    @Test func maskedKeysOfOneClassArePairedByTheirRecordedPress() {
        var held = HeldPresses()
        let letter = KeyIdentity.masked(.letter)
        #expect(held.down(event(letter, .down), recorded: 7) == 7)
        #expect(held.down(event(letter, .down), recorded: 8) == 8)
        #expect(held.up(event(letter, .up), recorded: 8)?.press == 8)
        #expect(held.up(event(letter, .up), recorded: nil)?.press == 7)
    }

    @Test func oneKeyOnTwoKeyboardsIsTwoPresses() {
        var held = HeldPresses()
        let key = KeyIdentity.clear(.keyboard(0x04))
        #expect(held.down(event(key, .down), recorded: nil) == 1)
        #expect(held.down(event(key, .down, device: 2), recorded: nil) == 2)
        #expect(held.up(event(key, .up, device: 2), recorded: nil)?.press == 2)
    }

    @Test func aSecondDownEndsThePressBeforeIt() {
        var held = HeldPresses()
        let key = KeyIdentity.clear(.keyboard(0x04))
        _ = held.down(event(key, .down), recorded: nil)
        #expect(held.takeEarlier(event(key, .down))?.press == 1)
        #expect(held.takeEarlier(event(.masked(.letter), .down)) == nil)
    }
}
