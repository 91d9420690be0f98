/// Rows of any table, in columns whose widths were found by the first of them. Text from a trace is escaped here.
package struct RowGrid: Sendable {
    package struct Cell: Sendable {
        package var text: String
        var isNumber: Bool
        var isNothing: Bool

        /// A value that is not known, as in reports.
        package init(nothing: Void) { (text, isNumber, isNothing) = ("–", false, true) }
        package init(number: String) { (text, isNumber, isNothing) = (number, true, false) }
        package init(text: String) {
            let safe = SafeText.escaped(text, limit: RowGrid.widest)
            // A log of GitHub takes a line that begins so for a command.
            let isCommand = safe.hasPrefix("::") || safe.hasPrefix("##[")
            (self.text, isNumber, isNothing) = (isCommand ? "\\" + safe : safe, false, false)
        }
    }

    private let columns: [String]
    private let widths: [Int]
    private let isRight: [Bool]
    private let style: ReportStyle
    /// Cells of one text.
    package static let widest = 160

    package init(_ columns: [String], _ rows: [[Cell]], _ style: ReportStyle) {
        self.columns = columns.map { SafeText.escaped($0) }
        self.style = style
        var widths = self.columns.map { DisplayWidth.of($0) }
        var isRight = Array(repeating: true, count: columns.count)
        for row in rows {
            for (column, cell) in row.enumerated() where column < widths.count {
                widths[column] = max(widths[column], DisplayWidth.of(cell.text))
                if !cell.isNumber, !cell.isNothing { isRight[column] = false }
            }
        }
        self.widths = widths
        // A column in which nothing is known is no column of numbers.
        self.isRight = isRight.enumerated().map { column, isRight in
            isRight && rows.contains { $0.indices.contains(column) && $0[column].isNumber }
        }
    }

    package var heading: String { line(columns, .heading) }

    package func line(_ cells: [Cell]) -> String { line(cells.map(\.text), .plain) }

    private func line(_ cells: [String], _ role: ReportStyle.Role) -> String {
        var line = ""
        for (column, text) in cells.enumerated() where column < widths.count {
            if column > 0 { line += "  " }
            let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(text)))
            line += isRight[column] ? padding + text : column + 1 < cells.count ? text + padding : text
        }
        // A terminal would break what is longer.
        if let width = style.width { line = DisplayWidth.fit(line, into: width) }
        while line.last == " " { line.removeLast() }
        return style.paint(line, role) + "\n"
    }
}
