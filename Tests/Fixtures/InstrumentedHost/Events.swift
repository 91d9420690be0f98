import FlightRecorder
import Libc

/// Threads that record a known sequence of keys into a ring in memory, of which snapshots are taken meanwhile.
///
/// Thread n is keyboard n and types the same keys round and round, so that a snapshot without a loss shows whether
/// anything is missing, doubled or out of its thread's order.
enum Events {
    /// F1…F12, which are never masked.
    private static let keys = 12
    private static func usage(_ place: Int) -> KeyUsage { .keyboard(UInt16(0x3A + place / 2 % keys)) }

    static func run(_ count: Int, _ threads: Int, _ pause: UInt32) throws {
        var options = RecorderOptions(.memoryRing(.bytes(1 << 18)), level: .keys)
        options.autoStop = nil
        let flight = try Keyflight.start(options)
        let each = count / threads
        let crew = (0..<threads).map { index in
            RecordingThread.launch {
                for place in 0..<each {
                    Keyflight.key(usage(place), place & 1 == 0 ? .down : .up, device: UInt16(index + 1))
                    if place % 1_000 == 999 { usleep(pause) }
                }
            }
        }
        let watch = Watch(flight)
        let watcher = RecordingThread.launch { watch.run() }
        for thread in crew { thread.join() }
        watch.stop()
        watcher.join()
        try check(try flight.snapshot())
        try flight.stop()
        let statistics = flight.statistics
        let (sum, all) = (statistics.entries + statistics.dropped, each * threads)
        print(
            "events \(all) recorded \(statistics.entries) dropped \(statistics.dropped) "
                + "snapshots in order \(watch.snapshots + 1)")
        guard sum == UInt64(all) else { fail("\(sum) accounted for") }
    }

    /// The snapshot is in the total order, and each thread's keys are in that thread's order.
    static func check(_ bytes: [UInt8]) throws {
        let (recording, report) = try Recording.read(bytes)
        guard report.complete else { fail("a snapshot is incomplete") }
        for (one, next) in zip(recording.records, recording.records.dropFirst()) {
            guard one.time <= next.time, one.sequence + 1 == next.sequence else {
                fail("record \(next.sequence) does not follow the one before")
            }
        }
        // Where something was dropped a thread's sequence goes on anywhere; the loss is told at the end of the flush.
        let isLossy = recording.records.contains { $0.body.kind == .loss }
        var expected: [UInt16: Int] = [:]
        for record in recording.records {
            switch record.body {
            case .key(let key):
                guard case .clear(let found) = key.key else { fail("record \(record.sequence) is masked") }
                let half = key.phase == .down ? 0 : 1
                let place = 2 * (Int(found.usage) - 0x3A) + half
                if let wanted = expected[key.device], place != wanted, !isLossy {
                    fail("record \(record.sequence) of keyboard \(key.device): expected \(wanted), found \(place)")
                }
                expected[key.device] = (place + 1) % (2 * keys)
            default: break
            }
        }
    }

    /// Takes a snapshot every other second.
    private final class Watch: @unchecked Sendable {
        private let flight: Flight
        private let lock: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
        private var isStopped = false
        /// To be read when the watching thread has ended.
        private(set) var snapshots = 0

        init(_ flight: Flight) {
            self.flight = flight
            pthread_mutex_init(lock, nil)
        }

        func stop() {
            pthread_mutex_lock(lock)
            isStopped = true
            pthread_mutex_unlock(lock)
        }

        private var goesOn: Bool {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return !isStopped
        }

        func run() {
            while true {
                for _ in 0..<20 {
                    guard goesOn else { return }
                    usleep(100_000)
                }
                do {
                    try Events.check(try flight.snapshot())
                } catch {
                    fail("\(error)")
                }
                snapshots += 1
            }
        }
    }
}
