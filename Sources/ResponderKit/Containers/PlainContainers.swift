public import KeyModel
public import ResponderEngine

/// A stack of controllers of which the top one is seen.
open class NavigationController: ViewController {
    public final var viewControllers: [ViewController] { children }
    public final var topViewController: ViewController? { children.last }

    public init(id: String? = nil, rootViewController: ViewController) {
        super.init(id: id)
        addChild(rootViewController)
    }

    public override init(id: String? = nil) { super.init(id: id) }

    /// Covers the top controller, inside which no first responder stays (spec FR-4).
    public final func push(_ controller: ViewController) {
        topViewController?.leaveWindow()
        addChild(controller)
        setNeedsKeyCommandsUpdate()
        controller.beginTransition(controller.transitionDuration)
        report(.push, .text(controller.id))
    }

    /// Removes the top controller, but not the last one.
    @discardableResult
    public final func pop() -> ViewController? {
        guard children.count > 1, let top = children.last else { return nil }
        top.removeFromParent()
        setNeedsKeyCommandsUpdate()
        topViewController?.beginTransition(top.transitionDuration)
        report(.pop, .text(top.id))
        return top
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
    open override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        guard action == NavigationController.backAction else {
            return super.canPerformAction(action, sender: sender)
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
            pop()
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

    public final var viewControllers: [ViewController] { children }
    public final var selectedViewController: ViewController? {
        children.indices.contains(index) ? children[index] : nil
    }

    /// An index that does not exist is ignored. Inside the controller that is covered no first responder stays (spec
    /// FR-4).
    public final var selectedIndex: Int {
        get { index }
        set {
            guard newValue >= 0, newValue < max(children.count, 1) else { return }
            if newValue != index { selectedViewController?.leaveWindow() }
            index = newValue
            setNeedsChainUpdate()
            report(.tab, .number(newValue))
        }
    }

    open override func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? { selectedViewController }
    open override var visibleChildren: [ViewController] { selectedViewController.map { [$0] } ?? [] }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) { hash.combine(index) }
}
