import KeyModel
import TraceFormat
import Testing

struct MaskedKeyRecorderTests {
    /// Records events written as `+A -A rA xA`, and returns the records as `+A 1 shift`: key or class, press,
    /// modifiers. What is held is `KeyboardState`'s, and tested there.
    private static func lines(_ text: String, showsKeys: Bool = true) -> [String] {
        var recorder = MaskedKeyRecorder(showsKeys: showsKeys)
        return text.split(separator: " ").compactMap { word in
            guard let sign = word.first, let usage = KeyUsage(name: String(word.dropFirst())) else { return nil }
            let phases: [Character: KeyPhase] = ["+": .down, "-": .up, "r": .repeat, "x": .cancel]
            guard let phase = phases[sign] else { return nil }
            let record = recorder.record(KeyEvent(time: .zero, key: .clear(usage), phase: phase))
            let key =
                switch record.key {
                case .clear(let usage): usage.name
                case .masked(let textClass): "[\(textClass.name)]"
                }
            let press = record.press.map(String.init) ?? "nil"
            return ([String(sign) + key, press] + record.modifiers.names).joined(separator: " ")
        }
    }

    @Test("presses are numbered at their downs, modifiers are not")
    func numbers() {
        #expect(
            Self.lines("+LeftShift +A +B rB -A -LeftShift -B +A xA") == [
                "+LeftShift nil shift", "+A 1 shift", "+B 2 shift", "rB 2 shift", "-A 1 shift", "-LeftShift nil",
                "-B 2", "+A 3", "xA 3",
            ])
    }

    @Test("what types text is masked, with its class; chords, editing and consumer keys are not")
    func masked() {
        #expect(
            Self.lines("+A -A +1 -1 +minus -minus +space -space +Keypad5 +return +left +0c:00e9", showsKeys: false) == [
                "+[letter] 1", "-[letter] 1", "+[digit] 2", "-[digit] 2", "+[punctuation] 3", "-[punctuation] 3",
                "+[space] 4", "-[space] 4", "+[keypad] 5 numericPad", "+ReturnOrEnter 6", "+LeftArrow 7", "+0c:00e9 8",
            ])
    }

    @Test("the mask is decided at the down and holds for the press")
    func decidedAtDown() {
        #expect(
            Self.lines("+LeftGUI +W -LeftGUI -W +A +LeftControl -A -LeftControl", showsKeys: false) == [
                "+LeftGUI nil command", "+W 1 command", "-LeftGUI nil", "-W 1", "+[letter] 2",
                "+LeftControl nil control", "-[letter] 2 control", "-LeftControl nil",
            ])
    }

    @Test("a recording that goes on numbers its presses from where it was")
    func goesOn() {
        var recorder = MaskedKeyRecorder(showsKeys: true, presses: 41)
        #expect(recorder.record(KeyEvent(time: .zero, key: .clear(.escape), phase: .down)).press == 42)
    }

    @Test("thousands of keyboards cost no more per event than one")
    func manyKeyboards() {
        var recorder = MaskedKeyRecorder()
        for round in 0..<4 {
            for device in UInt16(1)...4096 {
                let event = KeyEvent(
                    time: .zero, device: device, key: .clear(.keyboard(4)), phase: round % 2 == 0 ? .down : .up)
                #expect(recorder.record(event).press != nil)
            }
        }
        #expect(recorder.presses == 8192)
    }
}
