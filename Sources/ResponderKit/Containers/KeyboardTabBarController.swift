import KeyModel
public import ResponderEngine

/// Tabs by number: ⌘1 to ⌘9 (spec §8.3).
open class KeyboardTabBarController: TabBarController {
    /// One for each tab, by which menus tell them apart (spec MM-5).
    public static let tabActions: [Selector] = (1...9).map { Selector("selectTab\($0):") }

    public override init(id: String? = nil, viewControllers: [ViewController] = []) {
        super.init(id: id, viewControllers: viewControllers)
        followsStructure = true
    }

    open override var canBecomeFirstResponder: Bool { true }

    /// False leaves the tab that is selected.
    open func shouldSelect(_ controller: ViewController) -> Bool { true }

    /// Called for the tab that was selected already too. Performs `didSelectTab:` where this controller implements it.
    open func didSelect(_ controller: ViewController) { notify("didSelectTab:", sender: self) }

    private final lazy var tabCommands: [DiscoverableKeyCommand] = Self.tabActions.enumerated().map { index, action in
        DiscoverableKeyCommand(title: "", action: action, input: String(index + 1), modifierFlags: .command)
    }

    private final var canSelectTabs: Bool { children.count <= 9 && !isPresentingAnything }

    /// None with more than nine tabs, whose last would be "More".
    open override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard canSelectTabs else { return inherited }
        var commands = inherited ?? []
        for (command, controller) in zip(tabCommands, children) {
            command.title = controller.title ?? ""
            commands.append(command)
        }
        return commands.ofTheChain
    }

    open override class var actions: [Action] {
        super.actions
            + tabActions.enumerated().map { index, action in
                Action(action, performing: { (tabs: KeyboardTabBarController, _) in tabs.selectTab(index) })
            }
    }

    private final func selectTab(_ index: Int) {
        guard children.indices.contains(index), shouldSelect(children[index]) else { return }
        let controller = children[index]
        selectedIndex = index
        didSelect(controller)
    }

    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        guard let index = Self.tabActions.firstIndex(of: action) else { return true }
        return canSelectTabs && children.indices.contains(index)
    }

    /// A menu's copy of a tab's command gets its tab's title, or is dimmed (spec HUD-6).
    open override func validate(_ command: Command) {
        super.validate(command)
        guard let index = Self.tabActions.firstIndex(of: command.action) else { return }
        if children.indices.contains(index) {
            command.title = children[index].title ?? ""
        } else {
            command.attributes.insert(.disabled)
        }
    }
}
