import Testing

@testable import KeyModel

@Suite("Held keys")
struct KeyboardStateTests {
    private static let letter = KeyIdentity.masked(.letter)
    private static let a = KeyIdentity.clear(.keyboard(0x04))
    private static let w = KeyIdentity.clear(.keyboard(0x1A))
    private static let command = KeyIdentity.clear(.leftGUI)

    @Test("presses count the downs of keys that are no modifiers")
    func ordinals() {
        var state = KeyboardState()
        #expect(state.apply(Self.command, .down, device: 1)?.press == nil)
        #expect(state.apply(Self.w, .down, device: 1)?.press == 1)
        #expect(state.apply(Self.a, .down, device: 1)?.press == 2)
        #expect(state.held.map(\.key) == [Self.command, Self.w, Self.a], "in the order of their downs")
        #expect(state.apply(Self.w, .up, device: 1)?.press == 1)
        #expect(state.apply(Self.w, .up, device: 1) == nil)
        #expect(state.pressCount == 2)
    }

    @Test("a recorded number goes first, and the next one is the one after the highest")
    func recordedNumbers() {
        var state = KeyboardState(pressCount: 4)
        #expect(state.nextPress == 5)
        #expect(state.apply(Self.a, .down, device: 1, press: 9)?.press == 9)
        #expect(state.apply(Self.w, .down, device: 1, press: 3)?.press == 3)
        #expect(state.nextPress == 10)
        #expect(state.key(ofPress: 3)?.key == Self.w)
        #expect(state.key(ofPress: 4) == nil)
        #expect(KeyboardState(pressCount: .max).nextPress == .max)
    }

    @Test("masked keys of one class are paired by their recorded press, else the oldest is released")
    func maskedKeys() {
        var state = KeyboardState()
        #expect(state.apply(Self.letter, .down, device: 1, press: 7)?.press == 7)
        #expect(state.apply(Self.letter, .down, device: 1, press: 8)?.press == 8)
        #expect(state.apply(Self.letter, .up, device: 1, press: 8)?.press == 8)
        #expect(state.apply(Self.letter, .up, device: 1)?.press == 7)
        for press: UInt32 in 9...10 { state.apply(Self.letter, .down, device: 1, press: press) }
        #expect(state.apply(Self.letter, .up, device: 1, press: 99)?.press == 9)
        state.release(Self.letter, device: 1, press: 99)
        #expect(state.held.map(\.press) == [10])
    }

    @Test("one key on two keyboards is two presses")
    func twoKeyboards() {
        var state = KeyboardState()
        #expect(state.apply(Self.a, .down, device: 1)?.press == 1)
        #expect(state.apply(Self.a, .down, device: 2)?.press == 2)
        #expect(state.apply(Self.a, .up, device: 2)?.press == 2)
        #expect(state.cancel(Self.a)?.device == 1, "the system's cancel means whichever keyboard")
    }

    @Test("a modifier that the system cancels gives no flag; modifiers that are forgotten leave the keys down")
    func forgottenModifiers() {
        var state = KeyboardState()
        let command = KeyIdentity.clear(.keyboard(0xE3))
        state.apply(command, .down, device: 1)
        #expect(state.modifiers.flags == .command && state.cancel(command)?.press == nil)
        #expect(state.modifiers.flags.isEmpty)
        state.apply(command, .down, device: 1)
        state.apply(Self.a, .down, device: 1)
        state.forgetModifiers()
        #expect(state.modifiers.flags.isEmpty && state.held.count == 2)
        #expect(state.apply(Self.a, .up, device: 1)?.isClear == true)
    }

    @Test("what one source holds, another one's events do not release")
    func sources() {
        var state = KeyboardState()
        state.apply(Self.a, .down, device: 1, source: 1)
        #expect(state.apply(Self.a, .up, device: 1, source: 2) == nil)
        #expect(state.apply(Self.a, .up, device: 1, source: 1)?.press == 1)
    }

    @Test("a second down is a new press, and ends the one before only where that is asked for")
    func secondDown() {
        var state = KeyboardState()
        state.apply(Self.a, .down, device: 1)
        #expect(state.endEarlier(Self.a, device: 1)?.press == 1)
        #expect(state.apply(Self.a, .down, device: 1)?.press == 2)
        #expect(state.apply(Self.a, .down, device: 1)?.press == 3)
        #expect(state.oldest(Self.a, device: 1)?.press == 2)
        #expect(state.youngest(Self.a, device: 1)?.press == 3)
        state.apply(Self.letter, .down, device: 1)
        #expect(state.endEarlier(Self.letter, device: 1) == nil, "it may be another letter")
    }

