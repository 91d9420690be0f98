/// Rows of cells aligned in columns, whatever the characters in them. Cells come escaped.
package struct TextTable {
    package enum Alignment { case left, right }

    package struct Column {
        var title: String
        var alignment: Alignment
        var fit: Fit

        package init(title: String, alignment: Alignment = .left, fit: Fit = .rigid) {
            self.title = title
            self.alignment = alignment
            self.fit = fit
        }

        /// A column of numbers.
        package static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
    }

    /// The shrinking of a column when the table is wider than the terminal.
    package enum Fit {
        case rigid
        /// Its cells are names: they lose their beginning, when no other column can shrink.
        case cut
        /// Its cells are continued in the next line.
        case wrap
        /// It is left out before any other column shrinks.
        case drop
        /// It is left out before a name is cut or a word broken, as numbers and bars are, the last of them first.
        case yield
    }

    package struct Cell: ExpressibleByStringInterpolation {
        var text: String
        var role = ReportStyle.Role.plain
        package init(_ text: String, _ role: ReportStyle.Role = .plain) {
            self.text = text
            self.role = role
        }
        package init(stringLiteral value: String) { text = value }
    }

    package private(set) var columns: [Column]
    private var rows: [[Cell]] = []
    package var indent = 2
    /// Cells between two columns.
    private static let gap = 2
    /// A name is not cut to less than this, and a column that wraps gets no narrower than that, while others can give.
    private static let narrowest = 8
    private static let narrowestText = 20

    package init(_ columns: [Column]) { self.columns = columns }

    /// Facts with their labels, without titles.
    package init(facts: some Sequence<(String, Cell)>) {
        self.init([.init(title: ""), .init(title: "", fit: .wrap)])
        rows = facts.map { [Cell($0.0, .faint), $0.1] }
    }

    package mutating func add(_ cells: [Cell]) { rows.append(cells) }

    package func rendered(_ style: ReportStyle) -> String {
        if style.isASCII { return spelled(style).laidOut(style) }
        return laidOut(style)
    }

    /// With its words as they are printed, so that columns are as wide as those.
    private func spelled(_ style: ReportStyle) -> TextTable {
        var table = self
        for column in columns.indices { table.columns[column].title = style.spelled(columns[column].title) }
        table.rows = rows.map { row in row.map { Cell(style.spelled($0.text), $0.role) } }
        return table
    }

    private func laidOut(_ style: ReportStyle) -> String {
        var widths = naturalWidths
        if let available = style.width {
            shrink(&widths, to: available - indent)
            let isBroken = columns.indices.contains { column in
                columns[column].fit == .wrap && widths[column] < min(longestWord(in: column), available - 2 * indent)
            }
            if isBroken { return stacked(style, available) }
        }
        var text = ""
        if columns.contains(where: { !$0.title.isEmpty }) {
            for part in wrapped(columns.map { Cell($0.title, .heading) }, widths) { text += line(part, widths, style) }
        }
        for row in rows {
            for part in wrapped(row, widths) { text += line(part, widths, style) }
        }
        return text
    }

    /// The texts of each row below its other cells, where a word does not fit beside them. Texts are named by their
    /// columns where there are several, and so are numbers.
    private func stacked(_ style: ReportStyle, _ available: Int) -> String {
        let isNamed = columns.count { $0.fit == .wrap } > 1
        var text = ""
        for row in rows {
            var used = 0
            for (cell, column) in zip(row, columns) where column.fit != .wrap && column.fit != .drop {
                if cell.text.isEmpty { continue }
                let isNumber = column.alignment == .right && !column.title.isEmpty
                let words = isNumber ? "\(cell.text) \(column.title)" : cell.text
                let shown = column.fit == .cut ? DisplayWidth.fitEnd(words, into: available - indent)
                    : DisplayWidth.fit(words, into: available - indent)
                let width = DisplayWidth.of(shown)
                let isFitting = used > 0 && used + TextTable.gap + width <= available - indent
                text += isFitting ? String(repeating: " ", count: TextTable.gap)
                    : (used > 0 ? "\n" : "") + String(repeating: " ", count: indent)
                text += style.paint(shown, cell.role)
                used = isFitting ? used + TextTable.gap + width : width
            }
            if used > 0 { text += "\n" }
            for (cell, column) in zip(row, columns) where column.fit == .wrap && !cell.text.isEmpty {
                let words = isNamed && !column.title.isEmpty ? "\(column.title): \(cell.text)" : cell.text
                for part in DisplayWidth.wrap(words, into: available - 2 * indent) {
                    text += String(repeating: " ", count: 2 * indent) + style.paint(part, cell.role) + "\n"
                }
            }
        }
        return text
    }

    private var naturalWidths: [Int] {
        var widths = columns.map { DisplayWidth.of($0.title) }
        for row in rows {
            for (column, cell) in row.enumerated() where column < widths.count {
                widths[column] = max(widths[column], DisplayWidth.of(cell.text))
            }
        }
        return widths
    }

    /// A dropped column has width 0.
    private func shrink(_ widths: inout [Int], to available: Int) {
        func excess() -> Int {
            widths.reduce(0, +) + TextTable.gap * max(0, widths.count { $0 > 0 } - 1) - available
        }
        func narrow(_ fit: Fit, to least: (Int) -> Int) {
            while excess() > 0 {
                let flexible = columns.indices.filter { columns[$0].fit == fit && widths[$0] > least($0) }
                guard let widest = flexible.max(by: { (widths[$0], $1) < (widths[$1], $0) }) else { break }
                widths[widest] -= 1
            }
        }
        for column in columns.indices where columns[column].fit == .drop && excess() > 0 { widths[column] = 0 }
        let words = columns.indices.map { columns[$0].fit == .wrap ? longestWord(in: $0) : 0 }
        narrow(.wrap) { max(words[$0], TextTable.narrowestText) }
        narrow(.wrap) { max(words[$0], TextTable.narrowest) }
        let yielding = columns.indices.filter { yields($0) && ($0 > 0 || columns[$0].fit == .yield) }
        let bars = yielding.filter { columns[$0].title.isEmpty }
        for column in bars.reversed() + yielding.reversed() where excess() > 0 { widths[column] = 0 }
        narrow(.cut) { _ in TextTable.narrowest }
        narrow(.wrap) { _ in TextTable.narrowest }
        narrow(.cut) { _ in TextTable.narrowest / 2 }
    }

    /// Bars, which have no title, and numbers do.
    private func yields(_ column: Int) -> Bool {
        guard columns[column].fit == .rigid else { return columns[column].fit == .yield }
        let isTitled = columns.contains { !$0.title.isEmpty }
        return isTitled && (columns[column].title.isEmpty || columns[column].alignment == .right)
    }

    private func longestWord(in column: Int) -> Int {
        ([columns[column].title] + rows.lazy.filter { column < $0.count }.map { $0[column].text }).lazy
            .flatMap { $0.split(separator: " ") }.map { DisplayWidth.of(String($0)) }.max() ?? 0
    }

    private func wrapped(_ row: [Cell], _ widths: [Int]) -> [[Cell]] {
        var lines = [row]
        for column in row.indices where column < widths.count && columns[column].fit == .wrap {
            for (index, part) in DisplayWidth.wrap(row[column].text, into: widths[column]).enumerated() {
                if index == lines.count { lines.append(Array(repeating: "", count: row.count)) }
                lines[index][column] = Cell(part, row[column].role)
            }
        }
        return lines
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ style: ReportStyle) -> String {
        var line = String(repeating: " ", count: indent)
        /// Blanks are written before the next text only: no line ends with any.
        var pending = 0
        for (column, width) in widths.enumerated() where width > 0 {
            let cell = column < cells.count ? cells[column] : ""
            let isName = columns[column].fit == .cut && cell.role != .heading
            let text = isName ? DisplayWidth.fitEnd(cell.text, into: width) : DisplayWidth.fit(cell.text, into: width)
            let padding = width - DisplayWidth.of(text)
            let isRight = columns[column].alignment == .right
            if isRight { pending += padding }
            if !text.isEmpty {
                let trimmed = trailingBlanks(of: text)
                line += String(repeating: " ", count: pending) + style.paint(String(text.dropLast(trimmed)), cell.role)
                pending = trimmed
            }
            if !isRight { pending += padding }
            pending += TextTable.gap
        }
        return line + "\n"
    }

    private func trailingBlanks(of text: String) -> Int { text.reversed().prefix { $0 == " " }.count }
}
