import ResponderEngine
import ResponderKit

/// Applies a scene's settings to its components.
enum ComponentSettings {
    /// The date of a picker: the declared one, else a fixed one within the limits, since no clock takes part.
    static func firstDate(of description: ResponderDescription) -> CalendarDay {
        var date = day(description.content.date) ?? fixedDay
        if let first = day(description.content.minimumDate) { date = max(date, first) }
        if let last = day(description.content.maximumDate) { date = min(date, last) }
        return date
    }

    private static func day(_ text: String?) -> CalendarDay? { text.flatMap(CalendarDay.init(text:)) }

    private static let fixedDay: CalendarDay = {
        guard let day = CalendarDay(text: "2001-01-01") else { preconditionFailure("2001-01-01 is a day") }
        return day
    }()

    static func apply(_ description: ResponderDescription, to responder: Responder) {
        if let controller = responder as? ViewController {
            set(controller, description.controller)
            controller.title = description.title
        }
        if let view = responder as? View {
            view.isFocusable = description.isFocusable
            view.focusGroupIdentifier = description.focusGroup
        }
        if let page = responder as? WebView {
            page.preventedKeys = description.hosted.preventedKeys.map { WebView.PreventedKeys.chords($0) } ?? .all
        }
        if let view = responder as? ScrollView { set(view, description.content) }
        if let picker = responder as? DatePicker { set(picker, description.content) }
        if let map = responder as? KeyboardMapView { set(map, description.content) }
        if let application = responder as? KeyboardApplication {
            if let value = description.app.supportsMultipleScenes { application.supportsMultipleScenes = value }
            if let value = description.app.hasSettings { application.hasSettings = value }
        }
    }

    /// Applies the settings that need the contained controllers.
    static func applyToContainer(_ description: ResponderDescription, _ responder: Responder) {
        if let index = description.controller.selectedIndex { (responder as? TabBarController)?.selectedIndex = index }
        guard let split = responder as? SplitViewController else { return }
        let declared = description.controller
        if let value = declared.splitBehavior.flatMap(SplitViewController.SplitBehavior.init) {
            split.splitBehavior = value
        }
        if let value = declared.primaryEdge.flatMap(SplitViewController.PrimaryEdge.init) { split.primaryEdge = value }
        if let mode = declared.displayMode.flatMap(SplitViewController.DisplayMode.init) { split.begin(with: mode) }
        if let value = declared.isCollapsed { split.isCollapsed = value }
    }

    private static func set(_ controller: ViewController, _ declared: ResponderDescription.Controller) {
        if let value = declared.performsActionsWhilePresentingModally {
            controller.performsActionsWhilePresentingModally = value
        }
        if let duration = declared.transitionDuration { controller.transitionDuration = duration }
        if let style = declared.presentationStyle.flatMap(ViewController.PresentationStyle.init) {
            controller.presentationStyle = style
        }
        if let value = declared.isModalInPresentation { controller.isModalInPresentation = value }
    }

    private static func extent(_ pair: [Int]?) -> Extent? {
        guard let pair, pair.count == 2 else { return nil }
        return Extent(width: pair[0], height: pair[1])
    }

    private static func set(_ view: ScrollView, _ declared: ResponderDescription.Content) {
        if let size = extent(declared.contentSize) { view.contentSize = size }
        if let size = extent(declared.viewport) { view.viewport = size }
        if let value = declared.isPaging { view.isPagingEnabled = value }
        if let value = declared.isScrollEnabled { view.isScrollEnabled = value }
        if let zoom = declared.zoom, zoom.count == 3 {
            view.zoomLimits = ZoomLimits(minimum: zoom[0], maximum: zoom[1])
            view.setZoomScale(zoom[2])
        }
        view.refreshAction = declared.refresh.map { Selector($0) }
        if let list = view as? ListView { set(list, declared) }
        if let offset = extent(declared.offset) { view.setContentOffset(offset) }
    }

