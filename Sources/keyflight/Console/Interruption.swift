import Foundation
import Libc

/// Ctrl-C ends a run with status 130, SIGTERM and SIGHUP end it as they do; none leaves a temporary file behind.
enum Interruption {
    /// Read by the signal handler, which may only look at plain memory.
    nonisolated(unsafe) private static var temporary: UnsafeMutablePointer<CChar>?

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        // Made now: a signal handler must not allocate.
        _ = wiping
        unblock([SIGINT])
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A program that was started to outlive its terminal goes on.
            let before = unsafeBitCast(signal(number, SIG_IGN), to: UInt.self)
            if number != SIGINT, before == unsafeBitCast(SIG_IGN, to: UInt.self) { continue }
            signal(number) { number in
                if let path = Interruption.temporary { unlink(path) }
                if Interruption.wipesLine { write(2, Interruption.wiping, 4) }
                if number == SIGINT { _exit(130) }
                // Who waits for the program sees the signal that ended it.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// A line of progress is shown, which must not stay. Read by the signal handler.
    nonisolated(unsafe) static var wipesLine = false
    nonisolated(unsafe) private static let wiping = strdup("\r\u{1B}[K")

    /// The first signal that asked a recording to end; 0 before. Written by the signal handler.
    nonisolated(unsafe) private static var signalled: Int32 = 0

    /// From now on SIGINT, SIGTERM and SIGHUP are only noted, so that a recording is finished. A second one ends the
    /// program at once.
    static func noteSignals() {
        unblock([SIGINT, SIGTERM, SIGHUP])
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                if Interruption.signalled != 0 { _exit(130) }
                Interruption.signalled = number
            }
        }
    }

    private static let noting = NSLock()
    /// How many hold something that must be removed before the program ends.
    nonisolated(unsafe) private static var holders = 0
    nonisolated(unsafe) private static var handlersBefore: [Int32: sigaction] = [:]

    /// Until `endNoting` is called as often, signals are only noted in `notedSignal`.
    static func beginNoting() {
        noting.withLock {
            holders += 1
            guard holders == 1 else { return }
            for number in [SIGINT, SIGTERM, SIGHUP] {
                var handler = sigaction()
                sigaction(number, nil, &handler)
                handlersBefore[number] = handler
            }
            noteSignals()
        }
    }

    /// Signals do again what they did before. One that was noted ends the program now.
    static func endNoting() {
        noting.withLock {
            holders -= 1
            guard holders == 0 else { return }
            for (number, handler) in handlersBefore {
                var handler = handler
                sigaction(number, &handler, nil)
            }
            if signalled != 0 { _exit(130) }
        }
    }

    /// Whoever started this program may have left them blocked.
    private static func unblock(_ numbers: [Int32]) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    static var notedSignal: Int32? { signalled == 0 ? nil : signalled }

    /// Names the file to remove when interrupted, or none. The name before it is never freed: the handler may be
    /// reading it, and who runs several commands in one process would free it twice. A program writes few files.
    static func fileToRemove(_ path: String?) {
        temporary = path.map { strdup($0) } ?? nil
    }
}
