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

    public final func push(_ controller: ViewController) {
        addChild(controller)
        report(.push, .text(controller.id))
    }

    /// Removes the top controller, but not the last one.
    @discardableResult
    public final func pop() -> ViewController? {
        guard children.count > 1, let top = children.last else { return nil }
        top.removeFromParent()
        report(.pop, .text(top.id))
        return top
    }

    open override func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? { topViewController }

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

    /// An index that does not exist is ignored.
    public final var selectedIndex: Int {
        get { index }
        set {
            guard newValue >= 0, newValue < max(children.count, 1) else { return }
            index = newValue
            setNeedsChainUpdate()
            report(.tab, .number(newValue))
        }
    }

    open override func keyStartChild(_ choice: Profile.ChildChoice) -> ViewController? { selectedViewController }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) { hash.combine(index) }
}

/// Two or three columns, the primary one first.
open class SplitViewController: ViewController {
    public init(id: String? = nil, columns: [ViewController] = []) {
        super.init(id: id)
        columns.forEach(addChild)
    }

    public final var columns: [ViewController] { children }
    public final var primary: ViewController? { children.first }
    public final var secondary: ViewController? { children.count > 1 ? children.last : nil }

    /// The primary column, for the profiles that read its commands although it is off the chain (spec KC-7).
    open override var offChainSuppliers: [Responder] { primary.map { [$0] } ?? [] }
}
