/// A table as CSV for programs (RFC 4180): texts exactly as they are, without a guard for spreadsheets. NULL is an
/// empty cell, an empty text `""`, a list `[1,2,3]`.
package struct MachineCSV: FleetRowSink {
    private let sink: ([UInt8]) throws -> Void
    private var bytes: [UInt8] = []
    private var isFirst = true
    private static let pieceSize = 65_536

    package init(_ table: FleetTable, to sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        for column in table.columns { text(column.name) }
        try endRow()
    }

    package mutating func number(_ value: Int64?) { cell(value.map { String($0) } ?? "") }
    package mutating func flag(_ value: Bool?) { cell(value.map { $0 ? "true" : "false" } ?? "") }
    package mutating func numbers(_ values: [Int64]) {
        cell("\"[" + values.map { String($0) }.joined(separator: ",") + "]\"")
    }

    package mutating func text(_ value: String?) {
        guard let value else { return cell("") }
        let isBare = !value.isEmpty && !value.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0D || $0 == 0x0A }
        cell(isBare ? value : "\"" + value.replacing("\"", with: "\"\"") + "\"")
    }

    package mutating func endRow() throws {
        bytes += [0x0D, 0x0A]
        isFirst = true
        if bytes.count >= MachineCSV.pieceSize { try finish() }
    }

    package mutating func finish() throws {
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func cell(_ text: String) {
        if !isFirst { bytes.append(0x2C) }
        isFirst = false
        bytes.append(contentsOf: text.utf8)
    }
}
