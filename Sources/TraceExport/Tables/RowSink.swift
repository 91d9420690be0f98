/// Destination of rows, cell by cell.
///
/// A table is declared where its rows are written: each cell with the name and the meaning of its column. Written
/// without a record into a `ColumnList`, a row gives the columns.
package protocol RowSink {
    mutating func column(_ name: String, _ kind: TableColumn.Kind, _ meaning: String)
    /// NULL for `nil`.
    mutating func number(_ value: Int64?)
    mutating func text(_ value: String?)
    mutating func end() throws
}

extension RowSink {
    @inline(__always) package mutating func column(_ name: String, _ kind: TableColumn.Kind, _ meaning: String) {}

    @inline(__always) mutating func int(_ name: String, _ meaning: String, _ value: (some BinaryInteger)?) {
        column(name, .integer, meaning)
        number(value.map { Int64(clamping: $0) })
    }

    /// 1 for true.
    @inline(__always) mutating func int(_ name: String, _ meaning: String, _ value: Bool?) {
        column(name, .integer, meaning)
        number(value.map { $0 ? 1 : 0 })
    }

    @inline(__always) mutating func text(_ name: String, _ meaning: String, _ value: String?) {
        column(name, .text, meaning)
        text(value)
    }
}

/// A column of a table.
package struct TableColumn: Sendable {
    package enum Kind: Sendable { case integer, text, flag, integers }
    package var name: String
    package var kind: Kind
    /// The column's content, in a few words.
    package var meaning: String
}

/// The columns of a row.
struct ColumnList: FleetRowSink {
    private(set) var columns: [TableColumn] = []

    mutating func column(_ name: String, _ kind: TableColumn.Kind, _ meaning: String) {
        columns.append(TableColumn(name: name, kind: kind, meaning: meaning))
    }

    mutating func number(_ value: Int64?) {}
    mutating func text(_ value: String?) {}
    mutating func flag(_ value: Bool?) {}
    mutating func numbers(_ values: [Int64]) {}
    mutating func end() {}
    mutating func finish() {}
}
