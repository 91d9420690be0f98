import CSQLite

/// A trace as tables of SQLite: in a temporary database that is gone when this is, or in a file.
///
/// Memory is bounded whatever the length of the trace: a temporary database lies in an unnamed file once it has
/// outgrown its cache.
package final class TraceDatabase {
    private let connection: DatabaseConnection
    private let isFile: Bool
    /// Called now and then while SQLite works: at indexes, and at a query.
    package var onWork: (() -> Void)?
    /// Kibibytes of pages kept in memory, and of rows that an index sorts at once.
    private static let cache = 16_384
    /// Bytes that a temporary database may take: it is memory that happens to lie on a disk.
    static let mostBytes = 4 << 30

    /// `path`: a file that is there and empty; `nil` for a temporary database.
    package init(path: String? = nil) throws(DatabaseFailure) {
        isFile = path != nil
        connection = try DatabaseConnection(path: path ?? "")
        // Nothing is kept where something goes wrong, so nothing has to be undone.
        try connection.execute("""
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA page_size = 8192; PRAGMA cache_size = -\(TraceDatabase.cache);
            """)
        if path == nil { try connection.execute("PRAGMA max_page_count = \(TraceDatabase.mostBytes / 8192)") }
        try TraceDatabase.createSchema(connection)
    }

    static func createSchema(_ connection: DatabaseConnection) throws(DatabaseFailure) {
        try connection.execute("PRAGMA application_id = \(0x6B66_6C74); PRAGMA user_version = 1")
        for table in TraceTable.allCases { try connection.execute(table.definition) }
        for view in TraceView.all { try connection.execute(view.definition) }
    }

    /// Fills tables in one transaction. `reading`: the only query that will run, whose columns alone are filled.
    /// Rethrows errors of `body`; the database is unusable then.
    package func fill(reading query: TraceQuery? = nil, _ body: (DatabaseRows) throws -> Void) throws {
        try connection.execute("BEGIN")
        let rows = try DatabaseRows(connection, reading: query?.columnsRead)
        try body(rows)
        // Tables that are joined are looked into by press.
        if isFile { try watched { try createIndexes() } }
        try rows.finish()
        try connection.execute("COMMIT")
    }

    private func createIndexes() throws {
        for table in TraceTable.allCases where !table.key.isEmpty {
            let columns = table.key.joined(separator: ", ")
            try connection.execute("CREATE INDEX \(table.name)_by_\(table.key[0]) ON \(table.name) (\(columns))")
        }
    }

    /// Closes a file, so that all of it is there.
    package func close() throws(DatabaseFailure) { try connection.close() }

    /// Runs a query over the filled tables, and passes its rows to `row` until that returns false. It can only read.
    package func run(_ query: TraceQuery, _ row: ([TraceQuery.Value]) throws -> Bool) throws {
        try QueryGuardian.watching(connection.handle) { guardian in
            try watched { try QueryStatement(query.sql, connection.handle, guardian).forEachRow(row) }
        }
    }

    /// Steps of SQLite's machine between two calls of `onWork`: some milliseconds.
    private static let stepsOfWork: Int32 = 100_000

    /// Calls `onWork` while the body runs.
    private func watched(_ body: () throws -> Void) throws {
        guard onWork != nil else { return try body() }
        sqlite3_progress_handler(
            connection.handle, TraceDatabase.stepsOfWork,
            { context in
                if let context { Unmanaged<TraceDatabase>.fromOpaque(context).takeUnretainedValue().onWork?() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        try body()
    }
}
