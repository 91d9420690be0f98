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

    public final var modalPresentationStyle = PresentationStyle.automatic
    /// The text that containers show for it: a tab's name.
    public final var title: String?
    /// The user cannot dismiss it (spec §8.3, KeyboardWindow).
    public final var isModalInPresentation = false
    /// False: actions skip this controller while it presents another one (spec DS-7).
    public final var performsActionsWhilePresentingModally = true { didSet { updateFilter() } }

    public override init(id: String? = nil) { super.init(id: id) }

    /// As UIKit's, of which a nib is not modelled.
    public init(nibName: String?, bundle: Any?) { super.init() }

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

    // MARK: The view

    /// The root view, without loading it.
    public final private(set) var viewIfLoaded: View? {
        didSet {
            if oldValue?.controllerLink === self { oldValue?.controllerLink = nil }
            viewIfLoaded?.controllerLink = self
            linksChanged()
        }
    }

    /// The root view, loaded when it is asked for. A controller that never is has no view on the chain.
    public final var view: View! {
        get {
            loadViewIfNeeded()
            if viewIfLoaded == nil { viewIfLoaded = View(id: "\(id).view") }
            return viewIfLoaded
        }
        set { viewIfLoaded = newValue }
    }

    /// Sets `view`. By default it stays a plain one, which is made when it is asked for.
    open func loadView() {}

    /// The view is loaded, or the controller is about to be seen: once.
    open func viewDidLoad() {}

    public final var isViewLoaded: Bool { viewIfLoaded != nil }
    private final var isLoaded = false

    public final func loadViewIfNeeded() {
        guard !isLoaded else { return }
        isLoaded = true
        if viewIfLoaded == nil { loadView() }
        viewDidLoad()
    }

    // MARK: In sight

    open func viewWillAppear(_ animated: Bool) {}

    /// At the end of the transition: the first call in which it can make a responder first (spec FR-3). Below a sheet
    /// controllers stay in sight, and do not appear again when it goes.
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func willMove(toParent parent: ViewController?) {}
    open func didMove(toParent parent: ViewController?) {}

    /// Itself, or the last one of those presented over it.
    package final var topmost: ViewController {
        var top = self
        while let presented = top.presentedViewController { top = presented }
        return top
    }

    /// False for a child that a container does not show.
    open func shows(_ child: ViewController) -> Bool { true }

    private final var isInSight = false

    /// It is seen from now on, with the children that it shows and what it presents.
    package final func appear(animated: Bool) {
        guard !isInSight else { return }
        var appeared: [ViewController] = []
        var pending = [self]
        while let controller = pending.popLast() {
            guard !controller.isInSight else { continue }
            controller.isInSight = true
            controller.loadViewIfNeeded()
            controller.viewWillAppear(animated)
            appeared.append(controller)
            pending += controller.children.filter(controller.shows).reversed()
            if let presented = controller.presentedViewController { pending.append(presented) }
        }
        after(transitionEnd) {
            for controller in appeared where controller.isInSight { controller.viewDidAppear(animated) }
        }
    }

    /// It is out of sight, with all that is inside it.
    package final func disappear(animated: Bool) {
        var gone: [ViewController] = []
        var pending = [self]
        while let controller = pending.popLast() {
            guard controller.isInSight else { continue }
            controller.viewWillDisappear(animated)
            controller.isInSight = false
            gone.append(controller)
            pending += controller.children
            if let presented = controller.presentedViewController { pending.append(presented) }
        }
        for controller in gone { controller.viewDidDisappear(animated) }
    }

    /// A child may be seen now that was not, or the other way round.
    package final func updateChildrenInSight(animated: Bool) {
        guard isInSight else { return }
        for child in children where !shows(child) { child.disappear(animated: animated) }
        for child in children where shows(child) { child.appear(animated: animated) }
    }

    /// Once transitions until then are over.
    private final func after(_ end: TraceTime, _ work: @escaping () -> Void) {
        if let tree = findTree() { tree.run(at: end, work) } else { work() }
    }

    public final var parent: ViewController? { parentLink }
    public final var presentingViewController: ViewController? { presenterLink }

    /// Spec §6.1: the window for its root controller, the presenting controller, or the superview of its view. A
    /// controller whose view is in no other view goes on to its container.
    open override var defaultNext: Responder? {
        if let windowLink { return windowLink }
        if let presenterLink { return presenterLink }
        return viewIfLoaded?.superviewLink ?? parentLink
    }

    override var container: Responder? { windowLink ?? viewIfLoaded?.superviewLink ?? parentLink ?? presenterLink }

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

    open func addChild(_ child: ViewController) { addChild(child, animated: false) }

    /// An addition: UIKit's containers animate by themselves.
    package final func addChild(_ child: ViewController, animated: Bool) {
        guard !isInside(child) else { return }
        child.removeFromParent()
        children.append(child)
        child.parentLink = self
        child.linksChanged()
        linksChanged()
        if animated { child.beginTransition(child.transitionDuration) }
        if isInSight, shows(child) { child.appear(animated: animated) }
    }

    /// Also resigns a first responder inside the child.
    public final func removeFromParent() {
        guard let old = parentLink else { return }
        FirstResponderChange.leave(self)
        old.children.removeAll { $0 === self }
        parentLink = nil
        old.linksChanged()
        linksChanged()
        disappear(animated: false)
    }

    /// Presents a controller over this one, unless this one presents already or the other is presented. `completion` is
    /// called at the end of the transition, of which there is none where it is not animated.
    open func present(_ controller: ViewController, animated: Bool = true, completion: (() -> Void)? = nil) {
        guard presentedViewController == nil, controller.presenterLink == nil, !isInside(controller) else { return }
        presentedViewController = controller
        controller.presenterLink = self
        controller.linksChanged()
        linksChanged()
        // An alert takes the keyboard before its transition.
        if controller.becomesFirstWhenPresented { controller.becomeFirstResponder() }
        if animated { controller.beginTransition(controller.transitionDuration) }
        report(.present, .text(controller.id))
        if isInSight {
            if controller.coversAll { outermost.disappear(animated: animated) }
            controller.appear(animated: animated)
        }
        if let completion { after(controller.transitionEnd, completion) }
    }

    /// Shows a controller in the nearest container around this one that has a place for it, else presents it.
    open func show(_ controller: ViewController, sender: Any?) {
        if let parentLink { parentLink.show(controller, sender: sender) } else { present(controller) }
    }

    /// The same in the column of details.
    open func showDetailViewController(_ controller: ViewController, sender: Any?) {
        guard let parentLink else { return present(controller) }
        parentLink.showDetailViewController(controller, sender: sender)
    }

    private final var coversAll: Bool {
        modalPresentationStyle == .fullScreen || modalPresentationStyle == .currentContext
    }

    private final var outermost: ViewController {
        var outermost = self
        while let parent = outermost.parentLink { outermost = parent }
        return outermost
    }

    /// Dismisses what this controller presents, else itself.
    open func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            presenterLink?.dismiss(animated: animated, completion: completion)
            return
        }
        let lost = FirstResponderChange.leave(presented)
        presented.presenterLink = nil
        presentedViewController = nil
        linksChanged()
        presented.linksChanged()
        if animated { beginTransition(presented.transitionDuration) }
        report(.dismiss, .text(presented.id))
        if lost { FirstResponderChange.handBackThroughApplication(after: self) }
        let wasInSight = presented.isInSight
        presented.disappear(animated: animated)
        if wasInSight, presented.coversAll { outermost.appear(animated: animated) }
        if let completion { after(transitionEnd, completion) }
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
