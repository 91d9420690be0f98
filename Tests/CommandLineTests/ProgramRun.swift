import Foundation

/// One run of the built program as a process of its own, for what only a process shows: signals, pipes, terminals.
struct ProgramRun {
    /// The program that stands beside the running tests.
    static let path: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? ""
        var folder = URL(filePath: CommandLine.arguments.first ?? tests).deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = folder.appending(path: "keyflight").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return "keyflight"
    }()

    /// The folder of built programs and libraries.
    static let products = URL(filePath: path).deletingLastPathComponent().path

    @Sendable static func hasRecorderLibrary() -> Bool {
        FileManager.default.fileExists(atPath: products + "/libKeyflightRecorderC.so")
    }

    var status: Int32
    var wasSignalled: Bool
    var output: String
    var notes: String

    /// Runs a line of shell in which `$keyflight` is the program.
    init(shell line: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = ["keyflight": ProgramRun.path, "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        let notes = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = notes
        try process.run()
        // What goes to standard error here is short, so reading the two one after the other cannot block.
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.notes = String(decoding: notes.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
        wasSignalled = process.terminationReason == .uncaughtSignal
    }

    /// Takes no thread of the tests' pool, which has one per processor: for programs that sleep.
    init(asleep line: String) async throws {
        self = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try ProgramRun(shell: line) }) }
        }
    }
}
