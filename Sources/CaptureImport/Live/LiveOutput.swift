package import KeyModel
package import TraceFormat

/// The bounds of a file of a recording.
package enum RecordingBounds: Hashable, Sendable {
    case bytes(Int)
    case length(TraceDuration)

    /// Smaller files would be mostly context.
    private static let smallest = 1 << 14

    /// `share`: the bounds are of so many files together.
    func areReached(_ bytes: UInt64, _ length: TraceDuration, share: Int) -> Bool {
        switch self {
        case .bytes(let most): bytes >= UInt64(max(most / share, RecordingBounds.smallest))
        case .length(let longest): length.nanoseconds >= longest.nanoseconds / Int64(share)
        }
    }
}

/// The file or files of a live recording. Each is a trace of its own, appended to as things happen, so that it can be
/// read at every instant.
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

    private let storage: Storage
    private let path: String
    private var header: TraceHeader
    private var file: TraceFileOutput?
    private var writer: TraceWriter
    private var bytesBefore: UInt64 = 0
    private var number = 1
    private var firstTime: TraceTime?
    private var latestFlush = TraceTime.zero
    private var hasUnflushed = false

    /// Blocks are closed after this time at the latest, so that a killed recorder loses no more.
    private static let flushInterval = TraceDuration(nanoseconds: 40_000_000)

    /// Creates the file, which must not exist yet.
    package init(path: String, storage: Storage = .whole, isMasked: Bool) throws {
        self.path = path
        self.storage = storage
        header = TraceHeader(form: .live, level: .keys, isMasked: isMasked)
        // It is needed when half of the bounds are reached, which is too late to report that it is taken.
        if case .ring = storage { try TraceFile.checkIsFree(path + ".previous") }
        let file = try TraceFileOutput(recordingTo: path)
        self.file = file
        paths = [path]
        writer = try TraceWriter(header: header) { try file.write($0) }
    }

    /// Writes into a pipe.
    package init(isMasked: Bool, sink: @escaping TraceWriter.Sink) throws {
        path = ""
        storage = .whole
        header = TraceHeader(form: .live, level: .keys, isMasked: isMasked)
        writer = try TraceWriter(header: header, sink: sink)
    }

    /// The time of the latest record.
    var lastTime: TraceTime { writer.lastTime }

    func append(_ body: TraceRecord.Body, at time: TraceTime, _ definitions: TraceDefinitions) throws {
        try turn(time)
        try writer.append(body, at: time, definitions: definitions)
        hasUnflushed = true
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
        try file?.publish()
        bytesBefore += writer.bytesWritten
        number += 1
        firstTime = time
        header.firstSequence = writer.nextSequence
        let next = try nextPath()
        let file = try TraceFileOutput(recordingTo: next)
        self.file = file
        writer = try TraceWriter(header: header, context: writer.context) { try file.write($0) }
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

    /// Closes the block that is being written when it is old enough.
    func flush(_ now: TraceTime) throws {
        guard hasUnflushed else { return latestFlush = now }
        guard now.since(latestFlush) >= LiveOutput.flushInterval else { return }
        try writer.flush()
        (latestFlush, hasUnflushed) = (now, false)
    }

    /// True while something has not reached the file.
    var isWaiting: Bool { hasUnflushed }

    /// The end marker and the index; the file is complete.
    func finish() throws {
        try writer.finish()
        try file?.publish(isDurable: true)
        file = nil
    }
}
