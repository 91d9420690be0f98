import Libc
import SystemPackage

/// A program that shows long output a page at a time.
final class Pager {
    /// The destination of the output.
    let input: FileDescriptor
    private let process: pid_t

    /// `PAGER` where it names a program that is there, else `less` if it is. `nil`: none is wanted or there is none.
    static func command(_ surroundings: ProcessEnvironment) -> String? {
        guard !surroundings.hasDumbTerminal, !surroundings.isSet("CI") else { return nil }
        guard let asked = surroundings.variable("PAGER") else { return isThere("less") ? "less -FRX" : nil }
        let first = asked.split(separator: " ").first.map(String.init) ?? ""
        return first.isEmpty || first == "cat" || !isThere(first) ? nil : asked
    }

    /// True when the shell would find the program.
    private static func isThere(_ name: String) -> Bool {
        // Quotes, variables and the like are the shell's to read.
        guard name.utf8.allSatisfy({ $0 > 0x20 && !"'\"\\$`;&|<>()*?[]~#=%!{}".utf8.contains($0) }) else { return true }
        if name.contains("/") { return access(name, X_OK) == 0 }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// `nil` when it cannot be started.
    init?(_ command: String) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Colours are escapes that less hands on only with this option.
        setenv("LESS", "FRX", 0)
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Signals that this program ignores, a pager must not ignore.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGPIPE, SIGINT] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in
            strdup(word)
        }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var started: pid_t = 0
        let error = posix_spawn(&started, "/bin/sh", &actions, &attributes, &arguments, environ)
        close(ends[0])
        guard error == 0 else {
            close(ends[1])
            return nil
        }
        input = FileDescriptor(rawValue: ends[1])
        process = started
        // Ctrl-C belongs to the pager now: it stops a search there, and q ends this program as well.
        signal(SIGINT, SIG_IGN)
    }

    /// Ends its input, and waits until the reader has left it.
    func finish() {
        try? input.close()
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }
}
