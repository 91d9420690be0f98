import Atomics
import CRecorderSupport
import Libc

/// Entries of one thread that the flusher has not taken yet: a ring with one writer and one reader.
///
/// An entry is a few 64-bit words: its time in ticks, a word with its kind, its length and small values, and more.
/// It may run over the end of the ring into `ThreadBuffer.slack`, so that it is always in one piece; the words that it
/// would have taken at the front stay unused.
///
/// Positions count words since the thread began and never wrap. The writer advances `begun` before it reads the clock
/// and `published` when the entry is whole, so the flusher can tell an idle thread, which delays no other, from one
/// that was interrupted between its clock read and its entry.
struct ThreadBuffer {
    /// 64 KiB: what a thread can lose when the process is killed.
    static let words = 8192
    /// Words of the shortest entry and of the longest.
    static let shortestEntry = 2
    static let longestEntry = 8
    static let mask = UInt64(words - 1)
    /// Lines of 64 bytes that are made ready to be written before their time: the flusher has read them.
    static let linesAhead = 4

    fileprivate(set) var ring: ThreadRing
    // All of the following is the writer's alone.
    var head: UInt64 = 0
    /// Position up to which the writer need not load the reader's position.
    var limit = UInt64(words / 2)
    /// The last entry found no room: the next one that finds some comes after what the thread holds.
    var hasDropped = false
    /// The switch word that the fields below are right for.
    var word: UInt32 = 0
    /// Calls that have begun and not ended. Beside what every key event looks at anyway.
    var depth: UInt32 = 0
    var keys: HeldKeyCells
    var names: NameCache
    /// Closures of `Keyflight.handle` that have begun and not ended.
    var handling: UInt32 = 0
    /// The press that was adopted; valid while `keys.current` refers to it.
    var adopted = RecordedPress(thread: 0, ordinal: 0)

    static func allocate(number: UInt32) -> UnsafeMutablePointer<ThreadBuffer> {
        let buffer = UnsafeMutablePointer<ThreadBuffer>.allocate(capacity: 1)
        buffer.initialize(to: ThreadBuffer(ring: ThreadRing(number: number), keys: HeldKeyCells(), names: NameCache()))
        return buffer
    }
}

/// State shared by the writer and the reader of a buffer. Its fields never change, so that each has a copy of its own
/// and neither reads what the other one writes.
struct ThreadRing: @unchecked Sendable {
    /// 1-based; part of the total order.
    let number: UInt32
    /// Contains keys in clear where the recording shows them.
    let memory: UnsafeMutablePointer<UInt64>
    // Words of the writer.
    let begun: UnsafeAtomic<UInt64>
    let published: UnsafeAtomic<UInt64>
    /// Entries that found no room.
    let dropped: UnsafeAtomic<UInt64>
    /// Entries that began inside another one of the thread.
    let nested: UnsafeAtomic<UInt64>
    /// Ticks spent by the thread in reading lists of commands.
    let spent: UnsafeAtomic<UInt64>
    /// The reader's position: more than a cache line away from the writer's.
    let tail: UnsafeAtomic<UInt64>
    /// The resolution of a press that is not over, as an entry without a time, and the press in the word after it; no
    /// entry where its head is 0. It counts where the process ends before the press does.
    let pending: UnsafeMutablePointer<UInt64>

    private static let line = 128

    init(number: UInt32) {
        guard let memory = SharedMemory.ofProcess, let place = memory.ring(number) else {
            let shared = UnsafeMutableRawPointer.allocate(byteCount: 3 * ThreadRing.line, alignment: ThreadRing.line)
            shared.initializeMemory(as: UInt8.self, repeating: 0, count: 3 * ThreadRing.line)
            let words = ThreadBuffer.words + ThreadBuffer.longestEntry
            self.init(number, shared, SecretMemory.allocate(words, of: UInt64.self))
            return
        }
        self.init(number: number, sharedAt: place)
        memory.announce(number)
    }

