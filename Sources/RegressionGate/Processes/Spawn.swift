package import Libc

/// A program that is started as a process of its own, with no signal blocked.
package struct Spawn {
    /// Variables in place of this program's; `nil` for the same.
    package var environment: [String: String]?
    /// Signals that this program ignores or notes, and the other must not inherit so.
    package var defaultSignals = [SIGPIPE, SIGXFSZ]
    /// The process leads a group of processes.
    package var leadsGroup = false
    /// A descriptor that becomes its standard input.
    package var input: Int32?
    /// A descriptor that becomes its standard output and standard error.
    package var output: Int32?
    /// Paths that are opened as descriptors of it.
    package var files: [(descriptor: Int32, path: String, flags: Int32)] = []

    package init() {}

    /// Starts the program that the first word names, by its path or its name in PATH.
    ///
    /// - Throws: `SystemError` where the system refuses to.
    package func start(_ words: [String]) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes) = (nil as posix_spawn_file_actions_t?, nil as posix_spawnattr_t?)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_adddup2(&actions, output, 2)
        }
        for file in files {
            posix_spawn_file_actions_addopen(&actions, file.descriptor, file.path, file.flags, 0o600)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in defaultSignals { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var process: pid_t = 0
        let code =
            environment == nil
            ? posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
            : posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw SystemError(code: code) }
        return process
    }
}
