import Scenes
import Testing

@Suite("Context steps as text")
struct ContextStepTests {
    static let steps: [(String, ContextStep)] = [
        ("focus field", .focus("field")),
        ("resign", .resign),
        ("present sheet", .present("sheet")),
        ("dismiss sheet", .dismiss("sheet")),
        ("push detail", .push("detail")),
        ("pop", .pop),
        ("select 2", .select(2)),
        ("activate win", .activate("win")),
        ("deactivate", .deactivate),
        ("attach", .attach), ("candidateBar 55", .candidateBar(55)), ("dock", .dock), ("undock", .undock),
        ("split", .split), ("join", .join), ("reloadInputViews vc", .reloadInputViews("vc")),
        ("set vc inputView 216", .setInputView("vc", 216)), ("set vc inputView null", .setInputView("vc", nil)),
        ("set vc inputAccessoryView 44", .setInputAccessoryView("vc", 44)),
        ("detach", .detach),
        ("marktext に", .markText("に")),
        ("unmark", .unmark),
        ("invalidate vc", .invalidate("vc")),
        ("setNeedsRebuild", .setNeedsRebuild),
        ("setNeedsRevalidate", .setNeedsRevalidate),
        ("layout us:dvorak", .layout("us:dvorak")),
        ("profile ios15", .profile("ios15")),
        ("click table 3", .click("table", index: 3, modifiers: .none)),
        ("click table 3 shift", .click("table", index: 3, modifiers: .shift)),
        ("click table 3 cmd", .click("table", index: 3, modifiers: .command)),
        ("mark start", .mark("start")),
        ("set vc keyCommands busy", .setKeyCommands("vc", variant: "busy")),
        ("set vc canPerform toggle: false", .setCanPerform("vc", action: "toggle:", false)),
        ("set vc canPerform toggle: true", .setCanPerform("vc", action: "toggle:", true)),
        ("set view next vc", .setNext("view", "vc")),
        ("set view next null", .setNext("view", nil)),
        ("set vc swallowsPresses true", .setSwallowsPresses("vc", true)),
        ("menu set busy", .setMenu(variant: "busy")),
    ]

    @Test("every step reads and prints as itself", arguments: steps)
    func roundTrip(text: String, step: ContextStep) throws {
        #expect(try ContextStep(text: text) == step)
        #expect(step.text == text)
    }

    @Test(
        "names with blanks, quotes, # or nothing but null read back as themselves",
        arguments: ["two words", "\"q\"", "#1", "a # b", "null", "é\n\u{1}", "back\\slash", "-", "\u{301}x"])
    func oddNames(name: String) throws {
        for step: ContextStep in [
            .focus(name), .markText(name), .mark(name), .setKeyCommands(name, variant: name), .setNext(name, name),
            .click(name, index: 0, modifiers: .shift), .setMenu(variant: name), .profile(name),
        ] {
            #expect(try ContextStep(text: step.text) == step)
            #expect(!step.text.contains("\n"))
        }
    }

    @Test("marked text may be the rest of the line, or empty as a JSON string")
    func markText() throws {
        #expect(try ContextStep(text: "marktext two words # comment") == .markText("two words"))
        #expect(try ContextStep(text: "marktext \"\"") == .markText(""))
        #expect(ContextStep.markText("").text == "marktext \"\"")
    }

    @Test(
        "an error names the step, what was expected and found",
        arguments: [
            ("focus", "expected the id of a responder, as in do focus field, found the end of the line"),
            ("focus \"\"", "expected the id of a responder, as in do focus field, found an empty string"),
            ("activate", "expected the id of a window, as in do activate win, found the end of the line"),
            ("focus a b", "expected the end of the line, found \"b\""),
            ("resign now", "expected the end of the line, found \"now\""),
            ("select -1", "expected an index from 0, found \"-1\""),
            ("select 99999999999999999999", "expected an index from 0, found \"99999999999999999999\""),
            ("click table", "expected an index from 0, found the end of the line"),
            ("click table 1 alt", "expected shift, cmd or the end of the line, found \"alt\""),
            (
                "set vc",
                "expected keyCommands, canPerform, next, swallowsPresses, inputView or inputAccessoryView, "
                    + "found the end of the line"
            ),
            ("set vc color red", "swallowsPresses, inputView or inputAccessoryView, found \"color\""),
            ("set vc canPerform x: maybe", "expected true or false, found \"maybe\""),
            ("candidateBar -1", "expected a height in points, found \"-1\""),
            ("set vc inputView 9999999", "expected a height in points, found \"9999999\""),
            ("set vc swallowsPresses", "expected true or false, found the end of the line"),
            ("menu get x", "expected set VARIANT, found \"get\""),
            ("mark", "expected a name for the mark, found the end of the line"),
            ("", "expected a context step such as focus ID, found the end of the line"),
        ])
    func errors(text: String, message: String) {
        let error = #expect(throws: ContextStepError.self) { try ContextStep(text: text) }
        #expect(error?.description.hasSuffix(message) == true)
    }
}
