import KeyModel

/// Comma-separated values as RFC 4180 has them, for programs and for spreadsheets.
///
/// A text that a spreadsheet would run as a formula (it begins with `= + - @` or a tab) begins with an apostrophe, and
/// characters that could act on a terminal are shown as `\u{1b}`: the names in a trace are not to be trusted.
package struct CSVText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() {}

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Empty for what is not known.
    package mutating func cell(_ number: Int64?) {
        separate()
        if let number { bytes.append(contentsOf: String(number).utf8) }
    }

    /// A number in any form that spreadsheets read.
    package mutating func cell(plain text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Empty for what is not known; `""` for an empty text.
    package mutating func cell(_ text: String?) {
        separate()
        guard let text else { return }
        let plain = text.utf8.allSatisfy { CSVText.isPlain($0) }
        // Quotes keep a line from beginning as a command of GitHub's logs does.
        if plain, let first = text.utf8.first, !CSVText.begins(formula: first), first != 0x3A, first != 0x23 {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(0x22)
        if let first = text.utf8.first, CSVText.begins(formula: first) { bytes.append(UInt8(ascii: "'")) }
        for byte in VisibleText.escaped(text).utf8 {
            if byte == 0x22 { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }

    package mutating func endRow() {
        bytes.append(contentsOf: [0x0D, 0x0A])
        isFirst = true
    }

    private mutating func separate() {
        if !isFirst { bytes.append(0x2C) }
        isFirst = false
    }

    /// Needs no quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x2C
    }

    private static func begins(formula byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}

/// One table of a trace as CSV, with a first row of column names.
package struct CSVRows: TraceRowSink {
    private var csv = CSVText()
    private let sink: ([UInt8]) throws -> Void
    package private(set) var count: UInt64 = 0

    package init(_ table: TraceTable, to sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        for column in table.columns { csv.cell(column.name) }
        try end()
        count = 0
    }

    package mutating func begin(_ table: TraceTable) {}
    package mutating func number(_ value: Int64?) { csv.cell(value) }
    package mutating func text(_ value: String?) { csv.cell(value) }
    package mutating func end() throws {
        csv.endRow()
        count += 1
        try sink(csv.bytes)
        csv.removeAll()
    }
}
