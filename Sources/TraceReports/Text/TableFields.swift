import KeyModel

extension TextTable {
    /// A column with the cells of its rows.
    package struct Field<Row> {
        fileprivate var column: Column
        fileprivate var cell: (Row) -> Cell

        package static func cell(_ column: Column, _ cell: @escaping (Row) -> Cell) -> Field {
            Field(column: column, cell: cell)
        }
        package static func text(_ title: String, _ fit: Fit = .rigid, _ text: @escaping (Row) -> String) -> Field {
            Field(column: Column(title: title, fit: fit)) { Cell(text($0)) }
        }
        /// A name out of a trace, which is escaped.
        static func name(
            _ title: String, _ fit: Fit = .cut, limit: Int = 60, _ name: @escaping (Row) -> String
        ) -> Field {
            Field(column: Column(title: title, fit: fit)) { .name(name($0), limit: limit) }
        }
        static func number(_ title: String, _ number: @escaping (Row) -> String) -> Field {
            Field(column: .right(title)) { Cell(number($0)) }
        }
        static func count(_ title: String, _ count: @escaping (Row) -> some BinaryInteger) -> Field {
            Field(column: .right(title)) { .count(count($0)) }
        }
        static func time(_ title: String, _ duration: @escaping (Row) -> TraceDuration?) -> Field {
            Field(column: .right(title)) { .time(duration($0)) }
        }
    }

    /// A row for each of `rows`.
    package init<Row>(_ rows: some Sequence<Row>, _ fields: [Field<Row>]) {
        self.init(fields.map(\.column))
        for row in rows { add(fields.map { $0.cell(row) }) }
    }
}

extension TextTable.Cell {
    static func count(_ number: some BinaryInteger, _ role: ReportStyle.Role = .plain) -> TextTable.Cell {
        TextTable.Cell(HumanNumbers.count(number), role)
    }
    static func time(_ duration: TraceDuration?, _ role: ReportStyle.Role = .plain) -> TextTable.Cell {
        TextTable.Cell(HumanNumbers.column(duration), role)
    }
    /// A name out of a trace, which is escaped.
    static func name(_ name: String, limit: Int = 60, _ role: ReportStyle.Role = .plain) -> TextTable.Cell {
        TextTable.Cell(SafeText.escaped(name, limit: limit), role)
    }
}
