#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clocks that the timings are read from. Nothing that is measured sees them.
enum MonotonicClock {
    /// Time that passes.
    static func nanoseconds() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Time that a processor spent on this process: the one to look at on a machine that is busy with other things.
    static func processorNanoseconds() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The same of the calling thread alone.
    static func threadNanoseconds() -> UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
    }
}
