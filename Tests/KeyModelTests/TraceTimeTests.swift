import KeyModel
import Testing

@Suite("Times and durations")
struct TraceTimeTests {
    @Test("durations are an integer and a unit", arguments: [
        ("400ms", Int64(400_000_000)), ("1s", 1_000_000_000), ("120us", 120_000), ("7ns", 7), ("0ms", 0),
        ("1500us", 1_500_000), ("9223372036s", 9_223_372_036_000_000_000), ("007ms", 7_000_000),
    ])
    func read(text: String, nanoseconds: Int64) { #expect(TraceDuration(text: text)?.nanoseconds == nanoseconds) }

    @Test("anything else is refused", arguments: [
        "", "400", "ms", "1.5s", "-1s", "+1s", "1 s", "1S", "1m", "1sec", "٤ms",
        "9223372037s", "99999999999999999999ns",
        "1s ", "0x1s",
    ])
    func refuse(text: String) { #expect(TraceDuration(text: text) == nil) }

    @Test("the text is the shortest exact one and reads back", arguments: [
        (Int64(0), "0ns"), (1, "1ns"), (1_000, "1us"), (1_500, "1500ns"), (400_000_000, "400ms"),
        (60_000_000_000, "60s"),
        (Int64.max, "9223372036854775807ns"),
    ])
    func write(nanoseconds: Int64, text: String) {
        #expect(TraceDuration(nanoseconds: nanoseconds).text == text)
        #expect(TraceDuration(text: text)?.nanoseconds == nanoseconds)
    }

    @Test("arithmetic saturates: times come from files")
    func saturation() {
        let last = TraceTime(nanoseconds: .max)
        #expect(last.advanced(by: TraceDuration(nanoseconds: 1)) == last)
        #expect(TraceTime(nanoseconds: .min).since(last) == TraceDuration(nanoseconds: .min))
        #expect(last.since(TraceTime(nanoseconds: .min)) == TraceDuration(nanoseconds: .max))
        #expect(TraceDuration(nanoseconds: .max) + TraceDuration(nanoseconds: 1) == TraceDuration(nanoseconds: .max))
        #expect(TraceTime(nanoseconds: 5).since(TraceTime(nanoseconds: 7)).nanoseconds == -2)
    }

    @Test("phases, outcomes and who took a press have names that read back")
    func names() {
        for phase in KeyPhase.allCases { #expect(KeyPhase(name: phase.name) == phase) }
        for code in UInt8(0)...255 {
            #expect(Outcome(name: Outcome(rawValue: code).name)?.rawValue == code)
            #expect(TakenBy(name: TakenBy(rawValue: code).name)?.rawValue == code)
        }
        #expect(Outcome(name: "outcome-1") == nil, "a code that has a name is not written as a number")
        #expect(Outcome(name: "nonsense") == nil)
    }

    @Test("the stable hash is FNV-1a with 64 bits")
    func stableHash() {
        var hash = StableHash()
        #expect(hash.hexadecimal == "cbf29ce484222325")
        hash.combine(byte: UInt8(ascii: "a"))
        #expect(hash.hexadecimal == "af63dc4c8601ec8c")
        var joined = StableHash()
        joined.combine("ab")
        joined.combine("c")
        var other = StableHash()
        other.combine("a")
        other.combine("bc")
        #expect(joined.value != other.value)
    }

    @Test("a number in the stable hash is its eight bytes, however many of them are 0")
    func stableHashOfNumbers() {
        for shift in 0..<64 {
            for number in [UInt64(1) << shift, .max >> shift, 0x0100_2000_0300_0040 >> shift, 0] {
                var (whole, bytes) = (StableHash(), StableHash())
                whole.combine(number)
                for place in 0..<8 { bytes.combine(byte: UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
                #expect(whole.value == bytes.value)
            }
        }
    }
}

@Suite("Layouts as text")
struct LayoutTextTests {
    let sample = """
        layout xx:yy
        key 04 caps U+0061 U+0041 U+00E6 -
        key 2f dead_circumflex - - -
        key 10 U+0065,U+0301 - - -
        compose dead_circumflex U+0061 = U+00E2

        """

    @Test("the text reads back as the same layout, and the same layout gives the same text")
    func roundTrip() throws {
        let layout = try Layout(text: sample)
        #expect(layout.name == "xx:yy")
        #expect(layout.keys[4]?.capsLock == .swaps)
        #expect(layout.keys[0x10]?.symbols[0] == .text("e\u{301}"))
        #expect(layout.compose == [[.dead("dead_circumflex"), .text("a")]: "â"])
        #expect(try Layout(text: layout.text) == layout)
        #expect(try Layout(text: layout.text).hash == layout.hash)
        var other = layout
        other.keys[4]?.capsLock = .none
        #expect(other.hash != layout.hash)
    }

    @Test("an error names its line", arguments: [
        ("", 1), ("key 04 - - - -", 1), ("layout a\nlayout b", 2), ("layout a\nkey zz - - - -", 2),
        ("layout a\nkey 04 - - -", 2), ("layout a\nkey 04 - - - -\nkey 04 - - - -", 3), ("layout a\nkey 04 x - - -", 2),
        ("layout a\ncompose dead_x = U+0041", 2), ("layout a\nkey 04 U+D800 - - -", 2), ("layout a\nnonsense", 2),
    ])
    func errors(text: String, line: Int) {
        let error = #expect(throws: Layout.ParseError.self) { try Layout(text: text) }
        #expect(error?.line == line)
    }

    @Test("levels: Shift, level 3 where there is one, Caps Lock for the keys that follow it")
    func levels() throws {
        let layout = try Layout(text: sample)
        let a = KeyUsage.keyboard(4)
        #expect(layout.symbol(for: a, modifiers: [.option]) == .text("æ"))
        #expect(layout.symbol(for: a, modifiers: [.option, .shift]) == .text("A"))
        #expect(layout.symbol(for: a, modifiers: [.command, .control]) == .text("a"))
        #expect(layout.symbol(for: a, modifiers: [.capsLock]) == .text("A"))
        #expect(layout.symbol(for: .keyboard(0x2F), modifiers: [.shift]) == .dead("dead_circumflex"))
        #expect(layout.symbol(for: .escape, modifiers: []) == .none)
        #expect(layout.shiftedText(for: a) == "A")
        #expect(layout.plainText(for: .keyboard(0x2F)) == "")
    }

    @Test("any text is a layout or an error")
    func hostile() {
        var bytes = Array(sample.utf8)
        for at in bytes.indices {
            for bit in 0..<8 {
                bytes[at] ^= 1 << bit
                _ = try? Layout(text: String(decoding: bytes, as: UTF8.self))
                bytes[at] ^= 1 << bit
            }
        }
    }
}
