import Libc

/// The clocks that the timings are read from. Nothing that is measured sees them.
enum MonotonicClock {
    /// Time that passes.
    static func nanoseconds() -> UInt64 { UInt64(Libc.nanoseconds(of: CLOCK_MONOTONIC)) }

    /// Time that a processor spent on this process: the one to look at on a machine that is busy with other things.
    static func processorNanoseconds() -> UInt64 { UInt64(Libc.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) }

    /// The same of the calling thread alone.
    static func threadNanoseconds() -> UInt64 { UInt64(Libc.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)) }
}

/// The time of the fastest of some rounds.
struct FastestRound {
    /// Nanoseconds that passed.
    private var elapsed = UInt64.max
    /// Nanoseconds of processor time.
    private var processor = UInt64.max

    init(of rounds: Int, _ body: () throws -> Void) rethrows {
        for _ in 0..<rounds {
            let begin = (MonotonicClock.nanoseconds(), MonotonicClock.processorNanoseconds())
            try body()
            elapsed = min(elapsed, MonotonicClock.nanoseconds() - begin.0)
            processor = min(processor, MonotonicClock.processorNanoseconds() - begin.1)
        }
    }

    var words: String { "ns \(elapsed) processor_ns \(processor)" }
}
