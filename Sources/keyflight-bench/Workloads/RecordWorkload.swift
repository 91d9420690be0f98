import FlightRecorder
import Libc

/// Key events into the recorder, in bursts that fit its buffer: what a thread pays for recording, not what the
/// background thread does meanwhile. Times are CPU time of the recording threads.
enum RecordWorkload {
    /// Events of a burst: three quarters of a thread's buffer.
    private static let burst = 2_000
    /// Less than half a buffer: no reader is asked to come and empty it.
    private static let countedEvents = 1_000

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let bursts = isQuick ? 20 : 100
        let counter = ExactCounter(
            "allocations", try countedAllocations(), per: countedEvents, isOfReleaseBuilds: true)
        func row(
            _ name: String, _ unit: String, _ counters: [ExactCounter], threads: Int = 1, isOn: Bool = true,
            _ body: @escaping @Sendable (Int) -> Void
        ) -> BenchCase {
            let bursting = { try timed(bursts, threads: threads, isOn: isOn, body) }
            return BenchCase(
                workload: .record, name: name, unit: unit, unitsPerRun: bursts * burst * threads, counters: counters,
                run: { _ = try bursting() }, timedRun: bursting)
        }
        return [
            row("clock read", "read", [], isOn: false) { count in for _ in 0..<count { clockRead() } },
            row("clock read, 2 threads", "read", [], threads: 2, isOn: false) { count in
                for _ in 0..<count { clockRead() }
            },
            row("record key events", "key event", [counter], recordKeys),
            row("record key events, 2 threads", "key event", [], threads: 2, recordKeys),
            row("record key events, switched off", "key event", [], isOn: false, recordKeys),
        ]
    }

    @inline(never) private static func clockRead() { _ = MonotonicClock.nanoseconds() }

    /// Letters, arrows and chords, down and up in turn.
    @Sendable private static func recordKeys(_ count: Int) {
        for place in 0..<count {
            let usage = KeyUsage.keyboard(4 + UInt16(truncatingIfNeeded: place >> 1 & 0x3F))
            Keyflight.key(usage, place & 1 == 0 ? .down : .up)
        }
    }

    private static func recording<R>(
        _ isOn: Bool, interval: Int64 = 1_000_000, _ body: (Flight?) throws -> R
    ) throws -> R {
        guard isOn else { return try body(nil) }
        var options = RecorderOptions(.memoryRing(RingBounds(bytes: 1 << 20)), level: .keys)
        options.flushInterval = TraceDuration(nanoseconds: interval)
        let flight = try Keyflight.start(options)
        let result = try body(flight)
        try BenchFailure.check(flight.statistics.dropped == 0, "record: entries were dropped")
        try flight.stop()
        return result
    }

    /// CPU nanoseconds of all bursts of all threads.
    private static func timed(
        _ bursts: Int, threads: Int, isOn: Bool, _ body: @escaping @Sendable (Int) -> Void
    ) throws -> UInt64 {
        try recording(isOn) { flight in
            let times = (0..<threads).map { _ in BurstTime() }
            let started = times.map { time in
                try? WorkerThread.start { time.nanoseconds = cpuTime(of: bursts, flight, body) }
            }
            for thread in started.compactMap({ $0 }) { pthread_join(thread, nil) }
            try BenchFailure.check(started.allSatisfy { $0 != nil }, "record: no thread")
            return times.reduce(0) { $0 + $1.nanoseconds }
        }
    }

    private static func cpuTime(of bursts: Int, _ flight: Flight?, _ body: (Int) -> Void) -> UInt64 {
        Keyflight.prepareThread()
        var nanoseconds: UInt64 = 0
        for _ in 0..<bursts {
            let begin = MonotonicClock.threadNanoseconds()
            body(burst)
            nanoseconds += MonotonicClock.threadNanoseconds() - begin
            while flight != nil, !Keyflight.isThreadDrained { usleep(1_000) }
        }
        return nanoseconds
    }

    /// The processor time of one thread, read once that has ended.
    private final class BurstTime {
        var nanoseconds: UInt64 = 0
    }

    private static func countedAllocations() throws -> UInt64 {
        // The background thread, which does allocate, stays away: it has begun, and comes again in a second.
        try recording(true, interval: 1_000_000_000) { _ in
            Keyflight.prepareThread()
            usleep(50_000)
            return allocations { recordKeys(countedEvents) }
        }
    }
}
