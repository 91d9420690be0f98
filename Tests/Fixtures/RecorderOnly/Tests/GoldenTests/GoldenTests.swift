import KeyflightTesting
import Testing

private final class Reader: ViewController {
    override var canBecomeFirstResponder: Bool { true }
    override var keyCommands: [KeyCommand]? {
        [KeyCommand(title: "Close Tab", action: "closeTab:", input: "w", modifierFlags: .command)]
    }
    override class var actions: [Action] { [Action("closeTab:", closeTab)] }

    func closeTab(_ sender: Any?) {}
}

private var app: AppReplay {
    AppReplay("reader") { profile, layout in
        let reader = Reader(id: "reader")
        let engine = KeyboardEngine(
            rootViewController: reader, profile: profile ?? Profile(), layout: try layout ?? Layout.named("us"))
        reader.becomeFirstResponder()
        return AppReplay.App(engine, responders: [reader])
    }
}

@Test func closeTab() { expectGolden("close-tab", app) }
