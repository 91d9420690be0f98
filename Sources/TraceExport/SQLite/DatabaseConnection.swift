import CSQLite

/// A connection to a database of SQLite, for one thread at a time.
final class DatabaseConnection {
    let handle: OpaquePointer
    private var isClosed = false

    /// `path`: a file; `""` for a temporary database, `":memory:"` for one in memory.
    init(path: String) throws(DatabaseFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseFailure(code, opened)
        }
        handle = opened
        keyflight_refuse_quoted_texts(opened)
    }

    deinit { if !isClosed { sqlite3_close_v2(handle) } }

    /// Closes it once its statements are gone.
    func close() throws(DatabaseFailure) {
        try check(sqlite3_close(handle))
        isClosed = true
    }

    private func check(_ code: Int32) throws(DatabaseFailure) {
        guard code == SQLITE_OK else { throw DatabaseFailure(code, handle) }
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(DatabaseFailure) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs a statement that gives no row, with what is bound to it.
    func step(_ statement: OpaquePointer?) throws(DatabaseFailure) {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw DatabaseFailure(code, handle) }
    }

    func statement(_ sql: String) throws(DatabaseFailure) -> DatabaseStatement {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        return DatabaseStatement(handle: prepared)
    }
}

/// A prepared statement, for as long as it is referred to.
final class DatabaseStatement {
    let handle: OpaquePointer?

    init(handle: OpaquePointer?) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }
}

/// The reason why a database could not be created: its disk is full, or its file is not writable.
package struct DatabaseFailure: Error, Sendable, CustomStringConvertible {
    package var description: String

    /// That of the last call on the connection, which returned this code.
    init(_ code: Int32, _ connection: OpaquePointer?) {
        let reason = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        // Of the limit of pages and of the disk alike.
        description = "SQLite: " + reason
            + (code & 0xFF == SQLITE_FULL
                ? ": the rows take more than \(TraceDatabase.mostBytes >> 20) MiB, or than there is" : "")
    }
}
