/// Rows of cells that stand below each other, whatever the characters in them. Cells come escaped.
struct TextTable {
    enum Alignment { case left, right }

    struct Column {
        var title: String
        var alignment: Alignment = .left
        /// May be cut when the table is wider than the terminal.
        var isFlexible = false
    }

    struct Cell: ExpressibleByStringInterpolation {
        var text: String
        var role = ReportStyle.Role.plain
        init(_ text: String, _ role: ReportStyle.Role = .plain) {
            self.text = text
            self.role = role
        }
        init(stringLiteral value: String) { text = value }
    }

    var columns: [Column]
    private var rows: [[Cell]] = []
    var indent = 2
    /// Cells between two columns.
    private static let gap = 2
    /// No flexible column gets narrower than this.
    private static let narrowest = 8

    init(_ columns: [Column]) { self.columns = columns }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    var isEmpty: Bool { rows.isEmpty }

    func rendered(_ style: ReportStyle) -> String {
        let widths = self.widths(style)
        var text = ""
        if columns.contains(where: { !$0.title.isEmpty }) {
            text += line(columns.map { Cell($0.title, .heading) }, widths, style)
        }
        for row in rows { text += line(row, widths, style) }
        return text
    }

    private func widths(_ style: ReportStyle) -> [Int] {
        var widths = columns.map { DisplayWidth.of($0.title) }
        for row in rows {
            for (column, cell) in row.enumerated() where column < widths.count {
                widths[column] = max(widths[column], DisplayWidth.of(cell.text))
            }
        }
        guard let available = style.width else { return widths }
        var excess = indent + widths.reduce(0, +) + TextTable.gap * max(0, widths.count - 1) - available
        // The widest flexible column gives first.
        while excess > 0 {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > TextTable.narrowest }
            guard let widest = flexible.max(by: { (widths[$0], $1) < (widths[$1], $0) }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ style: ReportStyle) -> String {
        var line = String(repeating: " ", count: indent)
        /// Blanks are owed until something follows them: no line ends with any.
        var owed = 0
        for (column, width) in widths.enumerated() {
            let cell = column < cells.count ? cells[column] : ""
            let text = DisplayWidth.fit(cell.text, into: width)
            let padding = width - DisplayWidth.of(text)
            let isRight = columns[column].alignment == .right
            if isRight { owed += padding }
            if !text.isEmpty {
                let trimmed = trailingBlanks(of: text)
                line += String(repeating: " ", count: owed) + style.paint(String(text.dropLast(trimmed)), cell.role)
                owed = trimmed
            }
            if !isRight { owed += padding }
            owed += TextTable.gap
        }
        return line + "\n"
    }

    private func trailingBlanks(of text: String) -> Int { text.reversed().prefix { $0 == " " }.count }
}