    /// The size of what scrolls: the declared one, else that of the rows of a list.
    static func scrollableSize(of description: ResponderDescription) -> Extent {
        let content = description.content
        let view: ScrollView =
            switch description.kind.base {
            case .tableView: TableView(id: description.id, sections: content.sections ?? [])
            case .collectionView: CollectionView(id: description.id, sections: content.sections ?? [])
            default: ScrollView(id: description.id)
            }
        set(view, content)
        return view.scrollableSize
    }

    private static func set(_ list: ListView, _ declared: ResponderDescription.Content) {
        if let value = declared.allowsSelection { list.allowsSelection = value }
        if let value = declared.allowsMultipleSelection { list.allowsMultipleSelection = value }
        if let value = declared.allowsFocus { list.allowsFocus = value }
        if let value = declared.allowsMoving { list.allowsMovingRows = value }
        if let value = declared.isDiffable { list.usesDiffableDataSource = value }
        if let rows = declared.unselectable { list.unselectableRows = rows }
        if let table = list as? TableView {
            if let value = declared.allowsDeleting { table.commitsDeletion = value }
            if let height = declared.rowHeight { table.rowHeight = height }
        }
        if let collection = list as? CollectionView, let layout = declared.layout {
            collection.collectionLayout = make(layout)
        }
        if let rows = declared.selected { list.select(rows) }
    }

    private static func make(_ declared: ResponderDescription.ItemLayout) -> CollectionLayout {
        let size = extent(declared.itemSize) ?? Extent(width: 50, height: 50)
        let layout: CollectionLayout =
            switch declared.kind {
            case .flow: FlowLayout(itemSize: size, spacing: declared.spacing)
            case .compositional: CompositionalLayout(itemSize: size, spacing: declared.spacing)
            case .frames:
                CollectionLayout(
                    frames: declared.frames.compactMap { numbers in
                        guard numbers.count == 4 else { return nil }
                        return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
                    }, hidden: declared.hidden)
            }
        layout.scrollDirection = declared.scrollsHorizontally ? .horizontal : .vertical
        layout.flipsHorizontally = declared.flips
        return layout
    }

    private static func set(_ picker: DatePicker, _ declared: ResponderDescription.Content) {
        picker.minimumDate = day(declared.minimumDate)
        picker.maximumDate = day(declared.maximumDate)
        guard let picker = picker as? KeyboardDatePicker else { return }
        if let today = day(declared.today) { picker.today = today }
        if let style = declared.style.flatMap(KeyboardDatePicker.Style.init) { picker.style = style }
        if let mode = declared.mode.flatMap(KeyboardDatePicker.Mode.init) { picker.mode = mode }
    }

    private static func set(_ map: KeyboardMapView, _ declared: ResponderDescription.Content) {
        if let value = declared.isRotateEnabled { map.isRotateEnabled = value }
        if let value = declared.heading { map.heading = value }
        if let location = extent(declared.userLocation) {
            map.showsUserLocation = true
            map.userLocation = location
        }
    }

    /// `nil` for a controller that puts nothing into bars.
    static func navigationItem(of declared: ResponderDescription.Controller) -> NavigationItem? {
        var item = NavigationItem()
        item.leadingItems = declared.leadingItems.map(make)
        item.trailingItems = declared.trailingItems.map(make)
        item.toolbarItems = declared.toolbarItems.map(make)
        item.hidesBackButton = declared.hidesBackButton ?? false
        item.leadingItemsSupplementBackButton = declared.leadingItemsSupplementBackButton ?? false
        let isEmpty = item.leadingItems.isEmpty && item.trailingItems.isEmpty && item.toolbarItems.isEmpty
        return isEmpty && declared.hidesBackButton == nil ? nil : item
    }

    private static func make(_ declared: ResponderDescription.BarItem) -> BarButtonItem {
        let item = KeyboardBarButtonItem(
            systemItem: declared.systemItem.flatMap(BarButtonItem.SystemItem.init), title: declared.title,
            action: declared.action.map { Selector($0) })
        item.isEnabled = declared.isEnabled
        if let input = declared.input { item.keyEquivalent = (input, declared.modifiers) }
        return item
    }
}
