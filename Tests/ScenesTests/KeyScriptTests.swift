import KeyModel
import Scenes
import Testing

/// The error that reading a script gives, as the user sees it.
func scriptError(_ text: String) -> String {
    do {
        _ = try KeyScript(text: text, file: "a.keys")
        return "no error"
    } catch { return error.description }
}

@Suite("Reading a key script")
struct KeyScriptTests {
    func steps(_ text: String) throws -> [KeyScript.Step] {
        try KeyScript(text: text, file: "a.keys").steps.map(\.step)
    }

    @Test("every kind of step")
    func allSteps() throws {
        let chord = KeyScript.KeyChord(modifiers: .command, key: .usage(.keyboard(0x1A)))
        let text = """
            press cmd+w
            hold DownArrow 1s
            down LeftGUI
            wait 400ms
            up LeftGUI
            type hello
            insert "👩‍👩‍👧"
            do focus field
            """
        #expect(
            try steps(text) == [
                .press(chord),
                .hold(
                    KeyScript.KeyChord(modifiers: [], key: .usage(.downArrow)),
                    TraceDuration(nanoseconds: 1_000_000_000)),
                .down(.usage(.leftGUI)), .wait(TraceDuration(nanoseconds: 400_000_000)), .up(.usage(.leftGUI)),
                .type("hello"), .insert("👩‍👩‍👧"), .context(.focus("field")),
            ])
    }

    @Test("steps know their lines; blank lines, comments, CR and tabs do not disturb")
    func lines() throws {
        let script = try KeyScript(text: "# story\r\nkeys 1\r\n\r\n\tpress  a # first\r\npress b\t#\n", file: "a.keys")
        #expect(script.steps.map(\.number) == [4, 5])
    }

    @Test("# begins a comment only at the start of a line or after a blank")
    func comments() throws {
        #expect(try steps("type a#b # c") == [.type("a#b")])
        #expect(try steps("press char:#") == [
            .press(KeyScript.KeyChord(modifiers: [], key: .character("#")))
        ])
        #expect(try steps("type \"a # b\" # c") == [.type("a # b")])
    }

    @Test("type and insert take the rest of the line or a JSON string")
    func texts() throws {
        #expect(try steps("type two  words  ") == [.type("two  words")])
        #expect(try steps(#"type "\"\\\/\b\f\n\r\t\u00e9\ud83d\udc69 ""#) == [.type("\"\\/\u{8}\u{c}\n\r\té👩 ")])
        #expect(try steps("insert héllo") == [.insert("héllo")])
    }

    @Test("keys 1 may stand first", arguments: ["keys 1\npress a", "\n# c\nkeys 1 # v\npress a", "press a"])
    func version(text: String) throws {
        #expect(try steps(text).count == 1)
        #expect(KeyScript.isDeclared(Array(text.utf8)) == text.contains("keys"))
    }

    @Test("an empty script has no steps", arguments: ["", "\n", "# only a comment", "keys 1"])
    func empty(text: String) throws { #expect(try steps(text).isEmpty) }

    @Test(
        "an error names file, line and what was found",
        arguments: ErrorCase.read("key-script-errors.txt", group: "script"))
    func errors(_ wrong: ErrorCase) { #expect(scriptError(wrong.text) == wrong.message) }

    @Test("bytes that are not UTF-8 are an error at their line")
    func badUTF8() {
        let error = #expect(throws: SourceTextError.self) {
            try KeyScript(Array("press a\ntype ".utf8) + [0xFF, 0x0A], file: "a.keys")
        }
        #expect(error?.line == 2)
    }
}
