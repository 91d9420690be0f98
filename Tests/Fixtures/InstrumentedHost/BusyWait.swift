#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A clock of the host's own, which the recorder knows nothing of.
func hostClock() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}

/// Work of a known length.
struct BusyWait {
    var nanoseconds: UInt64
    func spin() {
        let end = hostClock() + nanoseconds
        while hostClock() < end {}
    }
}
