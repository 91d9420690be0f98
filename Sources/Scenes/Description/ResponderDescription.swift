public import KeyModel
public import ResponderEngine
public import ResponderKit

/// One responder of a scene.
public struct ResponderDescription: Hashable, Sendable {
    public var id: String
    public var kind: Kind
    /// 1-based line of the scene file, for messages.
    public var line = 0
    /// The explicit next responder, which wins over containment.
    public var next: String?
    public var title = ""
    /// `nil` where the scene lists none.
    public var keyCommands: [CommandDescription]?
    /// Other answers to `keyCommands`.
    public var variants: [Named<[CommandDescription]>] = []
    /// Names of lists that successive reads of `keyCommands` answer with, over and over; empty for one answer.
    public var keyCommandsPerRead: [String] = []
    /// AppKit: what `performKeyEquivalent:` of it takes.
    public var keyEquivalents: [CommandDescription] = []
    /// Selectors it implements, each with the steps that run when the action is performed.
    public var actions: [Named<[ContextStep]>] = []
    /// Answers to `canPerformAction` that differ from "implements it".
    public var canPerform: [Named<PerformAnswer>] = []
    /// Actions that it takes from key presses only: its `canPerformAction` casts the sender to `KeyCommand`.
    public var castsSender: [String] = []
    /// The menus that its `buildMenu` adds; of applications, the scene's `mainMenu` is that.
    public var buildMenu: [MenuDescription] = []
    /// Virtual service times by call: `keyCommands`, `canPerformAction`, `validate`, `buildMenu`, `presses` or
    /// the selector of an action.
    public var cost: [Named<TraceDuration>] = []
    /// `nil` leaves it to the kind.
    public var canBecomeFirstResponder: Bool?
    public var swallowsPresses = SwallowedPresses.none
    /// Views: can have the focus; `nil` leaves it to the kind.
    public var isFocusable: Bool?
    /// Views: the group of it and of those inside it (spec EV-14).
    public var focusGroup: String?
    /// Heights in points of the views in place of the software keyboard's keys, and on top of it (spec TX-4).
    public var inputView: Int?
    public var inputAccessoryView: Int?
    public var containment = Containment()
    public var controller = Controller()
    public var text = Text()
    /// 1-based line of `keyBindings`, for messages.
    var keyBindingsLine = 1
    public var content = Content()
    /// Keyboard applications.
    public var supportsMultipleScenes, hasSettings: Bool?
    /// Window scenes: the user is asked before it closes; `false` of `isInteractive` is an external display.
    public var closureConfirmation, isInteractive: Bool?
    public var hosted = Hosted()

    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case responder, view, viewController, navigationController, tabBarController, splitViewController
        case hostingController, alertController, webView, window
        case windowScene, application, appDelegate, textField, textView, scrollView, tableView, collectionView
        case datePicker, keyInputView
        case keyboardTextView
        case keyboardApplication, keyboardWindowScene, keyboardWindow, keyboardTabBarController
        case keyboardNavigationController, keyboardTableView, keyboardCollectionView, keyboardScrollView
        case keyboardDatePicker, keyboardMapView, keyboardSplitViewController
    }

    /// An answer to `canPerformAction`, by the sender.
    public struct PerformAnswer: Hashable, Sendable {
        /// The answer to a key command or a menu's command.
        public var toCommands: Bool?
        /// The answer to a standard key, which has no command, and to all other senders.
        public var toOthers: Bool?

        public init(toCommands: Bool?, toOthers: Bool?) {
            self.toCommands = toCommands
            self.toOthers = toOthers
        }

        public init(_ answer: Bool) { self.init(toCommands: answer, toOthers: answer) }
    }

    /// The presses that stop at this responder: its `pressesBegan` does not call `super` (spec EV-4).
    public enum SwallowedPresses: Hashable, Sendable {
        case none
        case all
        case keys([KeyUsage])

        public func contains(_ usage: KeyUsage?) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .keys(let keys): usage.map(keys.contains) ?? false
            }
        }
    }

    /// Ids of the responders that this one contains or belongs to.
    public struct Containment: Hashable, Sendable {
        /// Views: the view around this one.
        public var superview: String?
        /// Controllers: the root view.
        public var view: String?
        /// Containers: their controllers in order. Other controllers: their children.
        public var viewControllers: [String]?
        /// Controllers: the one presented over this one.
        public var presents: String?
        /// Windows.
        public var rootViewController: String?
        public var windowScene: String?
        /// Windows and window scenes.
        public var application: String?
        /// Applications.
        public var delegate: String?
        /// Windows: key at the start.
        public var isKeyWindow: Bool?
    }

    public struct Controller: Hashable, Sendable {
        public var performsActionsWhilePresentingModally: Bool?
        public var presentationStyle: ViewController.PresentationStyle?
        /// The duration of its transitions, in virtual time.
        public var transitionDuration: TraceDuration?
        /// Tab bar controllers, from 0.
        public var selectedIndex: Int?
        /// The user cannot dismiss it.
        public var isModalInPresentation: Bool?
        /// The items it puts into the bars around it.
        public var leadingItems: [BarItem] = []
        public var trailingItems: [BarItem] = []
        public var toolbarItems: [BarItem] = []
        public var hidesBackButton: Bool?
        public var leadingItemsSupplementBackButton: Bool?
        /// Split view controllers, as the three below.
        public var displayMode: SplitViewController.DisplayMode?
        public var splitBehavior: SplitViewController.SplitBehavior?
        public var primaryEdge: SplitViewController.PrimaryEdge?
        public var isCollapsed: Bool?
    }

    /// A button in a bar.
    public struct BarItem: Hashable, Sendable {
        public var systemItem: BarButtonItem.SystemItem?
        public var title: String?
        public var action: String?
        public var isEnabled = true
        /// Its own key; `nil` for that of its system item.
        public var input: String?
        public var modifiers: KeyModifiers = []
    }

    /// Properties of hosting controllers and web views.
    public struct Hosted: Hashable, Sendable {
        /// SwiftUI's keyboard shortcuts in search order.
        public var shortcuts: [CommandDescription] = []
        public var keyPressHandlers: [KeyPressDescription] = []
        /// SwiftUI's `buttonRepeatBehavior`; `nil` for the default.
        public var buttonRepeatBehavior: MenuElement.RepeatBehavior?
        /// Web views: keys whose default the page's handlers prevent; `nil` for none.
        public var preventedKeys: WebView.PreventedKeys?
    }

    /// A handler of `onKeyPress`.
    public struct KeyPressDescription: Hashable, Sendable {
        public enum Result: String, CaseIterable, Hashable, Sendable { case handled, ignored }

        /// The view on the focus path; `nil` for the controller's root view.
        public var view: String?
        /// Inputs; empty for every key.
        public var keys: [String]
        public var phases: Set<HostingController.KeyPressHandler.Phase>
        public var result: Result
        var line: Int
    }

    public struct Text: Hashable, Sendable {
        public var text: String?
        public var markedText: String?
        public var isSecure, isEditable, isSingleLine: Bool?
        public var allowsEditingTextAttributes, enablesReturnKeyAutomatically: Bool?
        public var hasSmartQuotes, hasSmartDashes, hasSmartInsertDelete: Bool?
        /// Keyboard text views: their commands need text that can be selected.
        public var isSelectable: Bool?
        /// Keyboard text views: the system's find has ⌘G, ⇧⌘G and ⌘E.
        public var hasFindInteraction: Bool?
        /// Key binding files beside the scene, or names of shipped tables; later ones win (spec §10).
        public var keyBindings: [String] = []
    }

    /// Properties of tables, collections, scroll views and date pickers.
    public struct Content: Hashable, Sendable {
        /// Rows per section; `rows: 3` is one section of three.
        public var sections: [Int]?
        /// Selected rows, counted from 0 over all sections.
        public var selected: [Int]?
        public var allowsMultipleSelection: Bool?
        public var contentSize, viewport, offset: Extent?
        public var date, minimumDate, maximumDate: CalendarDay?
        /// The day that ⌘T goes to; the date unless given.
        public var today: CalendarDay?
        public var style: KeyboardDatePicker.Style?
        public var mode: KeyboardDatePicker.Mode?
        public var isPaging, isScrollEnabled: Bool?
        /// `[minimum, maximum, current]` in thousandths.
        public var zoom: [Int]?
        /// The action of the refresh control.
        public var refresh: String?
        public var allowsSelection, allowsFocus: Bool?
        /// Rows that cannot be selected, counted from 0 over all sections.
        public var unselectable: [Int]?
        public var allowsMoving, isDiffable, allowsDeleting: Bool?
        public var rowHeight: Int?
        public var layout: ItemLayout?
        /// Maps.
        public var isRotateEnabled: Bool?
        public var heading: Int?
        public var userLocation: Extent?
    }

    /// The frames of a collection's items.
    public struct ItemLayout: Hashable, Sendable {
        public enum Kind: String, CaseIterable, Hashable, Sendable { case flow, compositional, frames }

        public var kind: Kind
        public var itemSize = Extent(width: 50, height: 50)
        public var spacing = 10
        public var scrollsHorizontally = false
        public var flips = false
        /// One for each item.
        public var frames: [Frame] = []
        /// Items that are not seen.
        public var hidden: [Int] = []

        public init(_ kind: Kind) { self.kind = kind }
    }

    public init(id: String, kind: Kind, next: String? = nil) {
        self.id = id
        self.kind = kind
        self.next = next
    }
}

extension ResponderDescription.Kind {
    /// The kind of the system that a component of the kit is one of; the others are their own.
    public var base: Self {
        switch self {
        case .keyboardApplication: .application
        case .keyboardWindowScene: .windowScene
        case .keyboardWindow: .window
        case .keyboardTabBarController: .tabBarController
        case .keyboardNavigationController: .navigationController
        case .keyboardTableView: .tableView
        case .keyboardCollectionView: .collectionView
        case .keyboardScrollView: .scrollView
        case .keyboardDatePicker: .datePicker
        case .keyboardMapView, .keyInputView: .view
        case .keyboardTextView: .textView
        case .webView: .textView
        case .keyboardSplitViewController: .splitViewController
        case .hostingController, .alertController: .viewController
        default: self
        }
    }

    public var isController: Bool {
        switch base {
        case .viewController, .navigationController, .tabBarController, .splitViewController: true
        default: false
        }
    }

    /// Views inside windows.
    public var isView: Bool { isText || isScrolling || base == .view || base == .datePicker }

    public var isText: Bool { self == .textField || isTextView }
    var isTextView: Bool { base == .textView }
    public var isScrolling: Bool { base == .scrollView || isList || isTextView }
    public var isList: Bool { base == .tableView || base == .collectionView }
}
