import ResponderKit

extension ResponderDescription {
    private static let maximumRows = 1_000_000
    static let points = 0...1_000_000_000

    mutating func readContent(_ map: inout YAMLMap) throws(SourceTextError) {
        if kind.isList { try readRows(&map) }
        content.contentSize = try ResponderDescription.readPair(map.take("contentSize"), "[width, height]")
        content.viewport = try ResponderDescription.readPair(map.take("viewport"), "[width, height]")
        if let value = map.take("offset") { content.offset = try readOffset(value) }
        content.isPaging = try map.take("paging")?.bool()
        content.isScrollEnabled = try map.take("scrollEnabled")?.bool()
        if let value = map.take("zoom") { content.zoom = try ResponderDescription.readZoom(value) }
        content.refresh = try map.take("refresh")?.selector()
    }

    private func readOffset(_ value: YAMLValue) throws(SourceTextError) -> [Int]? {
        guard let offset = try ResponderDescription.readPair(value, "[x, y]") else { return nil }
        let size = ComponentSettings.scrollableSize(of: self)
        let viewport = content.viewport ?? [0, 0]
        let end = [max(0, size.width - viewport[0]), max(0, size.height - viewport[1])]
        guard offset[0] <= end[0], offset[1] <= end[1] else {
            throw value.error("an offset up to \(end), where the content ends", found: "\(offset)")
        }
        return offset
    }

