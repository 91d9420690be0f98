/// Classes of UIKit and AppKit in responder chains, and kinds of scenes: they identify no app.
///
/// A list, since an app's own class may begin with the same prefix.
enum PlatformClasses {
    static func contains(_ kind: String) -> Bool { kinds.contains(kind) || classes.contains(kind) }

    /// Kinds of responders in scenes, and of those without a description.
    private static let kinds: Set<String> = [
        "responder", "view", "viewController", "navigationController", "tabBarController", "splitViewController",
        "hostingController", "alertController", "webView", "keyInputView",
        "window", "windowScene", "application", "appDelegate", "textField", "textView", "scrollView", "tableView",
        "collectionView", "datePicker", "keyboardTextView", "keyboardApplication", "keyboardWindowScene",
        "keyboardWindow", "keyboardTabBarController", "keyboardNavigationController", "keyboardTableView",
        "keyboardCollectionView", "keyboardScrollView", "keyboardDatePicker", "keyboardMapView",
        "keyboardSplitViewController", "unnamed", "",
    ]

    private static let classes: Set<String> = Set(
        names("UI", views) + names("UI", controllers) + names("UI", recognizers) + names("UI", appKitToo)
            + names("NS", appKitToo) + names("NS", macViews) + names("NS", macControllers))

    private static func names(_ prefix: String, _ words: String) -> [String] {
        words.split(whereSeparator: \.isWhitespace).map { prefix + $0 }
    }

    /// Of both.
    private static let appKitToo = """
        Responder View ViewController Window Application Control Button TextField TextView ScrollView TableView
        TableViewCell CollectionView ImageView DatePicker Slider Stepper Switch StackView SplitViewController Document
        SearchField VisualEffectView Menu
        """
    private static let views = """
        WindowScene Scene Label SegmentedControl PageControl PickerView ProgressView ActivityIndicatorView
        RefreshControl SearchBar SearchTextField Toolbar NavigationBar TabBar CollectionViewCell
        CollectionReusableView
        CollectionViewListCell TableViewHeaderFooterView InputView MenuController ColorWell CalendarView ContentView
        """
    private static let controllers = """
        NavigationController TabBarController TableViewController CollectionViewController PageViewController
        SearchController AlertController ActivityViewController DocumentPickerViewController
        DocumentBrowserViewController DocumentViewController ImagePickerController InputViewController
        ColorPickerViewController FontPickerViewController PrinterPickerController ReferenceLibraryViewController
        VideoEditorController HostingController
        """
    private static let recognizers = """
        GestureRecognizer TapGestureRecognizer LongPressGestureRecognizer PanGestureRecognizer PinchGestureRecognizer
        RotationGestureRecognizer SwipeGestureRecognizer ScreenEdgePanGestureRecognizer HoverGestureRecognizer
        """
    private static let macViews = """
        Panel ClipView OutlineView Browser Box ComboBox PopUpButton SecureTextField TokenField PathControl
        LevelIndicator SegmentedControl TabView ToolbarView RulerView Scroller SplitView Matrix Form ColorWell
        ProgressIndicator RuleEditor PredicateEditor TableRowView TableCellView TableHeaderView
        GridView Text CollectionViewItem Drawer
        """
    private static let macControllers = """
        WindowController TabViewController TitlebarAccessoryViewController PageController DocumentController
        SplitViewItem Popover
        """
}
