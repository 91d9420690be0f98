public import KeyModel

/// Manages a view; a link of the chain between the view and what contains it.
open class ViewController: Responder {
    public final private(set) var children: [ViewController] = []
    public final private(set) var presentedViewController: ViewController? { didSet { updateFilter() } }
    weak final var parentLink: ViewController?
    weak final var presenterLink: ViewController?
    /// The window whose root controller this is.
    weak final var windowLink: Window?
    private final var addedKeyCommands: [KeyCommand] = []

    /// The duration of presenting, dismissing, pushing or popping this controller, in virtual time.
    public final var transitionDuration = TraceDuration.zero
    /// The time until which no responder inside this controller becomes first (spec FR-3).
    final var transitionEnd = TraceTime.zero

    public enum PresentationStyle: String, CaseIterable, Sendable {
        case automatic, fullScreen, pageSheet, formSheet, popover, overFullScreen, currentContext, custom
    }

    public final var presentationStyle = PresentationStyle.automatic
    /// The text that containers show for it: a tab's name.
    public final var title = ""
    /// The user cannot dismiss it (spec §8.3, KeyboardWindow).
    public final var isModalInPresentation = false
    /// False: actions skip this controller while it presents another one (spec DS-7).
    public final var performsActionsWhilePresentingModally = true { didSet { updateFilter() } }

    public override init(id: String? = nil) { super.init(id: id) }

    private func updateFilter() {
        let skips = presentedViewController != nil && !performsActionsWhilePresentingModally
        guard skips != skipsActions else { return }
        skipsActions = skips
        tree?.linkVersion &+= 1
    }

    /// True while this controller is on its way into sight.
    public final var isInTransition: Bool { tree.map { $0.now < transitionEnd } ?? false }

    /// This controller comes into sight from now on, for as long as `duration`: that of the controller that moves.
    public final func beginTransition(_ duration: TraceDuration) {
        guard duration > .zero, let tree = findTree() else { return }
        transitionEnd = tree.now.advanced(by: duration)
    }

    deinit {
        var pending = children
        children = []
        while var child = pending.popLast() {
            guard isKnownUniquelyReferenced(&child) else { continue }
            pending += child.children
            child.children = []
        }
    }

    /// The root view.
    public final var view: View? {
        didSet {
            if oldValue?.controllerLink === self { oldValue?.controllerLink = nil }
            view?.controllerLink = self
            linksChanged()
        }
    }

    public final var parent: ViewController? { parentLink }
    public final var presentingViewController: ViewController? { presenterLink }

    /// Spec §6.1: the window for its root controller, the presenting controller, or the superview of its view. A
    /// controller whose view is in no other view goes on to its container.
    open override var defaultNext: Responder? {
        if let windowLink { return windowLink }
        if let presenterLink { return presenterLink }
        return view?.superviewLink ?? parentLink
    }

    override var container: Responder? { windowLink ?? view?.superviewLink ?? parentLink ?? presenterLink }

    /// Commands added with `addKeyCommand`, in that order (spec KC-3). Overrides merge `super`'s.
    open override var keyCommands: [KeyCommand]? {
        let declared = super.keyCommands
        return addedKeyCommands.isEmpty ? declared : (declared ?? []) + addedKeyCommands
    }

    /// The children that are seen, from leading to trailing.
    open var visibleChildren: [ViewController] { children }

    /// It takes first responder when it is presented, as an alert does.
    open var becomesFirstWhenPresented: Bool { false }

    /// SwiftUI's keyboard shortcuts in this controller's views, in search order.
    open var hostedShortcuts: [KeyCommand] { [] }
    /// SwiftUI's `buttonRepeatBehavior` of these views.
    open var hostedRepeatBehavior: MenuElement.RepeatBehavior { .automatic }
    /// True for a controller that may have some.
    open var hostsShortcuts: Bool { false }
    /// The profile's rule for `onKeyPress`.
    public final var keyPressRule: Profile.KeyPressHandlers { tree?.keyPressHandlers ?? .none }

    public final func addKeyCommand(_ command: KeyCommand) {
        addedKeyCommands.append(command)
        setNeedsKeyCommandsUpdate()
    }

    public final func removeKeyCommand(_ command: KeyCommand) {
        addedKeyCommands.removeAll { $0 === command }
        setNeedsKeyCommandsUpdate()
    }

    public final func addChild(_ child: ViewController) {
        guard !isInside(child) else { return }
        child.removeFromParent()
        children.append(child)
        child.parentLink = self
        child.linksChanged()
        linksChanged()
    }

    /// Also resigns a first responder inside the child.
    public final func removeFromParent() {
        guard let old = parentLink else { return }
        FirstResponderChange.leave(self)
        old.children.removeAll { $0 === self }
        parentLink = nil
        old.linksChanged()
        linksChanged()
    }

    /// Presents a controller over this one. False when this one presents already or the other is presented.
    @discardableResult
    public final func present(_ controller: ViewController) -> Bool {
        guard presentedViewController == nil, controller.presenterLink == nil, !isInside(controller) else {
            return false
        }
        presentedViewController = controller
        controller.presenterLink = self
        controller.linksChanged()
        linksChanged()
        // An alert takes the keyboard before its transition.
        if controller.becomesFirstWhenPresented { controller.becomeFirstResponder() }
        controller.beginTransition(controller.transitionDuration)
        report(.present, .text(controller.id))
        return true
    }

    /// Dismisses what this controller presents, else itself. False when there is nothing to dismiss.
    @discardableResult
    public final func dismiss() -> Bool {
        guard let presented = presentedViewController else { return presenterLink?.dismiss() ?? false }
        let lost = FirstResponderChange.leave(presented)
        presented.presenterLink = nil
        presentedViewController = nil
        linksChanged()
        presented.linksChanged()
        beginTransition(presented.transitionDuration)
        report(.dismiss, .text(presented.id))
        if lost { FirstResponderChange.handBackThroughApplication(after: self) }
        return true
    }

    /// The contained or presented controller in which a press starts when there is no first responder: the
    /// presented one, else an only child (spec §6.3). Containers with a rule of their own override `keyStartChild`.
    public final func startDescent(_ choice: Profile.ChildChoice) -> ViewController? {
        presentedViewController ?? keyStartChild(choice)
    }

    open func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? {
        children.count == 1 || choice == .last ? children.last : nil
    }

    /// The profile's rule for ⌘[: whether the system supplies it, and which controller goes back (spec KC-3).
    public final var systemBackCommand: Profile.SystemBackCommand { tree?.systemBackCommand ?? .none }

    private func isInside(_ controller: ViewController) -> Bool {
        var ancestor: ViewController? = self
        while let current = ancestor {
            if current === controller { return true }
            ancestor = current.parentLink ?? current.presenterLink
        }
        return false
    }
}
