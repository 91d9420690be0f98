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
                    line.action.map { (line.target.map { "\($0)." } ?? "") + $0 } ?? PressTable.words(line),
                    String(asked.keyCommands), String(asked.canPerformAction),
                    line.shadowed.map { "\($0.supplier).\($0.action)" }.joined(separator: ", "),
                ], isText: isText))
    }

    /// Ends with a line break.
    var text: String {
        var table = TextTable([
            .init(title: "#"), .init(title: "key"), .init(title: "came to"), .right("keyCommands"),
            .right("canPerform"), .init(title: "also offered by"),
        ])
        for row in rows {
            var cells = row.cells
            if row.count > 1 { cells[1] += " ×\(row.count)" }
            table.add(cells.map { TextTable.Cell($0) })
        }
        return table.rendered(.plain)
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
