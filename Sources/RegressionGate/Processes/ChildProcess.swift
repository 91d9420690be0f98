import Libc

/// A command, run in a process group of its own: one of the user's by the shell, or a program by its path or its name
/// in PATH.
///
/// It is over when its first process is: what that left behind in the background runs on. When this program is
/// interrupted, or the command takes too long, the whole group is ended.
package struct ChildProcess {
    /// Default limit of a command's time, in seconds.
    package static let seconds = 600

    /// Exit status; after a signal 128 and its number, as in the shell.
    package private(set) var status: Int32 = 0
    /// True if it was ended because it took too long.
    package private(set) var isTimedOut = false
    /// Output of the command, its last 64 KiB by default.
    package private(set) var output = ""
    package private(set) var errors = ""

    /// Runs a command with additions to its environment, for `seconds` at most.
    ///
    /// - Throws: a `VerdictError` when it cannot be run, `Interrupted` when this program is interrupted meanwhile.
    package init(shell command: String, environment: [String: String] = [:], seconds: Int = seconds) throws {
        try self.init("/bin/sh", ["-c", command], environment: environment, seconds: seconds)
    }

    /// - Parameters:
    ///   - limit: Of what is kept of each stream, in bytes.
    ///   - follow: Takes the lines of standard error while it runs.
    /// - Throws: a `VerdictError` when it cannot be run, `Interrupted` when this program is interrupted meanwhile.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], seconds: Int = seconds,
        limit: Int = 64 << 10, follow: ((String) -> Void)? = nil
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Its streams go to files, so that no pipe can fill up.
        let (out, err) = (folder.path + "/out", folder.path + "/err")
        let process = try ChildProcess.start(program, arguments, environment, out, err)
        var lines = follow.map { GrowingLines(err, $0) }
        try wait(for: process, seconds: seconds) { lines?.read() }
        lines?.finish()
        output = ChildProcess.tail(out, limit)
        errors = ChildProcess.tail(err, limit)
    }

    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ out: String, _ err: String
    ) throws -> pid_t {
        var spawn = Spawn()
        spawn.environment = environmentVariables.merging(environment) { $1 }
        spawn.leadsGroup = true
        spawn.files = [
            (0, "/dev/null", O_RDONLY), (1, out, O_WRONLY | O_CREAT | O_TRUNC), (2, err, O_WRONLY | O_CREAT | O_TRUNC),
        ]
        do { return try spawn.start([program] + arguments) } catch {
            throw VerdictError(.notRunnable, program, "run", expected: "a program", found: "\(error)")
        }
    }

    /// Looks more and more rarely whether the process has ended: a signal to this program must be seen too.
    private mutating func wait(for process: pid_t, seconds: Int, meanwhile: () -> Void) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var pause: UInt32 = 500
        while true {
            var state: Int32 = 0
            let ended = waitpid(process, &state, WNOHANG)
            meanwhile()
            if ended == process {
                let signal = state & 0x7F
                status = signal == 0 ? state >> 8 & 0xFF : 128 + signal
                return
            }
            guard ended == 0 || errno == EINTR else {
                throw VerdictError(
                    .notRunnable, "process \(process)", "wait", expected: "its end",
                    found: String(cString: strerror(errno)))
            }
            if NotedSignals.first != nil || ContinuousClock.now >= end {
                ChildProcess.end(process)
                guard NotedSignals.first == nil else { throw Interrupted() }
                (isTimedOut, status) = (true, 128 + SIGTERM)
                return
            }
            usleep(pause)
            pause = min(2 * pause, 20_000)
        }
    }

    /// Ends a process and all of its group; one that does not listen within a second is killed.
    private static func end(_ process: pid_t) {
        kill(-process, SIGTERM)
        var state: Int32 = 0
        for _ in 0..<100 where waitpid(process, &state, WNOHANG) == 0 { usleep(10_000) }
        kill(-process, SIGKILL)
        waitpid(process, &state, 0)
    }

    /// The end of a file, which may be as long as the disk has room for.
    private static func tail(_ path: String, _ limit: Int) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let length = lseek(file, 0, SEEK_END)
        lseek(file, max(0, length - off_t(limit)), SEEK_SET)
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        // What is left in the background may go on writing.
        while bytes.count < limit {
            let count = read(file, &piece, min(piece.count, limit - bytes.count))
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The last line that is not empty, for a message.
    package var lastLine: String {
        (errors.isEmpty ? output : errors).split(separator: "\n").last.map(String.init) ?? "nothing printed"
    }
}

/// This program received a signal to end.
package struct Interrupted: Error {}

/// The lines of a file that another process is writing.
private struct GrowingLines {
    private let file: Int32
    private let hand: (String) -> Void
    private var rest: [UInt8] = []
    /// Of a longer line the end is passed on.
    private static let longest = 1 << 16

    init(_ path: String, _ hand: @escaping (String) -> Void) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        self.hand = hand
    }

    /// Passes on complete lines.
    mutating func read() {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Libc.read(file, &piece, piece.count)
            guard count > 0 else { return }
            var lines = (rest + piece[..<count]).split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = lines.popLast().map { Array($0.suffix(GrowingLines.longest)) } ?? []
            for line in lines { hand(String(decoding: line, as: UTF8.self)) }
        }
    }

    mutating func finish() {
        read()
        if !rest.isEmpty { hand(String(decoding: rest, as: UTF8.self)) }
        close(file)
    }
}
