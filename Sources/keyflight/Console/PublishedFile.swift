import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a file whole or not at all: a temporary beside the target, readable by its owner only, published without
/// replacing anything unless asked.
struct PublishedFile {
    var path: String
    /// Replace a regular file that is already there.
    var replaces: Bool

    /// Refuses what would only fail after all the work: a target that exists, a folder that is missing or open
    /// to everybody.
    func check() throws {
        let folder = self.folder
        guard let mode = PublishedFile.mode(folder), mode & S_IFMT == S_IFDIR else {
            throw Failure(.notPermitted, "\(path): folder: expected the existing folder \(folder), found none")
        }
        if mode & S_IWOTH != 0, mode & S_ISVTX == 0 {
            throw Failure(
                .notPermitted,
                "\(path): folder: expected one that others cannot write to, found \(folder) world-writable; "
                    + "chmod o-w it")
        }
        guard let found = PublishedFile.mode(path) else { return }
        if found & S_IFMT != S_IFREG {
            throw Failure(.usage, "\(path): output: expected a new file or a regular one, found another kind of file")
        }
        if !replaces { throw exists }
    }

    func write(_ bytes: [UInt8]) throws {
        try check()
        let temporary = "\(folder)/.\(FilePath(path).lastComponent?.string ?? "trace").\(getpid()).tmp"
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(temporary), .writeOnly, options: [.create, .exclusiveCreate, .noFollow],
                permissions: [.ownerReadWrite])
            Interruption.fileToRemove(temporary)
            defer {
                unlink(temporary)
                Interruption.fileToRemove(nil)
            }
            try descriptor.closeAfter {
                _ = try descriptor.writeAll(bytes)
                if fsync(descriptor.rawValue) != 0 { throw Errno(rawValue: errno) }
            }
            try publish(temporary)
        } catch let error as Errno {
            throw Failure(.notPermitted, "\(path): write: expected a new file in \(folder), found \(error)")
        }
    }

    private func publish(_ temporary: String) throws {
        if replaces {
            if rename(temporary, path) != 0 { throw Errno(rawValue: errno) }
        } else if link(temporary, path) != 0 {
            if errno == EEXIST { throw exists }
            throw Errno(rawValue: errno)
        }
    }

    private var exists: Failure {
        Failure(.usage, "\(path): output: expected a path that is free, found a file; --force replaces it")
    }

    private var folder: String {
        let parent = FilePath(path).removingLastComponent().string
        return parent.isEmpty ? "." : parent
    }

    /// Type and permissions, not following a link; `nil` when there is nothing.
    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }
}
