import FlightReplay
import KeyModel
import Libc

/// Paces a replay by the monotonic clock of this machine.
final class WallClockPacer: ReplayPacer {
    private let start = nanoseconds(of: CLOCK_MONOTONIC)

    func wait(until offset: TraceDuration) -> TraceDuration {
        var passed = nanoseconds(of: CLOCK_MONOTONIC) &- start
        while passed < offset.nanoseconds, NotedSignals.first == nil {
            // No longer than a noted signal may wait.
            let rest = min(offset.nanoseconds &- passed, 100_000_000)
            // Interrupted by a signal, it sleeps on.
            usleep(UInt32(rest / 1000))
            passed = nanoseconds(of: CLOCK_MONOTONIC) &- start
        }
        return TraceDuration(nanoseconds: passed &- offset.nanoseconds)
    }
}
