import SystemPackage
import TraceFormat

/// Whole files as bytes.
enum ByteFile {
    /// The bytes of a file. Missing and unreadable files are told apart from forbidden ones by the status.
    static func read(_ path: String) throws -> [UInt8] {
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
            return try descriptor.closeAfter {
                let size = (try? descriptor.seek(offset: 0, from: .end)) ?? 0
                _ = try? descriptor.seek(offset: 0, from: .start)
                return try readAll(descriptor, named: path, sizeHint: Int(clamping: size))
            }
        } catch let error as Errno {
            throw failure(error, path)
        }
    }

    /// The bytes of a file, to be read piece by piece where it is a regular one.
    static func open(_ path: String) throws -> TraceBytes {
        do {
            return try TraceFile.bytes(of: path)
        } catch {
            throw failure(Errno(rawValue: error.systemError ?? 0), path)
        }
    }

    /// Everything up to the end. Memory grows with what arrives; the hint only saves copies.
    static func readAll(_ descriptor: FileDescriptor, named name: String, sizeHint: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(sizeHint, 1 << 30) + 1)
        do {
            while true {
                let room = max(65_536, min(bytes.capacity - bytes.count, 16 << 20))
                let chunk = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if chunk.isEmpty { return bytes }
                bytes.append(contentsOf: chunk)
            }
        } catch let error as Errno {
            throw failure(error, name)
        }
    }

    /// Why a file cannot be read, and the status for it.
    static func failure(_ error: Errno, _ path: String) -> Failure {
        let isForbidden = error == .permissionDenied || error == .notPermitted
        return Failure(
            isForbidden ? .forbidden : .unreadable, "\(path): open: expected a readable file, found \(error)")
    }
}
