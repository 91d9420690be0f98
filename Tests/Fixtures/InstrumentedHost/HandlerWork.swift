import Libc


/// A clock of the host's own, which the recorder knows nothing of.
func hostClock() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}

/// What a handler of this program does.
enum HandlerWork {
    /// Work of a known length, in nanoseconds.
    case waiting(UInt64)
    /// Work that takes as long as the machine takes for so many rounds of it.
    case hashing(Int)

    func run() {
        switch self {
        case .waiting(let nanoseconds):
            let end = hostClock() + nanoseconds
            while hostClock() < end {}
        case .hashing(let rounds):
            var counts: [Int: Int] = [:]
            for round in 0..<rounds { counts[(round &* 7919) & 255, default: 0] += 1 }
            guard counts.count <= 256 else { fail("more keys than there are") }
        }
    }
}
