import KeyModel
import TraceFormat

/// The destination of the records of a recording. Used by the background thread alone.
protocol TraceOutput: AnyObject {
    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws
    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws
    /// Writes the appended records to the destination; `now` is the time of the recording.
    func flush(_ now: TraceTime) throws
    /// Ends the output: no more records are appended.
    func finish() throws
    /// A reader of everything that is kept.
    func reader() throws -> TraceReader
}

/// The last part of a recording in memory: blocks that each can be read without those before.
final class MemoryRing: TraceOutput {
    private let bounds: RingBounds
    private let header: TraceHeader
    private var blocks: [TraceBlock] = []
    private var bytes = 0
    private var writer: TraceBlockWriter

    init(_ bounds: RingBounds, _ header: TraceHeader, _ durations: TraceWriter.DurationPrecision) throws {
        self.bounds = bounds
        self.header = header
        writer = try TraceBlockWriter(header: header, durations: durations)
    }

    func append(_ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions) throws {
        try writer.append(record, at: time, definitions: definitions)
        if writer.hasBlocks { takeBlocks() }
    }

    func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        try writer.append(body, at: time, definitions: definitions)
        if writer.hasBlocks { takeBlocks() }
    }

    private func takeBlocks() {
        for block in writer.takeBlocks() {
            blocks.append(block)
            bytes += block.bytes.count
        }
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

    func finish() throws {
        try writer.closeBlock()
        takeBlocks()
    }

    func reader() throws -> TraceReader {
        try finish()
        var header = header
        header.firstSequence = writer.nextSequence
        return try TraceReader(TraceBlocks.trace(header, blocks))
    }
}

/// An output that writes to a file: all of a recording, or within bounds its last part in two files, so that it
/// outlives the process: the one that is written, and before it one that is as long or as old as it may become.
final class FileOutput: TraceOutput {
    private let path: String
    private let bounds: RingBounds?
    private let durations: TraceWriter.DurationPrecision
    private var header: TraceHeader
    private var file: TraceFileOutput
    private var writer: TraceWriter
    private var firstTime: TraceTime?
    private var hasTurned = false

    private var previousPath: String { path + ".previous" }

    init(
        _ path: String, within bounds: RingBounds? = nil, _ header: TraceHeader,
        _ durations: TraceWriter.DurationPrecision
    ) throws {
        self.path = path
        self.bounds = bounds
        self.header = header
        self.durations = durations
        // It is needed at the first turn, which is too late to report an existing file.
        if bounds != nil { try TraceFile.checkIsFree(path + ".previous") }
        let file = try TraceFileOutput(recordingTo: path)
        self.file = file
        writer = try TraceWriter(header: header, durations: durations) { try file.write($0) }
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
        guard let bounds else { return }
        guard let firstTime else {
            firstTime = time
            return
        }
        let isLong = writer.bytesWritten >= UInt64(bounds.bytes / 2)
        guard isLong || time.since(firstTime).nanoseconds > bounds.duration.nanoseconds / 2 else { return }
        try writer.finish()
        try file.publish(isDurable: true)
        try TraceFile.rename(path, to: previousPath, replacingOwn: hasTurned)
        hasTurned = true
        let file = try TraceFileOutput(recordingTo: path)
        var header = header
        header.firstSequence = writer.nextSequence
        writer = try TraceWriter(header: header, context: writer.context, durations: durations) { try file.write($0) }
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
        guard hasTurned else { return try TraceReader(try TraceFile.bytes(of: path)) }
        return try TraceReader(try TraceBlocks.joined([try TraceFile.read(previousPath), try TraceFile.read(path)]))
    }
}
