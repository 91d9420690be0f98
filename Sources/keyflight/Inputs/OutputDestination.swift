import ArgumentParser
import KeyModel
import Libc
import RegressionGate
import SystemPackage
import TraceFormat

/// The destination of a trace, or a text: a file that appears whole or not at all, or standard output.
struct OutputDestination {
    /// `-` is standard output.
    var path: String
    /// Replaces a regular file that is there.
    var replaces: Bool
    /// Text may be shown in a terminal.
    var isText = false
    /// Files that are read, and of which the output is no other version: it never takes the place of one of them.
    var inputs: [String] = []

    /// Hands `body` a sink for the bytes. What `body` wrote is published unless it throws, or `isKept` refuses its
    /// result.
    @discardableResult
    func write<Result>(
        _ console: Console, if isKept: (Result) -> Bool = { _ in true },
        _ body: (@escaping TraceWriter.Sink) throws -> Result
    ) throws -> Result {
        if path == "-" {
            if !isText { try console.refuseTerminal("a trace") }
            return try body { try console.output.write($0) }
        }
        return try publish(to: path, replacing: replaces, if: isKept) { file in
            try body { bytes in try Failure.writing { try file.write(bytes) } }
        }
    }

    /// Writes a file of the folder at `path`, which is made where it is not there.
    func writeFile(
        named name: String, _ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Void
    ) throws {
        try? Files.makeFolder(path)
        try OutputDestination(path: "\(path)/\(name)", replaces: replaces, inputs: inputs).write(console, body)
    }

    /// Hands `body` a file that appears at `path` once it is whole, unless `body` throws or `isKept` refuses its
    /// result.
    private func publish<Result>(
        to path: String, replacing: Bool, if isKept: (Result) -> Bool, _ body: (TraceFileOutput) throws -> Result
    ) throws -> Result {
        try checkInputs()
        let file = try Failure.writing {
            try TraceFileOutput(publishingTo: path, replacing: replacing ? .regularFile : .nothing)
        }
        Interruption.fileToRemove(file.temporary)
        defer {
            file.discard()
            Interruption.fileToRemove(nil)
        }
        let result = try body(file)
        guard isKept(result) else { return result }
        try Failure.writing { try file.publish(isDurable: true) }
        return result
    }

    /// - Throws: a `Failure` where the output would take the place of an input that it is no other version of.
    func checkInputs() throws {
        var output = stat()
        guard path != "-", stat(path, &output) == 0 else { return }
        for input in inputs where input != "-" {
            var status = stat()
            guard stat(input, &status) == 0, status.st_dev == output.st_dev, status.st_ino == output.st_ino else {
                continue
            }
            throw Failure(.usage, "\(path): is the input, which the output cannot take the place of; name another file")
        }
    }

    /// Refuses the value of an option that names no file or folder: an empty one, and `-` where that is none.
    static func check(
        _ path: String?, _ option: String = "-o", _ noun: String = "file", takesStream: Bool = true
    ) throws {
        if let path, GivenName.unwritable.contains(path) {
            throw ValidationError("Name a \(noun) with \(option) in UTF-8: \(VisibleText.escaped(path)) is not.")
        }
        if path == "" { throw ValidationError("Name a \(noun) with \(option).") }
        if path == "-", !takesStream {
            throw ValidationError("Name a \(noun) with \(option): it does not go to standard output.")
        }
    }

    /// The same for what others make at a path: hands `body` that of an empty file, which is published then. For
    /// standard output the file is made among temporary ones, and copied.
    func writeFile(_ console: Console, _ body: (String) throws -> Void) throws {
        let isStream = path == "-"
        if isStream { try console.refuseTerminal("a database") }
        let place = isStream ? "\(TemporaryFolder.parent)/keyflight-export" : path
        try publish(to: place, replacing: replaces || isStream, if: { !isStream }) { file in
            guard let temporary = file.temporary else { return }
            try body(temporary)
            if isStream { try OutputDestination.copy(temporary, to: console) }
        }
    }

    private static func copy(_ path: String, to console: Console) throws {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
        try descriptor.closeAfter {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = try buffer.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
                try console.output.write(buffer[..<count])
            }
        }
    }
}
