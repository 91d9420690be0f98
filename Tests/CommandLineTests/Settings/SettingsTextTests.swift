import Testing

@testable import keyflight

/// The part of TOML that a settings file is written in.
@Suite struct SettingsTextTests {
    private func read(_ text: String) throws(SettingsError) -> SettingsText {
        try SettingsText(Array(text.utf8), file: "a.toml")
    }

    @Test func everyFormOfAValueIsRead() throws {
        let text = try read(
            """
            # a comment
            name = "tabs \\"⌘W\\" \\u00e9\\U0001F600\\t"   # another
            path = 'C:\\no\\escapes'
            on = true
            off=false
            \tcount = -12
            [gate]
            margin = 2.50
            words = [ "a", # one
              'b',
            ]
            empty = []
            """)
        let values = text.entries.map { ($0.name, $0.value) }
        let expected: [(String, SettingsText.Value)] = [
            ("name", .text("tabs \"⌘W\" é😀\t")), ("path", .text("C:\\no\\escapes")), ("on", .flag(true)),
            ("off", .flag(false)), ("count", .integer(-12)), ("gate.margin", .number(2.5)),
            ("gate.words", .list(["a", "b"])), ("gate.empty", .list([])),
        ]
        #expect(values.map(\.0) == expected.map(\.0))
        #expect(values.map(\.1) == expected.map(\.1))
        #expect(text.entries.map(\.place.line) == [2, 3, 4, 5, 6, 8, 9, 12])
        #expect(text.entries[4].place.column == 2)
        #expect(text.tables.map(\.name) == ["gate"])
    }

    @Test(arguments: [
        ("a", "line 1, column 2: syntax: expected = after a, found the end of the file"),
        ("a = ", "line 1, column 5: syntax: expected a \"string\", true, false, a number or a list of strings"),
        ("a = b", "found b"), ("a = 1 2", "expected the end of the line, found 2"), ("a.b = 1", "a dotted key"),
        ("\"a\" = 1", "a quoted name"), ("[a.b]", "expected ] after a"), ("[[a]]", "a list of tables"),
        ("a = {}", "a table in braces"), ("a = 0x10", "found 0x10"), ("a = 01", "found 01"), ("a = 1_0", "found 1_0"),
        ("a = 1e3", "found 1e3"), ("a = inf", "found inf"), ("a = 1979-05-27", "found 1979-05-27"),
        ("a = .5", "found .5"), ("a = 5.", "found 5."), ("a = 99999999999999999999", "found 99999"),
        ("a = \"x", "column 5: syntax: expected a closing quote"), ("a = \"\"\"x\"\"\"", "one of several lines"),
        ("a = \"\\x\"", "column 6: syntax: expected one of"), ("a = \"\\ud800\"", "4 hexadecimal digits"),
        ("a = \"\\u12\"", "4 hexadecimal digits"), ("a = [1]", "expected a string or ]"),
        ("a = [\"x\" \"y\"]", ", or ]"),
        ("a = [[\"x\"]]", "a string or ]"), ("a = [\"x\",", "found the end of the file"),
        ("a = 1\na = 2", "line 2, column 1: a: expected it once, found it again"),
        ("[t]\n[t]", "line 2, column 1: t: expected a new table"), ("t = 1\n[t]", "line 2, column 1: t"),
        ("⌘ = 1", "line 1, column 1"), ("é = \"⌘⌘\u{7}\"", "line 1, column 8: encoding"), ("a = 1\r", "U+000D"),
        ("# \u{0}", "column 3: encoding: expected text, found the control character U+0000"),
        ("\u{FEFF}a = 1", "column 1"),
    ])
    func whatIsNoneOfItIsRefusedWithItsPlace(_ text: String, _ part: String) {
        let error = #expect(throws: SettingsError.self) { try read(text) }
        let line = error?.description ?? ""
        #expect(line.hasPrefix("a.toml: line "), "\(line)")
        #expect(line.contains(part), "\(line)")
    }

    @Test func bytesThatAreNoTextAreRefused() {
        for bytes: [UInt8] in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
            #expect(throws: SettingsError.self) { try SettingsText(bytes, file: "a.toml") }
        }
    }

    @Test func muchIsRefusedOrReadInTimeThatGrowsWithItsLength() throws {
        #expect(throws: SettingsError.self) { try read(String(repeating: "#", count: 1 << 20)) }
        #expect(throws: SettingsError.self) { try read("a = " + String(repeating: "[", count: 15_000)) }
        #expect(try read(String(repeating: "\n", count: SettingsText.longest)).entries.isEmpty)
        let keys = (0..<1500).map { "k\($0) = 1\n" }.joined()
        #expect(try read(keys).entries.count == 1500)
        let list = "a = [" + String(repeating: "\"\",", count: 5000) + "]"
        #expect(try read(list).entries.count == 1)
    }

    /// Whatever byte is missing or another one: a result or an error with a place, and never a trap.
    @Test func everyPrefixAndEveryOtherByteEndsWell() {
        let text = Array("# c\r\na=\"\\u00e9⌘\"\n[gate] # x\nb=[\"y\",'z',\n]\nc=-1.5\nd=true\n".utf8)
        for count in text.indices { check(Array(text[..<count])) }
        for place in text.indices {
            for bit in 0..<8 {
                var other = text
                other[place] ^= 1 << bit
                check(other)
            }
        }
    }

    private func check(_ bytes: [UInt8]) {
        do {
            for entry in try SettingsText(bytes, file: "a.toml").entries {
                #expect(entry.place.line > 0 && entry.place.column > 0)
            }
        } catch {
            #expect((error.place?.line ?? 0) > 0 && (error.place?.column ?? 0) > 0, "\(error)")
        }
    }
}
