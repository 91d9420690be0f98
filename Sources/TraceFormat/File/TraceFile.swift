import Libc

/// Files of traces, and of everything else that keyflight writes: creation, publication and reading.
///
/// Results are written to a temporary of mode 0600 beside the target and published without replacing anything.
/// Recordings create their path at once and append to it. Either way nothing is written into a directory that
/// everyone may write to, unless it is sticky.
public enum TraceFile {
    /// Existing files that publishing a result may replace.
    public enum Replacing: Sendable {
        case nothing
        /// An existing regular file (`--force`).
        case regularFile
    }

    /// Bytes that are kept of a file without random access: pipes and devices may have no end.
    public static let longestStream = 1 << 28

    /// The bytes of a file, to be read piece by piece: a regular file keeps its descriptor open and takes no memory.
    /// Anything without random access, such as a pipe, is read into memory, and so is a file whose reported size is 0.
    /// `name`: its name in errors, where that is not the path.
    public static func bytes(of path: String, named name: String? = nil) throws(TraceError) -> TraceBytes {
        let descriptor = try opened(path, O_RDONLY | O_CLOEXEC, 0)
        var status = stat()
        if fstat(descriptor, &status) == 0, status.isRegularFile, status.st_size > 0 {
            return TraceBytes(descriptor: descriptor, count: Int(clamping: status.st_size), file: name ?? path)
        }
        defer { close(descriptor) }
        return try readAll(descriptor, name ?? path)
    }

    /// The same for an open descriptor, which stays open; `nil` unless it is a regular file that nothing was read of.
    public static func bytes(ofDescriptor descriptor: Int32, named name: String) -> TraceBytes? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.isRegularFile, status.st_size > 0,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return own >= 0 ? TraceBytes(descriptor: own, count: Int(clamping: status.st_size), file: name) : nil
    }

    /// The bytes of a file, however long, in memory; with a `limit`, no more than so many. `name`: as in `bytes`.
    public static func read(
        _ path: String, named name: String? = nil, atMost limit: Int? = nil
    ) throws(TraceError) -> TraceBytes {
        let descriptor = try opened(path, O_RDONLY | O_CLOEXEC, 0)
        defer { close(descriptor) }
        return try readAll(descriptor, name ?? path, atMost: limit)
    }

    /// Everything up to the end of an open descriptor, which stays open. `path`: its name in errors.
    package static func readAll(
        _ descriptor: Int32, _ path: String, atMost limit: Int? = nil
    ) throws(TraceError) -> TraceBytes {
        var status = stat()
        // The size is a hint only: files grow, and devices and pipes have none.
        let size = fstat(descriptor, &status) == 0 && status.isRegularFile ? Int(clamping: status.st_size) : 0
        let limit = limit ?? max(size, longestStream)
        var room = min(max(size, 1 << 16), limit) + 1
        guard var memory = malloc(room) else { throw failure(path, "room in memory for \(room) bytes", ENOMEM) }
        var filled = 0
        var wrong: TraceError?
        while wrong == nil {
            let count = DescriptorCalls.fill(
                UnsafeMutableRawBufferPointer(start: memory + filled, count: room - filled), from: descriptor)
            if count == 0 { break }
            filled += max(0, count)
            if count < 0 {
                wrong = failure(path, "a readable file", errno)
            } else if filled > limit {
                wrong = TraceError(.file, expected: "at most \(limit) bytes", found: "more")
                wrong?.file = path
            } else if filled == room {
                // Grows in place where it can: a copy would be held beside what it is made of.
                room = min(2 * room, limit + 1)
                guard let larger = realloc(memory, room) else {
                    wrong = failure(path, "room in memory for \(room) bytes", ENOMEM)
                    break
                }
                memory = larger
            }
        }
        if let wrong {
            free(memory)
            throw wrong
        }
        let whole = memory
        return TraceBytes(UnsafeRawBufferPointer(start: whole, count: filled), file: path) { free(whole) }
    }

    static func opened(_ path: String, _ flags: Int32, _ mode: mode_t) throws(TraceError) -> Int32 {
        while true {
            let descriptor = open(path, flags, mode)
            if descriptor >= 0 { return descriptor }
            let code = errno
            if code != EINTR { throw failure(path, flags & O_CREAT == 0 ? "a readable file" : "a new file", code) }
        }
    }

    /// `found`: the system's description of the code, unless given.
    static func failure(_ path: String, _ expected: String, _ code: Int32, found: String? = nil) -> TraceError {
        var error = TraceError(.file, expected: expected, found: found ?? DescriptorCalls.words(code))
        error.file = path
        error.systemError = code
        return error
    }

    /// Refuses directories that everyone may write to and that are not sticky: others could swap the file.
    static func checkDirectory(of path: String) throws(TraceError) -> String {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(directory, &status) == 0 else { throw failure(directory, "a directory", errno) }
        if status.st_mode & S_IWOTH != 0, status.st_mode & S_ISVTX == 0 {
            throw failure(
                directory, "a directory that not everybody may write to", EACCES,
                found: "a world-writable one that is not sticky")
        }
        return directory
    }
}

