public import ResponderEngine

/// An alert or action sheet. While it is presented it is first responder, so that keys start at it; when it is
/// dismissed no responder inside it stays first, as with any controller.
open class AlertController: ViewController {
    public override init(id: String? = nil) { super.init(id: id) }

    open override var canBecomeFirstResponder: Bool { true }
    open override var becomesFirstWhenPresented: Bool { true }
}
