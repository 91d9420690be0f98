import ResponderEngine
import ResponderKit

/// Keys of lists, scroll views, date pickers and maps.
extension ResponderDescription {
    static let contentKeys = [
        SceneKeyGroup("tableView and collectionView", { $0.isList }) {
            Key("rows") { value, map, responder throws(SourceTextError) in
                if map["sections"] != nil { throw value.error("rows or sections", found: "both") }
                responder.content.sections = [try rows.read(value)]
            }
            Key("sections", \.content.sections, .list("a list of row counts", of: rows))
                .then { value, responder throws(SourceTextError) in
                    let count = responder.rowCount
                    guard count > maximumRows else { return }
                    throw value.error("\(rowsExpected) in all sections", found: "\(count)")
                }
            Key("allowsSelection", \.content.allowsSelection, .flag, sets: \ListView.allowsSelection)
            Key("allowsMultipleSelection", \.content.allowsMultipleSelection, .flag,
                sets: \ListView.allowsMultipleSelection)
            Key("allowsFocus", \.content.allowsFocus, .flag, sets: \ListView.allowsFocus)
            Key("movesRows", \.content.allowsMoving, .flag, sets: \ListView.allowsMovingRows)
            Key("diffable", \.content.isDiffable, .flag, sets: \ListView.usesDiffableDataSource)
            Key("unselectable", \.content.unselectable, read: readDistinctRows) { (list: ListView, rows) in
                list.unselectableRows = rows
            }
        },
        SceneKeyGroup("tableView", { $0.base == .tableView }) {
            Key("deletesRows", \.content.allowsDeleting, .flag, sets: \TableView.commitsDeletion)
            Key("rowHeight", \.content.rowHeight, .integer(in: 1...10_000, "a height from 1 to 10000 points"),
                sets: \TableView.rowHeight)
        },
        SceneKeyGroup("collectionView", { $0.base == .collectionView }) {
            Key("itemLayout", \.content.layout, read: readLayout) { (view: CollectionView, layout) in
                view.collectionLayout = layout.made
            }
        },
        SceneKeyGroup("tableView and collectionView", { $0.isList }) {
            Key("selected", \.content.selected, read: readSelected) { (list: ListView, rows) in list.select(rows) }
        },
        SceneKeyGroup("scrollView, textView, tableView and collectionView", { $0.isScrolling }) {
            Key("contentSize", \.content.contentSize, .extent("[width, height]"), sets: \ScrollView.contentSize)
            Key("viewport", \.content.viewport, .extent("[width, height]"), sets: \ScrollView.viewport)
            Key("offset", \.content.offset, .extent("[x, y]"), when: .isConfigured) { (view: ScrollView, offset) in
                view.setContentOffset(offset)
            }.then { value, responder throws(SourceTextError) in try responder.checkOffset(value) }
            Key("paging", \.content.isPaging, .flag, sets: \ScrollView.isPagingEnabled)
            Key("scrollEnabled", \.content.isScrollEnabled, .flag, sets: \ScrollView.isScrollEnabled)
            Key("zoom", \.content.zoom, SceneCodec(readZoom)) { (view: ScrollView, zoom) in
                view.zoomLimits = ZoomLimits(minimum: zoom[0], maximum: zoom[1])
                view.setZoomScale(zoom[2])
            }
            Key("refresh", \.content.refresh, .selector) { (view: ScrollView, action) in
                view.refreshAction = Selector(action)
            }
        },
        SceneKeyGroup("datePicker", { $0.base == .datePicker }) {
            Key("minimumDate", \.content.minimumDate, .day) { (picker: DatePicker, day) in picker.minimumDate = day }
            Key("maximumDate", \.content.maximumDate, .day) { (picker: DatePicker, day) in picker.maximumDate = day }
                .then { value, responder throws(SourceTextError) in
                    try checkDate(value, responder.content.maximumDate, from: responder.content.minimumDate)
                }
            Key("date", \.content.date, .day).then { value, responder throws(SourceTextError) in
                let content = responder.content
                try checkDate(value, content.date, from: content.minimumDate, to: content.maximumDate)
            }
        },
        SceneKeyGroup("keyboardDatePicker", { $0 == .keyboardDatePicker }) {
            Key("today", \.content.today, .day, sets: \KeyboardDatePicker.today)
            Key("style", \.content.style, .choice(), sets: \KeyboardDatePicker.style)
            Key("mode", \.content.mode, .choice(), sets: \KeyboardDatePicker.mode)
        },
        SceneKeyGroup("keyboardMapView", { $0 == .keyboardMapView }) {
            Key("rotateEnabled", \.content.isRotateEnabled, .flag, sets: \KeyboardMapView.isRotateEnabled)
            Key("heading", \.content.heading, .integer(in: 0...359, "degrees from 0 to 359"),
                sets: \KeyboardMapView.heading)
            Key("userLocation", \.content.userLocation, .extent("[x, y]")) { (map: KeyboardMapView, location) in
                (map.showsUserLocation, map.userLocation) = (true, location)
            }
        },
    ]

