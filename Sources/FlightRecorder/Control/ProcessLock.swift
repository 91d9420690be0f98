import CRecorderSupport
import Libc

/// A mutex with a condition, for everything that is not the hot path. (`Synchronization.Mutex` needs macOS 15.)
final class ProcessLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var forks = keyflight_forks_now()
    private var onFork: (() -> Void)?

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// For a lock that lives as long as the process and is taken by any thread: it is held through every fork, and in
    /// the new process `onFork` is called when it is first taken there. Place: see `Place`.
    func holdAtFork(_ place: Place, onFork: (() -> Void)? = nil) {
        self.onFork = onFork
        keyflight_hold_at_fork(mutex, place.rawValue)
    }

    /// In the order in which they are taken inside each other.
    enum Place: Int32 { case control, remembered, threads, names }

    func withLock<R>(_ body: () throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if forks != keyflight_forks_now() {
            forks = keyflight_forks_now()
            onFork?()
        }
        return try body()
    }

    /// Inside `withLock`: waits until `isTrue`, which another thread brings about before it calls `announce`.
    func wait(until isTrue: () -> Bool) {
        while !isTrue() { pthread_cond_wait(condition, mutex) }
    }

    /// Inside `withLock`: wakes the waiting threads, which check their conditions again.
    func announce() { pthread_cond_broadcast(condition) }
}
