import KeyflightEngine

/// The tabs of a document viewer: ⌘T, ⌘W, and ⌘1 to ⌘9 for the tabs there are.
final class TabsController: ViewController {
    var tabs = ["Contract"], selected = 0

    override var canBecomeFirstResponder: Bool { true }

    override var keyCommands: [KeyCommand]? {
        [
            KeyCommand(title: "New Tab", action: "newTab:", input: "t", modifierFlags: .command),
            KeyCommand(title: "Close Tab", action: "closeTab:", input: "w", modifierFlags: .command),
        ] + (1...tabs.count).prefix(9).map { number in
            KeyCommand(title: tabs[number - 1], action: "showTab:", input: "\(number)", modifierFlags: .command)
        }
    }

    override class var actions: [Action] {
        [Action("newTab:", newTab), Action("closeTab:", closeTab), Action("showTab:", showTab)]
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == "closeTab:" { return tabs.count > 1 }
        return super.canPerformAction(action, withSender: sender)
    }

    override func validate(_ command: Command) {
        if command.action == "closeTab:" { command.title = "Close “\(tabs[selected])”" }
    }

    func newTab(_ sender: Any?) {
        tabs.append("Untitled \(tabs.count)")
        selected = tabs.count - 1
    }

    func closeTab(_ sender: Any?) {
        tabs.remove(at: selected)
        selected = tabs.count - 1
    }

    func showTab(_ sender: Any?) {
        guard let input = (sender as? KeyCommand)?.input, let number = Int(input) else { return }
        selected = number - 1
    }
}
