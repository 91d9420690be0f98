import CRecorderSupport
import Libc
import TraceFormat

/// Brings what is recorded to its destination.
protocol RecordingWriter: AnyObject, Sendable {
    func post(_ event: RecorderEvent)
    /// Takes everything up to now. The switch is off already.
    func stop(_ now: UInt64) throws(RecorderError)
    func snapshot(lasting duration: TraceDuration?, to sink: @escaping TraceWriter.Sink) throws
    var currentStatistics: RecorderStatistics { get }
}

/// The writer in a process that shares its memory: the other process writes, now and when this one has ended.
final class SharedWriter: RecordingWriter {
    private let memory: SharedMemory

    init(_ memory: SharedMemory) { self.memory = memory }

    func post(_ event: RecorderEvent) { if !memory.append(.event(event)) { memory.refuse() } }
    func stop(_ now: UInt64) { memory.end(now) }
    func snapshot(lasting duration: TraceDuration?, to sink: @escaping TraceWriter.Sink) throws {
        throw RecorderError.destination(
            TraceError(
                .file, expected: "a recording that this process writes", found: "one that another process writes"))
    }
    var currentStatistics: RecorderStatistics { memory.overhead }
}

private final class EndOfWriting: @unchecked Sendable {
    private let lock = Lock()
    private var words: String?
    var reason: String? {
        get { lock.with { words } }
        set { lock.with { words = newValue } }
    }
}

/// The recording of another process, which this one started with `memory.name` in its environment, and which it writes.
package final class SharedRecording {
    package let memory: SharedMemory
    private let options: RecorderOptions
    private var flusher: Flusher?
    private var failure: RecorderError?
    private let ended = EndOfWriting()

    /// `options`: its destination, level and flush interval.
    package init(_ memory: SharedMemory, _ options: RecorderOptions) {
        self.memory = memory
        var options = options
        options.indicator = { [ended] state in if case .failed(let reason) = state { ended.reason = reason } }
        self.options = options
    }

    /// The reason why the trace is not written any more, in words; the other process goes on.
    package var failureReason: String? { ended.reason }

    /// True once the other process records; the trace is written from then on.
    ///
    /// - Throws: where the destination cannot be made; then, and after that, nothing is written.
    package func begin() throws(RecorderError) -> Bool {
        if let failure { throw failure }
        guard flusher == nil else { return true }
        guard memory.isRecording else { return false }
        do throws(RecorderError) {
            let new = Flusher(
                options, start: memory.start, output: try RecorderControl.output(options), overhead: memory.overhead,
                source: SharedEntries(memory), detach: { _ in true })
            try new.launch()
            flusher = new
        } catch {
            failure = error
            throw error
        }
        return true
    }

    /// Writes what is left of a process that has ended, and facts about its end. A trace that is not whole gets no end
    /// marker.
    package func finish(_ facts: [(name: String, value: String)], isWhole: Bool = true) throws(RecorderError) {
        guard try begin() else { return }
        try flusher?.stop(memory.stop ?? keyflight_ticks(), facts: facts, isWhole: isWhole)
    }
}
