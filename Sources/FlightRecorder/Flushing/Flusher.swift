import CRecorderSupport
import KeyModel
import Libc
import TraceFormat

/// The background thread: takes what threads have recorded, and brings it to the destination.
///
/// It comes by every flush interval while something is recorded, at once when a buffer is half full, and sleeps until
/// woken when nothing was recorded for two seconds.
final class Flusher: RecordingWriter, @unchecked Sendable {
    private static let idle: UInt64 = 2_000_000_000
    /// Milliseconds.
    private static let nap: Int32 = 25

    /// Requests of the rest of the program. Under the lock.
    private struct Requests {
        var events: [RecorderEvent] = []
        var snapshots: [SnapshotRequest] = []
        var stop: UInt64?
        var facts: [(name: String, value: String)] = []
        var isWhole = true
        var isDone = false
        var failure: RecorderError?
        var statistics = RecorderStatistics()
    }

    private let lock = ProcessLock()
    private var requests = Requests()
    /// Taken by those that read what the background thread has left behind.
    private let afterEnd = ProcessLock()
    private let forks = keyflight_forks_now()

    // Of the background thread alone. What every entry changes is not checked for overlapping access at run time.
    @exclusivity(unchecked) private var assembly: RecordAssembly
    @exclusivity(unchecked) private var merge: EpochMerge
    private let source: any RecordingSource
    private let output: any TraceOutput
    private let options: RecorderOptions
    /// Takes this recording off the switch; false if that was done already.
    private let detach: @Sendable (Flusher) -> Bool
    /// The last state for the indicator, when everything is over and nothing waits for this thread any more.
    private var lastState: RecorderState?
    private var statistics: RecorderStatistics
    @exclusivity(unchecked) private var events: [RecorderEvent] = []
    private var snapshots: [SnapshotRequest] = []
    private var stopTime: UInt64?
    private var lastActivity: UInt64
    private var refusedNames: UInt64
    private var refusedEntries: UInt64 = 0
    private var lateEntries: UInt64 = 0
    /// Time of the recording up to which everything has reached the destination.
    private var delivered = TraceTime.zero

    init(
        _ options: RecorderOptions, start: UInt64, output: any TraceOutput, overhead: RecorderStatistics,
        source: any RecordingSource = OwnEntries(), detach: @escaping @Sendable (Flusher) -> Bool
    ) {
        self.options = options
        self.output = output
        self.detach = detach
        self.source = source
        statistics = overhead
        refusedNames = source.isShared ? 0 : source.refusals
        assembly = RecordAssembly(start: start, options: options, output: output, source: source)
        merge = EpochMerge(start: start, clock: assembly.clock, rings: { source.rings })
        lastActivity = keyflight_monotonic_ns()
    }

    // MARK: For other threads

    func launch() throws(RecorderError) {
        if !source.isShared { merge.discardAll() }
        do throws(WorkerThread.Failure) {
            let thread = try Flusher.withoutSignals { () throws(WorkerThread.Failure) in
                try WorkerThread.start { self.run() }
            }
            if let thread { pthread_detach(thread) }
        } catch {
            throw .noThread(String(cString: strerror(error.code)))
        }
    }

