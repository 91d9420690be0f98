import KeyModel
public import ResponderEngine

/// Back by ⌘← and ⌘[, and the keys of the buttons in its bars (spec §8.3).
open class KeyboardNavigationController: NavigationController {
    /// Items of controllers that have none themselves.
    public final var navigationItem = NavigationItem()
    private final var items: [Kept] = []

    private struct Kept {
        weak var controller: ViewController?
        let item: NavigationItem
    }

    public override init(id: String? = nil) {
        super.init(id: id)
        followsStructure = true
    }

    public override init(id: String? = nil, rootViewController: ViewController) {
        super.init(id: id, rootViewController: rootViewController)
        followsStructure = true
    }

    open override var canBecomeFirstResponder: Bool { true }

    /// Sets the items that a controller puts into the bars while it is on top.
    public final func setNavigationItem(_ item: NavigationItem, of controller: ViewController) {
        items.removeAll { $0.controller == nil || $0.controller === controller }
        items.append(Kept(controller: controller, item: item))
        setNeedsKeyCommandsUpdate()
    }

    private final var topItem: NavigationItem {
        guard let top = topViewController else { return navigationItem }
        return items.first { $0.controller === top }?.item ?? navigationItem
    }

    /// The bar's delegate may keep a controller on top.
    open func shouldPop(_ controller: ViewController) -> Bool { true }

    public static let goBackAction: Selector = "goBack:"

    private final lazy var backCommands: [(leftToRight: KeyCommand, rightToLeft: KeyCommand)] = [
        (KeyCommand.inputLeftArrow, KeyCommand.inputRightArrow), ("[", "]"),
    ].map { left, right in
        let command = { input in
            DiscoverableKeyCommand(title: "Back", action: Self.goBackAction, input: input, modifierFlags: .command)
        }
        return (command(left), command(right))
    }

    private final var canGoBack: Bool {
        let item = topItem
        return viewControllers.count > 1 && !isPresentingAnything && !item.hidesBackButton
            && (item.leadingItems.isEmpty || item.leadingItemsSupplementBackButton)
    }

    open override var keyCommands: [KeyCommand]? {
        var commands = (super.keyCommands ?? []).filter { $0.action != NavigationController.backAction }
        let environment = keyboardEnvironment
        if canGoBack {
            // From iOS 15 on the system mirrors them.
            let isMirrored = environment.commandsGoBeforeText && environment.isRightToLeft
            commands += backCommands.map { isMirrored ? $0.rightToLeft : $0.leftToRight }
        }
        let item = topItem
        for button in item.leadingItems + item.trailingItems.reversed() + item.toolbarItems where button.isEnabled {
            if let command = (button as? KeyboardBarButtonItem)?.command { commands.append(command) }
        }
        if environment.commandsGoBeforeText, isTextInputActive {
            commands.removeAll(where: \.doesConflictWithTextInput)
        }
        return commands.ofTheChain
    }

    open override class var actions: [Action] {
        super.actions + [
            Action(goBackAction, performing: { (navigation: KeyboardNavigationController, _) in
                guard let top = navigation.topViewController, navigation.shouldPop(top) else { return }
                navigation.popViewController()
            })
        ]
    }

    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        super.canPerformAction(action, withSender: sender) && (action != Self.goBackAction || canGoBack)
    }
}
