import FlightRecorder
import Libc

/// Exact counts of the main thread in the stages of a press: allocations by stage, and what the system counts from the
/// begin of its handling to where that ends, or pauses.
enum PressCosts {
    /// Turns them off in `AdapterVariable.hooks`.
    static let word = "-costs"
    /// `keyflight_thread_counts` of the main thread: not 0 while nothing is counted, allocations, bytes. `nil` where
    /// they are not wanted, or not counted, as in an app that was attached to.
    @exclusivity(unchecked) nonisolated(unsafe) static var counts: UnsafeMutablePointer<UInt64>?
    /// Where the stage that goes on began.
    @exclusivity(unchecked) nonisolated(unsafe) private static var base: (allocations: UInt64, bytes: UInt64) = (0, 0)
    /// Where the handling began or went on; `nil` outside of one.
    @exclusivity(unchecked) nonisolated(unsafe) private static var first: ProcessCounts?
    /// `/proc/self/task/TID/io` of the main thread; -1 where the system counts no bytes.
    private static let io = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC)

    /// What a hook does is not counted. Returns what `resume` puts back.
    @inline(__always) static func pause() -> UInt64 {
        guard let counts else { return 0 }
        defer { counts[0] = 1 }
        return counts[0]
    }

    @inline(__always) static func resume(_ wasPaused: UInt64) { counts?[0] = wasPaused }

    /// The handling of a press begins, or goes on after something else. Inside of a hook, as all of these.
    static func begin() {
        guard let counts else { return }
        first = ProcessCounts(io)
        base = (counts[1], counts[2])
    }

    /// A stage is over, and the next one begins unless it `isLast`.
    static func end(_ span: StageSpan, isLast: Bool = false) {
        guard let counts, let first else { return }
        let process = isLast ? ProcessCounts(io).since(first) : nil
        let (allocations, bytes) = (counts[1] &- base.allocations, counts[2] &- base.bytes)
        Keyflight.cost(span, allocations: allocations, bytes: bytes, process: process)
        base = (counts[1], counts[2])
        if isLast { self.first = nil }
    }
}

/// What the system has counted of the calling thread.
private struct ProcessCounts {
    /// Bytes, `UInt64.max` where they are not counted.
    private var read, written: UInt64
    private var faults, switches: UInt64
    /// Bytes that reading these took, which the next ones have.
    private var own: UInt64

    /// `io`: the thread's file of that name.
    init(_ io: Int32) {
        var usage = rusage()
        getrusage(1, &usage)  // RUSAGE_THREAD
        (faults, switches) = (UInt64(usage.ru_minflt), UInt64(usage.ru_nvcsw))
        (read, written, own) = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { text in
            let length = max(0, pread(io, text.baseAddress, text.count, 0))
            // `rchar: NUMBER`, `wchar: NUMBER` and more.
            var place = 0
            func number() -> UInt64 {
                while place < length, !(48...57).contains(text[place]) { place += 1 }
                guard place < length else { return .max }
                var number: UInt64 = 0
                while place < length, (48...57).contains(text[place]) {
                    number = number &* 10 &+ UInt64(text[place] &- 48)
                    place += 1
                }
                return number
            }
            return (number(), number(), UInt64(length))
        }
    }

    func since(_ first: ProcessCounts) -> (read: UInt64, written: UInt64, faults: UInt64, switches: UInt64) {
        let isKnown = read != .max && first.read != .max
        return (
            isKnown ? read &- first.read &- first.own : .max, isKnown ? written &- first.written : .max,
            faults &- first.faults, switches &- first.switches
        )
    }
}
