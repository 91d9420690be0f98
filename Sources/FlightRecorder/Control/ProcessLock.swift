import CRecorderSupport
import Libc

/// A lock for everything that is not the hot path, which knows of forks. (`Synchronization.Mutex` needs macOS 15.)
final class ProcessLock: @unchecked Sendable {
    private let lock = Lock()
    private var forks = keyflight_forks_now()
    private var onFork: (() -> Void)?

    /// For a lock that lives as long as the process and is taken by any thread: it is held through every fork, and in
    /// the new process `onFork` is called when it is first taken there. Place: see `Place`.
    func holdAtFork(_ place: Place, onFork: (() -> Void)? = nil) {
        self.onFork = onFork
        keyflight_hold_at_fork(lock.mutex, place.rawValue)
    }

    /// In the order in which they are taken inside each other.
    enum Place: Int32 { case control, remembered, threads, names }

    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try lock.with { () throws(E) in
            if forks != keyflight_forks_now() {
                forks = keyflight_forks_now()
                onFork?()
            }
            return try body()
        }
    }

    /// Inside `withLock`: waits until `isTrue`, which another thread brings about before it calls `announce`.
    func wait(until isTrue: () -> Bool) {
        while !isTrue() { lock.wait() }
    }

    /// Inside `withLock`: wakes the waiting threads, which check their conditions again.
    func announce() { lock.wakeAll() }
}
