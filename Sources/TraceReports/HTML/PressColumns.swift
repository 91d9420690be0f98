import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// The list of presses in a page: a column for each field that a filter has, and the chord's glyphs.
struct PressColumns: JSONValue {
    /// Of the fields that are neither the total nor a stage, by name.
    private var columns: [NumberColumn] = []
    private var stages: [NumberColumn] = LatencyStage.allCases.map { _ in NumberColumn() }
    private var ticks = NumberColumn()
    private var glyphs = NumberColumn()
    private(set) var count = 0

    /// Rows come in any order; `write` has them as they came.
    mutating func append(_ row: PressRow, _ strings: inout StringTable) {
        count += 1
        while columns.count < row.values.count { columns.append(NumberColumn()) }
        for stage in LatencyStage.allCases { stages[Int(stage.rawValue)].append(row.stages[stage]?.nanoseconds) }
        for (place, value) in row.values.enumerated() {
            switch value {
            case .text(let text): columns[place].append(text.map { Int64(strings.number($0)) })
            case .number(let number): columns[place].append(number)
            case .duration(let duration): columns[place].append(duration?.nanoseconds)
            case .flag(let flag): columns[place].append(flag ? 1 : 0)
            }
        }
        ticks.append(Int64(row.at.tick))
        glyphs.append(Int64(strings.number(KeyFormatter.chord(row.chord))))
    }

    func write(to json: inout JSONText) {
        json.object { json in
            for (field, column) in zip(PressRow.fields, columns) {
                json.key(field)
                column.write(to: &json, asSteps: field == "press" || field == "time")
            }
            json.member("stages", array: stages) { $1.write(to: &$0) }
            for (name, column) in [("tick", ticks), ("glyphs", glyphs)] {
                json.key(name)
                column.write(to: &json)
            }
        }
    }
}
