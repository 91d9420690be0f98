import KeyModel
import Libc
import TraceReports

/// A terminal as a screen of lines: raw mode, the alternate screen, and what came before again when it ends, also by a
/// signal or a crash.
///
/// Lines are drawn by plain sequences that every terminal of the last decades has: of what a library such as ncurses
/// adds, tables of terminals and windows, nothing would be used here.
final class TerminalScreen {
    /// What the signal handler has noted.
    enum Event: Int, CaseIterable { case resized, suspended, continued, ended }

    private let keys: Int32
    private var shown: [String] = []
    private var isEntered = false

    // Read by signal handlers, which look at plain memory alone.
    nonisolated(unsafe) private static var before = termios()
    nonisolated(unsafe) private static var descriptor: Int32 = -1
    /// By event: a byte for each, so that taking one loses no other.
    nonisolated(unsafe) private static let came = UnsafeMutablePointer<Bool>.allocate(capacity: Event.allCases.count)
    nonisolated(unsafe) private static let leaving: UnsafeMutablePointer<CChar>! = strdup(
        "\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[2J"

    /// Standard output is the terminal; keys come from standard input where that is one too, as of `/dev/tty`.
    init() throws {
        keys = isatty(0) == 1 ? 0 : open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard tcgetattr(keys, &TerminalScreen.before) == 0 else {
            throw Failure(.noTerminal, "watch: keys: expected a terminal that they come from, found none")
        }
        TerminalScreen.handleSignals()
        enter()
    }

    deinit { finish() }

    /// Takes the terminal, at the beginning and after a suspension.
    func enter() {
        var settings = TerminalScreen.before
        cfmakeraw(&settings)
        tcsetattr(keys, TCSANOW, &settings)
        TerminalScreen.descriptor = keys
        (isEntered, shown) = (true, [])
        send(TerminalScreen.entering)
    }

    /// Gives it back as it was.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        TerminalScreen.restore()
    }

    func finish() {
        leave()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH] + TerminalScreen.crashes {
            signal(number, SIG_DFL)
        }
    }

    /// Stops the program as Ctrl-Z does, but not what it has started; returns when it goes on, which is an event.
    func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    // MARK: Keys and signals

    /// The bytes that were typed, within so many milliseconds; `nil` when the terminal is gone.
    func input(within milliseconds: Int32) -> [UInt8]? {
        var input = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(keys, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : count < 0 && errno == EINTR ? [] : nil
    }

    /// True once for each event since the last call.
    static func take(_ event: Event) -> Bool {
        defer { came[event.rawValue] = false }
        return came[event.rawValue]
    }

    private static func note(_ event: Event) { came[event.rawValue] = true }

    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT]

    private static func handleSignals() {
        _ = leaving
        came.initialize(repeating: false, count: Event.allCases.count)
        NotedSignals.unblock([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH] + crashes)
        // A wait for keys ends with any of them.
        signal(SIGWINCH) { _ in TerminalScreen.note(.resized) }
        signal(SIGTSTP) { _ in TerminalScreen.note(.suspended) }
        signal(SIGCONT) { _ in TerminalScreen.note(.continued) }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                if TerminalScreen.take(.ended) {
                    TerminalScreen.restore()
                    _exit(130)
                }
                TerminalScreen.note(.ended)
            }
        }
        for number in crashes {
            signal(number) { number in
                TerminalScreen.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Safe in a signal handler.
    private static func restore() {
        guard descriptor >= 0 else { return }
        _ = write(1, leaving, strlen(leaving))
        // What was typed ahead was meant for the view, and not for a shell.
        tcflush(descriptor, TCIFLUSH)
        tcsetattr(descriptor, TCSANOW, &before)
        descriptor = -1
    }

    // MARK: Drawing

    /// Shows these lines from the top, those that changed.
    func draw(_ lines: [String]) {
        guard isEntered else { return }
        var text = ""
        for row in 0..<max(lines.count, shown.count) {
            let line = row < lines.count ? lines[row] : ""
            guard row >= shown.count || shown[row] != line else { continue }
            // The end of the line first: a full one leaves the cursor on its last cell.
            text += "\u{1B}[\(row + 1);1H\u{1B}[0m\u{1B}[K\(line)\u{1B}[0m"
        }
        shown = lines
        send(text)
    }

    /// Everything is drawn anew.
    func forget() {
        shown = []
        send("\u{1B}[2J")
    }

    /// Puts a text into the clipboard of the terminal, where it takes that (OSC 52), also over ssh.
    func copy(_ text: String) { send("\u{1B}]52;c;" + Base64.text(Array(text.utf8)) + "\u{07}") }

    private func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR && errno != EAGAIN { return }
        }
    }

    /// A line of so many cells in which nothing acts on a terminal but the colours of a report.
    static func clipped(_ line: String, to columns: Int) -> String {
        var result = ""
        var used = 0
        var rest = Substring(line)
        while let first = rest.first {
            if first == "\u{1B}", let colour = rest.prefixMatch(of: /\u{1B}\[[0-9]{0,2}m/) {
                result += colour.output
                rest = rest[colour.range.upperBound...]
                continue
            }
            rest.removeFirst()
            let shown = VisibleText.escaped(String(first))
            let width = DisplayWidth.of(shown)
            if used + width > columns { break }
            used += width
            result += shown
        }
        return result
    }
}
