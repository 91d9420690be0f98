import KeyModel

extension ResponderDescription {
    private static let presentationStyles = [
        "automatic", "fullScreen", "pageSheet", "formSheet", "popover", "overFullScreen", "currentContext", "custom",
    ]

    mutating func readController(_ map: inout YAMLMap) throws(SourceTextError) {
        containment.view = try ResponderDescription.readID(map.take("view"))
        containment.presents = try ResponderDescription.readID(map.take("presents"))
        // The columns of a split view controller are its controllers, the primary one first.
        for key in kind == .splitViewController ? ["viewControllers", "columns"] : ["viewControllers"] {
            guard let value = map.take(key) else { continue }
            guard containment.viewControllers == nil else {
                throw value.error("viewControllers or columns", found: "both")
            }
            containment.viewControllers = try value.list("a list of ids") { entry throws(SourceTextError) in
                try entry.name("the id of a controller")
            }
        }
        if let value = map.take("performsActionsWhilePresentingModally") {
            controller.performsActionsWhilePresentingModally = try value.bool()
        }
        if let value = map.take("transitionDuration") { controller.transitionDuration = try value.duration() }
        if let value = map.take("presentationStyle") {
            let expected = "one of " + ResponderDescription.presentationStyles.joined(separator: ", ")
            let style = try value.string(expected)
            guard ResponderDescription.presentationStyles.contains(style) else { throw value.error(expected) }
            controller.presentationStyle = style
        }
        if kind == .tabBarController, let value = map.take("selectedIndex") {
            let count = containment.viewControllers?.count ?? 0
            controller.selectedIndex = try value.integer(
                in: 0...max(0, count - 1), "the index of one of its \(count) viewControllers, from 0")
        }
    }

    mutating func readText(_ map: inout YAMLMap) throws(SourceTextError) {
        let declared = [map.take("text"), map.take("markedText")]
        text.text = try declared[0]?.string()
        text.markedText = try declared[1]?.string()
        if let value = map.take("secure") { text.isSecure = try value.bool() }
        if let value = map.take("editable") { text.isEditable = try value.bool() }
        if let value = map.take("singleLine") { text.isSingleLine = try value.bool() }
        if let value = map.take("allowsEditingTextAttributes") {
            text.allowsEditingTextAttributes = try value.bool()
        }
        if let value = map.take("enablesReturnKeyAutomatically") {
            text.enablesReturnKeyAutomatically = try value.bool()
        }
        if let value = map.take("smartQuotes") { text.hasSmartQuotes = try value.bool() }
        if let value = map.take("smartDashes") { text.hasSmartDashes = try value.bool() }
        if let value = map.take("smartInsertDelete") { text.hasSmartInsertDelete = try value.bool() }
        if kind == .keyboardTextView {
            if let value = map.take("selectable") { text.isSelectable = try value.bool() }
            if let value = map.take("findInteraction") { text.hasFindInteraction = try value.bool() }
        }
        guard text.isSingleLine ?? (kind == .textField) else { return }
        for case let value? in declared where try value.string().contains(where: \.isNewline) {
            throw value.error("one line of text, or singleLine: false", found: "several lines")
        }
    }

    private static let maximumRows = 1_000_000
    private static let points = 0...1_000_000_000

    mutating func readContent(_ map: inout YAMLMap) throws(SourceTextError) {
        if kind.isList { try readRows(&map) }
        content.contentSize = try ResponderDescription.readPair(map.take("contentSize"), "[width, height]")
        content.viewport = try ResponderDescription.readPair(map.take("viewport"), "[width, height]")
        content.offset = try ResponderDescription.readPair(map.take("offset"), "[x, y]")
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
        }
        if let value = map.take("allowsMultipleSelection") { content.allowsMultipleSelection = try value.bool() }
        if let value = map.take("selected") { content.selected = try readSelected(value) }
    }

    private func readSelected(_ value: YAMLValue) throws(SourceTextError) -> [Int] {
        let count = (content.sections ?? []).reduce(0, +)
        var rows: [Int] = []
        for entry in try value.list("a list of rows") {
            let row = try entry.integer(in: 0...max(0, count - 1), "one of the \(count) rows, from 0")
            guard count > 0, !rows.contains(row) else { throw entry.error("each of the \(count) rows at most once") }
            rows.append(row)
            guard rows.count < 2 || content.allowsMultipleSelection == true else {
                throw entry.error("one row, or allowsMultipleSelection: true")
            }
        }
        return rows.sorted()
    }

    private static func readPair(_ value: YAMLValue?, _ expected: String) throws(SourceTextError) -> [Int]? {
        guard let value else { return nil }
        let pair = try value.list("\(expected) in points") { entry throws(SourceTextError) in
            try entry.integer(in: points, "a whole number of points from 0")
        }
        guard pair.count == 2 else { throw value.error("\(expected) in points", found: "\(pair.count) numbers") }
        return pair
    }

    mutating func readDates(_ map: inout YAMLMap) throws(SourceTextError) {
        content.date = try ResponderDescription.readDate(map.take("date"))
        content.minimumDate = try ResponderDescription.readDate(map.take("minimumDate"))
        content.maximumDate = try ResponderDescription.readDate(map.take("maximumDate"))
    }

    private static func readDate(_ value: YAMLValue?) throws(SourceTextError) -> String? {
        guard let value else { return nil }
        let expected = "a date such as 2026-11-21"
        let text = try value.string(expected)
        guard isDate(text) else { throw value.error(expected) }
        return text
    }

    /// `yyyy-mm-dd` of the Gregorian calendar.
    static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            return Int(String(decoding: bytes[range], as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }
}