/// A file being written: a result that appears under its name when it is whole, or a recording that is there from
/// the start. Unless `publish` was reached, a result's temporary is removed.
public final class TraceFileOutput {
    public let path: String
    private var descriptor: Int32
    /// Path of a result until it is published; `nil` for a recording.
    public private(set) var temporary: String?
    private let replacing: TraceFile.Replacing

    /// A result: nothing is at `path` until `publish`.
    public init(publishingTo path: String, replacing: TraceFile.Replacing = .nothing) throws(TraceError) {
        self.path = path
        self.replacing = replacing
        let directory = try TraceFile.checkDirectory(of: path)
        try TraceFile.checkIsFree(path, but: replacing, advice: " (--force replaces it)")
        let name = path.split(separator: "/").last.map(String.init) ?? "trace"
        // O_EXCL decides between processes that write to the same target; the number only has to be free.
        var attempt = 0
        while true {
            let candidate = "\(directory)/.\(name).\(getpid())-\(attempt).tmp"
            do {
                descriptor = try TraceFile.opened(
                    candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
                temporary = candidate
                return
            } catch {
                attempt += 1
                guard error.systemError == EEXIST, attempt < 1000 else {
                    // The error names the requested path, not the temporary.
                    var error = error
                    error.file = path
                    throw error
                }
            }
        }
    }

    /// A recording: the file is created now, must not exist, and is appended to.
    public init(recordingTo path: String) throws(TraceError) {
        self.path = path
        replacing = .nothing
        _ = try TraceFile.checkDirectory(of: path)
        descriptor = try TraceFile.opened(
            path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0o600)
    }

    /// Takes over an open descriptor.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
        replacing = .nothing
    }

    deinit { discard() }

    /// Writes all bytes or throws. Bytes that do not fit are removed again, where the file can be cut back: what was
    /// written before is whole, and the next write begins where this one did.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = DescriptorCalls.append(rest, to: descriptor)
            guard count > 0 else {
                let code = count < 0 ? errno : ENOSPC
                if rest.count < bytes.count { cutBack(bytes.count - rest.count) }
                throw TraceFile.failure(path, "room for \(rest.count) more bytes", code)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Removes the last bytes. A file without a size, such as a pipe, keeps them.
    private func cutBack(_ count: Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.isRegularFile,
            status.st_size >= off_t(count), ftruncate(descriptor, status.st_size - off_t(count)) == 0
        else { return }
        lseek(descriptor, status.st_size - off_t(count), SEEK_SET)
    }

    public func write(_ text: String) throws(TraceError) {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(TraceError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Closes the file; a result now appears at its path, whole. `isDurable`: the bytes are forced to the disk
    /// before the name is, so that a power cut leaves the old or the new file.
    public func publish(isDurable: Bool = false) throws(TraceError) {
        if isDurable, fsync(descriptor) != 0 { throw TraceFile.failure(path, "a disk that takes it", errno) }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw TraceFile.failure(path, "a disk that takes it", errno) }
        guard let temporary else { return }
        switch replacing {
        case .nothing:
            try TraceFile.takeFreeName(temporary, as: path)
        case .regularFile:
            try TraceFile.checkIsFree(path, but: replacing)
            guard rename(temporary, path) == 0 else { throw TraceFile.failure(path, "a regular file", errno) }
        }
        self.temporary = nil
    }

    /// Discards a result; a recording keeps its bytes.
    public func discard() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        if let temporary { unlink(temporary) }
        temporary = nil
    }
}
