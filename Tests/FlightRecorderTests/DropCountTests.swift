import Atomics
import Testing

@testable import FlightRecorder

/// No drop goes uncounted, whenever its thread was first seen.
@Suite struct DropCountTests {
    /// The rings of threads, of which more come.
    private final class Threads: @unchecked Sendable {
        var rings: [ThreadRing] = []

        func add(dropped: UInt64) {
            let ring = ThreadRing(number: UInt32(rings.count + 1))
            ring.dropped.store(dropped, ordering: .relaxed)
            rings.append(ring)
        }
    }

    @Test func `drops before a new thread was noticed are counted, those before the recording are not`() throws {
        let threads = Threads()
        threads.add(dropped: 3)
        var merge = EpochMerge(start: 0, clock: TickClock(), rings: { threads.rings })
        merge.discardAll()
        threads.rings[0].dropped.store(5, ordering: .relaxed)
        threads.add(dropped: 7)
        _ = merge.close(1, isLast: true, flush: {}) { _, _ in }
        #expect(merge.takeDrops().map(\.count) == [2, 7])
        threads.rings[1].dropped.store(8, ordering: .relaxed)
        #expect(merge.takeDrops().map(\.thread) == [2])
        #expect(merge.takeDrops().isEmpty)
    }

    /// A thread whose entries found no room is interrupted for too long between the next one's clock read and its end.
    @Test func `of an entry and its held-keys snapshot that both come late, the entry alone is lost`() throws {
        let buffer = ThreadBuffer.allocate(number: 1)
        var merge = EpochMerge(start: 0, clock: TickClock(), rings: { [ring = buffer.pointee.ring] in [ring] })
        merge.discardAll()
        let time = try #require(buffer.begin())
        buffer.pointee.hasDropped = true
        buffer.pointee.limit = buffer.pointee.head
        _ = merge.close(time + 1, isLast: true, flush: {}) { _, _ in }
        buffer.append(.markedText, at: time, small: 1)
        buffer.append(.markedText, at: time + 1, small: 0)
        var kinds: [EntryKind?] = []
        _ = merge.close(time + 2, isLast: true, flush: {}) { entry, _ in kinds.append(EntryHead(word: entry[1]).kind) }
        #expect(kinds == [.held, .markedText])
        #expect(merge.late == 1)
    }
}
