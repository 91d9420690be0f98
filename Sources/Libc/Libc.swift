/// The C library of the platform, under one name for all of them.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// The time of a clock in nanoseconds; 0 where the platform has no such clock.
package func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

extension stat {
    package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    package var isSymbolicLink: Bool { st_mode & S_IFMT == S_IFLNK }
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