    @Test("EV-13: repeats count on whatever comes in between, of the youngest key or of the recorded press")
    func repeats() {
        var state = KeyboardState()
        state.apply(Self.letter, .down, device: 1)
        #expect(state.apply(Self.letter, .repeat, device: 1)?.repeats == 1)
        state.apply(Self.letter, .down, device: 1)
        #expect(state.apply(Self.letter, .repeat, device: 1)?.press == 2)
        #expect(state.apply(Self.letter, .repeat, device: 1, press: 1)?.repeats == 2)
        #expect(state.apply(Self.letter, .up, device: 1, press: 1)?.repeats == 2)
        #expect(state.apply(Self.w, .repeat, device: 1) == nil)
    }

    @Test("EV-17: a flag stays until its last key is up, over sides and keyboards; a deactivation forgets all of it")
    func modifiers() {
        var state = KeyboardState()
        state.apply(.clear(.leftShift), .down, device: 1)
        state.apply(.clear(.rightShift), .down, device: 2)
        state.apply(.clear(.capsLock), .down, device: 2)
        state.apply(.clear(.leftShift), .up, device: 1)
        #expect(state.modifiers.flags == [.shift, .capsLock])
        #expect(state.modifiers.heldFlags == .shift)
        #expect(state.modifiers.heldFlags(without: ModifierKeys(rawValue: 1 << 5), of: 2) == [])
        #expect(state.modifiers.keys(of: 2).usages == [.rightShift])
        state.forgetModifiers()
        #expect(state.modifiers.flags == [])
        state.apply(.clear(.rightShift), .up, device: 2)
        #expect(state.modifiers.flags == [])
    }

    /// A release of ⌘ seen elsewhere unmasks nothing.
    @Test("EV-17: after a deactivation letters are masked again")
    func maskAfterDeactivation() {
        var state = KeyboardState()
        state.apply(Self.command, .down, device: 1)
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.a)
        state.forgetModifiers()
        #expect(Self.a.masked(state.apply(Self.a, .up, device: 1)) == Self.a, "as its down was recorded")
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.letter)
    }

    @Test("a ⌘ whose down no source sent unmasks nothing, until one is seen to go down")
    func syntheticDown() {
        var state = KeyboardState()
        state.apply(Self.command, .down, device: 1, isSynthetic: true)
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.letter)
        #expect(state.modifiers.flags == .command && state.modifiers.seenFlags == [])
        state.apply(.clear(.keyboard(0xE7)), .down, device: 2)
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.a)
        state.apply(.clear(.keyboard(0xE7)), .up, device: 2)
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.letter)
        state.apply(Self.command, .up, device: 1)
        state.apply(Self.command, .down, device: 1)
        #expect(Self.a.masked(state.apply(Self.a, .down, device: 1)) == Self.a)
    }

    @Test("keys past the limit: the oldest is forgotten first, modifier keys last")
    func limit() {
        var state = KeyboardState(limit: 3)
        state.apply(Self.command, .down, device: 1)
        for usage: UInt16 in 4...7 { state.apply(.clear(.keyboard(usage)), .down, device: 1) }
        #expect(state.held.map(\.press) == [nil, 3, 4])
        state.restore(Self.a, device: 1, press: 9)
        #expect(state.held.count == 3)
        var modifiers = ModifierState()
        for device: UInt16 in 1...40 { modifiers.apply(.leftShift, .down, device: device) }
        #expect(modifiers.keyboards.map(\.device) == Array(9...40))
        for device: UInt16 in 1...40 { modifiers.apply(.leftShift, .up, device: device) }
        #expect(modifiers == ModifierState())
    }

    @Test("a key that is released stays nowhere in memory")
    func released() {
        var state = KeyboardState()
        for usage: UInt16 in 4...6 { state.apply(.clear(.keyboard(usage)), .down, device: 1) }
        state.apply(.clear(.keyboard(5)), .up, device: 1)
        state.keys.withUnsafeBufferPointer { keys in
            #expect(keys.map(\.key) == [.clear(.keyboard(4)), .clear(.keyboard(6))])
            // The third place, which the array keeps for later.
            #expect(keys.baseAddress.map { ($0 + 2).pointee.code } == 0)
        }
    }

    @Test("a held key gives back its keyboard and its identity")
    func identities() {
        var state = KeyboardState()
        let wide = KeyIdentity.clear(KeyUsage(page: 0xFFFF, usage: 0xFFFF))
        let keys = [wide, .masked(.keypad), .masked(.letter), Self.a]
        for key in keys { state.apply(key, .down, device: .max) }
        #expect(state.held.map(\.key) == keys)
        #expect(state.held.allSatisfy { $0.device == .max })
    }
}
