import FlightReplay
import KeyModel
import ResponderEngine
import TraceReports

/// Replayed presses as a table for people: the keys, the outcomes, and the number of calls of each responder.
///
/// Presses in a row that only typed text are one line.
struct PressTable {
    private struct Row {
        var cells: [String]
        /// The number of presses in this row.
        var count = 1
        var isText: Bool
    }

    private var rows: [Row] = []

    mutating func add(_ line: ReplayLine) {
        let isText = line.outcome == .consumedByText
        if isText, let last = rows.last, last.isText {
            rows[rows.count - 1].count += 1
            return
        }
        let press = line.press.map { String($0) } ?? "-"
        let asked = line.calls
        rows.append(
            Row(
                cells: [
                    line.isRepeat ? press + "…" : press,
                    PressTable.key(line),
                    line.action.map { "\(line.target ?? "nobody").\($0)" } ?? PressTable.words(line),
                    String(asked.keyCommands), String(asked.canPerformAction),
                    line.shadowed.map { "\($0.supplier).\($0.action)" }.joined(separator: ", "),
                ], isText: isText))
    }

    /// Ends with a line break.
    var text: String {
        let title = ["#", "key", "came to", "keyCommands", "canPerform", "also offered by"]
        let body = rows.map { row in
            guard row.count > 1 else { return row.cells }
            var cells = row.cells
            cells[1] += " ×\(row.count)"
            return cells
        }
        let table = [title] + body
        let widths = title.indices.map { column in table.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return table.map { PressTable.joined($0, widths) + "\n" }.joined()
    }

    private static func joined(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let blanks = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cell)))
            let isNumber = column == 3 || column == 4
            line += "  " + (isNumber ? blanks + cell : cell + blanks)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func words(_ line: ReplayLine) -> String {
        switch line.outcome {
        case .consumedByText: "text in \(line.target ?? "a field")"
        case .undetermined: "depends on the masked key"
        case .unhandled: line.takenBy == .system ? "kept by the system" : "nothing"
        default: line.outcome.name
        }
    }

    private static func key(_ line: ReplayLine) -> String {
        line.chord?.glyphs ?? line.maskedClass.map { "◻ \($0.name)" } ?? "text"
    }
}
