import KeyflightEngine
import Testing

/// The example of the kit's documentation that says what is modelled.
@Suite struct HostedExamples {
    @Test func whatIsModelled() throws {
        let host = HostingController(id: "detail")
        host.shortcuts = [KeyCommand(input: "s", modifierFlags: .command, action: "save:")]
        host.addAction(Action("save:") { _, _ in })
        let text = TextView(id: "text")
        host.view = text
        let engine = KeyboardEngine(rootViewController: host, layout: try Layout.named("us"))
        text.becomeFirstResponder()

        #expect(try engine.press("⌘S")?.target === host)
        // The app switcher's key reaches no responder.
        #expect(try engine.press("⇧⌘⇥")?.takenBy == .system)
        #expect(try engine.press("opt+a")?.text == "å")
    }
}
