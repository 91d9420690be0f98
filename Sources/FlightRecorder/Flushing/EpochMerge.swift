import Atomics

/// Takes the entries of all threads and puts them in their total order: (time, thread, the thread's own order).
///
/// An epoch is closed a little before now. An entry that belongs to it is then either published, or its thread has
/// announced it for at least `grace` (`begun`): no processor delays a store for two milliseconds. Only such a thread is
/// waited for, and not longer than `timeout`; an idle one delays no other.
struct EpochMerge {
    static let grace: UInt64 = 2_000_000
    static let timeout: UInt64 = 60_000_000

    private struct Reader {
        let ring: ThreadRing
        var position: UInt64
        /// Position up to which the writer has everything.
        var released: UInt64
        var available: UInt64
        var dropped: UInt64
        var nested: UInt64 = 0
        var spent: UInt64 = 0
        /// Places without a valid entry, after which the rest was left out.
        var damaged: UInt64 = 0
        var damagedBefore: UInt64 = 0
        /// Time of the entry at `position`; `.max` when there is none before the end of the epoch.
        var next: UInt64 = .max

        var entry: UnsafePointer<UInt64> {
            UnsafePointer(ring.memory + Int(truncatingIfNeeded: position & ThreadBuffer.mask))
        }

        /// The words of the entry at `position`; `nil` where the entry is overwritten and invalid.
        var words: UInt64? {
            let words = EntryHead(word: entry[1]).words
            let isOne = words >= ThreadBuffer.shortestEntry && words <= ThreadBuffer.longestEntry
            return isOne && words <= available &- position ? words : nil
        }
    }

    private var readers: [Reader] = []
    private let rings: @Sendable () -> [ThreadRing]
    private let graceTicks: UInt64
    private let timeoutTicks: UInt64
    /// Entries before this moment have been delivered.
    private(set) var end: UInt64
    /// Entries that came after their epoch was closed and are lost.
    private(set) var late: UInt64 = 0

    /// Entries before `start` do not belong to this recording. `rings`: those of all threads; new ones come last.
    init(
        start: UInt64, clock: TickClock, rings: @escaping @Sendable () -> [ThreadRing]
    ) {
        self.rings = rings
        end = start
        graceTicks = clock.ticks(ofNanoseconds: EpochMerge.grace)
        timeoutTicks = clock.ticks(ofNanoseconds: EpochMerge.timeout)
    }

    /// Takes notice of threads that are new. All that one has recorded and dropped is of this recording: those from
    /// before were noticed when it began.
    private mutating func registerNewThreads() {
        for ring in rings()[readers.count...] {
            let tail = ring.tail.load(ordering: .relaxed)
            readers.append(Reader(ring: ring, position: tail, released: tail, available: tail, dropped: 0))
        }
    }

    /// Drops that are not reported yet, by thread, and why.
    mutating func takeDrops() -> [(thread: UInt32, count: UInt64, reason: String)] {
        var drops: [(thread: UInt32, count: UInt64, reason: String)] = []
        for index in readers.indices {
            let ring = readers[index].ring
            func note(_ total: UInt64, _ known: inout UInt64, _ reason: (String) -> String) {
                if total != known { drops.append((ring.number, total &- known, reason("thread \(ring.number)"))) }
                known = total
            }
            note(ring.dropped.load(ordering: .relaxed), &readers[index].dropped) { "buffer of \($0) full" }
            note(ring.nested.load(ordering: .relaxed), &readers[index].nested) { "inside another entry of \($0)" }
            note(readers[index].damaged, &readers[index].damagedBefore) { "buffer of \($0) overwritten" }
        }
        return drops
    }

    /// Ticks that threads of this recording have spent in lists of commands.
    var spent: UInt64 {
        readers.reduce(0) { $0 &+ ($1.ring.spent.load(ordering: .relaxed) &- $1.spent) }
    }

    /// Leaves out what threads have recorded before this recording began.
    mutating func discardAll() {
        registerNewThreads()
        for index in readers.indices {
            let published = readers[index].ring.published.load(ordering: .acquiring)
            readers[index].position = published
            readers[index].dropped = readers[index].ring.dropped.load(ordering: .relaxed)
            readers[index].nested = readers[index].ring.nested.load(ordering: .relaxed)
            readers[index].spent = readers[index].ring.spent.load(ordering: .relaxed)
            release(index)
        }
    }