    // MARK: Rows

    private static let maximumRows = 1_000_000
    private static let rowsExpected = "a number of rows up to \(maximumRows)"
    private static let rows = SceneCodec.integer(in: 0...maximumRows, rowsExpected)

    private var rowCount: Int { (content.sections ?? []).reduce(0, +) }

    @Sendable private static func readDistinctRows(
        _ value: YAMLValue, of responder: ResponderDescription
    ) throws(SourceTextError) -> [Int] {
        let count = responder.rowCount
        var rows: Set<Int> = []
        for entry in try value.list("a list of rows") {
            guard count > 0 else { throw entry.error("no row of a list that has none") }
            let row = try entry.integer(in: 0...count - 1, "one of the \(count) rows, from 0")
            guard rows.insert(row).inserted else {
                throw entry.error("each of the \(count) rows at most once")
            }
        }
        return rows.sorted()
    }

    @Sendable private static func readSelected(
        _ value: YAMLValue, of responder: ResponderDescription
    ) throws(SourceTextError) -> [Int] {
        let rows = try readDistinctRows(value, of: responder)
        if rows.count > 1, responder.content.allowsMultipleSelection != true {
            throw try value.list("a list of rows")[1].error("one row, or allowsMultipleSelection: true")
        }
        if let hole = rows.first(where: { responder.content.unselectable?.contains($0) == true }) {
            throw value.error("rows that can be selected", found: "row \(hole), which is unselectable")
        }
        return rows
    }

    // MARK: Layouts

    private static let maximumFrames = 10_000

    @Sendable private static func readLayout(
        _ value: YAMLValue, of responder: ResponderDescription
    ) throws(SourceTextError) -> ItemLayout {
        var map = try value.map("a map such as {kind: flow, itemSize: [50, 50]}")
        var layout = ItemLayout(
            try map.take(required: "kind", "flow, compositional or frames").choice(ItemLayout.Kind.self))
        layout.flips = try map.take("flips")?.bool() ?? false
        layout.scrollsHorizontally = try map.take("scrollsHorizontally")?.bool() ?? false
        if layout.kind == .frames {
            let list = try map.take(required: "frames", "a list of frames [x, y, width, height]")
            layout.frames = try list.list("a list of frames", readFrame)
            let count = responder.rowCount
            guard layout.frames.count == count, count <= maximumFrames else {
                throw list.error(
                    "a frame for each of the \(count) items, at most \(maximumFrames)",
                    found: "\(layout.frames.count)")
            }
            if let hidden = map.take("hidden") { layout.hidden = try readDistinctRows(hidden, of: responder) }
        } else {
            if let size = map.take("itemSize") {
                layout.itemSize = try SceneCodec.extent("[width, height]").read(size)
                guard [layout.itemSize.width, layout.itemSize.height].allSatisfy({ (1...10_000).contains($0) }) else {
                    throw size.error("sizes from 1 to 10000 points")
                }
            }
            if let spacing = map.take("spacing") {
                layout.spacing = try spacing.integer(in: 0...10_000, "points from 0 to 10000")
            }
        }
        try map.finish()
        return layout
    }

