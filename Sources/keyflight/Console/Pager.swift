import Libc
import RegressionGate
import SystemPackage

/// A program that shows long output a page at a time.
final class Pager {
    /// The destination of the output.
    let input: FileDescriptor
    private let process: pid_t

    /// `PAGER` where it names a program that is there, else `less` if it is. `nil`: none is wanted or there is none.
    static func command(_ environment: ProcessEnvironment) -> String? {
        guard !environment.hasDumbTerminal, !environment.isSet("CI") else { return nil }
        guard let asked = environment.variable("PAGER") else { return isThere("less") ? "less -FRX" : nil }
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
        var spawn = Spawn()
        spawn.input = ends[0]
        spawn.defaultSignals = [SIGPIPE, SIGXFSZ, SIGINT]
        let started = try? spawn.start(["/bin/sh", "-c", command])
        close(ends[0])
        guard let started else {
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
