/// The recording that calls without a `Flight` are about: the running one, else the latest one that was remembered
/// and has ended by itself, until its result is read.
package final class RememberedFlight: @unchecked Sendable {
    package static let shared = RememberedFlight()

    private let lock = ProcessLock()
    private var latest: Flight?
    private var lastStatistics = RecorderStatistics()

    private init() {
        lock.holdAtFork(.remembered) { [unowned self] in
            // The parent's. Not freed, since its end may be anything.
            if let latest { _ = Unmanaged.passRetained(latest) }
            latest = nil
            lastStatistics = RecorderStatistics()
        }
    }

    package var flight: Flight? { Keyflight.current ?? lock.withLock { latest } }

    /// Statistics of the running recording, else of the latest one.
    package var statistics: RecorderStatistics { flight?.statistics ?? lock.withLock { lastStatistics } }

    package func remember(_ flight: Flight) {
        let before = lock.withLock {
            defer { latest = flight }
            return latest
        }
        // Releases the earlier flight outside of the lock.
        _ = before
    }

    /// Ends this flight, or returns how it has ended, and forgets it but for what it has cost.
    package func stop(_ flight: Flight) throws(RecorderError) {
        defer {
            let statistics = flight.statistics
            lock.withLock {
                lastStatistics = statistics
                if latest === flight { latest = nil }
            }
        }
        try flight.stop()
    }
}
