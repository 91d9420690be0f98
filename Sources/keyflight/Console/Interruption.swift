import Libc

/// Ctrl-C ends a run with status 130, SIGTERM and SIGHUP end it as they do; none leaves a temporary file behind.
enum Interruption {
    /// Read by the signal handler, which may only look at plain memory.
    nonisolated(unsafe) private static var temporary: UnsafeMutablePointer<CChar>?

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        // A write beyond a limit of the shell is an error like one on a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // Made now: a signal handler must not allocate.
        _ = wiping
        NotedSignals.unblock([SIGINT])
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A program that was started to outlive its terminal goes on.
            let before = unsafeBitCast(signal(number, SIG_IGN), to: UInt.self)
            if number != SIGINT, before == unsafeBitCast(SIG_IGN, to: UInt.self) { continue }
            signal(number) { number in
                if let path = Interruption.temporary { unlink(path) }
                if Interruption.wipesLine { write(2, Interruption.wiping, 4) }
                if number == SIGINT { _exit(130) }
                // The parent process gets the signal that ended the program.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// A line of progress is shown, which must not stay. Read by the signal handler.
    nonisolated(unsafe) static var wipesLine = false
    nonisolated(unsafe) private static let wiping = strdup("\r\u{1B}[K")

    /// Names the file to remove when interrupted, or none. The name before it is never freed: the handler may be
    /// reading it, and a process that runs several commands would free it twice. A program writes few files.
    static func fileToRemove(_ path: String?) {
        temporary = path.map { strdup($0) } ?? nil
    }
}
