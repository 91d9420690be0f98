public import KeyModel
public import ResponderEngine

/// A stack of controllers of which the top one is seen.
open class NavigationController: ViewController {
    public final var viewControllers: [ViewController] {
        get { children }
        set { setViewControllers(newValue, animated: false) }
    }
    public final var topViewController: ViewController? { children.last }

    public init(id: String? = nil, rootViewController: ViewController) {
        super.init(id: id)
        addChild(rootViewController)
    }

    public override init(id: String? = nil) { super.init(id: id) }

    open override func shows(_ child: ViewController) -> Bool { child === topViewController }

    /// Covers the top controller, inside which no first responder stays (spec FR-4).
    open func pushViewController(_ controller: ViewController, animated: Bool = true) {
        topViewController?.leaveWindow()
        addChild(controller, animated: animated)
        setNeedsKeyCommandsUpdate()
        updateChildrenInSight(animated: animated)
        report(.push, .text(controller.id))
    }

    /// Removes the top controller, but not the last one.
    @discardableResult
    open func popViewController(animated: Bool = true) -> ViewController? {
        guard children.count > 1, let top = children.last else { return nil }
        top.removeFromParent()
        setNeedsKeyCommandsUpdate()
        if animated { topViewController?.beginTransition(top.transitionDuration) }
        updateChildrenInSight(animated: animated)
        report(.pop, .text(top.id))
        return top
    }

    @discardableResult
    open func popToRootViewController(animated: Bool = true) -> [ViewController]? {
        children.first.flatMap { popToViewController($0, animated: animated) }
    }

    /// Removes the controllers above one of the stack.
    @discardableResult
    open func popToViewController(_ controller: ViewController, animated: Bool = true) -> [ViewController]? {
        guard let place = children.firstIndex(where: { $0 === controller }), place < children.count - 1 else {
            return nil
        }
        let gone = Array(children[(place + 1)...])
        for covered in gone.dropLast() { covered.removeFromParent() }
        popViewController(animated: animated)
        return gone
    }

    open override func show(_ controller: ViewController, sender: Any?) { pushViewController(controller) }

    open func setViewControllers(_ controllers: [ViewController], animated: Bool) {
        replaceChildren(with: controllers)
        setNeedsKeyCommandsUpdate()
        updateChildrenInSight(animated: animated)
    }

    open override func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? { topViewController }
    /// The controllers that are covered keep the shortcuts of their SwiftUI views, after those of the top one.
    open override var visibleChildren: [ViewController] { children.reversed() }

    /// The action of the system's ⌘[ from iOS 15 on (spec KC-3).
    public static let backAction: Selector = "navigateBack:"
    private final lazy var backCommand = KeyCommand(
        input: "[", modifierFlags: .command, action: NavigationController.backAction)

    /// The added commands, and ⌘[ where there is something to go back to and the profile has it.
    open override var keyCommands: [KeyCommand]? {
        let own = super.keyCommands
        guard systemBackCommand != .none, children.count > 1, declared?.declaresKeyCommands != true else {
            return own
        }
        return (own ?? []) + [backCommand]
    }

    open override func responds(to action: Selector) -> Bool {
        action == NavigationController.backAction || super.responds(to: action)
    }

    /// True for the nearest navigation controller that can go back, or under one beta the outermost (spec T-19).
    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard action == NavigationController.backAction else {
            return super.canPerformAction(action, withSender: sender)
        }
        guard children.count > 1 else { return false }
        guard systemBackCommand == .outermost else { return true }
        var outer = parent
        while let controller = outer {
            if let navigation = controller as? NavigationController, navigation.children.count > 1 { return false }
            outer = controller.parent
        }
        return true
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if action == NavigationController.backAction {
            popViewController()
        } else {
            super.perform(action, sender: sender, event: event)
        }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(children.count)
        hash.combine(topViewController?.id ?? "")
    }
}

/// Controllers side by side of which one is selected.
open class TabBarController: ViewController {
    private final var index = 0

    public init(id: String? = nil, viewControllers: [ViewController] = []) {
        super.init(id: id)
        viewControllers.forEach(addChild)
    }

    /// Never `nil`; UIKit's may be.
    public final var viewControllers: [ViewController]! {
        get { children }
        set {
            replaceChildren(with: newValue ?? [])
            if !children.indices.contains(index) { index = 0 }
            setNeedsChainUpdate()
            updateChildrenInSight(animated: false)
        }
    }
    public final var selectedViewController: ViewController? {
        get { children.indices.contains(index) ? children[index] : nil }
        set { if let place = children.firstIndex(where: { $0 === newValue }) { selectedIndex = place } }
    }

    open override func shows(_ child: ViewController) -> Bool { child === selectedViewController }

    /// An index that does not exist is ignored. Inside the controller that is covered no first responder stays (spec
    /// FR-4).
    public final var selectedIndex: Int {
        get { index }
        set {
            guard newValue >= 0, newValue < max(children.count, 1) else { return }
            if newValue != index { selectedViewController?.leaveWindow() }
            index = newValue
            setNeedsChainUpdate()
            updateChildrenInSight(animated: false)
            report(.tab, .number(newValue))
        }
    }

    open override func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? { selectedViewController }
    open override var visibleChildren: [ViewController] { selectedViewController.map { [$0] } ?? [] }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) { hash.combine(index) }
}

/// One page at a time.
open class PageViewController: ViewController {
    public enum NavigationDirection: Sendable { case forward, reverse }

    public final var viewControllers: [ViewController]? { children }

    open func setViewControllers(
        _ controllers: [ViewController]?, direction: NavigationDirection, animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        replaceChildren(with: controllers ?? [])
        updateChildrenInSight(animated: animated)
        completion?(true)
    }
}

extension ViewController {
    /// The nearest of the containers that it is in.
    private final func nearest<Container: ViewController>() -> Container? {
        var here = parent
        while let controller = here {
            if let found = controller as? Container { return found }
            here = controller.parent
        }
        return nil
    }

    public final var navigationController: NavigationController? { nearest() }
    public final var tabBarController: TabBarController? { nearest() }
    public final var splitViewController: SplitViewController? { nearest() }

    fileprivate final func replaceChildren(with controllers: [ViewController]) {
        for child in children where !controllers.contains(where: { $0 === child }) {
            child.leaveWindow()
            child.removeFromParent()
        }
        for (place, controller) in controllers.enumerated()
        where !children.indices.contains(place) || children[place] !== controller {
            addChild(controller)
        }
    }
}
