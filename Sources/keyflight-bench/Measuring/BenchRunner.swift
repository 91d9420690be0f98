import CAllocationCount
import Libc

/// Times cases in turn, A B C A B C …, so that a disturbance of the machine hits all of them alike.
enum BenchRunner {
    struct Result {
        let bench: BenchCase
        let runs: RunStatistics
        let processor: RunStatistics
    }

    static func time(_ cases: [BenchCase], runs: Int, note: (String) -> Void) throws -> [Result] {
        var samples = [[UInt64]](repeating: [], count: cases.count)
        var processor = samples
        for bench in cases {
            note("warming up \(bench.name)")
            try bench.run()
        }
        for run in 0..<runs {
            // Inputs are in a folder that is removed before the program ends.
            guard NotedSignals.first == nil else { throw BenchFailure("interrupted") }
            note("run \(run + 1) of \(runs)")
            for (index, bench) in cases.enumerated() {
                if let timedRun = bench.timedRun {
                    // Its own time is processor time already.
                    let nanoseconds = try timedRun()
                    samples[index].append(nanoseconds)
                    processor[index].append(nanoseconds)
                    continue
                }
                let (begin, used) = (MonotonicClock.nanoseconds(), MonotonicClock.processorNanoseconds())
                try bench.run()
                samples[index].append(MonotonicClock.nanoseconds() - begin)
                processor[index].append(MonotonicClock.processorNanoseconds() - used)
            }
        }
        return cases.indices.map { index in
            Result(
                bench: cases[index], runs: RunStatistics(samples[index]),
                processor: RunStatistics(processor[index]))
        }
    }
}

/// Heap allocations made by a piece of work.
func allocations(_ work: () throws -> Void) rethrows -> UInt64 {
    keyflight_allocation_count_begin()
    // Also where `work` throws.
    defer { _ = keyflight_allocation_count_end() }
    try work()
    return keyflight_allocation_count_end()
}
