import KeyModel
import ResponderEngine
import ResponderKit

/// Keys of controllers.
extension ResponderDescription {
    static let controllerKeys = [
        SceneKeyGroup("controllers", { $0.isController }) {
            Key("view", \.containment.view, .id)
            Key("presents", \.containment.presents, .id)
            Key("viewControllers", \.containment.viewControllers, controllers)
        },
        SceneKeyGroup("splitViewController", { $0.base == .splitViewController }) {
            // The columns of a split view controller are its controllers, the primary one first.
            Key("columns") { value, _, responder throws(SourceTextError) in
                guard responder.containment.viewControllers == nil else {
                    throw value.error("viewControllers or columns", found: "both")
                }
                responder.containment.viewControllers = try controllers.read(value)
            }
        },
        SceneKeyGroup("controllers", { $0.isController }) {
            Key("performsActionsWhilePresentingModally", \.controller.performsActionsWhilePresentingModally, .flag,
                sets: \ViewController.performsActionsWhilePresentingModally)
            Key("transitionDuration", \.controller.transitionDuration, .duration,
                sets: \ViewController.transitionDuration)
            Key(
                "presentationStyle", \.controller.presentationStyle, .choice(),
                sets: \ViewController.modalPresentationStyle)
            Key("isModalInPresentation", \.controller.isModalInPresentation, .flag,
                sets: \ViewController.isModalInPresentation)
            Key("leadingItems", \.controller.leadingItems, .list(BarItem.list, of: BarItem.codec))
            Key("trailingItems", \.controller.trailingItems, .list(BarItem.list, of: BarItem.codec))
            Key("toolbarItems", \.controller.toolbarItems, .list(BarItem.list, of: BarItem.codec))
            Key("hidesBackButton", \.controller.hidesBackButton, .flag)
            Key("leadingItemsSupplementBackButton", \.controller.leadingItemsSupplementBackButton, .flag)
        },
        SceneKeyGroup("splitViewController", { $0.base == .splitViewController }) {
            Key("displayMode", \.controller.displayMode, .choice(), when: .hasChildren) {
                (split: SplitViewController, mode) in split.begin(with: mode)
            }.then { value, responder throws(SourceTextError) in try responder.checkDisplayMode(value) }
            Key("splitBehavior", \.controller.splitBehavior, .choice(), when: .hasChildren,
                sets: \SplitViewController.splitBehavior)
            Key("primaryEdge", \.controller.primaryEdge, .choice(), when: .hasChildren,
                sets: \SplitViewController.primaryEdge)
            Key("collapsed", \.controller.isCollapsed, .flag, when: .hasChildren,
                sets: \SplitViewController.isCollapsed)
        },
        SceneKeyGroup("tabBarController", { $0.base == .tabBarController }) {
            Key("selectedIndex", \.controller.selectedIndex, when: .hasChildren, read: readIndex) {
                (tabs: TabBarController, index) in tabs.selectedIndex = index
            }
        },
    ]

    private static let controllers = SceneCodec<[String]>.list("a list of ids", of: .name("the id of a controller"))

    @Sendable private static func readIndex(
        _ value: YAMLValue, of responder: ResponderDescription
    ) throws(SourceTextError) -> Int {
        let count = responder.containment.viewControllers?.count ?? 0
        return try value.integer(
            in: 0...max(0, count - 1), "the index of one of its \(count) viewControllers, from 0")
    }

    private func checkDisplayMode(_ value: YAMLValue) throws(SourceTextError) {
        func isOfThree(_ mode: SplitViewController.DisplayMode) -> Bool { mode.rawValue.hasPrefix("two") }
        let count = containment.viewControllers?.count ?? 0
        guard count != 3, controller.displayMode.map(isOfThree) == true else { return }
        let modes = SplitViewController.DisplayMode.allCases.filter { !isOfThree($0) }.map(\.rawValue)
        throw value.error("a mode for the \(count) columns: one of \(modes.joined(separator: ", "))")
    }
}

extension ResponderDescription.BarItem {
    fileprivate static let list = "a list of buttons such as {systemItem: rewind, action: \"rewind:\"}"

    private static let keys: [SceneKey<Self>] = [
        SceneKey("systemItem", \.systemItem, .choice()),
        SceneKey("title", \.title, .text),
        SceneKey("action", \.action, .selector),
        SceneKey("enabled", \.isEnabled, .flag),
        SceneKey("input", \.input, .input),
        SceneKey("modifiers", \.modifiers, .modifiers),
    ]

    fileprivate static let codec = SceneCodec<Self> { value throws(SourceTextError) in
        var map = try value.map("a button such as {systemItem: rewind, action: \"rewind:\"}")
        var item = Self()
        try map.read(keys, into: &item)
        try map.finish()
        return item
    }

    fileprivate var button: BarButtonItem {
        let item = KeyboardBarButtonItem(systemItem: systemItem, title: title, action: action.map { Selector($0) })
        item.isEnabled = isEnabled
        if let input { item.keyEquivalent = (input, modifiers) }
        return item
    }
}

extension ResponderDescription.Controller {
    /// `nil` for a controller that puts nothing into bars.
    var navigationItem: NavigationItem? {
        var item = NavigationItem()
        item.leadingItems = leadingItems.map(\.button)
        item.trailingItems = trailingItems.map(\.button)
        item.toolbarItems = toolbarItems.map(\.button)
        item.hidesBackButton = hidesBackButton ?? false
        item.leadingItemsSupplementBackButton = leadingItemsSupplementBackButton ?? false
        let isEmpty = item.leadingItems.isEmpty && item.trailingItems.isEmpty && item.toolbarItems.isEmpty
        return isEmpty && hidesBackButton == nil ? nil : item
    }
}
