import CSQLite
import KeyModel

/// Rows on their way into a database, by statements that are prepared once.
///
/// A statement keeps its bindings. Most cells equal the cell above, so texts have buffers of their own and are bound
/// again only where they change.
package struct DatabaseRows: TraceRowSink {
    private let inserts: [Insert]
    private let connection: DatabaseConnection
    private var table: TraceTable?
    private var first: UnsafeMutablePointer<BoundCell>
    private var statement: OpaquePointer?
    /// The next cell to be filled.
    private var cell: UnsafeMutablePointer<BoundCell>
    private var column: Int32 = 0
    private let cells: BoundCells
    private let longTexts = LongTexts()

    private struct Insert {
        var statement: DatabaseStatement
        var firstCell: Int
    }

    /// `reads`: columns by table; those of other tables and other columns stay NULL. `nil`: all are filled.
    init(_ connection: DatabaseConnection, reading reads: [TraceTable: Set<String>]? = nil) throws {
        var inserts: [Insert] = []
        let tables = TraceTable.allCases
        cells = BoundCells(count: tables.reduce(0) { $0 + $1.columns.count })
        var next = 0
        for table in tables {
            let columns = table.columns
            let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
            let statement = try connection.statement("INSERT INTO \(table.name) VALUES (\(places))")
            inserts.append(Insert(statement: statement, firstCell: next))
            for column in columns {
                if let reads, reads[table]?.contains(column.name) != true { cells.first[next].leaveOut() }
                next += 1
            }
        }
        self.inserts = inserts
        first = cells.first
        cell = first
        self.connection = connection
    }

    package mutating func begin(_ table: TraceTable) {
        if table != self.table, let place = TraceTable.allCases.firstIndex(of: table) {
            self.table = table
            first = cells.first + inserts[place].firstCell
            statement = inserts[place].statement.handle
        }
        column = 0
        cell = first
    }

    package mutating func number(_ value: Int64?) {
        column &+= 1
        cell.pointee.bind(value, statement, column)
        cell += 1
    }

    package mutating func text(_ value: String?) {
        column &+= 1
        if let value, value.utf8.count > LongTexts.shortest, let table, !cell.pointee.isLeftOut,
            let number = longTexts.number(of: value, in: table)
        {
            cell.pointee.bind(reference: number, statement, column)
        } else {
            cell.pointee.bind(value, statement, column)
        }
        cell += 1
    }

    package mutating func end() throws { try connection.step(statement) }

    /// Makes tables whose rows refer to long texts readable, once all rows are there.
    func finish() throws { try longTexts.write(to: connection) }
}

/// Texts that are longer than a real name, of which a row has the number only: a trace refers to one in two bytes, as
/// often as it likes.
///
/// The rows are in a table `NAME_rows` then, and a view of the table's name has the texts.
private final class LongTexts {
    /// Bytes up to which a text is in its row.
    static let shortest = 256
    /// Bytes of texts that are kept to be found again. Those of a trace's definitions are in memory anyway.
    private static let mostKept = 1 << 24

    private var numbers: [ByteName: Int32] = [:]
    private var kept = 0
    private var tables: Set<TraceTable> = []

    /// `nil` where no more is kept.
    func number(of text: String, in table: TraceTable) -> Int32? {
        let name = ByteName(text)
        if let known = numbers[name] {
            tables.insert(table)
            return known
        }
        guard kept < LongTexts.mostKept else { return nil }
        kept += text.utf8.count
        tables.insert(table)
        numbers[name] = Int32(numbers.count)
        return Int32(numbers.count - 1)
    }

