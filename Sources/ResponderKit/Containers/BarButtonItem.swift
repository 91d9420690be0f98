public import KeyModel
public import ResponderEngine

/// A button of a navigation bar or toolbar.
open class BarButtonItem {
    /// Raw values are the names that scenes use.
    public enum SystemItem: String, CaseIterable, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks
        case search, refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, close
    }

    public final let systemItem: SystemItem?
    public final var title: String?
    public final var accessibilityLabel: String?
    /// Sent to the first up the chain that can perform it, whatever the item's target.
    public final let action: Selector?
    public final var isEnabled = true

    public init(systemItem: SystemItem? = nil, title: String? = nil, action: Selector?) {
        self.systemItem = systemItem
        self.title = title
        self.action = action
    }
}

/// A button with a key equivalent: that of its system item, or one of its own (spec §8.3).
open class KeyboardBarButtonItem: BarButtonItem {
    /// The key pressed instead of the button; `nil` for none.
    public final var keyEquivalent: (input: String, modifiers: KeyModifiers)?

    public override init(systemItem: SystemItem? = nil, title: String? = nil, action: Selector?) {
        super.init(systemItem: systemItem, title: title, action: action)
        keyEquivalent = systemItem.flatMap { KeyboardBarButtonItem.equivalents[$0] }
    }

    /// Spec §8.3.
    public static let equivalents: [SystemItem: (input: String, modifiers: KeyModifiers)] = [
        .cancel: (KeyCommand.inputEscape, []), .close: ("w", .command), .done: ("\r", .command),
        .save: ("s", .command), .action: ("i", .command), .edit: ("e", .command), .add: ("n", .command),
        .compose: ("n", .command), .reply: ("r", .command), .refresh: ("r", .command),
        .bookmarks: ("b", .command), .search: ("f", .command), .trash: (KeyCommand.inputDelete, .command),
        .rewind: (KeyCommand.inputLeftArrow, .command), .fastForward: (KeyCommand.inputRightArrow, .command),
    ]

    private static let titles: [SystemItem: String] = [
        .fastForward: "Fast Forward", .flexibleSpace: "", .fixedSpace: "",
    ]

    private final var shownTitle: String {
        if let title = title ?? accessibilityLabel { return title }
        guard let systemItem else { return "" }
        let name = systemItem.rawValue
        return KeyboardBarButtonItem.titles[systemItem] ?? name.prefix(1).uppercased() + name.dropFirst()
    }

    /// `nil` for a button that is disabled, or has no action or key.
    public private(set) final lazy var command: KeyCommand? = {
        guard let action, let keyEquivalent else { return nil }
        let command = DiscoverableKeyCommand(
            title: shownTitle, action: action, input: keyEquivalent.input, modifierFlags: keyEquivalent.modifiers)
        // These buttons are about time, which does not run backwards in other scripts.
        if systemItem == .rewind || systemItem == .fastForward { command.allowsAutomaticMirroring = false }
        return command
    }()
}

/// The items that a controller puts into the bars of the navigation controller around it.
public struct NavigationItem {
    public var leadingItems: [BarButtonItem] = []
    public var trailingItems: [BarButtonItem] = []
    public var toolbarItems: [BarButtonItem] = []
    public var hidesBackButton = false
    /// The leading items are beside the back button instead of in its place.
    public var leadingItemsSupplementBackButton = false

    public init() {}
}
