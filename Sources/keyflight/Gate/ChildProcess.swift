import Foundation
import Libc

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
    /// What it printed, its last 64 KiB.
    var output = ""
    var errors = ""

    /// Runs a command with more in its environment, for so many seconds at most.
    ///
    /// - Throws: a `Failure` when it cannot be run, `Stopped` when keyflight is interrupted meanwhile.
    init(shell command: String, environment: [String: String] = [:], seconds: Int = seconds) throws {
        try self.init("/bin/sh", ["-c", command], environment: environment, seconds: seconds)
    }

    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], seconds: Int = seconds
    ) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Its streams go to files, so that no pipe can fill up.
        let (out, err) = (folder.path + "/out", folder.path + "/err")
        let process = try ChildProcess.start(program, arguments, environment, out, err)
        try wait(for: process, seconds: seconds)
        output = ChildProcess.tail(out)
        errors = ChildProcess.tail(err)
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
    private mutating func wait(for process: pid_t, seconds: Int) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var pause: UInt32 = 500
        while true {
            var state: Int32 = 0
            let ended = waitpid(process, &state, WNOHANG)
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

    private static func tail(_ path: String) -> String {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data.suffix(64 << 10), as: UTF8.self)
    }

    /// The last line that says something, for a message.
    var lastLine: String {
        (errors.isEmpty ? output : errors).split(separator: "\n").last.map(String.init) ?? "nothing printed"
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
}

extension [UInt8] {
    /// Puts the bytes into a file, in one step.
    func write(to path: String) throws {
        do { try Data(self).write(to: URL(filePath: path), options: .atomic) } catch {
            throw Failure(.unwritable, "\(path): write: expected room for \(count) bytes, found \(error)")
        }
    }
}
