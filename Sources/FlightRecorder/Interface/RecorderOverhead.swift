import Atomics
import CRecorderSupport
import KeyModel

/// Cost of a recorded key event on this machine, measured on a buffer without a reader.
enum RecorderOverhead {
    private static let events = 1000
    private static let rounds = 5

    /// Measured once; the first recording of a process pays a fifth of a millisecond for it.
    static let measured: RecorderStatistics = {
        keyflight_choose_ticks()
        let buffer = ThreadBuffer.allocate(number: 0)
        var key = UInt64.max
        var clock = UInt64.max
        for _ in 0..<rounds {
            // No more than half a buffer, so that the flusher is not woken to empty it.
            buffer.pointee.ring.tail.store(buffer.pointee.head, ordering: .relaxed)
            buffer.pointee.limit = buffer.pointee.head &+ UInt64(ThreadBuffer.words / 2)
            key = min(key, time { place in
                buffer.recordKey(.keyboard(4 + UInt16(place >> 1 & 15)), place & 1 == 0 ? .down : .up, 1, 0)
            })
            clock = min(clock, time { _ in _ = keyflight_ticks() })
        }
        buffer.pointee.ring.begun.store(buffer.pointee.head, ordering: .relaxed)
        var statistics = RecorderStatistics()
        statistics.keyTenthsNanoseconds = key * 10 / UInt64(events)
        statistics.clockTenthsNanoseconds = clock * 10 / UInt64(events)
        return statistics
    }()

    @inline(__always) private static func time(_ body: (Int) -> Void) -> UInt64 {
        let begin = keyflight_monotonic_ns()
        for place in 0..<events { body(place) }
        return keyflight_monotonic_ns() - begin
    }
}
