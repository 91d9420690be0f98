import FlightReplay
import KeyModel
import Libc

/// Paces a replay by the monotonic clock of this machine.
final class WallClockPacer: ReplayPacer {
    private let start = WallClockPacer.now()

    private static func now() -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    func wait(until offset: TraceDuration) -> TraceDuration {
        var passed = WallClockPacer.now() &- start
        while passed < offset.nanoseconds, NotedSignals.first == nil {
            // No longer than a noted signal may wait.
            let rest = min(offset.nanoseconds &- passed, 100_000_000)
            var sleep = timespec()
            sleep.tv_sec = time_t(rest / 1_000_000_000)
            sleep.tv_nsec = Int(rest % 1_000_000_000)
            // Interrupted by a signal, it sleeps on.
            nanosleep(&sleep, nil)
            passed = WallClockPacer.now() &- start
        }
        return TraceDuration(nanoseconds: passed &- offset.nanoseconds)
    }
}