    /// `{min: 0.5, max: 4, current: 1}`; the current scale is 1, or the limit nearest to it, unless given.
    private static func readZoom(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
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

    private mutating func readRows(_ map: inout YAMLMap) throws(SourceTextError) {
        let expected = "a number of rows up to \(ResponderDescription.maximumRows)"
        let limits = 0...ResponderDescription.maximumRows
        let rows = map.take("rows")
        let sections = map.take("sections")
        if let rows, sections != nil { throw rows.error("rows or sections", found: "both") }
        if let rows { content.sections = [try rows.integer(in: limits, expected)] }
        if let sections {
            content.sections = try sections.list("a list of row counts") { entry throws(SourceTextError) in
                try entry.integer(in: limits, expected)
            }
            let total = content.sections?.reduce(0, +) ?? 0
            guard limits.contains(total) else { throw sections.error("\(expected) in all sections", found: "\(total)") }
        }
        content.allowsSelection = try map.take("allowsSelection")?.bool()
        content.allowsMultipleSelection = try map.take("allowsMultipleSelection")?.bool()
        content.allowsFocus = try map.take("allowsFocus")?.bool()
        content.allowsMoving = try map.take("movesRows")?.bool()
        content.isDiffable = try map.take("diffable")?.bool()
        if let value = map.take("unselectable") { content.unselectable = try readDistinctRows(value) }
        if kind.base == .tableView {
            content.allowsDeleting = try map.take("deletesRows")?.bool()
            content.rowHeight = try map.take("rowHeight")?
                .integer(in: 1...10_000, "a height from 1 to 10000 points")
        } else if let value = map.take("itemLayout") {
            content.layout = try readLayout(value)
        }
        if let value = map.take("selected") { content.selected = try readSelected(value) }
    }

    private func readDistinctRows(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
        let count = (content.sections ?? []).reduce(0, +)
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

    private func readSelected(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
        let rows = try readDistinctRows(value)
        let entries = try value.list("a list of rows")
        if rows.count > 1, content.allowsMultipleSelection != true {
            throw entries[1].error("one row, or allowsMultipleSelection: true")
        }
        if let hole = rows.first(where: { content.unselectable?.contains($0) == true }) {
            throw value.error("rows that can be selected", found: "row \(hole), which is unselectable")
        }
        return rows
    }

    private static let maximumFrames = 10_000

    private func readLayout(_ value: YAMLValue) throws(SourceTextError) -> ItemLayout {
        var map = try value.map("a map such as {kind: flow, itemSize: [50, 50]}")
        var layout = ItemLayout(
            try map.take(required: "kind", "flow, compositional or frames").choice(ItemLayout.Kind.self))
        layout.flips = try map.take("flips")?.bool() ?? false
        layout.scrollsHorizontally = try map.take("scrollsHorizontally")?.bool() ?? false
        if layout.kind == .frames {
            let list = try map.take(required: "frames", "a list of frames [x, y, width, height]")
            layout.frames = try list.list("a list of frames", ResponderDescription.readFrame)
            let count = (content.sections ?? []).reduce(0, +)
            guard layout.frames.count == count, count <= ResponderDescription.maximumFrames else {
                throw list.error(
                    "a frame for each of the \(count) items, at most \(ResponderDescription.maximumFrames)",
                    found: "\(layout.frames.count)")
            }
            if let hidden = map.take("hidden") { layout.hidden = try readDistinctRows(hidden) }
        } else {
            let size = map.take("itemSize")
            if let pair = try ResponderDescription.readPair(size, "[width, height]") { layout.itemSize = pair }
            guard layout.itemSize.allSatisfy({ (1...10_000).contains($0) }) else {
                throw (size ?? value).error("sizes from 1 to 10000 points")
            }
            if let spacing = map.take("spacing") {
                layout.spacing = try spacing.integer(in: 0...10_000, "points from 0 to 10000")
            }
        }
        try map.finish()
        return layout
    }

    private static func readFrame(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
        let frame = try value.list("a frame [x, y, width, height]") { number throws(SourceTextError) in
            try number.integer(in: 0...1_000_000, "points from 0 to 1000000")
        }
        guard frame.count == 4 else {
            throw value.error("a frame [x, y, width, height]", found: "\(frame.count) numbers")
        }
        return frame
    }

    static func readPair(
        _ value: YAMLValue?, _ expected: String, in points: ClosedRange<Int> = points
    ) throws(SourceTextError) -> [Int]? {
        guard let value else { return nil }
        let pair = try value.list("\(expected) in points") { entry throws(SourceTextError) in
            try entry.integer(in: points, "a whole number of points from 0")
        }
        guard pair.count == 2 else { throw value.error("\(expected) in points", found: "\(pair.count) numbers") }
        return pair
    }

    mutating func readDates(_ map: inout YAMLMap) throws(SourceTextError) {
        content.minimumDate = try ResponderDescription.readDate(map.take("minimumDate"))
        if let value = map.take("maximumDate") {
            content.maximumDate = try ResponderDescription.readDate(value)
            if let first = content.minimumDate, let last = content.maximumDate, last < first {
                throw value.error("a date from minimumDate \(first) on")
            }
        }
        if let value = map.take("date") {
            content.date = try ResponderDescription.readDate(value)
            if let date = content.date, content.minimumDate.map({ date < $0 }) ?? false {
                throw value.error("a date from minimumDate \(content.minimumDate ?? "") on")
            }
            if let date = content.date, content.maximumDate.map({ date > $0 }) ?? false {
                throw value.error("a date up to maximumDate \(content.maximumDate ?? "")")
            }
        }
        guard kind == .keyboardDatePicker else { return }
        content.today = try ResponderDescription.readDate(map.take("today"))
        content.style = try map.take("style")?.choice(KeyboardDatePicker.Style.self).rawValue
        content.mode = try map.take("mode")?.choice(KeyboardDatePicker.Mode.self).rawValue
    }

    mutating func readMap(_ map: inout YAMLMap) throws(SourceTextError) {
        content.isRotateEnabled = try map.take("rotateEnabled")?.bool()
        content.heading = try map.take("heading")?.integer(in: 0...359, "degrees from 0 to 359")
        content.userLocation = try ResponderDescription.readPair(map.take("userLocation"), "[x, y]")
    }

    // MARK: Containers

    mutating func readBars(_ map: inout YAMLMap) throws(SourceTextError) {
        controller.isModalInPresentation = try map.take("isModalInPresentation")?.bool()
        controller.leadingItems = try ResponderDescription.readItems(map.take("leadingItems"))
        controller.trailingItems = try ResponderDescription.readItems(map.take("trailingItems"))
        controller.toolbarItems = try ResponderDescription.readItems(map.take("toolbarItems"))
        controller.hidesBackButton = try map.take("hidesBackButton")?.bool()
        controller.leadingItemsSupplementBackButton = try map.take("leadingItemsSupplementBackButton")?.bool()
    }

    private static func readItems(_ value: YAMLValue?) throws(SourceTextError) -> [BarItem] {
        try value?.list("a list of buttons such as {systemItem: rewind, action: \"rewind:\"}") {
            entry throws(SourceTextError) in
            var map = try entry.map("a button such as {systemItem: rewind, action: \"rewind:\"}")
            var item = BarItem()
            item.systemItem = try map.take("systemItem")?.choice(BarButtonItem.SystemItem.self).rawValue
            item.title = try map.take("title")?.string()
            item.action = try map.take("action")?.selector()
            item.isEnabled = try map.take("enabled")?.bool() ?? true
            item.input = try map.take("input").map(CommandDescription.readInput)
            item.modifiers = try map.take("modifiers").map(CommandDescription.readModifiers) ?? []
            try map.finish()
            return item
        } ?? []
    }

    mutating func readColumns(_ map: inout YAMLMap) throws(SourceTextError) {
        let count = containment.viewControllers?.count ?? 0
        if let value = map.take("displayMode") {
            let mode = try value.choice(SplitViewController.DisplayMode.self)
            let isOfThree = mode.rawValue.hasPrefix("two")
            guard !isOfThree || count == 3 else {
                throw value.error("a mode for the \(count) columns: one of \(oneColumnModes)")
            }
            controller.displayMode = mode.rawValue
        }
        controller.splitBehavior =
            try map.take("splitBehavior")?.choice(SplitViewController.SplitBehavior.self).rawValue
        controller.primaryEdge = try map.take("primaryEdge")?.choice(SplitViewController.PrimaryEdge.self).rawValue
        controller.isCollapsed = try map.take("collapsed")?.bool()
    }

    private var oneColumnModes: String {
        SplitViewController.DisplayMode.allCases.map(\.rawValue).filter { !$0.hasPrefix("two") }
            .joined(separator: ", ")
    }

    /// `yyyy-mm-dd` of the Gregorian calendar, in the years that a picker has.
    private static func readDate(_ value: YAMLValue?) throws(SourceTextError) -> String? {
        guard let value else { return nil }
        let expected = "a date such as 2026-11-21"
        guard let day = CalendarDay(text: try value.string(expected)) else {
            throw value.error(expected + ", from the year 0001 on")
        }
        return day.text
    }
}
