/// A table as CSV for programs (RFC 4180): texts exactly as they are, without a guard for spreadsheets. NULL is an
/// empty cell, an empty text `""`, a list `[1,2,3]`.
package struct MachineCSV: FleetRowSink {
    private let sink: ([UInt8]) throws -> Void
    private var csv = CSVText()
    private static let pieceSize = 65_536

    package init(_ table: FleetTable, to sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        for column in table.columns { text(column.name) }
        try end()
    }

    package mutating func number(_ value: Int64?) { csv.cell(value) }
    package mutating func flag(_ value: Bool?) { csv.cell(plain: value.map { $0 ? "true" : "false" } ?? "") }
    package mutating func numbers(_ values: [Int64]) {
        csv.cell(plain: "\"[" + values.map { String($0) }.joined(separator: ",") + "]\"")
    }

    package mutating func text(_ value: String?) {
        guard let value else { return csv.cell(plain: "") }
        let isBare = !value.isEmpty && !value.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0D || $0 == 0x0A }
        csv.cell(plain: isBare ? value : "\"" + value.replacing("\"", with: "\"\"") + "\"")
    }

    package mutating func end() throws {
        csv.endRow()
        if csv.bytes.count >= MachineCSV.pieceSize { try finish() }
    }

    package mutating func finish() throws {
        try sink(csv.bytes)
        csv.removeAll()
    }
}