    @Sendable private static func readFrame(_ value: YAMLValue) throws(SourceTextError) -> Frame {
        let frame = try value.list("a frame [x, y, width, height]") { number throws(SourceTextError) in
            try number.integer(in: 0...1_000_000, "points from 0 to 1000000")
        }
        guard frame.count == 4 else {
            throw value.error("a frame [x, y, width, height]", found: "\(frame.count) numbers")
        }
        return Frame(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    }

    // MARK: Scrolling

    /// Throws for an offset beyond the size of what scrolls: the declared one, else that of the rows of a list.
    private func checkOffset(_ value: YAMLValue) throws(SourceTextError) {
        guard let offset = content.offset else { return }
        let view: ScrollView =
            switch kind.base {
            case .tableView: TableView(id: id, sections: content.sections ?? [])
            case .collectionView: CollectionView(id: id, sections: content.sections ?? [])
            default: ScrollView(id: id)
            }
        apply(to: view, when: .isMade)
        let (size, viewport) = (view.scrollableSize, view.viewport)
        let end = Extent(width: max(0, size.width - viewport.width), height: max(0, size.height - viewport.height))
        guard offset.width <= end.width, offset.height <= end.height else {
            throw value.error("an offset up to \(end.text), where the content ends", found: offset.text)
        }
    }

    /// `{min: 0.5, max: 4, current: 1}`; the current scale is 1, or the limit nearest to it, unless given.
    @Sendable private static func readZoom(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
        var map = try value.map("a map such as {min: 0.5, max: 4, current: 1}")
        let low = try map.take(required: "min", "the smallest scale").thousandths("a scale from 0.001 to 1000")
        let high = try map.take(required: "max", "the greatest scale")
        let greatest = try high.thousandths("a scale from 0.001 to 1000")
        guard low <= greatest else { throw high.error("a scale from min on") }
        var current = max(low, min(1000, greatest))
        if let given = map.take("current") {
            current = try given.thousandths("a scale from 0.001 to 1000")
            guard (low...greatest).contains(current) else { throw given.error("a scale between min and max") }
        }
        try map.finish()
        return [low, greatest, current]
    }

    // MARK: Dates

    private static func checkDate(
        _ value: YAMLValue, _ date: CalendarDay?, from first: CalendarDay?, to last: CalendarDay? = nil
    ) throws(SourceTextError) {
        guard let date else { return }
        if let first, date < first { throw value.error("a date from minimumDate \(first.text) on") }
        if let last, date > last { throw value.error("a date up to maximumDate \(last.text)") }
    }
}

extension ResponderDescription.Content {
    /// A scroll view in the middle of more than any press scrolls.
    public static let scrollingEveryWay: Self = {
        var content = Self()
        content.contentSize = Extent(width: 1_000_000, height: 1_000_000)
        content.viewport = Extent(width: 1_000, height: 1_000)
        content.offset = Extent(width: 500_000, height: 500_000)
        return content
    }()

    /// The date of a picker: the declared one, else a fixed one within the limits, since no clock takes part.
    var firstDate: CalendarDay {
        guard var date = date ?? CalendarDay(year: 2001, month: 1, day: 1) else { preconditionFailure("no such day") }
        if let minimumDate { date = max(date, minimumDate) }
        if let maximumDate { date = min(date, maximumDate) }
        return date
    }
}

extension ResponderDescription.ItemLayout {
    fileprivate var made: CollectionLayout {
        let layout: CollectionLayout =
            switch kind {
            case .flow: FlowLayout(itemSize: itemSize, spacing: spacing)
            case .compositional: CompositionalLayout(itemSize: itemSize, spacing: spacing)
            case .frames: CollectionLayout(frames: frames, hidden: hidden)
            }
        layout.scrollDirection = scrollsHorizontally ? .horizontal : .vertical
        layout.flipsHorizontally = flips
        return layout
    }
}
