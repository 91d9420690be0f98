import KeyModel
import Libc
import Testing

@testable import HIDCapture

extension TerminalKeys {
    mutating func add(_ bytes: some Sequence<UInt8>, _ emit: (Answer) -> Void) {
        for byte in bytes { waiting.append(byte) }
        decode(emit)
    }

    /// Characters and sequences that were dropped.
    var drops: UInt64 { unknownCharacters + unknownSequences }
}

/// What terminals send for keys.
@Suite struct TerminalKeysTests {
    /// Letters, digits and two keys with a second character.
    static let layout: Layout = {
        var keys: [UInt16: Layout.Key] = [
            0x2C: Layout.Key(symbols: [.text(" ")]), 0x2D: Layout.Key(symbols: [.text("-"), .text("_")]),
            0x2F: Layout.Key(symbols: [.text("["), .text("{")]), 0x34: Layout.Key(symbols: [.text("ä"), .text("Ä")]),
        ]
        for (index, character) in "abcdefghijklmnopqrstuvwxyz1234567890".enumerated() {
            let text = String(character)
            keys[UInt16(index + 4)] = Layout.Key(symbols: [.text(text), .text(text.uppercased())])
        }
        return Layout(name: "test", keys: keys)
    }()

    /// `ctrl+c` for a press with what it was pressed with, `C↑` where the terminal tells events of keys by themselves.
    static func lines(_ parts: [String], flushes: Bool = true) -> [String] {
        var keys = TerminalKeys(layout: layout)
        var lines: [String] = []
        func receive(_ answer: TerminalKeys.Answer) {
            switch answer {
            case .protocolFlags: lines.append("protocol")
            case .attributes: lines.append("attributes")
            case .key(let key):
                let sign = key.phase == .down ? "↓" : key.phase == .up ? "↑" : "↻"
                guard let modifiers = key.impliedModifiers else { return lines.append(key.usage.name + sign) }
                let names: [(KeyModifiers, String)] = [
                    (.control, "ctrl"), (.option, "opt"), (.shift, "shift"), (.command, "cmd"),
                ]
                let held = names.filter { modifiers.contains($0.0) }.map(\.1)
                lines.append((held + [key.usage.chordName]).joined(separator: "+"))
            }
        }
        for part in parts { keys.add(part.utf8, receive) }
        if flushes { keys.flush(receive) }
        return lines
    }

    @Test("characters are the keys that type them, with the modifier that they take")
    func characters() {
        #expect(Self.lines(["aB -_ä"]) == ["a", "shift+b", "space", "minus", "shift+minus", "quote"])
    }

