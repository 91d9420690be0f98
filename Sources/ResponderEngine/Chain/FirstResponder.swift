import KeyModel

/// Becoming and losing first responder (spec §6.2).
enum FirstResponderChange {
    /// The object that stores a responder's first-responder state: its window, or the tree for chains without one.
    private enum Keeper {
        case window(Window)
        case tree(ResponderTree)

        var current: Responder? {
            switch self {
            case .window(let window): window.firstResponder
            case .tree(let tree): tree.firstResponderWithoutWindow
            }
        }

        func assign(_ responder: Responder?) {
            let old = current
            guard old !== responder else { return }
            switch self {
            case .window(let window): window.keyTarget = responder
            case .tree(let tree): tree.firstResponderWithoutWindow = responder
            }
            let (tree, getsKeys): (ResponderTree?, Bool) =
                switch self {
                case .window(let window): (window.findTree(), window.keyOfApplication != nil)
                case .tree(let tree): (tree, true)
                }
            // In another window it is on no chain that a cache is of.
            tree?.linksChanged(announced: getsKeys)
            tree?.observer?.firstResponderChanged(from: old, to: responder)
        }
    }

    private static func keeper(of responder: Responder) -> Keeper? {
        if let window = responder.windowOfChain { return .window(window) }
        return responder.findTree().map(Keeper.tree)
    }

    static func current(near responder: Responder) -> Responder? {
        keeper(of: responder)?.current
    }

    /// Asks in the order of spec FR-3.
    static func become(_ responder: Responder) -> Bool {
        guard let keeper = keeper(of: responder) else { return false }
        if keeper.current === responder { return true }
        guard mayKeepFirst(responder, keeper), !isInTransition(responder), responder.answersCanBecomeFirst
        else { return false }
        if let old = keeper.current {
            // Between the two no responder is first, and the keyboard stays where it is.
            let tree = responder.findTree()
            tree?.handsOverKeyboard = true
            defer { tree?.handsOverKeyboard = false }
            guard old.canResignFirstResponder, old.resignFirstResponder() else { return false }
        }
        keeper.assign(responder)
        return true
    }

    /// Without a window only the application and its delegate can be first (spec FR-2, FR-7), or any member of a
    /// bare chain that has no application either.
    private static func mayKeepFirst(_ responder: Responder, _ keeper: Keeper) -> Bool {
        guard case .tree = keeper else { return true }
        return responder is Application || responder is any ApplicationDelegate || !(responder is View)
            && !(responder is ViewController)
    }

    /// While a controller is coming into sight no responder inside it becomes first: the call that fails now succeeds
    /// later (spec FR-3, T-28).
    private static func isInTransition(_ responder: Responder) -> Bool {
        guard let now = responder.tree?.now else { return false }
        var walk = ChainWalk(from: responder)
        while let member = walk.step(), !(member is Window) {
            if let controller = member as? ViewController, now < controller.transitionEnd { return true }
        }
        return false
    }

    static func resign(_ responder: Responder, isForced: Bool = false) -> Bool {
        guard let keeper = keeper(of: responder), keeper.current === responder else { return true }
        guard isForced || responder.canResignFirstResponder else { return false }
        keeper.assign(nil)
        return true
    }

    /// Makes a responder first without asking any: a recorded fact, or the state a scene begins with.
    static func install(_ responder: Responder?, tree: ResponderTree, keyWindow: Window?) {
        guard let responder else {
            if let keyWindow { Keeper.window(keyWindow).assign(nil) }
            Keeper.tree(tree).assign(nil)
            return
        }
        tree.handsOverKeyboard = true
        if responder.windowOfChain != nil {
            Keeper.tree(tree).assign(nil)
        } else if let keyWindow {
            Keeper.window(keyWindow).assign(nil)
        }
        tree.handsOverKeyboard = false
        (responder.windowOfChain.map(Keeper.window) ?? Keeper.tree(tree)).assign(responder)
    }

    /// A view or controller is about to leave its window. True when the first responder was inside it and is lost
    /// (spec FR-4).
    @discardableResult
    static func leave(_ leaving: Responder) -> Bool {
        guard let keeper = keeper(of: leaving) else { return false }
        leaving.tree?.observer?.leftWindow(leaving)
        guard let first = keeper.current else { return false }
        var walk = ChainWalk(from: first)
        while let responder = walk.step() {
            guard responder === leaving || isRootView(responder, of: leaving) else { continue }
            keeper.assign(nil)
            return true
        }
        return false
    }

    private static func isRootView(_ responder: Responder, of leaving: Responder) -> Bool {
        guard let controller = leaving as? ViewController, let view = controller.viewIfLoaded else { return false }
        return responder === view
    }

    /// Spec FR-7, iOS 7: the application, if it can be first responder, becomes it when a dialog took the first
    /// responder with it, and hands it to the root controller. A delegate does not do this.
    static func handBackThroughApplication(after presenter: ViewController) {
        guard let window = presenter.windowOfChain, let application = window.application ?? window.applicationOfChain,
            application.handsBackFirstResponder, application.answersCanBecomeFirst
        else { return }
        if window.rootViewController?.becomeFirstResponder() != true { application.becomeFirstResponder() }
    }
}
