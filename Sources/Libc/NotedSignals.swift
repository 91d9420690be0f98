/// SIGINT, SIGTERM and SIGHUP are noted instead of ending the program, so that it finishes what it has begun.
package enum NotedSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// The first signal that came; 0 before. Written by the signal handler.
    nonisolated(unsafe) private static var noted: Int32 = 0

    /// The first signal that came.
    package static var first: Int32? { noted == 0 ? nil : noted }

    /// From now on signals are noted. A second one ends the program at once.
    package static func note() {
        unblock(numbers)
        for number in numbers {
            signal(number) { number in
                if NotedSignals.noted != 0 { _exit(130) }
                NotedSignals.noted = number
            }
        }
    }

    private static let lock = Lock()
    /// The number of holders of something that must be removed before the program ends.
    nonisolated(unsafe) private static var holders = 0
    nonisolated(unsafe) private static var handlersBefore: [Int32: sigaction] = [:]

    /// Notes signals until `end` is called as often.
    package static func begin() {
        lock.with {
            holders += 1
            guard holders == 1 else { return }
            for number in numbers {
                var handler = sigaction()
                sigaction(number, nil, &handler)
                handlersBefore[number] = handler
            }
            note()
        }
    }

    /// Signals do again what they did before. One that was noted ends the program now, with status 130.
    package static func end() {
        lock.with {
            holders -= 1
            guard holders == 0 else { return }
            for (number, handler) in handlersBefore {
                var handler = handler
                sigaction(number, &handler, nil)
            }
            if noted != 0 { _exit(130) }
        }
    }

    /// The parent process may have left them blocked.
    package static func unblock(_ numbers: [Int32]) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
