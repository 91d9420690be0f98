import KeyLayout
import KeyModel
import Scenes
import Testing

@Suite("A key script on the virtual clock")
struct KeyScriptTimelineTests {
    /// Inputs as `TIMEms what`.
    func story(_ text: String, layout: String = "us") throws -> [String] {
        let timeline = try KeyScript(text: text, file: "a.keys")
            .timeline(layout: try Layout.named(layout)) { try Layout.named($0) }
        return timeline.inputs.map { input in
            let what =
                switch input.input {
                case .key(let event): "\(event.phase.name) \(event.key.usage?.name ?? "?")"
                case .text(let text): "text \(text)"
                case .step(let step): "do \(step.text)"
                }
            return "\(input.time.nanoseconds / 1_000_000) \(what)"
        }
    }

    func end(_ text: String) throws -> Int64 {
        try KeyScript(text: text, file: "a.keys").timeline(layout: try Layout.named("us")) { try Layout.named($0) }
            .end.nanoseconds / 1_000_000
    }

    @Test("press: modifier downs in the order ctrl opt shift cmd, the key, 30 ms, and back in reverse")
    func press() throws {
        #expect(
            try story("press cmd+shift+opt+ctrl+w") == [
                "0 down LeftControl", "0 down LeftAlt", "0 down LeftShift", "0 down LeftGUI", "0 down W",
                "30 up W", "30 up LeftGUI", "30 up LeftShift", "30 up LeftAlt", "30 up LeftControl",
            ])
    }

    @Test("a step begins 10 ms after the end of the one before")
    func gap() throws {
        #expect(try story("press a\npress b\ndo pop\ndown c\nup c") == [
            "0 down A", "30 up A", "40 down B", "70 up B", "80 do pop", "90 down C", "100 up C",
        ])
    }

    @Test("wait stands in place of the 10 ms; waits add up; at the start it delays")
    func wait() throws {
        #expect(try story("down a\nwait 400ms\nup a") == ["0 down A", "400 up A"])
        #expect(try story("wait 5ms\npress a\nwait 1ms\nwait 1ms\npress b") == [
            "5 down A", "35 up A", "37 down B", "67 up B",
        ])
        #expect(try end("press a\nwait 1s") == 1_030)
        #expect(try end("press a") == 30)
    }

    @Test("a long text is typed as its characters are, one after the other, however it is asked for")
    func longText() throws {
        let text = String(repeating: "aB c", count: 300)
        let steps = text.map { $0 == " " ? "press Spacebar" : $0 == "B" ? "type B" : "type \($0)" }
        let whole = try story("type \"\(text)\"\npress x")
        #expect(whole == (try story(steps.joined(separator: "\n") + "\npress x")))
        let script = try KeyScript(text: "type \"\(text)\"\npress x", file: "a.keys")
        let us = try Layout.named("us")
        let all = try script.timeline(layout: us) { try Layout.named($0) }
        #expect(Array(script.inputs(layout: us) { try Layout.named($0) }) == all.inputs)
        #expect(try script.end(layout: us) { try Layout.named($0) } == all.end)
    }

    @Test("hold is press with its own duration")
    func hold() throws {
        #expect(try story("hold cmd+down 1s\npress a") == [
            "0 down LeftGUI", "0 down DownArrow", "1000 up DownArrow", "1000 up LeftGUI", "1010 down A", "1040 up A",
        ])
    }

    @Test("at equal times: releases, context steps, downs")
    func equalTimes() throws {
        #expect(try story("down b\nwait 10ms\npress a\nwait 0ms\ndown c\nwait 0ms\ndo pop\nwait 0ms\nup b") == [
            "0 down B", "10 down A", "40 up A", "40 up B", "40 do pop", "40 down C",
        ])
        #expect(InputOrder.repeat < .release)
        #expect(InputOrder.release < .context)
        #expect(InputOrder.context < .down)
    }

    @Test("a release never comes before the down of its own key")
    func ownRelease() throws {
        #expect(try story("down a\nwait 0ms\nup a") == ["0 down A", "0 up A"])
    }

    @Test("type presses the key, Shift, level 3 by the right Alt key, dead keys first")
    func type() throws {
        #expect(try story("type aB") == [
            "0 down A", "30 up A", "40 down LeftShift", "40 down B", "70 up B", "70 up LeftShift",
        ])
        #expect(try story("type @", layout: "de") == ["0 down RightAlt", "0 down L", "30 up L", "30 up RightAlt"])
        #expect(try story("type û", layout: "fr") == [
            "0 down OpenBracket", "30 up OpenBracket", "40 down U", "70 up U",
        ])
        #expect(try story("type \"a b\\n\\t\"").filter { $0.contains("down") } == [
            "0 down A", "40 down Spacebar", "80 down B", "120 down ReturnOrEnter", "160 down Tab",
        ])
    }

    @Test("type uses the layout at its point")
    func layoutStep() throws {
        #expect(try story("type a\ndo layout fr\ntype a").filter { $0.contains("down") } == ["0 down A", "50 down Q"])
    }

    @Test("a name is a position, char: is found by the layout")
    func positions() throws {
        #expect(try story("press y", layout: "de").first == "0 down Y")
        #expect(try story("press char:y", layout: "de").first == "0 down Z")
        #expect(try story("press cmd+char:?", layout: "us") == [
            "0 down LeftShift", "0 down LeftGUI", "0 down Slash", "30 up Slash", "30 up LeftGUI", "30 up LeftShift",
        ])
    }

    @Test("insert is one text event without a key")
    func insert() throws { #expect(try story("insert \"👩‍👩‍👧\"") == ["0 text 👩‍👩‍👧"]) }

    @Test("a character that the layout cannot type is named, with its line")
    func untypable() {
        let error = #expect(throws: SourceTextError.self) { try story("press a\ntype naжve") }
        #expect(
            error?.description
                == "a.keys: line 2: type: expected characters that layout us types, found \"ж\"; "
                + "use insert for text without a key")
        #expect(throws: SourceTextError.self) { try story("press char:ж") }
    }

    @Test("an unknown layout is named, with its line")
    func unknownLayout() {
        let error = #expect(throws: SourceTextError.self) { try story("press a\ndo layout ../x") }
        #expect(error?.line == 2)
    }

    @Test("a script longer than time itself is an error")
    func overflow() {
        let error = #expect(throws: SourceTextError.self) {
            try story("wait 9223372036s\npress a\nwait 9223372036s\npress b")
        }
        #expect(error?.line == 4)
        #expect(throws: Never.self) { try story("wait 9223372036s\nwait 9223372036s") }
    }

    @Test("all events are of keyboard 1 and in clear")
    func events() throws {
        let timeline = try KeyScript(text: "press cmd+w", file: "a.keys")
            .timeline(layout: try Layout.named("us")) { try Layout.named($0) }
        for input in timeline.inputs {
            guard case .key(let event) = input.input else { continue }
            #expect(event.device == 1)
            #expect(event.time == input.time)
            #expect(event.key.usage != nil)
            #expect(!event.isSynthetic)
        }
        #expect(timeline.inputs.allSatisfy { $0.line == 1 })
    }
}
