import GRDB
import GRDBSQLite
import Libc

/// A trace as tables of SQLite: in a temporary database that is gone when this is, or in a file.
///
/// Memory is bounded whatever the length of the trace: a temporary database lies in an unnamed file once it has
/// outgrown its cache.
package final class TraceDatabase {
    private let queue: DatabaseQueue
    private let isFile: Bool
    /// Called now and then while SQLite works: at indexes, and at a query.
    package var onWork: (() -> Void)?
    /// Kibibytes of pages kept in memory, and of rows that an index sorts at once.
    private static let cache = 16_384
    /// Bytes that a temporary database may take: it is memory that happens to lie on a disk.
    static let mostBytes = 4 << 30

    /// `path`: a file that is there and empty; `nil` for a temporary database.
    package init(path: String? = nil) throws(DatabaseFailure) {
        try checkDescriptors()
        isFile = path != nil
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // Nothing is kept where something goes wrong, so nothing has to be undone.
            try db.execute(sql: """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA page_size = 8192; PRAGMA cache_size = -\(TraceDatabase.cache);
                """)
            if path == nil { try db.execute(sql: "PRAGMA max_page_count = \(TraceDatabase.mostBytes / 8192)") }
        }
        do {
            // SQLite takes an empty name for a temporary database.
            queue = try DatabaseQueue(path: path ?? "", configuration: configuration)
            try queue.inDatabase { db in try TraceDatabase.createSchema(db) }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    static func createSchema(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(0x6B66_6C74); PRAGMA user_version = 1")
        for table in TraceTable.allCases { try db.execute(sql: table.definition) }
        for view in TraceView.all { try db.execute(sql: view.definition) }
    }

    /// Fills tables in one transaction. `reading`: the only query that will run, whose columns alone are filled.
    /// Rethrows errors of `body`; the database is unusable then.
    package func fill(reading query: TraceQuery? = nil, _ body: (DatabaseRows) throws -> Void) throws {
        do {
            try queue.inDatabase { db in
                try db.inTransaction {
                    let rows = try DatabaseRows(db, reading: query?.columnsRead)
                    try body(rows)
                    // Tables that are joined are looked into by press.
                    if isFile { try watched(db) { try TraceDatabase.createIndexes(db) } }
                    try rows.finish(db)
                    return .commit
                }
            }
        } catch let error as DatabaseError {
            throw DatabaseFailure(error)
        }
    }

    private static func createIndexes(_ db: Database) throws {
        for table in TraceTable.allCases where !table.key.isEmpty {
            let columns = table.key.joined(separator: ", ")
            try db.execute(sql: "CREATE INDEX \(table.name)_by_\(table.key[0]) ON \(table.name) (\(columns))")
        }
    }

    /// Closes a file, so that all of it is there.
    package func close() throws(DatabaseFailure) {
        do { try queue.close() } catch { throw DatabaseFailure(error) }
    }

    /// Runs a query over the filled tables, and passes its rows to `row` until that returns false. From now on the
    /// database is read-only.
    package func run(_ query: TraceQuery, _ row: ([TraceQuery.Value]) throws -> Bool) throws {
        try queue.inDatabase { db in
            guard let connection = db.sqliteConnection else { return }
            try QueryGuardian.watching(connection) { guardian in
                try watched(db) { try QueryStatement(query.sql, connection, guardian).forEachRow(row) }
            }
        }
    }

    /// Steps of SQLite's machine between two calls of `onWork`: some milliseconds.
    private static let stepsOfWork: Int32 = 100_000

    /// Calls `onWork` while the body runs.
    private func watched(_ db: Database, _ body: () throws -> Void) throws {
        guard onWork != nil, let connection = db.sqliteConnection else { return try body() }
        sqlite3_progress_handler(
            connection, TraceDatabase.stepsOfWork,
            { context in
                if let context { Unmanaged<TraceDatabase>.fromOpaque(context).takeUnretainedValue().onWork?() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        try body()
    }
}

/// The queue of a database traps where the system gives it no descriptor.
private func checkDescriptors() throws(DatabaseFailure) {
    let descriptors = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    guard descriptors.contains(where: { $0 < 0 }) else { return }
    throw DatabaseFailure(
        message: "expected room for \(descriptors.count) more open files, found less; ulimit -n gives more")
}

/// The reason why a database could not be created: its disk is full, or its file is not writable.
package struct DatabaseFailure: Error, Sendable, CustomStringConvertible {
    package var description: String

    init(_ error: any Error) {
        if let error = error as? DatabaseError {
            description = "SQLite: \(error.message ?? "error \(error.resultCode.rawValue)")"
        } else {
            description = "\(error)"
        }
    }

    init(message: String) { description = "SQLite: \(message)" }
}
