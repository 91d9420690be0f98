import KeyModel
import TraceFormat

/// Where the records of a recording go. Used by the background thread alone.
protocol TraceOutput: AnyObject {
    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws
    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws
    /// What was appended reaches the destination; `now` is the time of the recording.
    func flush(_ now: TraceTime) throws
    /// Nothing is appended any more.
    func finish() throws
    /// A reader of everything that is kept.
    func reader() throws -> TraceReader
}

/// All of the recording in one file.
final class FileOutput: TraceOutput {
    private let file: TraceFileOutput
    private var writer: TraceWriter

    init(_ path: String, _ header: TraceHeader) throws {
        let file = try TraceFileOutput(recordingTo: path)
        self.file = file
        writer = try TraceWriter(header: header) { try file.write($0) }
    }

    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws {
        try writer.append(record, at: time, definitions: definitions)
    }

    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        try writer.append(body, at: time, definitions: definitions)
    }

    func flush(_ now: TraceTime) throws { try writer.flush() }

    func finish() throws {
        try writer.finish()
        try file.publish(isDurable: true)
    }

    func reader() throws -> TraceReader { try TraceReader(try TraceFile.read(file.path)) }
}

/// Whole blocks of a trace, as a writer hands them out.
private final class BlockCollector {
    private(set) var header: [UInt8] = []
    var blocks: [[UInt8]] = []

    func take(_ bytes: UnsafeRawBufferPointer) {
        if header.isEmpty { header = Array(bytes) } else { blocks.append(Array(bytes)) }
    }
}

/// The last part of a recording in memory: blocks that each can be read without those before.
final class MemoryRing: TraceOutput {
    private struct Block {
        var bytes: [UInt8]
        var firstSequence: UInt64
        var lastTime: TraceTime
    }

    private let bounds: RingBounds
    private var header: TraceHeader
    private var blocks: [Block] = []
    private var bytes = 0
    private var collector: BlockCollector
    private var writer: TraceWriter
    /// The sequence number that the block being written begins with.
    private var firstSequence: UInt64 = 0

    init(_ bounds: RingBounds, _ header: TraceHeader) throws {
        self.bounds = bounds
        // Blocks of the canonical form begin with the whole context.
        self.header = header
        self.header.form = .canonical
        let collector = BlockCollector()
        self.collector = collector
        writer = try TraceWriter(header: self.header) { collector.take($0) }
    }

    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws {
        try writer.append(record, at: time, definitions: definitions)
        if !collector.blocks.isEmpty { takeBlocks() }
    }

    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        try writer.append(body, at: time, definitions: definitions)
        if !collector.blocks.isEmpty { takeBlocks() }
    }

    private func takeBlocks() {
        for block in collector.blocks {
            blocks.append(Block(bytes: block, firstSequence: firstSequence, lastTime: writer.lastTime))
            bytes += block.count
        }
        collector.blocks.removeAll()
        firstSequence = writer.nextSequence
        trim(writer.lastTime)
    }

    /// Forgets the oldest blocks that are beyond the bounds.
    private func trim(_ now: TraceTime) {
        var count = 0
        while count < blocks.count - 1 {
            let isOld = now.since(blocks[count].lastTime) > bounds.duration
            guard isOld || bytes > bounds.bytes else { break }
            bytes -= blocks[count].bytes.count
            count += 1
        }
        blocks.removeFirst(count)
    }

    func flush(_ now: TraceTime) throws { trim(now) }

    func finish() throws { try closeBlock() }

    /// Ends the block that is being written; another writer goes on where this one ended.
    private func closeBlock() throws {
        guard writer.nextSequence > firstSequence else { return }
        try writer.finish()
        // The last two are the index and the end marker, which stand in no ring.
        collector.blocks.removeLast(2)
        takeBlocks()
        let fresh = BlockCollector()
        var header = header
        header.firstSequence = writer.nextSequence
        writer = try TraceWriter(header: header, context: writer.context) { fresh.take($0) }
        collector = fresh
    }

    func reader() throws -> TraceReader {
        try closeBlock()
        var header = header
        header.firstSequence = blocks.first?.firstSequence ?? writer.nextSequence
        let whole = BlockCollector()
        _ = try TraceWriter(header: header) { whole.take($0) }
        return try TraceReader(whole.header + blocks.flatMap(\.bytes))
    }
}

/// The last part of a recording in two files, so that it outlives the process: the one that is written, and before
/// it one that is as long or as old as it may become.
final class FileRing: TraceOutput {
    private let path: String
    private let bounds: RingBounds
    private var header: TraceHeader
    private var file: TraceFileOutput
    private var writer: TraceWriter
    private var firstTime: TraceTime?
    /// Bytes of the blocks of the file before, without index and end marker.
    private var previousBlocks: UInt64?
    private var hasTurned = false

    private var previousPath: String { path + ".previous" }

    init(_ path: String, _ bounds: RingBounds, _ header: TraceHeader) throws {
        self.path = path
        self.bounds = bounds
        self.header = header
        let file = try TraceFileOutput(recordingTo: path)
        self.file = file
        writer = try TraceWriter(header: header) { try file.write($0) }
    }

    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws {
        try turn(time)
        try writer.append(record, at: time, definitions: definitions)
    }

    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        try turn(time)
        try writer.append(body, at: time, definitions: definitions)
    }

    /// Begins a new file when this one holds half of the bounds.
    private func turn(_ time: TraceTime) throws {
        guard let firstTime else {
            firstTime = time
            return
        }
        let isLong = writer.bytesWritten >= UInt64(bounds.bytes / 2)
        guard isLong || time.since(firstTime).nanoseconds > bounds.duration.nanoseconds / 2 else { return }
        try writer.flush()
        previousBlocks = writer.bytesWritten
        try writer.finish()
        try file.publish()
        try TraceFile.rename(path, to: previousPath, replacingOwn: hasTurned)
        hasTurned = true
        let file = try TraceFileOutput(recordingTo: path)
        var header = header
        header.firstSequence = writer.nextSequence
        writer = try TraceWriter(header: header, context: writer.context) { try file.write($0) }
        self.file = file
        self.firstTime = time
    }

    func flush(_ now: TraceTime) throws { try writer.flush() }

    func finish() throws {
        try writer.finish()
        try file.publish(isDurable: true)
    }

    func reader() throws -> TraceReader {
        try? writer.flush()
        let current = try TraceFile.read(path)
        guard let previousBlocks else { return try TraceReader(current) }
        // The blocks of both files are one trace that has not ended.
        var bytes = try TraceFile.read(previousPath).withBytes { Array($0.prefix(Int(clamping: previousBlocks))) }
        let header = BlockCollector()
        _ = try TraceWriter(header: self.header) { header.take($0) }
        current.withBytes { bytes.append(contentsOf: $0.dropFirst(header.header.count)) }
        return try TraceReader(bytes)
    }
}
