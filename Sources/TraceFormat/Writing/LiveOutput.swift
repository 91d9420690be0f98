package import KeyModel

/// The bounds of a file of a recording: what is reached first.
package struct RecordingBounds: Hashable, Sendable {
    let most: Int
    let longest: TraceDuration

    package init(bytes: Int = .max, length: TraceDuration = TraceDuration(nanoseconds: .max)) {
        (most, longest) = (bytes, length)
    }

    package static func bytes(_ most: Int) -> RecordingBounds { RecordingBounds(bytes: most) }
    package static func length(_ longest: TraceDuration) -> RecordingBounds { RecordingBounds(length: longest) }

    /// Smaller files would be mostly context.
    private static let smallest = 1 << 14

    /// `share`: the bounds are of so many files together.
    func areReached(_ bytes: UInt64, _ length: TraceDuration, share: Int) -> Bool {
        bytes >= UInt64(max(most / share, RecordingBounds.smallest))
            || length.nanoseconds >= longest.nanoseconds / Int64(share)
    }
}

/// The file or files of a recording. Each is a trace of its own, appended to as things happen, so that it can be
/// read at every instant and outlives the process.
package final class LiveOutput {
    /// The part of the recording that is stored, and its files.
    package enum Storage: Sendable {
        /// All of it in one file.
        case whole
        /// The last part of it: the file that is written, and before it one with `.previous` behind its name, each at
        /// most half of the bounds.
        case ring(RecordingBounds)
        /// All of it in several files, each at most as large or long as the bounds: `lab.keyflight`,
        /// `lab-2.keyflight`, …
        case rotating(RecordingBounds)
    }

    /// Paths of the files there are, in the order of the recording; none for a pipe.
    package private(set) var paths: [String] = []
    /// Bytes handed over so far, to all files together.
    package var bytesWritten: UInt64 { bytesBefore + writer.bytesWritten }
    /// The time of the latest record.
    package var lastTime: TraceTime { writer.lastTime }
    /// True while something has not reached the file.
    package private(set) var isWaiting = false

    private let storage: Storage
    private let path: String
    private var header: TraceHeader
    private let durations: TraceWriter.DurationPrecision
    private let isDurable: Bool
    private var file: TraceFileOutput?
    private var writer: TraceWriter
    private var bytesBefore: UInt64 = 0
    private var number = 1
    private var firstTime: TraceTime?

    /// Creates the file, which must not exist yet. `isDurable`: a file that is complete is forced to the disk before
    /// the next one begins.
    package init(
        path: String, storage: Storage = .whole, header: TraceHeader,
        durations: TraceWriter.DurationPrecision = .exact, isDurable: Bool = false
    ) throws {
        (self.path, self.storage, self.header) = (path, storage, header)
        (self.durations, self.isDurable) = (durations, isDurable)
        // It is needed when half of the bounds are reached, which is too late to report that it is taken.
        if case .ring = storage { try TraceFile.checkIsFree(path + ".previous") }
        let file = try TraceFileOutput(recordingTo: path)
        self.file = file
        paths = [path]
        writer = try TraceWriter(header: header, durations: durations) { try file.write($0) }
    }

    /// The same for the keys of live inputs.
    package convenience init(path: String, storage: Storage = .whole, isMasked: Bool) throws {
        try self.init(
            path: path, storage: storage, header: TraceHeader(form: .live, level: .keys, isMasked: isMasked))
    }

    /// Writes the keys of live inputs into a pipe.
    package init(isMasked: Bool, sink: @escaping TraceWriter.Sink) throws {
        (path, storage, durations, isDurable) = ("", .whole, .exact, false)
        header = TraceHeader(form: .live, level: .keys, isMasked: isMasked)
        writer = try TraceWriter(header: header, sink: sink)
    }

    package func append(_ body: TraceRecord.Body, at time: TraceTime, definitions: TraceDefinitions) throws {
        try turn(time)
        try writer.append(body, at: time, definitions: definitions)
        isWaiting = true
    }

    /// The fast path of recorders.
    package func append(
        _ record: KeyRecord, at time: TraceTime, definitions: borrowing TraceDefinitions
    ) throws {
        try turn(time)
        try writer.append(record, at: time, definitions: definitions)
        isWaiting = true
    }

    /// Begins a new file when this one has reached its bounds.
    private func turn(_ time: TraceTime) throws {
        let bounds: RecordingBounds
        var share = 1
        switch storage {
        case .whole: return
        case .ring(let whole): (bounds, share) = (whole, 2)
        case .rotating(let each): bounds = each
        }
        guard let first = firstTime else {
            firstTime = time
            return
        }
        guard bounds.areReached(writer.bytesWritten, time.since(first), share: share) else { return }
        try writer.finish()
        try file?.publish(isDurable: isDurable)
        bytesBefore += writer.bytesWritten
        number += 1
        firstTime = time
        header.firstSequence = writer.nextSequence
        let next = try nextPath()
        let file = try TraceFileOutput(recordingTo: next)
        self.file = file
        writer = try TraceWriter(header: header, context: writer.context, durations: durations) { try file.write($0) }
    }

    private func nextPath() throws -> String {
        guard case .ring = storage else {
            let next = LiveOutput.numbered(path, number)
            paths.append(next)
            return next
        }
        try TraceFile.rename(path, to: path + ".previous", replacingOwn: number > 2)
        paths = [path + ".previous", path]
        return path
    }

    /// `lab.keyflight` → `lab-2.keyflight`.
    static func numbered(_ path: String, _ number: Int) -> String {
        let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        guard let dot = path.lastIndex(of: "."), dot > name else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    /// Closes the block that is being written.
    package func flush() throws {
        try writer.flush()
        isWaiting = false
    }

    /// The end marker and the index; the file is complete.
    package func finish() throws {
        try writer.finish()
        try file?.publish(isDurable: true)
        file = nil
    }

    /// A reader of what is in the files.
    package func reader() throws -> TraceReader {
        try? writer.flush()
        guard paths.count > 1 else { return try TraceReader(try TraceFile.bytes(of: path)) }
        return try TraceReader(try TraceBlocks.joined(try paths.map { try TraceFile.read($0) }))
    }
}
