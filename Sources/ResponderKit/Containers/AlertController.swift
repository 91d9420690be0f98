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

    open override var canBecomeFirstResponder: Bool { true }
    open override var becomesFirstWhenPresented: Bool { true }
}

/// A button of an alert. Which of them a key chooses is not documented, and not modelled.
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