    /// In memory of two processes, which was zeroed before the first of them came here.
    init(number: UInt32, sharedAt place: UnsafeMutableRawPointer) {
        let memory = place + 3 * ThreadRing.line
        let words = ThreadBuffer.words + ThreadBuffer.longestEntry
        self.init(number, place, memory.bindMemory(to: UInt64.self, capacity: words))
    }

    private init(_ number: UInt32, _ shared: UnsafeMutableRawPointer, _ memory: UnsafeMutablePointer<UInt64>) {
        func atomic(_ offset: Int) -> UnsafeAtomic<UInt64> {
            UnsafeAtomic(at: (shared + offset).bindMemory(to: UInt64.AtomicRepresentation.self, capacity: 1))
        }
        self.number = number
        self.memory = memory
        begun = atomic(0)
        published = atomic(8)
        dropped = atomic(16)
        nested = atomic(24)
        spent = atomic(32)
        tail = atomic(2 * ThreadRing.line)
        pending = (shared + ThreadRing.line).bindMemory(to: UInt64.self, capacity: 8)
    }
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    /// An empty ring in the memory that is shared now.
    func renewRing() {
        pointee.ring = ThreadRing(number: pointee.ring.number)
        pointee.head = 0
        pointee.limit = UInt64(ThreadBuffer.words / 2)
        pointee.hasDropped = false
    }

    /// Announces an entry, and reads the clock: the time of the entry. From here to its end the thread runs nothing but
    /// a few lines of the recorder. `nil` inside another entry of the same thread, as in the handler of a signal: that
    /// one is counted, not recorded.
    @inline(__always) func begin() -> UInt64? {
        let head = pointee.head
        guard pointee.ring.begun.load(ordering: .relaxed) <= head else {
            countNested()
            return nil
        }
        pointee.ring.begun.store(head &+ 1, ordering: .relaxed)
        keyflight_signal_fence()
        return keyflight_ticks()
    }

    @inline(never) private func countNested() { pointee.ring.nested.wrappingIncrement(ordering: .relaxed) }

    /// Takes it back.
    @inline(__always) func cancel() { pointee.ring.begun.store(pointee.head, ordering: .releasing) }

    /// Place of the next entry; `nil` when there is no room, which is counted.
    @inline(__always) func room(_ words: UInt64, at time: UInt64) -> UnsafeMutablePointer<UInt64>? {
        if pointee.head &+ words > pointee.limit, !makeRoom(words, time) { return nil }
        return pointee.ring.memory + Int(truncatingIfNeeded: pointee.head & ThreadBuffer.mask)
    }

    /// Publishes the entry that was written into `room` to the flusher.
    @inline(__always) func publish(_ words: UInt64) {
        let head = pointee.head &+ words
        // Until `head` is stored too, the handler of a signal finds the entry on its way.
        pointee.ring.published.store(head, ordering: .releasing)
        keyflight_signal_fence()
        pointee.head = head
        if keyflight_flusher_is_asleep() != 0 { keyflight_wake_flusher() }
    }

