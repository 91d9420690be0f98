import KeyflightEngine
import Testing

/// The examples of the kit's documentation that are about key bindings and the software keyboard.
@Suite struct KeyBindingExamples {
    @Test func attachKeyBindings() throws {
        let file = #"{ "~[" = ("insertText:", "‘"); "^x" = { "^s" = "save:"; }; }"#
        let bindings = try KeyBindings(file.utf8, file: "My.dict")
        let text = TextView(id: "text")
        text.keyBindings = bindings
        let page = ViewController(id: "page")
        page.view = text
        page.addAction(Action("save:") { _, _ in })
        let engine = KeyboardEngine(rootViewController: page, layout: try Layout.named("us"))
        text.becomeFirstResponder()

        #expect(try engine.press("opt+[")?.text == "‘")
        #expect(try engine.press("⌃X")?.outcome == .consumedByKeyBinding)
        let save = try engine.press("⌃S")
        #expect(save?.action == "save:" && save?.target === page)
    }

    @Test func observeTheSoftwareKeyboard() throws {
        let text = TextView(id: "text")
        let page = ViewController(id: "page")
        page.view = text
        let engine = KeyboardEngine(rootViewController: page, layout: try Layout.named("us"))
        var heard: [KeyboardNotification.Name] = []
        engine.observeKeyboard { heard.append($0.name) }

        text.becomeFirstResponder()
        #expect(heard.isEmpty, "a hardware keyboard has its place")
        engine.detachKeyboard()
        #expect(heard == [.willChangeFrame, .willShow])
        engine.advance(to: TraceTime(nanoseconds: 250_000_000))
        #expect(heard.suffix(2) == [.didChangeFrame, .didShow])
    }
}