    /// Closes the epoch that ends a little before `now` (at `now` itself when no thread records any more) and passes
    /// on its entries in order. False when there were none.
    ///
    /// Threads get their room back only after `flush`, which writes the delivered entries to the destination: what
    /// is not there yet is never more than their buffers.
    mutating func close(
        _ now: UInt64, isLast: Bool, flush: () throws -> Void, _ body: (UnsafePointer<UInt64>, UInt32) throws -> Void
    ) rethrows -> Bool {
        registerNewThreads()
        var newEnd = isLast ? now : now &- graceTicks
        for index in readers.indices {
            let begun = readers[index].ring.begun.load(ordering: .acquiring)
            readers[index].available = readers[index].ring.published.load(ordering: .acquiring)
            guard begun > readers[index].available, !isLast else { continue }
            // The entry on its way is no earlier than the thread's last one, nor than the epoch before.
            let earliest = max(lastTime(index), end)
            if now &- earliest < timeoutTicks { newEnd = min(newEnd, earliest) }
        }
        guard newEnd > end || isLast else { return false }
        for index in readers.indices { peek(index, newEnd) }
        let isAny = try merge(newEnd, flush, body)
        end = max(end, newEnd)
        return isAny
    }

    /// Gives threads back the room of all delivered entries.
    mutating func releaseAll() {
        for index in readers.indices where readers[index].released != readers[index].position { release(index) }
    }

    private mutating func merge(
        _ newEnd: UInt64, _ flush: () throws -> Void, _ body: (UnsafePointer<UInt64>, UInt32) throws -> Void
    ) rethrows -> Bool {
        var isAny = false
        while true {
            var first = -1
            var time = UInt64.max
            for index in readers.indices where readers[index].next < time {
                time = readers[index].next
                first = index
            }
            guard first >= 0 else { return isAny }
            let entry = readers[first].entry
            // An interrupted thread was waited for up to `timeout`. A held-keys snapshot is no event that could be
            // lost, and still applies.
            let isSnapshot = EntryHead(word: entry[1]).kind == .held
            if time >= end || isSnapshot { try body(entry, readers[first].ring.number) } else { late += 1 }
            isAny = true
            readers[first].position &+= readers[first].words ?? 0
            if readers[first].position &- readers[first].released > UInt64(ThreadBuffer.words / 4) {
                try flush()
                releaseAll()
            }
            peek(first, newEnd)
        }
    }

    private mutating func peek(_ index: Int, _ newEnd: UInt64) {
        guard readers[index].position < readers[index].available else {
            readers[index].next = .max
            return
        }
        guard readers[index].words != nil else {
            readers[index].damaged += 1
            readers[index].position = readers[index].available
            readers[index].next = .max
            return
        }
        let time = readers[index].entry[0]
        readers[index].next = time < newEnd ? time : .max
    }

    /// Time of the last entry that the thread has published; 0 when there is none to see.
    private func lastTime(_ index: Int) -> UInt64 {
        var reader = readers[index]
        var time: UInt64 = 0
        while reader.position < reader.available, let words = reader.words {
            time = reader.entry[0]
            reader.position &+= words
        }
        return time
    }

    private mutating func release(_ index: Int) {
        readers[index].released = readers[index].position
        readers[index].ring.tail.store(readers[index].position, ordering: .releasing)
    }

    /// True when no thread has an entry on its way.
    func isQuiet() -> Bool {
        rings().allSatisfy { ring in
            let begun = ring.begun.load(ordering: .acquiring)
            return begun <= ring.published.load(ordering: .acquiring)
        }
    }

    /// True when a thread has recorded something that has not been taken.
    func hasWork() -> Bool {
        rings().contains { ring in
            let begun = ring.begun.load(ordering: .acquiring)
            let published = ring.published.load(ordering: .acquiring)
            return begun > published || published != ring.tail.load(ordering: .relaxed)
        }
    }
}