    @inline(never) private func makeRoom(_ words: UInt64, _ time: UInt64) -> Bool {
        let tail = pointee.ring.tail.load(ordering: .acquiring)
        let owed = pointee.hasDropped ? HeldKeysSnapshot.words : 0
        let used = pointee.head &- tail &+ owed
        if used &+ words > UInt64(ThreadBuffer.words) {
            // The next entry, however short, loads the reader's position again.
            pointee.limit = pointee.head
            pointee.hasDropped = true
            pointee.ring.dropped.store(pointee.ring.dropped.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
            cancel()
            return false
        }
        if pointee.hasDropped { writeHeldKeysSnapshot(time) }
        if used >= UInt64(ThreadBuffer.words / 2) {
            // Half full: the flusher comes before its time.
            pointee.limit = tail &+ UInt64(ThreadBuffer.words)
            keyflight_poke_flusher()
        } else {
            pointee.limit = tail &+ UInt64(ThreadBuffer.words / 2)
            if pointee.head &+ words > pointee.limit { pointee.limit = pointee.head &+ words }
        }
        return true
    }

    /// Writes an entry that the next one is published with.
    private func writeHeldKeysSnapshot(_ time: UInt64) {
        let statement = pointee.keys.statement
        let press = currentPress
        let entry = pointee.ring.memory + Int(truncatingIfNeeded: pointee.head & ThreadBuffer.mask)
        entry[0] = time
        entry[1] = EntryHead.word(.held, words: HeldKeysSnapshot.words, small: 0, wide: press.thread)
        entry[2] = statement.modifiers
        entry[3] = statement.devices.0
        entry[4] = statement.devices.1
        entry[5] = statement.presses
        entry[6] = halves(pointee.keys.ordinal, press.ordinal)
        pointee.hasDropped = false
        // The entry after the snapshot is still on its way.
        pointee.ring.begun.store(pointee.head &+ HeldKeysSnapshot.words &+ 1, ordering: .relaxed)
        pointee.head &+= HeldKeysSnapshot.words
    }

    /// Begins an entry, and writes it. The contents of its words were looked up before.
    @inline(__always) func record(
        _ kind: EntryKind, small: UInt16 = 0, wide: UInt32 = 0, more: UInt64 = 0, _ a: UInt64 = 0, _ b: UInt64 = 0,
        _ c: UInt64 = 0, _ d: UInt64 = 0, _ e: UInt64 = 0
    ) {
        guard let now = begin() else { return }
        append(kind, at: now, small: small, wide: wide, more: more, a, b, c, d, e)
    }

    /// Writes an entry that has begun: its head, and the first `more` of `a`…`f`; `more` is a constant wherever
    /// this is inlined.
    @inline(__always) func append(
        _ kind: EntryKind, at time: UInt64, small: UInt16 = 0, wide: UInt32 = 0, more: UInt64 = 0, _ a: UInt64 = 0,
        _ b: UInt64 = 0, _ c: UInt64 = 0, _ d: UInt64 = 0, _ e: UInt64 = 0, _ f: UInt64 = 0
    ) {
        guard let entry = room(2 + more, at: time) else { return }
        keyflight_prepare_line(entry + ThreadBuffer.linesAhead * 8)
        entry[0] = time
        entry[1] = EntryHead.word(kind, words: 2 + more, small: small, wide: wide)
        if more > 0 { entry[2] = a }
        if more > 1 { entry[3] = b }
        if more > 2 { entry[4] = c }
        if more > 3 { entry[5] = d }
        if more > 4 { entry[6] = e }
        if more > 5 { entry[7] = f }
        publish(2 + more)
    }
}

/// Two numbers in one word of an entry.
@inline(__always) func halves(_ low: UInt32, _ high: UInt32) -> UInt64 { UInt64(low) | UInt64(high) << 32 }

enum EntryKind: UInt8 {
    case key = 1, text, stage, call, resolution, receiver
    case firstResponder, keyWindow, link, presentation, textInput, markedText, hardware, invalidation, mark
    case adopt
    /// A key that does not fit the two words of `key`: another page, a high device, a high ordinal.
    case rareKey
    /// The stage that has the system's own time of the event as its beginning.
    case inputDelay
    case candidate, effect, cache, fact, device, layout, gesture, keyboardFrame
    /// Held-keys snapshot of the thread, after entries of it were lost.
    case held
    case invocation, mainWindow
    /// Samples of the press that the thread handles are announced, and brought.
    case samples, stacks
    /// Counts of a stage that is over.
    case cost
}

/// The second word of an entry.
struct EntryHead {
    var word: UInt64

    @inline(__always) static func word(_ kind: EntryKind, words: UInt64, small: UInt16, wide: UInt32) -> UInt64 {
        UInt64(kind.rawValue) | words << 8 | UInt64(small) << 16 | UInt64(wide) << 32
    }

    var kind: EntryKind? { EntryKind(rawValue: UInt8(truncatingIfNeeded: word)) }
    var words: UInt64 { word >> 8 & 0xFF }
    var small: UInt16 { UInt16(truncatingIfNeeded: word >> 16) }
    var wide: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }
}
