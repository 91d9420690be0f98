import Foundation
import Libc
import TraceFormat

/// A command of the user's, run by the shell in a process group of its own.
///
/// It is over when its first process is: what that left behind in the background runs on. When keyflight is
/// interrupted, or the command takes too long, the whole group is ended.
struct ChildProcess {
    /// What a command may take where no option says it.
    static let seconds = 600

    /// Exit status; after a signal 128 and its number, as in the shell.
    var status: Int32 = 0
    /// It was ended because it took too long.
    var isTimedOut = false
    /// What it printed, its last 64 KiB unless more is asked for.
    var output = ""
    var errors = ""

    /// Runs a command with more in its environment, for so many seconds at most.
    ///
    /// - Throws: a `Failure` when it cannot be run, `Stopped` when keyflight is interrupted meanwhile.
    init(shell command: String, environment: [String: String] = [:], seconds: Int = seconds) throws {
        try self.init("/bin/sh", ["-c", command], environment: environment, seconds: seconds)
    }

    /// - Parameters:
    ///   - limit: Of what is kept of each stream, in bytes.
    ///   - follow: Takes the lines of standard error while it runs.
    init(
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
        #if canImport(Darwin)
            var (files, attributes) = (nil as posix_spawn_file_actions_t?, nil as posix_spawnattr_t?)
        #else
            var (files, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&files, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // This program ignores SIGPIPE, which a command of the user's must not inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup($0) } + [nil]
        defer { for word in words + settings { free(word) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, &files, &attributes, &words, &settings)
        guard error == 0 else {
            let reason = String(cString: strerror(error))
            throw Failure(.notRunnable, "\(program): run: expected a program, found \(reason)")
        }
        return process
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
                let reason = String(cString: strerror(errno))
                throw Failure(.notRunnable, "process \(process): wait: expected its end, found \(reason)")
            }
            if Interruption.notedSignal != nil || ContinuousClock.now >= end {
                ChildProcess.end(process)
                guard Interruption.notedSignal == nil else { throw Stopped(status: .interrupted) }
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

    private static func tail(_ path: String, _ limit: Int) -> String {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data.suffix(limit), as: UTF8.self)
    }

    /// The last line that says something, for a message.
    var lastLine: String {
        (errors.isEmpty ? output : errors).split(separator: "\n").last.map(String.init) ?? "nothing printed"
    }
}

/// The lines of a file that somebody else is writing.
private struct GrowingLines {
    private let file: FileHandle?
    private let hand: (String) -> Void
    private var rest = Data()

    init(_ path: String, _ hand: @escaping (String) -> Void) {
        file = FileHandle(forReadingAtPath: path)
        self.hand = hand
    }

    /// Hands over what is whole by now.
    mutating func read() {
        guard let more = try? file?.readToEnd(), !more.isEmpty else { return }
        rest += more
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            hand(String(decoding: rest[..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
        }
    }

    mutating func finish() {
        read()
        if !rest.isEmpty { hand(String(decoding: rest, as: UTF8.self)) }
        try? file?.close()
    }
}

/// A folder of this run's own, which only its user may look into. As long as there is one, signals are only noted, so
/// that it is removed before the program ends.
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
        Interruption.beginNoting()
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        Interruption.endNoting()
    }

    /// Puts what `body` writes into a file of the folder, in the place of one that is there.
    /// - Returns: The number of bytes.
    @discardableResult
    func write(_ name: String, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws -> Int {
        func writing<R>(_ step: () throws(TraceError) -> R) throws -> R {
            do throws(TraceError) { return try step() } catch { throw Failure(writing: error) }
        }
        let file = try writing { () throws(TraceError) in
            try TraceFileOutput(publishingTo: "\(path)/\(name)", replacing: .regularFile)
        }
        var count = 0
        try body { bytes in
            try writing { () throws(TraceError) in try file.write(bytes) }
            count += bytes.count
        }
        try writing { () throws(TraceError) in try file.publish() }
        return count
    }
}

extension [UInt8] {
    /// Puts the bytes into a file, in one step.
    func write(to path: String) throws {
        do { try Data(self).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Failure(.unwritable, "\(path): write: expected room for \(count) bytes, found \(error)")
        }
    }
}
