import ArgumentParser
import KeyModel
import TraceExport
import TraceFormat

struct Query: Verb {
    static let configuration = CommandConfiguration(verb: "query")

    @Argument(help: "A trace, a key script or a capture, told apart by content, or a lake; - is standard input.")
    var input: String?
    @Argument(help: "One statement of SQLite's SQL, for a lake of DuckDB's; - reads it from standard input.")
    var sql: String?
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The form of the rows.") var format = RowPrinter.Format.table
    @Flag(help: "The statements that make the tables and views, with what each column holds.") var schema = false
    @Flag(help: "The views, with the question that each answers.") var views = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func validate() throws {
        if schema || views {
            if schema, views { throw ValidationError("--schema and --views do not go together.") }
            if sql != nil { throw ValidationError("SQL: --schema and --views take none.") }
        } else if input == nil {
            throw ValidationError("Name an input, or ask for --schema or --views.")
        }
        if input == "-", sql == "-" { throw ValidationError("INPUT and SQL cannot both be standard input.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if schema {
            for table in TraceTable.allCases { try console.output.line(table.definition) }
            for view in TraceView.all { try console.output.line(view.definition) }
            return .fine
        }
        if views { return try printViews(console) }
        let text = try sql == "-" ? String(decoding: console.readStandardInput(), as: UTF8.self) : sql
        if let input, Query.isLake(input) { return try askLake(input, text, console) }
        guard let text else { return try printSummary(console) }
        let query: TraceQuery
        do { query = try TraceQuery(text) } catch { throw Failure(.usage, error.description) }
        return try run(query, console)
    }

    private func source(_ console: Console) throws -> RecordSource {
        var source = try Input(input ?? "-", reading, console, replay: replay).recordsOrReplay()
        source.derivesCandidates = true
        return source
    }

    private func run(_ query: TraceQuery, _ console: Console) throws -> ExitStatus {
        var source = try source(console)
        let name = source.name
        let database: TraceDatabase
        var printer = RowPrinter(format, columns: query.columns, console: console)
        do {
            database = try TraceDatabase()
            database.onWork = { console.progress.step("asking \(name)") }
            if !query.tables.isEmpty { try database.fill(query.tables, reading: query, from: &source) }
            try printer.begin()
            try database.run(query) { row in
                try printer.print(row)
                return true
            }
        } catch let error as TraceQueryError {
            throw Failure(.usage, "\(source.name): \(error)")
        } catch let error as DatabaseFailure {
            throw Failure(.notPermitted, "\(source.name): \(error)")
        }
        try printer.end()
        let status = source.status(console)
        guard printer.count == 0 else { return status }
        note(query, source, console)
        return status.joined(with: .nothingMatched)
    }

    /// Reports why there is no row where the input cannot have any.
    private func note(_ query: TraceQuery, _ source: RecordSource, _ console: Console) {
        let level = source.header.level
        for table in query.tables.sorted(by: { $0.name < $1.name }) {
            guard let needed = table.neededLevel.flatMap(TraceLevel.init(name:)), needed > level else { continue }
            let remedy = replay.scene == nil ? "; \(source.sceneRemedy)" : ""
            console.fail(
                .nothingMatched,
                "\(source.name): \(table.name): expected a trace at level \(needed.name), found level \(level.name)"
                    + remedy)
            return
        }
    }

    // MARK: What can be asked

    private func printViews(_ console: Console) throws -> ExitStatus {
        var printer = RowPrinter(format, columns: ["view", "answers"], console: console)
        try printer.begin()
        for view in TraceView.all { try printer.print([.text(view.name), .text(view.meaning)]) }
        try printer.end()
        return .fine
    }

    private func printSummary(_ console: Console) throws -> ExitStatus {
        var source = try source(console)
        var tables = TraceTables(
            Set(TraceTable.allCases), level: source.header.level, context: source.initialContext,
            definitions: source.initialDefinitions, sink: RowCount())
        try source.feed(&tables)
        try tables.finish(of: source.facts, definitions: source.definitions)
        var printer = RowPrinter(format, columns: ["name", "kind", "rows", "holds"], console: console)
        try printer.begin()
        for table in TraceTable.allCases {
            let rows = Int64(clamping: tables.sink.rows[table] ?? 0)
            try printer.print([.text(table.name), .text("table"), .integer(rows), .text(table.meaning)])
        }
        for view in TraceView.all {
            try printer.print([.text(view.name), .text("view"), .null, .text(view.meaning)])
        }
        try printer.end()
        return source.status(console)
    }
}

/// Counts rows.
private struct RowCount: TraceRowSink {
    private(set) var rows: [TraceTable: UInt64] = [:]

    mutating func begin(_ table: TraceTable) { rows[table, default: 0] += 1 }
    mutating func number(_ value: Int64?) {}
    mutating func text(_ value: String?) {}
    mutating func end() {}
}

extension TraceDatabase {
    /// Loads tables of an input.
    func fill(
        _ wanted: Set<TraceTable>, reading query: TraceQuery? = nil, from source: inout RecordSource
    ) throws {
        try fill(reading: query) { rows in
            var tables = DatabaseTables(
                wanted, level: source.header.level, context: source.initialContext,
                definitions: source.initialDefinitions, rows: rows)
            try source.feed(&tables)
            try tables.finish(of: source.facts, definitions: source.definitions)
        }
    }
}
