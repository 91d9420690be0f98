import ArgumentParser
import KeyModel
import TraceExport
import TraceFormat
import TraceReports

/// The rows of a query in one of its forms, as they come.
struct RowPrinter {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json, jsonl, csv, markdown
    }

    private let format: Format
    private let columns: [String]
    private let console: Console
    private var json = JSONText()
    private var csv = CSVText()
    /// The rows of a table, until its columns' widths are known.
    private var waiting: [[RowGrid.Cell]] = []
    private var grid: RowGrid?
    private(set) var count: UInt64 = 0
    /// Rows by which the widths of a table's columns are found.
    private static let measured = 1_000

    init(_ format: Format, columns: [String], console: Console) {
        self.format = format
        self.columns = columns
        self.console = console
    }

    mutating func begin() throws {
        switch format {
        case .table, .jsonl: break
        case .json:
            json.beginObject()
            json.member("schema", "keyflight.query/1")
            json.member("columns", columns)
            json.key("rows")
            json.beginArray()
        case .csv:
            for column in columns { csv.cell(column) }
            csv.endRow()
        case .markdown:
            try console.output.line("| " + columns.map(RowPrinter.markdown).joined(separator: " | ") + " |")
            try console.output.line("|" + String(repeating: "---|", count: columns.count))
        }
        try flush()
    }

    mutating func print(_ values: [TraceQuery.Value]) throws {
        count += 1
        switch format {
        case .table:
            let cells = values.map(RowGrid.Cell.init)
            if let grid {
                try console.show(grid.line(cells))
            } else {
                waiting.append(cells)
                if waiting.count == RowPrinter.measured { try measure() }
            }
        case .json: write(object: values)
        case .jsonl:
            write(object: values)
            json.endLine()
        case .csv:
            for value in values { csv.cell(value) }
            csv.endRow()
        case .markdown:
            let cells = values.map { RowPrinter.markdown(RowGrid.Cell($0).text) }
            try console.output.line("| " + cells.joined(separator: " | ") + " |")
        }
        try flush()
    }

    mutating func end() throws {
        switch format {
        case .table: if grid == nil { try measure() }
        case .json:
            json.endArray()
            json.endObject()
            json.endLine()
        case .jsonl, .csv, .markdown: break
        }
        try flush()
    }

    private static func markdown(_ text: String) -> String {
        Markup.markdown(text, limit: RowGrid.widest, breaksLinks: true)
    }

    private mutating func measure() throws {
        let grid = RowGrid(columns, waiting, console.style)
        try console.show(grid.heading)
        for row in waiting { try console.show(grid.line(row)) }
        waiting = []
        self.grid = grid
    }

    private mutating func write(object values: [TraceQuery.Value]) {
        json.beginObject()
        for (column, value) in zip(columns, values) {
            json.key(column)
            json.value(value)
        }
        json.endObject()
    }

    private mutating func flush() throws {
        if !json.bytes.isEmpty {
            try console.output.write(json.bytes)
            json.drain()
        }
        if !csv.bytes.isEmpty {
            try console.output.write(csv.bytes)
            csv.removeAll()
        }
    }
}

extension RowGrid.Cell {
    fileprivate init(_ value: TraceQuery.Value) {
        switch value {
        case .null: self.init(nothing: ())
        case .integer(let number): self.init(number: String(number))
        case .real(let number): self.init(number: String(number))
        case .text(let text): self.init(text: text)
        case .blob(let bytes): self.init(text: "x'" + bytes.hexadecimal + "'")
        }
    }
}

extension JSONText {
    fileprivate mutating func value(_ value: TraceQuery.Value) {
        switch value {
        case .null: null()
        case .integer(let number): self.value(number)
        // JSON has no infinity.
        case .real(let number): if number.isFinite { raw(String(number)) } else { null() }
        case .text(let text): self.value(text)
        case .blob(let bytes): self.value(bytes.hexadecimal)
        }
    }
}

extension CSVText {
    fileprivate mutating func cell(_ value: TraceQuery.Value) {
        switch value {
        case .null: cell(nil as Int64?)
        case .integer(let number): cell(number)
        case .real(let number): cell(plain: String(number))
        case .text(let text): cell(text)
        case .blob(let bytes): cell(plain: bytes.hexadecimal)
        }
    }
}