    func write(to connection: DatabaseConnection) throws {
        guard !tables.isEmpty else { return }
        // Views that are there mean the view from now on.
        try connection.execute("""
            PRAGMA legacy_alter_table = ON;
            CREATE TABLE long_texts (number BLOB PRIMARY KEY, text TEXT);
            """)
        let cells = BoundCells(count: 2)
        let statement = try connection.statement("INSERT INTO long_texts VALUES (?, ?)")
        for (name, number) in numbers.sorted(by: { $0.value < $1.value }) {
            cells.first[0].bind(reference: number, statement.handle, 1)
            cells.first[1].bind(name.text, statement.handle, 2)
            try connection.step(statement.handle)
        }
        for table in TraceTable.allCases where tables.contains(table) {
            let columns = table.columns.map { column in
                let cell = "\(table.name)_rows.\(column.name)"
                guard column.kind == .text else { return column.name }
                return "CASE typeof(\(cell)) WHEN 'blob' THEN (SELECT long_texts.text FROM long_texts "
                    + "WHERE long_texts.number = \(cell)) ELSE \(cell) END AS \(column.name)"
            }
            try connection.execute("""
                ALTER TABLE \(table.name) RENAME TO \(table.name)_rows;
                CREATE VIEW \(table.name) AS SELECT \(columns.joined(separator: ", ")) FROM \(table.name)_rows;
                """)
        }
    }
}

/// The cells of all statements.
private final class BoundCells {
    let first: UnsafeMutablePointer<BoundCell>
    private let texts: UnsafeMutablePointer<CChar>
    private let count: Int

    init(count: Int) {
        self.count = count
        first = .allocate(capacity: max(1, count))
        texts = .allocate(capacity: max(1, count) * BoundCell.room)
        for place in 0..<count { (first + place).initialize(to: BoundCell(text: texts + place * BoundCell.room)) }
    }

    deinit {
        first.deinitialize(count: count)
        first.deallocate()
        texts.deallocate()
    }
}

/// The binding of a statement's parameter.
private struct BoundCell {
    private enum State { case null, number, shortText, longText, leftOut }

    // Unbound parameters are NULL.
    private var state = State.null
    /// Of a short text, in bytes.
    private var length = 0
    /// A short text, where SQLite reads it when the row is complete.
    private let text: UnsafeMutablePointer<CChar>
    static let room = 64
    /// SQLite copies what is bound so.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(text: UnsafeMutablePointer<CChar>) { self.text = text }

    var isLeftOut: Bool { state == .leftOut }

    /// Marks a cell that no query reads.
    mutating func leaveOut() { state = .leftOut }

    @inline(__always) mutating func bind(_ value: Int64?, _ statement: OpaquePointer?, _ column: Int32) {
        if state == .leftOut { return }
        guard let value else { return bindNull(statement, column) }
        sqlite3_bind_int64(statement, column, value)
        state = .number
    }

    @inline(__always) mutating func bind(_ value: String?, _ statement: OpaquePointer?, _ column: Int32) {
        if state == .leftOut { return }
        guard var value else { return bindNull(statement, column) }
        value.withUTF8 { bind($0, statement, column) }
    }

    /// The number of a long text, as a blob, which a column of text leaves as it is.
    mutating func bind(reference number: Int32, _ statement: OpaquePointer?, _ column: Int32) {
        if state == .leftOut { return }
        withUnsafeBytes(of: number.littleEndian) {
            _ = sqlite3_bind_blob(statement, column, $0.baseAddress, Int32($0.count), BoundCell.transient)
        }
        state = .longText
    }

    private mutating func bindNull(_ statement: OpaquePointer?, _ column: Int32) {
        if state == .null { return }
        sqlite3_bind_null(statement, column)
        state = .null
    }

    private mutating func bind(_ bytes: UnsafeBufferPointer<UInt8>, _ statement: OpaquePointer?, _ column: Int32) {
        guard bytes.count <= BoundCell.room else {
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    statement, column, characters.baseAddress, Int32(clamping: bytes.count), BoundCell.transient)
            }
            state = .longText
            return
        }
        if state == .shortText, length == bytes.count, isSame(bytes) { return }
        for place in bytes.indices { text[place] = CChar(bitPattern: bytes[place]) }
        // An empty text has an address as well: without one it would be NULL.
        if state != .shortText || length != bytes.count {
            sqlite3_bind_text(statement, column, text, Int32(bytes.count), nil)
        }
        state = .shortText
        length = bytes.count
    }

    @inline(__always) private func isSame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for place in bytes.indices where text[place] != CChar(bitPattern: bytes[place]) { return false }
        return true
    }
}
