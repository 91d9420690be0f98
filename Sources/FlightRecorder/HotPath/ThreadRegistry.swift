import Atomics
import CRecorderSupport

/// The buffers of all threads that ever recorded. They outlive recordings, and a thread's buffer goes to another
/// thread when it has ended and everything was taken.
final class ThreadRegistry: @unchecked Sendable {
    static let shared = ThreadRegistry()

    private let lock = ProcessLock()
    private var buffers: [UnsafeMutablePointer<ThreadBuffer>] = []
    private var allRings: [ThreadRing] = []
    private var abandoned: Set<UInt32> = []

    /// In a process that was forked: the buffer of the thread that did it, the only one that is still there.
    nonisolated(unsafe) private static var survivor: UnsafeMutableRawPointer?

    private init() {
        keyflight_call_after_fork { ThreadRegistry.survivor = keyflight_thread_pointer() }
        lock.holdAtFork(.threads) { [unowned self] in abandonOthers() }
    }

    /// The shared state of all buffers, by number.
    var rings: [ThreadRing] { lock.withLock { allRings } }

    /// A buffer for the calling thread, which finds it in its thread-local pointer from now on.
    func register() -> UnsafeMutablePointer<ThreadBuffer> {
        let (buffer, isReused) = lock.withLock {
            let known = reusable()
            let buffer = known ?? added()
            keyflight_set_thread_pointer(buffer) { raw in
                if let raw { ThreadRegistry.shared.release(raw.assumingMemoryBound(to: ThreadBuffer.self)) }
            }
            return (buffer, known != nil)
        }
        // The press that the buffer's last thread handled is not this one's.
        if isReused { buffer.record(.adopt, more: 1, 0) }
        return buffer
    }

    /// The threads' buffers in the memory of the recording that begins. Nothing is recorded meanwhile.
    func renewRings() {
        lock.withLock {
            for buffer in buffers { buffer.renewRing() }
            allRings = buffers.map { $0.pointee.ring }
        }
    }

    private func added() -> UnsafeMutablePointer<ThreadBuffer> {
        let buffer = ThreadBuffer.allocate(number: UInt32(truncatingIfNeeded: buffers.count + 1))
        buffers.append(buffer)
        allRings.append(buffer.pointee.ring)
        return buffer
    }

    private func reusable() -> UnsafeMutablePointer<ThreadBuffer>? {
        let number = abandoned.sorted().first { number in
            let ring = allRings[Int(number) - 1]
            return ring.tail.load(ordering: .acquiring) == ring.published.load(ordering: .acquiring)
        }
        guard let number else { return nil }
        abandoned.remove(number)
        let buffer = buffers[Int(number) - 1]
        buffer.pointee.keys.removeAll()
        buffer.pointee.depth = 0
        buffer.pointee.handling = 0
        // A thread may have ended in the middle of an entry.
        buffer.cancel()
        return buffer
    }

    private func release(_ buffer: UnsafeMutablePointer<ThreadBuffer>) {
        // What the thread held down dies with it.
        buffer.pointee.keys.removeAll()
        lock.withLock { _ = abandoned.insert(buffer.pointee.ring.number) }
    }

    /// After a fork: buffers of threads that do not exist here are free for others, and their unfinished entries never
    /// come. A thread with a buffer from then on requested it under the lock, after this.
    private func abandonOthers() {
        for buffer in buffers where UnsafeMutableRawPointer(buffer) != ThreadRegistry.survivor {
            let published = buffer.pointee.ring.published.load(ordering: .relaxed)
            buffer.pointee.ring.begun.store(published, ordering: .relaxed)
            buffer.pointee.head = published
            abandoned.insert(buffer.pointee.ring.number)
        }
    }
}

/// Decoded switch word. The generation changes whenever a recording, a pause, a secure entry or a level begins or ends,
/// which all threads must notice.
struct RecorderSwitch: Equatable {
    static let on: UInt32 = 1
    static let showsKeys: UInt32 = 1 << 3
    static let followsGap: UInt32 = 1 << 4
    static let levelShift: UInt32 = 1
    static let generationStep: UInt32 = 1 << 8

    /// The generation alone.
    @inline(__always) static func generation(_ word: UInt32) -> UInt32 { word & ~(generationStep - 1) }

    /// True when entries of this level (0…3) are recorded.
    @inline(__always) static func includes(_ word: UInt32, _ level: UInt32) -> Bool { word >> levelShift & 3 >= level }
}

extension Keyflight {
    /// True when everything that the calling thread has recorded was taken from its buffer.
    package static var isThreadDrained: Bool {
        guard let raw = keyflight_thread_pointer() else { return true }
        let buffer = raw.assumingMemoryBound(to: ThreadBuffer.self)
        return buffer.pointee.ring.tail.load(ordering: .relaxed) == buffer.pointee.head
    }
}

/// The calling thread's buffer, ready for this switch word.
@inline(__always) func threadBuffer(_ word: UInt32) -> UnsafeMutablePointer<ThreadBuffer> {
    if let raw = keyflight_thread_pointer() {
        let buffer = raw.assumingMemoryBound(to: ThreadBuffer.self)
        if buffer.pointee.word == word { return buffer }
    }
    return preparedThreadBuffer(word)
}

/// Registers the thread, or brings it up to date with a switch that has changed.
@inline(never) private func preparedThreadBuffer(_ word: UInt32) -> UnsafeMutablePointer<ThreadBuffer> {
    let buffer =
        keyflight_thread_pointer()?.assumingMemoryBound(to: ThreadBuffer.self) ?? ThreadRegistry.shared.register()
    let previous = buffer.pointee.word
    buffer.pointee.word = word
    buffer.pointee.keys.showsKeys = word & RecorderSwitch.showsKeys != 0
    buffer.pointee.keys.followsGap = word & RecorderSwitch.followsGap != 0
    // A switch of level changes the level bits alone and leaves the generation: keys stay held.
    if RecorderSwitch.generation(previous) != RecorderSwitch.generation(word) {
        buffer.pointee.keys.removeAll()
        buffer.pointee.depth = 0
        buffer.pointee.handling = 0
    }
    return buffer
}
