import Foundation
import Libc

/// One run of the built program at a terminal of its own: a pseudo-terminal with a size.
struct TerminalRun {
    var status: Int32
    /// What the terminal was sent: output and notes.
    var shown: String

    /// Without the lines of progress, which come on a busy machine and are taken away.
    var printed: String { shown.replacing(/\r[^\r\n]*\u{1B}\[K/, with: "") }

    /// Runs a line of shell in which `$keyflight` is the program. `typing` is typed as soon as something is shown.
    init(
        shell line: String, columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:],
        typing: String = ""
    ) throws {
        let (process, terminal) = try TerminalRun.start(
            ["/bin/sh", "-c", line], columns: columns, rows: rows, environment: environment)
        var bytes: [UInt8] = []
        var left = typing
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(terminal, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
            if !left.isEmpty {
                _ = left.withCString { write(terminal, $0, strlen($0)) }
                left = ""
            }
        }
        process.waitUntilExit()
        close(terminal)
        status = process.terminationStatus
        shown = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Starts a shell at a pseudo-terminal, whose descriptor is returned with it; `$keyflight` is the program.
    static func start(
        _ shell: [String], columns: UInt16, rows: UInt16, environment: [String: String]
    ) throws -> (Process, terminal: Int32) {
        var (terminal, inside): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&terminal, &inside, nil, nil, &size) == 0 else { throw CocoaError(.fileReadUnknown) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        // A session of its own, so that its terminal is this one.
        process.arguments = ["--ctty", "--wait"] + shell
        process.environment = ["keyflight": ProgramRun.path, "PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(
            environment) { $1 }
        let handle = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
        (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
        try process.run()
        try handle.close()
        return (process, terminal)
    }
}
