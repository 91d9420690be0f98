import KeyModel
import Testing

@Suite("Modifiers")
struct ModifierTests {
    @Test("spec §1.1: raw values, and names in the order of JSON")
    func rawValues() {
        #expect(KeyModifiers.named.map(\.name) == ["capsLock", "shift", "control", "option", "command", "numericPad"])
        #expect(KeyModifiers.named.map(\.flag.rawValue) == [0x10000, 0x20000, 0x40000, 0x80000, 0x100000, 0x200000])
        #expect(KeyModifiers.matchMask.rawValue == 0x1E0000)
        let all = KeyModifiers.named.reduce(into: KeyModifiers()) { $0.formUnion($1.flag) }
        #expect(all.names == KeyModifiers.named.map(\.name))
        #expect(KeyModifiers(name: "cmd") == nil)
        for packed in UInt8(0)..<64 { #expect(KeyModifiers(packed: packed).packed == packed) }
    }

    @Test("EV-17: left and right count apart, the flag clears when both are up")
    func sides() {
        var state = ModifierState()
        state.apply(.leftShift, .down)
        #expect(state.flags == .shift, "a modifier's own down carries its flag")
        state.apply(.rightShift, .down)
        state.apply(.leftShift, .up)
        #expect(state.flags == .shift)
        state.apply(.rightShift, .repeat)
        #expect(state.flags == .shift)
        state.apply(.rightShift, .up)
        #expect(state.flags == [], "its up does not")
    }

    @Test("EV-17: all four modifiers, and a cancel lets go")
    func all() {
        var state = ModifierState()
        for key in [KeyUsage.rightControl, .rightAlt, .leftGUI, .leftShift] { state.apply(key, .down) }
        #expect(state.flags == .matchMask)
        state.apply(.leftGUI, .cancel)
        #expect(state.flags == [.shift, .control, .option])
    }

    @Test("EV-17: Caps Lock toggles on its down")
    func capsLock() {
        var state = ModifierState()
        state.apply(.capsLock, .down)
        state.apply(.capsLock, .up)
        #expect(state.flags == .capsLock)
        state.apply(.capsLock, .repeat)
        #expect(state.isCapsLockOn)
        state.apply(.capsLock, .down)
        #expect(state.flags == [])
    }

    @Test("DT-2: keypad keys carry numericPad, arrows do not")
    func keypad() {
        let state = ModifierState()
        for usage in UInt16(0)...0xFF {
            let isKeypad = (0x53...0x67).contains(usage) && !(0x64...0x66).contains(usage)
            #expect(state.flags(for: .clear(.keyboard(usage))).contains(.numericPad) == isKeypad)
        }
        #expect(state.flags(for: .clear(KeyUsage(page: 0x0C, usage: 0x59))) == [])
        for textClass in TextKeyClass.allCases {
            #expect(state.flags(for: .masked(textClass)).contains(.numericPad) == (textClass == .keypad))
        }
    }

    @Test("only E0 to E7 of page 7 are modifier keys")
    func modifierKeys() {
        for usage in UInt16(0)...0x1FF {
            #expect(KeyUsage.keyboard(usage).isModifier == (0xE0...0xE7).contains(usage))
            #expect((KeyUsage.keyboard(usage).modifierKey != nil) == (0xE0...0xE7).contains(usage))
        }
        #expect(KeyUsage(page: 0x0C, usage: 0xE0).modifierKey == nil)
    }
}

@Suite("Masking")
struct KeyMaskTests {
    func identities(_ events: [(KeyUsage, KeyPhase)]) -> [KeyIdentity] {
        var state = KeyboardState()
        return events.map { KeyIdentity.clear($0.0).masked(state.apply(.clear($0.0), $0.1, device: 1)) }
    }

    let w = KeyUsage.keyboard(0x1A)

    @Test("the classes partition the text keys of page 7 exactly")
    func classes() {
        var seen: [UInt16: TextKeyClass] = [:]
        for textClass in TextKeyClass.allCases {
            for range in textClass.usages {
                for usage in range {
                    #expect(seen.updateValue(textClass, forKey: usage) == nil)
                    #expect(TextKeyClass(.keyboard(usage)) == textClass)
                }
            }
            #expect(TextKeyClass(name: textClass.name) == textClass)
        }
        for usage in UInt16(0)...0x1FF where seen[usage] == nil { #expect(TextKeyClass(.keyboard(usage)) == nil) }
        #expect(TextKeyClass(KeyUsage(page: 0x0C, usage: 0x04)) == nil)
        // Return, Escape, Delete, Tab, arrows, page keys, function keys and modifiers stay in clear.
        for usage in [UInt16(0x28), 0x29, 0x2A, 0x2B, 0x39, 0x3A, 0x4A, 0x4F, 0x53, 0x58, 0xE0, 0xE7] {
            #expect(seen[usage] == nil)
        }
    }

    @Test("text keys are masked, everything else is clear")
    func plain() {
        #expect(
            identities([(w, .down), (w, .repeat), (w, .up), (.escape, .down), (.leftShift, .down), (w, .down)])
                == [.masked(.letter), .masked(.letter), .masked(.letter), .clear(.escape), .clear(.leftShift),
                    .masked(.letter)])
    }

    @Test("Command or Control held at the down keeps the press in clear, to its end", arguments: [
        KeyUsage.leftGUI, .rightGUI, .leftControl, .rightControl,
    ])
    func chord(modifier: KeyUsage) {
        #expect(
            identities([(modifier, .down), (w, .down), (modifier, .up), (w, .repeat), (w, .up), (w, .down)])
                == [.clear(modifier), .clear(w), .clear(modifier), .clear(w), .clear(w), .masked(.letter)])
    }

    @Test("Option and Shift reveal nothing, and neither does a Command that comes later")
    func later() {
        #expect(
            identities([(.leftAlt, .down), (.leftShift, .down), (w, .down), (.leftGUI, .down), (w, .repeat), (w, .up)])
                .filter { $0.maskedClass != nil }.count == 3)
    }

    @Test("a release without a known down reveals nothing")
    func strayRelease() {
        #expect(identities([(.leftGUI, .down), (w, .up), (w, .repeat), (w, .cancel)]).dropFirst()
            .allSatisfy { $0 == .masked(.letter) })
    }

    @Test("Command on one keyboard counts for a letter on another")
    func twoKeyboards() {
        var state = KeyboardState()
        let key = KeyIdentity.clear(w)
        state.apply(.clear(.leftGUI), .down, device: 1)
        #expect(key.masked(state.apply(key, .down, device: 2)) == key)
        state.apply(.clear(.leftGUI), .up, device: 1)
        #expect(key.masked(state.apply(key, .down, device: 1)) == .masked(.letter))
        #expect(key.masked(state.apply(key, .up, device: 2)) == key, "its own press was in clear")
    }
}
