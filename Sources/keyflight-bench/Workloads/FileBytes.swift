import Libc
import RegressionGate
import SystemPackage
import TraceFormat

/// Whole files in and out.
enum FileBytes {
    static func contents(of path: String) throws -> [UInt8] {
        try TraceFile.read(path).withBytes { Array($0) }
    }

    static func store(_ bytes: [UInt8], at path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        _ = try file.closeAfter { try file.writeAll(bytes) }
    }
}

/// A folder for this process's inputs that is gone when its owner is.
final class InputFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a folder in it.
    func makeFolder(_ name: String) throws -> String {
        let full = path + "/" + name
        guard mkdir(full, 0o700) == 0 else { throw Errno(rawValue: errno) }
        return full
    }

    deinit { folder.remove() }
}

enum StandardStreams {
    /// Output into a closed pipe is no failure of the measurement.
    static func print(_ text: String) { _ = try? FileDescriptor.standardOutput.writeAll(text.utf8) }
    static func note(_ text: String) { _ = try? FileDescriptor.standardError.writeAll((text + "\n").utf8) }
    static func end(with code: Int32) -> Never { exit(code) }
}
