import KeyModel
import Testing

@testable import CaptureImport

/// The ⌃C that ends a recording is no part of it; any other ⌃C is.
@Suite struct StopChordTests {
    private struct Typed {
        var chord = StopChord()
        var lines: [String] = []

        /// `ctrl+ c+ c- ctrl-`, a millisecond apart; `2:` before a key of a second keyboard.
        mutating func type(_ keys: String, at start: Int64 = 0) {
            for (number, word) in keys.split(separator: " ").enumerated() {
                let isSecond = word.hasPrefix("2:")
                let name = word.drop { $0 == "2" || $0 == ":" }.dropLast()
                let usages: [Substring: UInt16] = ["ctrl": 0xE0, "right": 0xE4, "shift": 0xE1, "c": 0x06, "x": 0x1B]
                let event = KeyEvent(
                    time: TraceTime(nanoseconds: (start + Int64(number)) * 1_000_000), device: isSecond ? 2 : 1,
                    key: .clear(.keyboard(usages[name] ?? 0)), phase: word.last == "+" ? .down : .up)
                var handed: [String] = []
                chord.add(event) { handed.append(Typed.word($0)) }
                lines += handed
            }
        }

        static func word(_ event: KeyEvent) -> String {
            (event.key.usage?.name ?? "?") + (event.phase == .down ? "+" : "-")
        }

        mutating func pass(to milliseconds: Int64) {
            var handed: [String] = []
            chord.pass(to: TraceTime(nanoseconds: milliseconds * 1_000_000)) { handed.append(Typed.word($0)) }
            lines += handed
        }

        mutating func end(byChord: Bool) {
            var handed: [String] = []
            chord.end(byChord: byChord) { handed.append(Typed.word($0)) }
            lines += handed
        }
    }

    @Test("case 4: the chord before the signal is dropped, whatever of it has come")
    func dropped() {
        for keys in ["ctrl+ c+", "right+ c+ c-", "ctrl+ 2:ctrl+ c+ 2:c+", "ctrl+ c+ c- ctrl-"] {
            var typed = Typed()
            typed.type("x+ x- " + keys)
            typed.end(byChord: true)
            #expect(typed.lines == ["X+", "X-"], "\(keys)")
        }
    }

    @Test("case 5: without a signal the chord was meant for somebody else")
    func kept() {
        var typed = Typed()
        typed.type("ctrl+ c+ c- ctrl-")
        #expect(typed.lines == [])
        typed.pass(to: 200)
        #expect(typed.lines == [])
        typed.pass(to: 400)
        #expect(typed.lines == ["LeftControl+", "C+", "C-", "LeftControl-"])
        typed.end(byChord: true)
        #expect(typed.lines.count == 4)
    }

    @Test("case 5: what is no ⌃C is handed on at once")
    func others() {
        for keys in [
            "x+ x-", "ctrl+ x+ x- ctrl-", "shift+ c+ c- shift-", "ctrl+ shift+ c+ c- shift- ctrl-", "ctrl+ ctrl-",
        ] {
            var typed = Typed()
            typed.type(keys)
            #expect(typed.lines.count == keys.split(separator: " ").count, "\(keys)")
            #expect(typed.chord.waiting.isEmpty)
        }
    }

    @Test("case 6: of a second chord with the same Control the C alone waits")
    func again() {
        var typed = Typed()
        typed.type("ctrl+ c+ c-")
        typed.pass(to: 1000)
        typed.type("c+", at: 1001)
        typed.end(byChord: true)
        #expect(typed.lines == ["LeftControl+", "C+", "C-"])
    }

    @Test("another signal than that of ⌃C drops nothing")
    func terminated() {
        var typed = Typed()
        typed.type("ctrl+ c+")
        typed.end(byChord: false)
        #expect(typed.lines == ["LeftControl+", "C+"])
    }
}