    /// Creates a thread that handles no signal of the process, which the host handles where it means to: a handler that
    /// records would wait here for what it interrupted. Crashes stay the crash reporter's.
    private static func withoutSignals<R, E: Error>(_ create: () throws(E) -> R) throws(E) -> R {
        var (most, before) = (sigset_t(), sigset_t())
        sigfillset(&most)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&most, signal) }
        pthread_sigmask(SIG_SETMASK, &most, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try create()
    }

    func post(_ event: RecorderEvent) {
        lock.withLock { requests.events.append(event) }
        wake()
    }

    /// Takes everything up to now and waits until the destination is whole. The switch is off already.
    func stop(_ now: UInt64) throws(RecorderError) { try stop(now, facts: []) }

    func stop(_ now: UInt64, facts: [(name: String, value: String)], isWhole: Bool = true) throws(RecorderError) {
        guard !isInherited else { throw .forked }
        lock.withLock { (requests.facts, requests.isWhole) = (facts, isWhole) }
        requestStop(now)
        let failure = lock.withLock {
            lock.wait { requests.isDone }
            return requests.failure
        }
        if let failure { throw failure }
    }

    func requestStop(_ now: UInt64) {
        lock.withLock { if requests.stop == nil { requests.stop = now } }
        wake()
    }

    /// Writes what is kept of the last part so long, and waits for it. After the end the caller's own thread does it.
    func snapshot(lasting duration: TraceDuration?, to sink: @escaping TraceWriter.Sink) throws {
        guard !isInherited else { throw RecorderError.forked }
        let request = SnapshotRequest(duration: duration, sink: sink)
        lock.withLock { if !requests.isDone { requests.snapshots.append(request) } }
        wake()
        lock.withLock { lock.wait { request.isDone || requests.isDone } }
        if !request.isDone { try afterEnd.withLock { try write(request, upTo: delivered) } }
        if let failure = request.failure { throw failure }
    }

    var currentStatistics: RecorderStatistics {
        isInherited ? RecorderStatistics() : lock.withLock { requests.statistics }
    }

    /// True in a process that was forked: the background thread is not here, and may have held the lock.
    private var isInherited: Bool { keyflight_forks_now() != forks }

    private func wake() {
        _ = keyflight_set_flusher_asleep(0)
        keyflight_poke_flusher()
    }

    // MARK: The background thread

    func run() {
        keyflight_name_flusher()
        do {
            try writeBeginning()
            while try step() { wait() }
            try finish()
        } catch {
            let failure = (error as? RecorderError) ?? .destination(asTraceError(error))
            _ = detach(self)
            lastState = .failed(failure.description)
            lock.withLock { requests.failure = failure }
        }
        lock.withLock {
            requests.isDone = true
            requests.statistics = statistics
            lock.announce()
        }
        // Not before: the indicator may end the recording, and would wait for this thread on itself.
        if let lastState { options.indicator?(lastState) }
    }

    private func asTraceError(_ error: any Error) -> TraceError {
        (error as? TraceError) ?? TraceError(.file, expected: "a destination that takes it", found: "\(error)")
    }

    private func writeBeginning() throws {
        let start = assembly.start
        let unix = keyflight_unix_ns() - Int64(clamping: keyflight_monotonic_ns() - assembly.startNanoseconds)
        try assembly.write(
            .clock(ClockRecord(source: "recorder", unixTime: unix, granularity: 1, backwardSteps: 0)), start)
        try assembly.write(.device(DeviceRecord(device: 1, name: "keyboard", source: "recorder")), start)
        try write("recorder.overhead.key", tenths(statistics.keyTenthsNanoseconds), start)
        try write("recorder.overhead.clock", tenths(statistics.clockTenthsNanoseconds), start)
        try output.flush(.zero)
    }

    /// Writes a fact about the recording.
    private func write(_ name: String, _ value: String, _ now: UInt64) throws {
        try assembly.write(.environment(EnvironmentRecord(name: name, value: value)), now)
    }

    private func tenths(_ value: UInt64) -> String { "\(value / 10).\(value % 10)ns" }

    /// Runs one round; false when it was the last.
    private func step() throws -> Bool {
        var now = try takeRequests()
        if !snapshots.isEmpty {
            // A snapshot contains everything recorded until its request.
            usleep(UInt32(EpochMerge.grace / 1000) + 500)
            now = try takeRequests()
        }
        let stop = stopTime
        try closeEpoch(stop ?? now, isLast: stop != nil)
        for request in snapshots { answer(request, now) }
        snapshots.removeAll()
        statistics.flusherNanoseconds = keyflight_thread_cpu_ns()
        statistics.entries = assembly.entries
        lock.withLock { requests.statistics = statistics }
        if stop == nil, let limit = options.autoStop, assembly.time(now).rawValue >= limit.nanoseconds {
            stopBecauseTimeIsUp()
        }
        return stop == nil
    }

    private func stopBecauseTimeIsUp() {
        guard detach(self) else { return }
        lastState = .stopped
        requestStop(keyflight_ticks())
    }

    /// Takes over the requests, and returns a time that is no later: a thread that posts an event and then records
    /// has an entry that is later than this.
    private func takeRequests() throws -> UInt64 {
        guard let now = assembly.clock.sample() else {
            keyflight_count_nanoseconds()
            throw RecorderError.clockWentBack
        }
        lock.withLock {
            events += requests.events
            requests.events.removeAll()
            snapshots += requests.snapshots
            requests.snapshots.removeAll()
            stopTime = requests.stop
        }
        events += source.takeEvents()
        return now
    }

    private func closeEpoch(_ now: UInt64, isLast: Bool) throws {
        if isLast { awaitQuiet() }
        let flush = { try self.output.flush(.zero) }
        let isAny = try merge.close(now, isLast: isLast, flush: flush) { entry, thread in
            try applyEvents(before: entry[0])
            do {
                try assembly.add(entry, of: thread)
            } catch let error as TraceError where error.code != .file {
                // The entry has contents that a trace cannot store: that ends no recording.
                refusedEntries += 1
            }
        }
        if isLast, source.isShared { try addPending(merge.end) }
        try applyEvents(before: merge.end)
        if assembly.suppression == nil {
            try writeLosses()
        } else if outlivesProcess {
            try assembly.recordOpenGap(merge.end)
        }
        if isAny { lastActivity = keyflight_monotonic_ns() }
        delivered = assembly.time(merge.end)
        try output.flush(delivered)
        merge.releaseAll()
    }

    /// Resolutions of presses that the end of the process was the end of.
    private func addPending(_ now: UInt64) throws {
        for ring in source.rings where ring.pending[1] != 0 {
            let entry = [now] + (1..<8).map { ring.pending[$0] }
            try assembly.add([now, EntryHead.word(.adopt, words: 3, small: 0, wide: 0), entry[7]], of: ring.number)
            try assembly.add(entry, of: ring.number)
        }
    }

    /// Waits for threads that were interrupted inside a call to finish it. They are few, and fast.
    private func awaitQuiet() {
        let begin = keyflight_monotonic_ns()
        while !merge.isQuiet(), keyflight_monotonic_ns() - begin < EpochMerge.timeout { usleep(200) }
    }

    /// Recorded data can be read after the process has ended.
    private var outlivesProcess: Bool {
        if case .memoryRing = options.destination { false } else { true }
    }

    private func applyEvents(before time: UInt64) throws {
        while let event = events.first, event.time <= time {
            events.removeFirst()
            try assembly.apply(event)
        }
    }

    private func writeLosses() throws {
        func write(_ count: UInt64, _ reason: String) throws {
            statistics.dropped += count
            try assembly.writeDrops(count, reason, merge.end)
        }
        for drop in merge.takeDrops() { try write(drop.count, drop.reason) }
        if merge.late > lateEntries {
            defer { lateEntries = merge.late }
            try write(merge.late - lateEntries, "thread interrupted for too long")
        }
        if refusedEntries > 0 {
            defer { refusedEntries = 0 }
            try write(refusedEntries, "values that a trace cannot hold")
        }
        let refusals = source.refusals
        if refusals > refusedNames {
            defer { refusedNames = refusals }
            try assembly.writeDrops(refusals - refusedNames, "names beyond \(NameTable.limit)", merge.end)
        }
    }

    private func answer(_ request: SnapshotRequest, _ now: UInt64) {
        do {
            try write(request, upTo: assembly.time(now))
        } catch {
            request.failure = error
        }
        lock.withLock {
            request.isDone = true
            lock.announce()
        }
    }

    private func write(_ request: SnapshotRequest, upTo time: TraceTime) throws {
        let since = request.duration.map { TraceTime(rawValue: max(0, time.rawValue - $0.nanoseconds)) } ?? .zero
        try Snapshot.write(try output.reader(), since: since, gap: assembly.gap(until: time), to: request.sink)
    }

    private func wait() {
        let interval = Int32(clamping: options.flushInterval.nanoseconds / 1_000_000)
        guard !source.isShared, keyflight_monotonic_ns() - lastActivity > Flusher.idle else {
            sleep(max(1, interval))
            return
        }
        // From here on a thread that records wakes this one; a thread that looked before it has, after the grace,
        // published or begun.
        _ = keyflight_set_flusher_asleep(1)
        usleep(UInt32(EpochMerge.grace / 1000))
        if merge.hasWork() || keyflight_flusher_is_asleep() == 0 {
            _ = keyflight_set_flusher_asleep(0)
            return
        }
        sleep(millisecondsToAutoStop())
        _ = keyflight_set_flusher_asleep(0)
        lastActivity = keyflight_monotonic_ns()
    }

    /// Sleeps until woken, and at most so many milliseconds (−1: for ever). Without the two descriptors that are needed
    /// for waking, the thread checks again soon.
    private func sleep(_ milliseconds: Int32) {
        guard keyflight_wait_for_wake(milliseconds) == 0 else { return }
        usleep(1000 * UInt32(milliseconds < 0 ? Flusher.nap : min(milliseconds, Flusher.nap)))
    }

    private func millisecondsToAutoStop() -> Int32 {
        guard let limit = options.autoStop else { return -1 }
        let left = limit.nanoseconds - Int64(clamping: keyflight_monotonic_ns() - assembly.startNanoseconds)
        return Int32(clamping: max(1, left / 1_000_000 + 1))
    }

    /// Nanoseconds that recording took from the threads that recorded: each entry as a key event, each span with the
    /// clock read of its beginning, and the time spent in lists of commands as it was measured.
    private var cost: UInt64 {
        let entries = assembly.entries * statistics.keyTenthsNanoseconds
        let beginnings = assembly.spans * statistics.clockTenthsNanoseconds
        return (entries + beginnings) / 10 + assembly.clock.duration(merge.spent)
    }

    private func finish() throws {
        let (now, facts, isWhole) = lock.withLock {
            (requests.stop ?? assembly.start, requests.facts, requests.isWhole)
        }
        try assembly.endSuppression(now)
        try writeLosses()
        if source.isShared { try assembly.releaseKeys(now) }
        for fact in facts { try write(fact.name, fact.value, now) }
        try write("recorder.entries", "\(assembly.entries)", now)
        try write("recorder.overhead.total", "\(cost)ns", now)
        try write("recorder.flusher.cpu", "\(keyflight_thread_cpu_ns())ns", now)
        if isWhole { try output.finish() } else { try output.flush(assembly.time(now)) }
    }
}

/// A snapshot that a thread waits for. `isDone` is guarded by the flusher's lock.
final class SnapshotRequest: @unchecked Sendable {
    let duration: TraceDuration?
    let sink: TraceWriter.Sink
    var isDone = false
    var failure: (any Error)?

    init(duration: TraceDuration?, sink: @escaping TraceWriter.Sink) {
        self.duration = duration
        self.sink = sink
    }
}
