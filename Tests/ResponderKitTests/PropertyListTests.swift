import ResponderKit
import Testing

@Suite("Property lists")
struct PropertyListTests {
    private func read(_ text: String) throws -> PropertyList { try PropertyList(text.utf8) }

    private func strings(_ text: String) throws -> [String] {
        guard case .array(let items) = try read(text).content else { return [] }
        return items.compactMap { if case .string(let string) = $0.content { string } else { nil } }
    }

    @Test("old-style text: words, both quotes, every escape, comments, the last separator may be missing")
    func oldStyle() throws {
        let list = try strings(
            #"""
            ( word:., "a b", 'it', // to the end of the line
              "\n\t\"\\\101\Uf700\Ud83d\ude00", /* in
              between */ "long \
            line" )
            """#)
        #expect(list == ["word:.", "a b", "it", "\n\t\"\\A\u{F700}😀", "long line"])
        guard case .dictionary(let entries) = try read("{ a = b; c = <0fbd ff>; (d, e) = {f = g} }").content else {
            Issue.record("no dictionary")
            return
        }
        #expect(entries.count == 3 && entries[1].value.content == .other("data"))
        #expect(entries[2].key.kindName == "an array" && entries[2].value.kindName == "a dictionary")
    }

    @Test("XML: elements, entities, sections, comments, with and without <plist>")
    func xml() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict> <!-- a comment -->
              <key>~[</key><array><string>insertText:</string><string>&#x2018;&lt;&amp;</string></array>
              <key>n</key><integer>5</integer> <key>t</key><true/> <key>e</key><string/>
              <key>c</key><string><![CDATA[<&]]></string>
            </dict></plist>
            """
        guard case .dictionary(let entries) = try read(text).content else {
            Issue.record("no dictionary")
            return
        }
        #expect(entries.map(\.value.kindName) == ["an array", "a number", "a truth value", "a string", "a string"])
        #expect(entries[3].value.content == .string("") && entries[4].value.content == .string("<&"))
        #expect(try read("<array><string>x</string></array>").kindName == "an array")
        #expect(entries[1].key.place == PropertyList.Place(line: 5, column: 3))
    }

    @Test("UTF-16 with a byte order mark is read; a binary list names the tool that converts it")
    func encodings() throws {
        let units: [UInt8] = [0xFE, 0xFF] + "{\"~[\" = \"‘\";}".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try PropertyList(units) == (try read("{\"~[\" = \"‘\";}")))
        let binary = #expect(throws: PropertyListError.self) { try PropertyList("bplist00".utf8) }
        #expect(binary?.remedy?.contains("plutil") == true)
    }

    @Test(
        "errors say line, column, what was expected and what was found",
        arguments: [
            ("{ a = b", "line 1, column 8: expected ; after the value, found the end of the file"),
            ("{\n a b; }", "line 2, column 4: expected = after the key, found \"b\""),
            ("( a b )", "line 1, column 5: expected , or ) in the array, found \"b\""),
            ("{ a = \"b", "line 1, column 7: expected a closing quote, found none before the end"),
            ("/* x", "line 1, column 1: expected */ to end the comment, found none before the end"),
            ("{} x", "line 1, column 4: expected the end of the file, found \"x\""),
            ("", "line 1, column 1: expected {, (, a string or a word, found the end of the file"),
            (#"("\Uzz")"#, "line 1, column 5: expected hexadecimal digits after \\U, found \"z\""),
            (#"("\Ud83d")"#, "line 1, column 9: expected both halves of a pair of surrogates, found one"),
            ("<dict><key>a</key></dict>", "line 1, column 19: expected an element such as <string>, found </dict>"),
            ("<plist><dict>", "line 1, column 14: expected <key> or </dict>, found the end of the file"),
            (
                "<string>&bad;</string>",
                "line 1, column 9: expected &lt; &gt; &amp; &quot; &apos; or a number such as &#x1B;, found \"&bad\""
            ),
            (
                "<!DOCTYPE p [<!ENTITY a \"b\">]><dict/>",
                "line 1, column 13: expected > to end the document type, found \"[\""
            ),
            (
                "<blob/>",
                "line 1, column 1: expected dict, array, string, integer, real, true, false, date or data, found <blob>"
            ),
        ])
    func errors(text: String, expected: String) {
        let error = #expect(throws: PropertyListError.self) { try read(text) }
        #expect(error?.description == expected)
    }

    @Test("depth and size have limits")
    func limits() throws {
        let deep = PropertyList.maximumDepth
        #expect(throws: Never.self) {
            try read(String(repeating: "(", count: deep) + String(repeating: ")", count: deep))
        }
        for text in [
            String(repeating: "(", count: 100_000), String(repeating: "<array>", count: 100_000),
            String(repeating: "{a=", count: 100_000),
        ] {
            let error = #expect(throws: PropertyListError.self) { try read(text) }
            #expect(error?.expected == "at most 32 parts inside each other")
        }
        let error = #expect(throws: PropertyListError.self) {
            try PropertyList([UInt8](repeating: 0x20, count: PropertyList.maximumBytes + 1))
        }
        #expect(error?.expected == "at most 1 MiB")
    }

    static let samples = [
        #"{ "~[" = ("insertText:", "\U2018"); ("Control-x", "C-s") = 'save:'; /* c */ "^k" = { "^a" = ""; }; }"#,
        "<?xml version='1.0'?><plist><dict><key>^a</key><array><string>&#x41;</string></array></dict></plist>",
    ]

    @Test("every prefix, and every byte flipped in every bit, gives a list or an error", arguments: samples)
    func damaged(sample: String) {
        func read(_ bytes: some Collection<UInt8>) {
            do { _ = try KeyBindings(bytes, file: "a").all } catch { #expect(error.error.place.line >= 1) }
        }
        let bytes = Array(sample.utf8)
        for count in bytes.indices { read(bytes.prefix(count)) }
        var flipped = bytes
        for at in bytes.indices {
            for bit in 0..<8 {
                flipped[at] ^= 1 << bit
                read(flipped)
                flipped[at] ^= 1 << bit
            }
        }
    }
}
