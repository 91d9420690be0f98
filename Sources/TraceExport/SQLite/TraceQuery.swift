import CSQLite
import KeyModel

/// One statement of SQL that only reads, checked against the tables before anything is loaded.
package struct TraceQuery: Sendable {
    package enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    package let sql: String
    /// The columns of its rows, each with a name of its own.
    package let columns: [String]
    /// The tables that it reads.
    package var tables: Set<TraceTable> { Set(reads.keys) }
    private let reads: [TraceTable: Set<String>]

    /// Columns, by table; a table of which only rows are counted has none. `nil` where any may be read: SQLite does not
    /// report those that `NATURAL` and `USING` compare.
    var columnsRead: [TraceTable: Set<String>]? {
        let text = sql.lowercased()
        return text.contains("natural") || text.contains("using") ? nil : reads
    }

    /// Bytes of a statement.
    package static let limit = 1_000_000

    package init(_ sql: String) throws(TraceQueryError) {
        self.sql = sql
        guard sql.utf8.count <= TraceQuery.limit else {
            throw TraceQueryError("expected at most \(TraceQuery.limit) bytes, found \(sql.utf8.count)")
        }
        guard !sql.utf8.contains(0) else { throw TraceQueryError("expected text, found a zero byte") }
        do {
            let connection = try DatabaseConnection(path: ":memory:")
            try TraceDatabase.createSchema(connection)
            (columns, reads) = try QueryGuardian.watching(connection.handle) { guardian in
                let statement = try QueryStatement(sql, connection.handle, guardian)
                return (TraceQuery.unique(statement.columns), guardian.reads)
            }
        } catch {
            throw error as? TraceQueryError ?? TraceQueryError("\(error)")
        }
    }

    /// `count`, `count_2`, …: a name can be used once in an object.
    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.map { name in
            var unique = name
            var number = 2
            while !seen.insert(unique).inserted {
                unique = "\(name)_\(number)"
                number += 1
            }
            return unique
        }
    }
}

/// An error of a query, in one line, with the place where SQLite reports it.
package struct TraceQueryError: Error, Sendable, CustomStringConvertible {
    package var description: String

    init(_ text: String) { description = "SQL: " + VisibleText.escaped(text) }

    /// `offset`: bytes from the beginning of the statement.
    init(_ text: String, at offset: Int, of sql: String) {
        let before = sql.utf8.prefix(offset)
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { before.index(after: $0) } ?? before.startIndex
        let column = String(decoding: before[start...], as: UTF8.self).count + 1
        let place = line > 1 ? "line \(line), column \(column)" : "column \(column)"
        self.init("\(place): \(text)")
    }
}

/// Authorizer of a statement: permits reading only, and collects the columns that are read.
final class QueryGuardian {
    /// Columns, by table.
    private(set) var reads: [TraceTable: Set<String>] = [:]
    /// The operation that was refused.
    private(set) var refused: String?
    /// Bytes that SQLite may take for a query besides what its tables have in memory.
    static let memory: Int64 = 512 << 20
    /// Bytes of one value.
    private static let longest: Int32 = 64 << 20
    private static let pragmas: Set<String> = ["table_info", "table_xinfo", "table_list"]

    /// Functions that only compute: those of SQLite's core, its dates, numbers, JSON, aggregates and windows.
    private static let functions = Set(
        """
        -> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh \
        count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value \
        floor format glob group_concat hex if ifnull iif instr json json_array json_array_length json_error_position \
        json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote \
        json_remove json_replace json_set json_type json_valid julianday lag last_value lead length like likelihood \
        likely ln log log10 log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank \
        percentile percentile_cont percentile_disc pi pow power printf quote radians random randomblob rank replace \
        round row_number rtrim sign sin sinh soundex sqlite_version sqrt strftime string_agg subtype substr substring \
        sum tan tanh time timediff total trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper \
        zeroblob
        """.split(separator: " ").map(String.init))

    /// Runs the body with a guardian of all that is prepared on the connection.
    static func watching<R>(_ connection: OpaquePointer, _ body: (QueryGuardian) throws -> R) rethrows -> R {
        let guardian = QueryGuardian()
        return try withExtendedLifetime(guardian) {
            guardian.watch(connection)
            defer { sqlite3_set_authorizer(connection, nil, nil) }
            return try body(guardian)
        }
    }

