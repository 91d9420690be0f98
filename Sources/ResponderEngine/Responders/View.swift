/// A rectangle of the interface, without its pixels: containment, and the chain that follows from it.
open class View: Responder {
    public final private(set) var subviews: [View] = []
    // Not weak: an object that a weak reference was made of is retained on a slower path, and the views of a chain are
    // retained with each press. The superview clears it when it is let go.
    unowned final var superviewLink: View?
    weak final var controllerLink: ViewController?

    public override init(id: String? = nil) { super.init(id: id) }

    /// Deep trees are let go one view at a time, not one inside the other.
    deinit {
        var pending = subviews
        for view in pending { view.superviewLink = nil }
        subviews = []
        while var view = pending.popLast() {
            guard isKnownUniquelyReferenced(&view) else { continue }
            for inner in view.subviews { inner.superviewLink = nil }
            pending += view.subviews
            view.subviews = []
        }
    }

    private lazy var keyInputText = (self as? any KeyInput).map(KeyInputText.init)

    /// That of a view that adopts `KeyInput` alone, as a terminal's does.
    open override var textInput: (any TextInput)? { keyInputText }

    public final var superview: View? { superviewLink }
    public final var window: Window? { windowOfChain }

    /// They get the presses of the chains that this view is on before any responder does (spec EV-3).
    public final internal(set) var gestureRecognizers: [GestureRecognizer] = []

    /// True when it can have the focus; `nil` leaves it to the class (spec EV-14).
    public final var isFocusable: Bool?

    /// The group that this view and those inside it are in: Tab goes from group to group, arrows inside one. `nil`:
    /// that of the view around it, else each item is a group of its own.
    public final var focusGroupIdentifier: String?

    /// The controller whose root view this is.
    public final var viewController: ViewController? { controllerLink }

    /// Its controller when it is that controller's root view, else its superview (spec §6.1).
    open override var defaultNext: Responder? { controllerLink ?? superviewLink }

    override var container: Responder? { superviewLink ?? controllerLink }

    public final func addSubview(_ view: View) {
        guard !isInside(view) else { return }
        view.removeFromSuperview()
        subviews.append(view)
        view.superviewLink = self
        view.linksChanged()
    }

    /// Also resigns a first responder inside this view (spec FR-4) and cancels its presses (spec EV-6).
    public final func removeFromSuperview() {
        guard let old = superviewLink else { return }
        FirstResponderChange.leave(self)
        old.subviews.removeAll { $0 === self }
        superviewLink = nil
        old.linksChanged()
        linksChanged()
    }

    /// Text inside this view that is first responder resigns; forced, it is not asked. True when some did.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        guard let first = window?.firstResponder, first.textInput != nil, first.isInside(self) else { return false }
        return force ? FirstResponderChange.resign(first, isForced: true) : first.resignFirstResponder()
    }

    /// True for this view's own ancestors and itself: adding those would make a cycle.
    private func isInside(_ view: View) -> Bool {
        var ancestor: View? = self
        while let current = ancestor {
            if current === view { return true }
            ancestor = current.superviewLink
        }
        return false
    }
}
