import Foundation
import KeyModel
import Libc

/// An app that was started with this program's streams, and with the adapter in it and in nothing that it starts.
final class LaunchedApp {
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let process: pid_t
    private(set) var end: End?

    /// - Throws: a `Failure` where the app cannot be started.
    init(_ program: String, _ arguments: [String], library: AdapterLibrary, environment: [String: String]) throws {
        // Only the process itself knows its number before its program begins. The library is for the app alone, and not
        // for the shell.
        let script = """
            export \(AdapterVariable.process)=$$ \(AdapterLibrary.loaderVariable)="$1"; shift; exec "$@"
            """
        var inherited = ProcessInfo.processInfo.environment
        // Of an adapter around this program: what is typed here may be in clear there.
        for name in AdapterVariable.ofOneLaunch { inherited[name] = nil }
        let others = inherited[AdapterLibrary.loaderVariable].flatMap { $0.isEmpty ? nil : ":" + $0 } ?? ""
        let words = ["/bin/sh", "-c", script, "sh", library.path + others, program] + arguments
        process = try LaunchedApp.start(words, inherited.merging(environment) { $1 })
    }

    private static func start(_ words: [String], _ environment: [String: String]) throws -> pid_t {
        #if canImport(Darwin)
            var attributes = nil as posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program's treatment of signals is not the app's.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // A program that started this one may have left it ignored: the system would take the app's status.
        signal(SIGCHLD, SIG_DFL)
        var arguments = words.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + settings { free(word) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, words[0], nil, &attributes, &arguments, &settings)
        guard error == 0 else {
            let reason = String(cString: strerror(error))
            throw Failure(.notLaunchable, "\(words[0]): run: expected a program, found \(reason)")
        }
        return process
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

    /// The libraries in its memory; `nil` where that is not to be seen.
    var libraries: String? { try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8) }
}
