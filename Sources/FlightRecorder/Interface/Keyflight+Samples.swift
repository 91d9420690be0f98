/// Samples of the stack of a press's thread, which another thread takes and brings.
extension Keyflight {
    /// Announces samples of the press that this thread handles; `stacks` brings them under the same number. They are
    /// recorded from level `stages` on, in recordings with `RecorderOptions.recordsInvocations`.
    package static func samples(_ number: UInt32) { buffer(2)?.record(.samples, wide: number) }

    /// Brings announced samples, in the text form of `SampledStacks`. `began`: CLOCK_MONOTONIC in nanoseconds when the
    /// handling of the press began; `interval`: nanoseconds between two samples.
    package static func stacks(_ number: UInt32, began: UInt64, interval: UInt64, _ text: String) {
        guard let buffer = buffer(2) else { return }
        if let memory = SharedMemory.ofProcess {
            guard memory.append(.stacks(number, text)) else { return memory.refuse() }
        } else {
            StackTexts.shared.put(text, number)
        }
        buffer.record(.stacks, wide: number, more: 2, began, interval)
    }
}

/// Texts of samples on their way to the background thread. They are no names: each is recorded once.
final class StackTexts: @unchecked Sendable {
    static let shared = StackTexts()
    /// What nothing takes, as in a secure entry, gives way to what comes later.
    private static let limit = 16
    private let lock = ProcessLock()
    private var texts: [(number: UInt32, text: String)] = []

    private init() {}

    func put(_ text: String, _ number: UInt32) {
        lock.withLock {
            if texts.count == StackTexts.limit { texts.removeFirst() }
            texts.append((number, text))
        }
    }

    func take(_ number: UInt32) -> String? {
        lock.withLock { texts.firstIndex { $0.number == number }.map { texts.remove(at: $0).text } }
    }
}
