public import KeyModel

/// A block of records without the file around it. It can be read without the blocks before it.
public struct TraceBlock: Sendable {
    public let bytes: [UInt8]
    /// Of its first record.
    public let firstSequence: UInt64
    public let firstTime: TraceTime
    /// Of its last record.
    public let lastTime: TraceTime
}

/// Writes records as blocks that each begin with the whole context, for rings that overwrite the oldest of them.
public struct TraceBlockWriter {
    private final class Pile {
        /// Output of the writer: the file header, then whole blocks.
        var parts: [[UInt8]] = []
    }

    private let pile: Pile
    private var writer: TraceWriter
    private var first: (sequence: UInt64, time: TraceTime)?
    private var closed: [TraceBlock] = []

    /// `header`: level, masking and first sequence of the records; its form has no meaning here.
    public init(
        header: TraceHeader, context: TraceContext = TraceContext(),
        durations: TraceWriter.DurationPrecision = .exact
    ) throws {
        let pile = Pile()
        self.pile = pile
        var header = header
        // Blocks of the canonical form are those that begin with the whole context.
        header.form = .canonical
        writer = try TraceWriter(header: header, context: context, durations: durations) {
            pile.parts.append(Array($0))
        }
        pile.parts.removeAll()
    }

    /// The sequence number of the next record.
    public var nextSequence: UInt64 { writer.nextSequence }
    /// The time of the last record.
    public var lastTime: TraceTime { writer.lastTime }

    /// As `TraceWriter.append`.
    public mutating func append(
        _ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions
    ) throws {
        let sequence = writer.nextSequence
        try writer.append(body, at: time, definitions: definitions)
        follow(sequence, time)
    }

    /// As `TraceWriter.append`.
    public mutating func append(
        _ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions
    ) throws {
        let sequence = writer.nextSequence
        try writer.append(record, at: time, definitions: definitions)
        follow(sequence, time)
    }

    @inline(__always) private mutating func follow(_ sequence: UInt64, _ time: TraceTime) {
        if first == nil { first = (sequence, time) }
        if !pile.parts.isEmpty { takeParts() }
    }

    /// A block was closed with the record that was appended last.
    private mutating func takeParts() {
        for bytes in pile.parts {
            let first = first ?? (writer.nextSequence, writer.lastTime)
            closed.append(
                TraceBlock(
                    bytes: bytes, firstSequence: first.sequence, firstTime: first.time, lastTime: writer.lastTime))
        }
        pile.parts.removeAll()
        first = nil
    }

    /// Closes the block that is being written, however short it is; the next record begins a new one.
    public mutating func closeBlock() throws {
        guard first != nil else { return }
        try writer.closeBlock()
        takeParts()
    }

    /// The blocks that were closed since the last call.
    public mutating func takeBlocks() -> [TraceBlock] {
        defer { closed.removeAll() }
        return closed
    }

    /// True when there are blocks to take.
    public var hasBlocks: Bool { !closed.isEmpty }
}

/// Blocks put together again.
public enum TraceBlocks {
    /// Blocks that follow each other, as the bytes of a trace that has not ended. The first sequence of `header` is
    /// replaced by theirs.
    public static func trace(_ header: TraceHeader, _ blocks: some Sequence<TraceBlock>) -> [UInt8] {
        var header = header
        header.form = .live
        var isFirst = true
        var rest: [UInt8] = []
        for block in blocks {
            if isFirst { header.firstSequence = block.firstSequence }
            isFirst = false
            rest += block.bytes
        }
        return TraceFrame.header(header).withBytes { Array($0) } + rest
    }

    /// Files of one recording, each of which continues the one before, as one trace that has not ended.
    public static func joined(_ files: [TraceBytes]) throws(TraceError) -> [UInt8] {
        guard let first = files.first else { return [] }
        var start = TraceWindow(first)
        var header = try TraceFrame.header(start.bytes(at: 0, count: TraceFrame.fileHeaderLength))
        header.form = .live
        var bytes = TraceFrame.header(header).withBytes { Array($0) }
        for (place, file) in files.enumerated() {
            file.withBytes { raw in
                // The last file is kept whole: reading reports a truncated end.
                let end = place == files.count - 1 ? raw.count : endOfRecords(raw)
                if end > TraceFrame.fileHeaderLength {
                    bytes.append(contentsOf: raw[TraceFrame.fileHeaderLength..<end])
                }
            }
        }
        return bytes
    }

    /// End of the blocks of records: the offset of the index, or of bytes that are no block.
    private static func endOfRecords(_ raw: UnsafeRawBufferPointer) -> Int {
        var position = TraceFrame.fileHeaderLength
        while let header = try? TraceFrame.block(raw, at: position), header.kind == BlockHeader.records {
            position += TraceFrame.blockHeaderLength + header.length
        }
        return min(position, raw.count)
    }
}
