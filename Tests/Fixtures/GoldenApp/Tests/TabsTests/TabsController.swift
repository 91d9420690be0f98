import KeyflightTesting

/// Two tabs, of which one can be closed.
final class TabsController: ViewController {
    override var canBecomeFirstResponder: Bool { true }

    override var keyCommands: [KeyCommand]? {
        [
            KeyCommand(title: "Close Tab", action: "closeTab:", input: "w", modifierFlags: .command),
            KeyCommand(title: "New Tab", action: "newTab:", input: "t", modifierFlags: .command),
        ]
    }

    override class var actions: [Action] { [Action("closeTab:", closeTab), Action("newTab:", newTab)] }

    private var count = 2

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == "closeTab:" { return count > 1 }
        return super.canPerformAction(action, withSender: sender)
    }

    func closeTab(_ sender: Any?) { count -= 1 }
    func newTab(_ sender: Any?) { count += 1 }
}
