package import KeyModel

/// The last part of a recording in memory: blocks that each begin with the whole context, so that they can be read
/// without those before.
package final class MemoryRing {
    private struct Block {
        var bytes: [UInt8]
        var firstSequence: UInt64
        /// Of its last record.
        var lastTime: TraceTime
    }

    private let bounds: RecordingBounds
    private var blocks: [Block] = []
    private var size = 0
    private let output: ByteCollector
    private var writer: TraceWriter
    /// The number of the first record of the block that is being written.
    private var firstSequence: UInt64?

    /// `header`: level, masking and first sequence of the records; its form has no meaning here.
    package init(_ bounds: RecordingBounds, header: TraceHeader, durations: TraceWriter.DurationPrecision) throws {
        self.bounds = bounds
        var header = header
        // Blocks of the canonical form are those that begin with the whole context.
        header.form = .canonical
        let output = ByteCollector()
        self.output = output
        writer = try TraceWriter(header: header, durations: durations) { output.bytes.append(contentsOf: $0) }
        // The file header.
        output.bytes = []
    }

    package func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        firstSequence = firstSequence ?? writer.nextSequence
        try writer.append(body, at: time, definitions: definitions)
        if !output.bytes.isEmpty { takeBlock() }
    }

    /// The fast path of recorders.
    package func append(
        _ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions
    ) throws {
        firstSequence = firstSequence ?? writer.nextSequence
        try writer.append(record, at: time, definitions: definitions)
        if !output.bytes.isEmpty { takeBlock() }
    }

    /// A block was closed with the record that was appended last.
    private func takeBlock() {
        let first = firstSequence ?? writer.nextSequence
        blocks.append(Block(bytes: output.bytes, firstSequence: first, lastTime: writer.lastTime))
        size += output.bytes.count
        output.bytes = []
        firstSequence = nil
        flush(writer.lastTime)
    }

    /// Forgets the oldest blocks that are beyond the bounds.
    package func flush(_ now: TraceTime) {
        var count = 0
        while count < blocks.count - 1 {
            guard now.since(blocks[count].lastTime) > bounds.longest || size > bounds.most else { break }
            size -= blocks[count].bytes.count
            count += 1
        }
        blocks.removeFirst(count)
    }

    /// Closes the block that is being written, however short it is; the next record begins a new one.
    package func finish() throws {
        try writer.closeBlock()
        if !output.bytes.isEmpty { takeBlock() }
    }

    /// A reader of everything that is kept, as of a trace that has not ended.
    package func reader() throws -> TraceReader {
        try finish()
        var header = writer.header
        header.form = .live
        header.firstSequence = blocks.first?.firstSequence ?? writer.nextSequence
        let start = TraceFrame.header(header).withBytes { Array($0) }
        return try TraceReader(blocks.reduce(into: start) { $0 += $1.bytes })
    }
}
