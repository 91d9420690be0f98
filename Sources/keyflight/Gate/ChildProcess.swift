import Foundation

/// A command of the user's, run by the shell.
struct ChildProcess {
    var status: Int32
    /// What it printed, its last 64 KiB.
    var output: String
    var errors: String

    /// Runs a command with more in its environment. Its streams go to files, so that no pipe can fill up.
    init(shell command: String, environment: [String: String] = [:]) throws {
        try self.init("/bin/sh", ["-c", command], environment: environment)
    }

    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (out, err) = (folder.path + "/out", folder.path + "/err")
        for file in [out, err] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle(forWritingAtPath: out)
        process.standardError = FileHandle(forWritingAtPath: err)
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch {
            throw Failure(.notRunnable, "\(program): run: expected a program, found \(error.localizedDescription)")
        }
        process.waitUntilExit()
        // By a signal: as the shell tells it.
        let isSignalled = process.terminationReason == .uncaughtSignal
        status = process.terminationStatus + (isSignalled ? 128 : 0)
        output = ChildProcess.tail(out)
        errors = ChildProcess.tail(err)
    }

    private static func tail(_ path: String) -> String {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data.suffix(64 << 10), as: UTF8.self)
    }

    /// The last line that says something, for a message.
    var lastLine: String {
        (errors.isEmpty ? output : errors).split(separator: "\n").last.map(String.init) ?? "nothing printed"
    }
}

/// A folder of this run's own, which only its user may look into.
struct TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "keyflight-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(.unwritable, "\(path): make a folder: expected room for one, found \(error)")
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension [UInt8] {
    /// Puts the bytes into a file, in one step.
    func write(to path: String) throws {
        do { try Data(self).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Failure(.unwritable, "\(path): write: expected room for \(count) bytes, found \(error)")
        }
    }
}
