import Libc
import RegressionGate
import Scenes
import SystemPackage
import TraceFormat

/// Whole files as bytes.
enum ByteFile {
    /// Bytes that are held of what cannot be read piece by piece: a device or a pipe may have no end.
    static let longest = TraceFile.longestStream

    /// The bytes of a file. The status distinguishes missing and unreadable files from forbidden ones.
    static func read(_ path: String) throws -> [UInt8] { try read(path, atMost: longest) }

    /// The bytes of a scene, which is refused while it is read when it is longer than a scene may be.
    static func readScene(_ path: String) throws -> [UInt8] { try read(path, atMost: Scene.maximumBytes) }

    /// The bytes of a file that a scene names. They come with a repository of others: a pipe could keep the
    /// reader waiting for ever, and what a scene needs is no longer than a scene.
    static func readNamed(_ path: String) throws -> [UInt8] { try readRegular(path, atMost: Scene.maximumBytes) }

    /// The bytes of a file that is added to; none where there is no file yet. One that cannot be read is not empty.
    static func readPresent(_ path: String) throws -> [UInt8] {
        Files.exists(path) ? try readRegular(path, atMost: longest) : []
    }

    private static func readRegular(_ path: String, atMost limit: Int) throws -> [UInt8] {
        do {
            guard let bytes = try beginning(of: path, atMost: limit + 1) else {
                throw Failure(.unreadable, "\(GivenName.of(path)): open: expected a regular file, found another one")
            }
            guard bytes.count <= limit else {
                throw Failure(
                    .unreadable, "\(GivenName.of(path)): content: expected at most \(limit) bytes, found more")
            }
            return bytes
        } catch let error as Errno {
            throw failure(error, path)
        }
    }

    private static func read(_ path: String, atMost limit: Int) throws -> [UInt8] {
        do {
            return try TraceFile.read(path, named: GivenName.of(path), atMost: limit).withBytes { Array($0) }
        } catch {
            throw refusal(error, GivenName.of(path))
        }
    }

    /// The bytes of a file, to be read piece by piece where it is a regular one.
    static func open(_ path: String) throws -> TraceBytes {
        do {
            return try TraceFile.bytes(of: path, named: GivenName.of(path))
        } catch {
            throw error.systemError.map { failure(Errno(rawValue: $0), path) } ?? Failure(reading: error)
        }
    }

    /// Everything up to the end.
    static func readAll(_ descriptor: FileDescriptor, named name: String) throws -> [UInt8] {
        do {
            return try TraceFile.readAll(descriptor.rawValue, name, atMost: longest).withBytes { Array($0) }
        } catch {
            throw refusal(error, name)
        }
    }

    private static func refusal(_ error: TraceError, _ name: String) -> Failure {
        error.systemError.map { failure(Errno(rawValue: $0), name) }
            ?? Failure(.unreadable, "\(name): content: expected \(error.expected), found \(error.found)")
    }

    /// At most so many bytes from the beginning of a regular file. `nil` for anything else: a pipe or a device could
    /// keep the reader waiting for ever.
    ///
    /// - Throws: `Errno`; `.isDirectory` for a folder.
    static func beginning(of path: String, atMost limit: Int) throws -> [UInt8]? {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
        return try descriptor.closeAfter {
            var status = stat()
            guard fstat(descriptor.rawValue, &status) == 0, !status.isFolder else { throw Errno.isDirectory }
            guard status.isRegularFile else { return nil }
            var bytes = [UInt8](repeating: 0, count: min(limit, Int(clamping: status.st_size)))
            let count = try bytes.withUnsafeMutableBytes { buffer in
                var count = 0
                while case let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), !rest.isEmpty {
                    let got = try descriptor.read(into: rest)
                    guard got > 0 else { break }
                    count += got
                }
                return count
            }
            return Array(bytes[..<count])
        }
    }

    /// The failure of a file that cannot be read, with the status for it.
    static func failure(_ error: Errno, _ path: String) -> Failure {
        let path = GivenName.of(path)
        if error == .isDirectory { return Failure(.unreadable, "\(path): is a folder; name a file") }
        let isForbidden = error == .permissionDenied || error == .notPermitted
        return Failure(
            isForbidden ? .forbidden : .unreadable, "\(path): open: expected a readable file, found \(error)")
    }
}

extension [UInt8] {
    /// Puts the bytes into a file, in one step. A link, a pipe or a device is not replaced.
    func write(to path: String) throws {
        try write(path) { try Files.write(self, to: path) }
    }

    /// Adds the bytes to the end of a file, in one step: of two processes, each adds its own.
    func append(to path: String) throws {
        try write(path) {
            let descriptor = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try descriptor.closeAfter { _ = try descriptor.writeAll(self) }
        }
    }

    private func write(_ path: String, _ body: () throws -> Void) throws {
        var status = stat()
        guard lstat(path, &status) != 0 || status.isRegularFile else {
            let found = "write: expected a regular file or none, found another one"
            throw Failure(.unwritable, "\(path): \(status.isFolder ? "is a folder; name a file" : found)")
        }
        do { try body() } catch {
            throw Failure(
                .unwritable, "\(path): write: expected a place for \(count) bytes, found \(error)")
        }
    }
}
