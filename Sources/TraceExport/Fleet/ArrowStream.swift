/// A table as a stream in Arrow's columnar format (IPC streaming format, metadata version 5): a schema, batches of
/// rows, and an end. Columns are int64, utf8, bool, and lists of int64; all may be null but the numbers in lists.
///
/// https://arrow.apache.org/docs/format/Columnar.html: a message is FFFFFFFF, the length of its metadata, the metadata
/// (a FlatBuffer), and a body of buffers; all lengths are multiples of 8.
package struct ArrowStream: FleetRowSink {
    private let sink: ([UInt8]) throws -> Void
    private var columns: [ArrowColumn]
    private var next = 0
    private var rows = 0
    private var bytes = 0
    private var hasBegun = false
    private let table: FleetTable

    /// Rows, or bytes, at which a batch is written.
    private static let rowLimit = 16_384
    private static let byteLimit = 1 << 20

    package init(_ table: FleetTable, to sink: @escaping ([UInt8]) throws -> Void) {
        self.table = table
        self.sink = sink
        columns = table.columns.map { ArrowColumn($0.kind) }
    }

    package mutating func number(_ value: Int64?) { append { $0.append(value) } }
    package mutating func text(_ value: String?) { append { $0.append(value) } }
    package mutating func flag(_ value: Bool?) { append { $0.append(value) } }
    package mutating func numbers(_ values: [Int64]) { append { $0.append(values) } }

    private mutating func append(_ cell: (inout ArrowColumn) -> Int) {
        bytes += cell(&columns[next])
        next += 1
    }

    package mutating func end() throws {
        precondition(next == columns.count, "a row has a cell for each column")
        next = 0
        rows += 1
        if rows >= ArrowStream.rowLimit || bytes >= ArrowStream.byteLimit { try flush() }
    }

    package mutating func finish() throws {
        try flush()
        // The end of the stream.
        try sink([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    }

    private mutating func flush() throws {
        if !hasBegun { try sink(ArrowStream.message(.schema, body: []) { schema(&$0) }) }
        hasBegun = true
        guard rows > 0 else { return }
        var body: [UInt8] = []
        var nodes: [(Int64, Int64)] = []
        var buffers: [(Int64, Int64)] = []
        for column in columns.indices { columns[column].drain(rows, &nodes, &buffers, &body) }
        let count = rows
        try sink(
            ArrowStream.message(.recordBatch, body: body) { flat in
                let batch = flat.table([.long(Int64(count)), .reference, .reference])
                let nodeList = flat.pairs(nodes)
                flat.point(batch.fields[1], to: nodeList)
                let bufferList = flat.pairs(buffers)
                flat.point(batch.fields[2], to: bufferList)
                return batch.start
            })
        (rows, bytes) = (0, 0)
    }

    // MARK: Messages

    private enum Header: UInt8 { case schema = 1, recordBatch = 3 }
    private static let version5: Int16 = 4
    /// Of the union of types, as their numbers are in Schema.fbs.
    private enum TypeCode { static let int: UInt8 = 2, utf8: UInt8 = 5, bool: UInt8 = 6, list: UInt8 = 12 }

    private static func message(_ header: Header, body: [UInt8], _ write: (inout FlatBuffer) -> Int) -> [UInt8] {
        var flat = FlatBuffer()
        let message = flat.table([
            .short(version5), .byte(header.rawValue), .reference, .long(Int64(body.count)),
        ])
        flat.point(FlatBuffer.root, to: message.start)
        let start = write(&flat)
        flat.point(message.fields[2], to: start)
        flat.align(to: 8)
        var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        bytes.append(littleEndian: Int32(flat.bytes.count))
        return bytes + flat.bytes + body
    }

    private func schema(_ flat: inout FlatBuffer) -> Int {
        let schema = flat.table([.short(0), .reference, .reference])
        let fields = flat.references(table.columns.count)
        flat.point(schema.fields[1], to: fields.start)
        for (place, column) in zip(fields.elements, table.columns) {
            let start = ArrowStream.field(column.name, column.kind, isNullable: true, &flat)
            flat.point(place, to: start)
        }
        let facts = [("schema", FleetTable.schema), ("table", table.name)]
        let metadata = flat.references(facts.count)
        flat.point(schema.fields[2], to: metadata.start)
        for (place, fact) in zip(metadata.elements, facts) {
            let pair = flat.table([.reference, .reference])
            flat.point(place, to: pair.start)
            let key = flat.string(fact.0)
            flat.point(pair.fields[0], to: key)
            let value = flat.string(fact.1)
            flat.point(pair.fields[1], to: value)
        }
        return schema.start
    }

    private static func field(
        _ name: String, _ kind: TableColumn.Kind, isNullable: Bool, _ flat: inout FlatBuffer
    ) -> Int {
        let code =
            switch kind {
            case .integer: TypeCode.int
            case .text: TypeCode.utf8
            case .flag: TypeCode.bool
            case .integers: TypeCode.list
            }
        let field = flat.table([
            .reference, .byte(isNullable ? 1 : 0), .byte(code), .reference, .absent, .reference,
        ])
        let text = flat.string(name)
        flat.point(field.fields[0], to: text)
        // Bit width and sign of an integer; other types have no parameters.
        let type = flat.table(kind == .integer ? [.int(64), .byte(1)] : [])
        flat.point(field.fields[3], to: type.start)
        let children = flat.references(kind == .integers ? 1 : 0)
        flat.point(field.fields[5], to: children.start)
        if kind == .integers {
            let item = ArrowStream.field("item", .integer, isNullable: false, &flat)
            flat.point(children.elements[0], to: item)
        }
        return field.start
    }
}

/// The cells of one column, until their batch is written.
private struct ArrowColumn {
    private let kind: TableColumn.Kind
    private var count = 0
    private var nulls = 0
    /// A bit for each cell, set where it has a value.
    private var validity: [UInt8] = []
    /// For texts and lists: the offset of each, and the end of the last.
    private var offsets: [Int32] = [0]
    private var data: [UInt8] = []
    private var flags: [UInt8] = []

    init(_ kind: TableColumn.Kind) { self.kind = kind }

    /// The result is how many bytes the cell takes, as in the others.
    mutating func append(_ value: Int64?) -> Int {
        precondition(kind == .integer)
        note(value != nil)
        data.append(littleEndian: value ?? 0)
        return 8
    }

    mutating func append(_ value: String?) -> Int {
        precondition(kind == .text)
        note(value != nil)
        if let value { data.append(contentsOf: value.utf8) }
        offsets.append(Int32(data.count))
        return 4 + (value?.utf8.count ?? 0)
    }

    mutating func append(_ value: Bool?) -> Int {
        precondition(kind == .flag)
        ArrowColumn.set(value == true, count, &flags)
        note(value != nil)
        return 1
    }

    mutating func append(_ values: [Int64]) -> Int {
        precondition(kind == .integers)
        note(true)
        for value in values { data.append(littleEndian: value) }
        offsets.append(Int32(data.count / 8))
        return 4 + 8 * values.count
    }

    private mutating func note(_ isThere: Bool) {
        ArrowColumn.set(isThere, count, &validity)
        if !isThere { nulls += 1 }
        count += 1
    }

    private static func set(_ bit: Bool, _ place: Int, _ bits: inout [UInt8]) {
        if place % 8 == 0 { bits.append(0) }
        if bit { bits[place / 8] |= 1 << UInt8(place % 8) }
    }

    /// Adds the column to the body of a batch, and removes its cells.
    mutating func drain(
        _ rows: Int, _ nodes: inout [(Int64, Int64)], _ buffers: inout [(Int64, Int64)], _ body: inout [UInt8]
    ) {
        func add(_ bytes: [UInt8]) {
            buffers.append((Int64(body.count), Int64(bytes.count)))
            body += bytes
            while body.count % 8 != 0 { body.append(0) }
        }
        nodes.append((Int64(rows), Int64(nulls)))
        add(nulls > 0 ? validity : [])
        var places: [UInt8] = []
        if kind == .text || kind == .integers { for offset in offsets { places.append(littleEndian: offset) } }
        switch kind {
        case .integer: add(data)
        case .flag: add(flags)
        case .text:
            add(places)
            add(data)
        case .integers:
            add(places)
            nodes.append((Int64(data.count / 8), 0))
            add([])
            add(data)
        }
        self = ArrowColumn(kind)
    }
}