    @Test("control characters are Control and a letter, but Tab, Return and Backspace are keys of their own")
    func controls() {
        #expect(
            Self.lines(["\u{01}\u{1A}\u{00}\u{1C}\t\r\u{7F}"])
                == ["ctrl+a", "ctrl+z", "ctrl+space", "ctrl+backslash", "tab", "return", "delete"])
    }

    @Test("an escape alone is the key; before a character it is Option")
    func escapes() {
        #expect(Self.lines(["\u{1B}"]) == ["esc"])
        #expect(Self.lines(["\u{1B}"], flushes: false) == [])
        #expect(Self.lines(["\u{1B}a\u{1B}\u{01}"]) == ["opt+a", "ctrl+opt+a"])
        #expect(Self.lines(["\u{1B}\u{1B}[A"]) == ["esc", "up"])
    }

    @Test("sequences of arrows, editing and function keys, in one piece or in several")
    func sequences() {
        let expected = ["up", "shift+right", "ctrl+opt+home", "pageup", "f5", "f12", "f1", "f1", "shift+tab", "end"]
        let sent = "\u{1B}[A\u{1B}[1;2C\u{1B}[1;7H\u{1B}[5~\u{1B}[15~\u{1B}[24~\u{1B}OP\u{1B}[P\u{1B}[Z\u{1B}[F"
        #expect(Self.lines([sent]) == expected)
        #expect(Self.lines(sent.map(String.init)) == expected)
    }

    @Test("the kitty protocol tells presses, repeats and releases, of modifiers too")
    func kittyProtocol() {
        let sent =
            "\u{1B}[57442;5u\u{1B}[97;5u\u{1B}[97;5:2u\u{1B}[97;5:3u\u{1B}[57442;1:3u\u{1B}[1;1:3A\u{1B}[3;1:1~"
            + "\u{1B}[13u"
        #expect(
            Self.lines([sent]) == [
                "LeftControl↓", "A↓", "A↻", "A↑", "LeftControl↑", "UpArrow↑", "DeleteForward↓", "ReturnOrEnter↓",
            ])
    }

    @Test("a key has the place that the protocol gives it on a PC keyboard, whatever it types")
    func kittyPosition() {
        // й on the key of Q; the layout of the test has no й.
        #expect(Self.lines(["\u{1B}[1081::113;1:1u\u{1B}[1081::113;1:3u"]) == ["Q↓", "Q↑"])
        #expect(Self.lines(["\u{1B}[57404;129u\u{1B}[57404;129:3u"]) == ["Keypad5↓", "Keypad5↑"])
    }

    @Test("answers to questions are told apart from keys, whatever comes between them")
    func answers() {
        #expect(Self.lines(["a\u{1B}[?15ub\u{1B}[?62;4c"]) == ["a", "protocol", "b", "attributes"])
    }

    @Test("bytes that are no key give none, and characters of no key are counted")
    func unknown() {
        #expect(Self.lines(["\u{1B}[200~\u{1B}[1;2Q\u{1B}Ox"]) == ["shift+f2"])
        #expect(Self.lines(["\u{1B}[" + String(repeating: "1;", count: 60)]).count <= 1)
        var keys = TerminalKeys(layout: Self.layout)
        keys.add("日€a".utf8) { _ in }
        #expect(keys.unknownCharacters == 2)
        keys.add([0xFF, 0xC3]) { _ in }
        #expect(Array(keys.waiting) == [0xC3])
    }

    @Test("Option and a character that begins sequences is that key when nothing follows, or what cannot")
    func beginnings() {
        #expect(Self.lines(["\u{1B}["]) == ["opt+openbracket"])
        #expect(Self.lines(["\u{1B}O"]) == ["opt+shift+o"])
        #expect(Self.lines(["\u{1B}[\u{03}\u{1B}O\u{03}"]) == ["opt+openbracket", "ctrl+c", "opt+shift+o", "ctrl+c"])
        #expect(Self.lines(["\u{1B}[\u{1B}[A\u{1B}O\u{1B}OP"]) == ["opt+openbracket", "up", "opt+shift+o", "f1"])
    }

    /// What terminals send for one key or answer.
    static let pieces: [[UInt8]] =
        [
            "a", "B", "ä", "日", "😀", "\u{01}", "\u{1B}", "\u{1B}a", "\u{1B}ä", "\u{1B}\u{01}", "\u{1B}[A",
            "\u{1B}[1;2C", "\u{1B}[15~", "\u{1B}[Z", "\u{1B}OP", "\u{1B}[97;5:3u", "\u{1B}[1081::113;1:1u",
            "\u{1B}[1;1:3A", "\u{1B}[?15u", "\u{1B}[?62;4c", "\u{1B}[200~", "\u{1B}Ox", "\u{1B}[<0;1;2M",
        ].map { Array($0.utf8) } + [[0xF0], [0xFF], [0xC0], [0x1B, 0xF0], [0xE0, 0x80, 0x80]]

    @Test("every beginning of every sequence is timed out: one key, answer or counted drop")
    func prefixes() {
        for piece in Self.pieces {
            for length in 1...piece.count {
                var keys = TerminalKeys(layout: Self.layout)
                var answers: UInt64 = 0
                keys.add(piece.prefix(length)) { _ in answers += 1 }
                keys.flush { _ in answers += 1 }
                #expect(answers + keys.drops == 1, "\(piece.prefix(length))")
                #expect(keys.waiting.isEmpty)
            }
        }
    }

    @Test("whole and cut sequences one after the other, each timed out: keys and drops are as many as came")
    func soup() {
        var random = SeededRandom(state: 7)
        var keys = TerminalKeys(layout: Self.layout)
        var answers: UInt64 = 0
        for number in 1...5_000 {
            let piece = Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
            let length = 1 + Int(random.next() % UInt64(piece.count))
            for byte in piece.prefix(length) { keys.add([byte]) { _ in answers += 1 } }
            keys.flush { _ in answers += 1 }
            #expect(answers + keys.drops == UInt64(number))
        }
    }

    @Test("after any bytes ⌃C is read at once, and how they were cut into reads changes nothing")
    func stopKey() {
        var random = SeededRandom(state: 11)
        // Nothing waits after a ⌃C.
        var (whole, single) = (TerminalKeys(layout: Self.layout), TerminalKeys(layout: Self.layout))
        for _ in 0..<1_000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.next() % 6 {
                let piece = Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
                bytes += piece.prefix(1 + Int(random.next() % UInt64(piece.count)))
                if random.next() % 3 == 0 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            }
            bytes.append(0x03)
            var answers: ([TerminalKeys.Answer], [TerminalKeys.Answer]) = ([], [])
            whole.add(bytes) { answers.0.append($0) }
            for byte in bytes { single.add([byte]) { answers.1.append($0) } }
            #expect(answers.0 == answers.1 && whole.drops == single.drops, "\(bytes)")
            guard case .key(let last) = answers.0.last else {
                Issue.record("\(bytes)")
                continue
            }
            #expect(last.usage == .keyboard(0x06) && last.modifiers.contains(.control), "\(bytes)")
        }
    }

    struct SeededRandom {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }

    @Test("any bytes at all are survived, and what waits stays short")
    func anyBytes() {
        var random = SeededRandom(state: 42)
        var keys = TerminalKeys(layout: Self.layout)
        for _ in 0..<20_000 {
            let any = UInt8(truncatingIfNeeded: random.next())
            let choices: [UInt8] = [0x1B, 0x5B, 0x3B, 0x3A, 0x31, 0x75, 0x4F, 0x3F, any]
            keys.add([choices[Int(random.next()) % choices.count]]) { _ in }
            #expect(keys.waiting.count <= 70)
        }
    }
}
