public import ResponderEngine

/// An alert or action sheet. While it is presented it is first responder, so that keys start at it; when it is
/// dismissed no responder inside it stays first, as with any controller.
open class AlertController: ViewController {
    public enum Style: Sendable { case actionSheet, alert }

    public final var message: String?
    public final let preferredStyle: Style
    public final private(set) var actions: [AlertAction] = []
    public final var preferredAction: AlertAction?

    public init(id: String? = nil, title: String? = nil, message: String? = nil, preferredStyle: Style = .alert) {
        self.message = message
        self.preferredStyle = preferredStyle
        super.init(id: id)
        self.title = title
    }

    public final func addAction(_ action: AlertAction) { actions.append(action) }

    /// An addition: what a tap on this button does. It dismisses the alert, then calls the handler.
    public final func choose(_ action: AlertAction) {
        guard action.isEnabled, actions.contains(where: { $0 === action }) else { return }
        presentingViewController?.dismiss { action.handler?(action) }
    }

    /// Return chooses the preferred button or the only default one, Escape the one that cancels; where no button is
    /// declared, either dismisses. Key commands that are added to an alert do not work (spec FR-8).
    public final override var keyCommands: [KeyCommand]? {
        guard presentingViewController != nil else { return nil }
        return keys.filter { actions.isEmpty || button(of: $0.action) != nil }
    }

    private lazy var keys = zip(["\r", KeyCommand.inputEscape], AlertController.keyActions).map { input, action in
        let key = KeyCommand(input: input, modifierFlags: [], action: action)
        key.wantsPriorityOverSystemBehavior = true
        return key
    }
    private static let keyActions: [Selector] = ["chooseDefault:", "chooseCancel:"]

    open override class var actions: [Action] {
        keyActions.map { selector in
            Action(selector, performing: { (alert: AlertController, _) in
                if let button = alert.button(of: selector) { return alert.choose(button) }
                alert.presentingViewController?.dismiss()
            })
        }
    }

    private func button(of key: Selector) -> AlertAction? {
        let enabled = actions.filter(\.isEnabled)
        if key == AlertController.keyActions[1] { return enabled.first { $0.style == .cancel } }
        let others = enabled.filter { $0.style == .default }
        return enabled.first { $0 === preferredAction } ?? (others.count == 1 ? others[0] : nil)
    }

    open override var canBecomeFirstResponder: Bool { true }
    open override var becomesFirstWhenPresented: Bool { true }
}

/// A button of an alert.
public final class AlertAction {
    public enum Style: Sendable { case `default`, cancel, destructive }

    public let title: String?
    public let style: Style
    public var isEnabled = true
    let handler: ((AlertAction) -> Void)?

    public init(title: String?, style: Style, handler: ((AlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
    }
}
