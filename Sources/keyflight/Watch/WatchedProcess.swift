import KeyModel
import Libc
import RegressionGate

/// This program as the recorder of what is watched: `launch` or `record`, whose notes, and the output of an app, are
/// kept from the screen until it is gone.
final class WatchedProcess {
    private let process: pid_t
    private let output: Int32
    private var text: [UInt8] = []
    private(set) var status: ExitStatus?
    /// Notes beyond these are lost, the first ones first.
    private static let mostText = 1 << 16

    /// - Parameter hasTerminal: It reads the keys of this terminal until it ends.
    init(_ words: [String], hasTerminal: Bool) throws {
        var ends: [Int32] = [0, 0]
        guard let program = AdapterLibrary.program, pipe(&ends) == 0 else {
            throw Failure(.notRunnable, "watch: run: expected a recorder, found none")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var spawn = Spawn()
        spawn.output = ends[1]
        if !hasTerminal { spawn.files = [(0, "/dev/null", O_RDONLY)] }
        spawn.defaultSignals += [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
        defer { close(ends[1]) }
        do { process = try spawn.start([program] + words) } catch {
            close(ends[0])
            throw Failure(.notRunnable, "watch: run: expected a recorder, found \(error)")
        }
        output = ends[0]
    }

    deinit { close(output) }

    /// Takes what it has printed. Returns true when it has ended by now.
    func hasEnded() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(output, &buffer, buffer.count), count > 0 {
            text += buffer[..<count]
            if text.count > 2 * WatchedProcess.mostText { text.removeFirst(text.count - WatchedProcess.mostText) }
        }
        guard status == nil else { return true }
        var state: Int32 = 0
        guard waitpid(process, &state, WNOHANG) == process else { return false }
        status = state & 0x7F == 0 ? ExitStatus(rawValue: state >> 8 & 0xFF) ?? .defect : .interrupted
        return true
    }

    /// Asks it to end as Ctrl-C does, and waits for that.
    func end() -> ExitStatus {
        if !hasEnded() { kill(process, SIGINT) }
        while !hasEnded() { usleep(20_000) }
        return status ?? .fine
    }

    /// What it has printed, by line.
    var notes: [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map { VisibleText.escaped(String($0)) }
    }
}