    private func watch(_ connection: OpaquePointer) {
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, QueryGuardian.longest)
        sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, Int32(TraceQuery.limit))
        sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 500)
        sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
        _ = sqlite3_hard_heap_limit64(QueryGuardian.memory)
        sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let guardian = Unmanaged<QueryGuardian>.fromOpaque(context).takeUnretainedValue()
                return guardian.allows(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                    ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_READ:
            if let table = first.flatMap({ TraceTable(rawValue: $0.lowercased()) }) {
                reads[table, default: []].insert(second?.lowercased() ?? "")
            }
            return true
        case SQLITE_FUNCTION where QueryGuardian.functions.contains(second?.lowercased() ?? ""): return true
        case SQLITE_PRAGMA where QueryGuardian.pragmas.contains(first?.lowercased() ?? ""): return true
        default:
            refused = refused ?? QueryGuardian.words(action, first, second)
            return false
        }
    }

    private static func words(_ action: Int32, _ first: String?, _ second: String?) -> String {
        switch action {
        case SQLITE_ATTACH, SQLITE_DETACH: "ATTACH or DETACH"
        case SQLITE_PRAGMA: "PRAGMA \(first ?? "")"
        case SQLITE_FUNCTION: "\(second ?? "a function")(), which is not among the functions of query"
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: "a transaction"
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            first.map { $0.hasPrefix("sqlite_") ? "a change of the schema" : "a change of \($0)" } ?? "a change"
        default: "a change of the schema"
        }
    }
}

/// A prepared statement of a user, with its rows.
final class QueryStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    /// Refuses what is no single statement that reads.
    init(_ sql: String, _ connection: OpaquePointer, _ guardian: QueryGuardian) throws(TraceQueryError) {
        let (found, rest, code) = QueryStatement.prepare(sql, from: 0, connection)
        guard code == SQLITE_OK else {
            throw QueryStatement.failure(sql, connection, guardian)
        }
        guard let found else { throw TraceQueryError("expected a statement, found none") }
        statement = found
        self.connection = connection
        // A comment behind it is no statement.
        let (second, _, secondCode) = QueryStatement.prepare(sql, from: rest, connection)
        sqlite3_finalize(second)
        guard second == nil, secondCode == SQLITE_OK else {
            throw TraceQueryError("expected one statement, found more", at: rest, of: sql)
        }
        guard sqlite3_stmt_readonly(found) != 0, sqlite3_column_count(found) > 0 else {
            throw TraceQueryError("expected a statement that only reads, found one that gives no rows")
        }
    }

    deinit { sqlite3_finalize(statement) }

    private static func prepare(
        _ sql: String, from offset: Int, _ connection: OpaquePointer
    ) -> (statement: OpaquePointer?, rest: Int, code: Int32) {
        var sql = sql
        return sql.withUTF8 { bytes in
            var statement: OpaquePointer?
            var rest = offset
            let tail = bytes.dropFirst(offset)
            // SQLite requires a terminating zero.
            var copy = Array(tail)
            copy.append(0)
            let code = copy.withUnsafeBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) { characters -> Int32 in
                    var end: UnsafePointer<CChar>?
                    let code = sqlite3_prepare_v3(
                        connection, characters.baseAddress, Int32(clamping: characters.count), 0, &statement, &end)
                    if let end, let begin = characters.baseAddress { rest += begin.distance(to: end) }
                    return code
                }
            }
            return (statement, rest, code)
        }
    }

    private static func failure(
        _ sql: String, _ connection: OpaquePointer, _ guardian: QueryGuardian
    ) -> TraceQueryError {
        if let refused = guardian.refused {
            return TraceQueryError("expected a statement that only reads, found \(refused)")
        }
        let message = String(cString: sqlite3_errmsg(connection))
        guard let offset = ErrorOffset.of(connection) else { return TraceQueryError(message) }
        return TraceQueryError(message, at: offset, of: sql)
    }

    var columns: [String] {
        (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
    }

    func forEachRow(_ row: ([TraceQuery.Value]) throws -> Bool) throws {
        let count = sqlite3_column_count(statement)
        var values: [TraceQuery.Value] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw TraceQueryError(String(cString: sqlite3_errmsg(connection)))
            }
            values.removeAll(keepingCapacity: true)
            for column in 0..<count { values.append(value(column)) }
            guard try row(values) else { return }
        }
    }

    private func value(_ column: Int32) -> TraceQuery.Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(statement, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard let blob = sqlite3_column_blob(statement, column) else { return .blob([]) }
            return .blob(Array(UnsafeRawBufferPointer(start: blob, count: count)))
        default: return .null
        }
    }
}
