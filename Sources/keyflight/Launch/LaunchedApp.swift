import KeyModel
import Libc
import RegressionGate

/// An app that was started with this program's streams, and with the adapter in it and in nothing that it starts.
class LaunchedApp {
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
        /// The recording has ended, and the app goes on.
        case detached
        /// That of an app which is another process's.
        case unknown
    }

    let process: pid_t
    var end: End?
    var isAttached: Bool { false }

    /// A process that this program did not start.
    init(running process: pid_t) { self.process = process }

    /// - Throws: a `Failure` where the app cannot be started.
    init(_ program: String, _ arguments: [String], library: AdapterLibrary, environment: [String: String]) throws {
        // Only the process itself knows its number before its program begins. The library is for the app alone, and not
        // for the shell.
        let script = """
            export \(AdapterVariable.process)=$$ \(AdapterLibrary.loaderVariable)="$1"; shift; exec "$@"
            """
        var inherited = environmentVariables
        // Of an adapter around this program: what is typed here may be in clear there.
        for name in AdapterVariable.ofOneLaunch { inherited[name] = nil }
        let others = inherited[AdapterLibrary.loaderVariable].flatMap { $0.isEmpty ? nil : ":" + $0 } ?? ""
        let words = ["/bin/sh", "-c", script, "sh", library.path + others, program] + arguments
        process = try LaunchedApp.start(words, inherited.merging(environment) { $1 })
    }

    private static func start(_ words: [String], _ environment: [String: String]) throws -> pid_t {
        var spawn = Spawn()
        spawn.environment = environment
        // This program's treatment of signals is not the app's.
        spawn.defaultSignals = [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGURG]
        // A program that started this one may have left it ignored: the system would take the app's status.
        signal(SIGCHLD, SIG_DFL)
        do { return try spawn.start(words) } catch {
            throw Failure(.notLaunchable, "\(words[0]): run: expected a program, found \(error)")
        }
    }

    /// True when it has ended by now.
    func hasEnded() -> Bool {
        guard end == nil else { return true }
        var state: Int32 = 0
        guard waitpid(process, &state, WNOHANG) == process else { return false }
        let signal = state & 0x7F
        end = signal == 0 ? .status(state >> 8 & 0xFF) : .signal(signal)
        return true
    }

    func send(_ signal: Int32) { if end == nil { kill(process, signal) } }

    /// The number of the first process that it has started and that has not ended.
    var child: String? {
        (try? ByteFile.read("/proc/\(process)/task/\(process)/children"))
            .flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").first.map(String.init) }
    }

    /// An adapter that is up gets a request that no toolkit takes over.
    func askToQuit(isUp: Bool) { send(isUp ? SIGURG : SIGTERM) }

    /// Ends an app that did not do what it was asked to. Returns the reason to report.
    func give(up reason: String) -> String {
        send(SIGKILL)
        return reason
    }

    /// The libraries in its memory; `nil` where that is not to be seen.
    var libraries: String? {
        (try? ByteFile.read("/proc/\(process)/maps")).map { String(decoding: $0, as: UTF8.self) }
    }
}
