import HIDCapture
package import KeyModel
import Libc
package import TraceFormat

/// Live inputs → one masked trace at level `keys`, in live form.
///
/// Time 0 is the moment at which the recorder begins. Inputs that stamp with the wall clock and inputs that stamp with
/// the monotonic clock are put on one time base by the readings of both clocks at that moment. Events of several inputs
/// wait 20 ms for those that are on their way, and are written in the order of their stamps.
package final class LiveRecorder {
    package struct Options: Sendable {
        /// Keys that type text are kept in clear.
        package var showsKeys = false
        /// The layout that the keyboards are used with, when it is known.
        package var layout: Layout?
        /// The recording ends by itself after this time; `nil`: never.
        package var limit: TraceDuration?
        /// The keyboards to take; all when empty.
        package var selection: [DeviceSelector] = []

        package init() {}
    }

    let options: Options
    let output: LiveOutput
    var definitions = TraceDefinitions()
    private var inputs: [Input]
    private let queue = WipedArray<Queued>()
    /// Events that are to be written now.
    private let ready = WipedArray<KeyEvent>()
    private var losses: [LiveLoss] = []
    /// Inputs that have gone away and whose keyboards are not recorded as detached yet.
    private var gone: [Int] = []
    private var chord = StopChord()
    private var masking: MaskedKeyRecorder
    private var start = LiveMoment(realtime: 0, monotonic: 0)
    private var progress = LiveProgress()
    private var summary = LiveSummary(end: .stopped)
    private var ids: [DevicePlace: UInt16] = [:]
    /// The places by id − 1.
    private var places: [DevicePlace] = []
    private var lateEvents: UInt64 = 0
    private var latestFlush = TraceTime.zero
    private var clockSteps: UInt64 = 0

    private struct Input {
        var source: any LiveSource
        var isOpen = true
        /// The shift of its times after its clock was set forward.
        var shift = TraceDuration.zero
    }

    private struct Queued {
        var event: KeyEvent
        var input: Int
    }

    private struct DevicePlace: Hashable {
        var input: Int
        var id: UInt16
    }

    /// Blocks are closed after this time at the latest.
    private static let flushInterval = TraceDuration(nanoseconds: 40_000_000)
    /// Events later than this before now wait for earlier ones of other inputs.
    private static let reorderingTime = TraceDuration(nanoseconds: -20_000_000)
    /// A stamp so far ahead of the clock shows that the input's clock was set.
    private static let ahead = TraceDuration(nanoseconds: 1_000_000_000)

    /// The inputs are closed when `run` returns.
    package init(_ inputs: LiveInputs, to output: LiveOutput, _ options: Options = Options()) {
        self.options = options
        self.output = output
        self.inputs = inputs.sources.map { Input(source: $0) }
        let isCapsLockOn = inputs.sources.contains { $0.isCapsLockOn == true }
        masking = MaskedKeyRecorder(showsKeys: options.showsKeys, isCapsLockOn: isCapsLockOn)
    }

    /// Records until the time is up, the inputs are gone or `stop` returns a reason, which is asked after every signal
    /// and at least five times a second. `report` is called as often.
    package func run(stop: () -> LiveStop?, report: (LiveProgress) -> Void) -> LiveSummary {
        defer {
            for input in inputs { input.source.close() }
            Privileges.wipeStack()
        }
        do {
            try begin()
            var request: LiveStop?
            while true {
                wait()
                // Events from before this moment are read now, however long that takes.
                let round = elapsed
                readAll()
                request = stop()
                if request != nil || hasStopKey {
                    summary.end = .stopped
                    break
                }
                let now = elapsed
                try writeWaiting(until: inputs.count > 1 ? round.advanced(by: LiveRecorder.reorderingTime) : now)
                try writeGone(at: now)
                try flush(now)
                Privileges.wipeStack()
                progress.elapsed = now.since(.zero)
                report(progress)
                if let limit = options.limit, now.since(.zero) >= limit {
                    summary.end = .timeIsUp
                    break
                }
                if !inputs.contains(where: \.isOpen) { break }
            }
            try finish(byChord: request == .interrupt)
        } catch {
            summary.end = .outputFailed("\(error)")
        }
        summary.progress = progress
        summary.bytes = output.bytesWritten
        summary.paths = output.paths
        summary.devices = places.count
        return summary
    }

    private func append(_ body: TraceRecord.Body, at time: TraceTime) throws {
        try output.append(body, at: time, definitions: definitions)
    }

    /// Closes the block that is being written when it is old enough: a killed recorder loses no more.
    private func flush(_ now: TraceTime) throws {
        guard output.isWaiting else { return latestFlush = now }
        guard now.since(latestFlush) >= LiveRecorder.flushInterval else { return }
        try output.flush()
        latestFlush = now
    }

    private var elapsed: TraceTime {
        TraceTime(nanoseconds: max(0, LiveMoment.monotonicNow - start.monotonic))
    }

    private var hasStopKey: Bool { inputs.contains { ($0.source as? TerminalSource)?.isStopped ?? false } }

    // MARK: The beginning

    private func begin() throws {
        start = .now()
        for input in inputs { input.source.begin(at: start) }
        var clocks: Set<String> = []
        for input in inputs where clocks.insert(input.source.kind.name).inserted {
            let clock = ClockRecord(
                source: input.source.kind.name, unixTime: start.realtime, granularity: nil, backwardSteps: 0)
            try append(.clock(clock), at: .zero)
        }
        for input in inputs {
            guard let terminal = input.source as? TerminalSource else { continue }
            let value = terminal.hasKittyProtocol ? "kitty" : "presses"
            try append(.environment(.init(name: "terminal", value: value)), at: .zero)
        }
        guard let layout = options.layout else { return }
        let table = definitions.intern(layout.text)
        try append(.layout(LayoutRecord(name: layout.name, hash: layout.hash, table: table)), at: .zero)
    }

    /// Until something can be read, or something is to be written.
    private func wait() {
        var descriptors = inputs.filter(\.isOpen).map {
            pollfd(fd: $0.source.descriptor, events: Int16(POLLIN), revents: 0)
        }
        let isBusy = output.isWaiting || !queue.isEmpty || !chord.waiting.isEmpty
        _ = poll(&descriptors, nfds_t(descriptors.count), isBusy || hasTerminal ? 10 : 200)
    }

    /// An ESC becomes the key when nothing follows.
    private var hasTerminal: Bool { inputs.contains { $0.source is TerminalSource } }

    // MARK: Reading

    private func readAll() {
        for index in inputs.indices where inputs[index].isOpen {
            let source = inputs[index].source
            do throws(LiveFailure) {
                try source.read { self.take($0, index) }
            } catch {
                source.finish { self.take($0, index) }
                inputs[index].isOpen = false
                gone.append(index)
                // A terminal that is closed is the person's way to end the recording.
                summary.end = source.kind == .terminal ? .stopped : .inputsGone(error.description)
                if source.kind != .terminal { summary.notes.append(error.description) }
            }
            losses += source.takeLosses()
        }
        progress.inputs = inputs.map { .init(name: $0.source.name, packets: $0.source.packets) }
    }

    /// After the events that were read with them.
    private func writeLosses(at time: TraceTime) throws {
        for loss in losses {
            if let count = loss.count { progress.dropped &+= count } else { progress.uncountedLosses += 1 }
            let record = LossRecord(cause: .dropped, count: loss.count, duration: nil, detail: loss.detail)
            try append(.loss(record), at: max(time, output.lastTime))
        }
        losses.removeAll()
    }

    private func take(_ event: KeyEvent, _ index: Int) {
        var event = event
        event.time = event.time.advanced(by: inputs[index].shift)
        let now = elapsed
        if event.time.since(now) > LiveRecorder.ahead {
            let more = now.since(event.time)
            inputs[index].shift = inputs[index].shift + more
            event.time = now
            clockSteps += 1
        }
        let at = queue.lastIndex { $0.event.time <= event.time }.map { $0 + 1 } ?? 0
        queue.insert(Queued(event: event, input: index), at: at)
    }

    // MARK: Writing

    private func writeWaiting(until end: TraceTime) throws {
        let count = queue.firstIndex { $0.event.time > end } ?? queue.count
        for waiting in queue.prefix(count) {
            guard let event = identified(waiting) else { continue }
            chord.add(event) { ready.append($0) }
        }
        queue.removeFirst(count)
        chord.pass(to: elapsed) { ready.append($0) }
        try writeReady()
        // Events of a chord that waits are before it.
        if chord.waiting.isEmpty { try writeLosses(at: min(end, elapsed)) }
    }

    private func writeReady() throws {
        defer { ready.removeAll() }
        for event in ready { try write(event) }
    }

    /// The event with the recording's own id of its keyboard; `nil` for keyboards that were not asked for.
    private func identified(_ waiting: Queued) -> KeyEvent? {
        let place = DevicePlace(input: waiting.input, id: waiting.event.device)
        var event = waiting.event
        if let known = ids[place] {
            event.device = known
            return known == 0 ? nil : event
        }
        let devices = inputs[waiting.input].source.devices
        guard place.id > 0, Int(place.id) <= devices.count else { return nil }
        let device = devices[Int(place.id) - 1]
        let isWanted = options.selection.isEmpty || options.selection.contains { $0.matches(device) }
        guard isWanted, let id = UInt16(exactly: places.count + 1) else {
            ids[place] = 0
            return nil
        }
        ids[place] = id
        places.append(place)
        event.device = id
        return event
    }

    private var described: UInt16 = 0

    /// Keyboards are described before their first events.
    private func describe(upTo id: UInt16, at time: TraceTime) throws {
        while described < id, Int(described) < places.count {
            let place = places[Int(described)]
            described += 1
            var device = inputs[place.input].source.devices[Int(place.id) - 1]
            device.id = described
            try append(.device(CaptureImporter.record(device)), at: time)
        }
    }

    private func write(_ event: KeyEvent) throws {
        var event = event
        if event.time < output.lastTime {
            event.time = output.lastTime
            lateEvents += 1
        }
        try describe(upTo: event.device, at: event.time)
        if event.phase == .down {
            progress.downs += 1
            if event.key.usage?.isModifier != true { progress.presses += 1 }
        }
        if !event.isSynthetic, event.phase != .repeat { summary.keyEvents += 1 }
        try append(.key(masking.record(event)), at: event.time)
    }

    /// Keyboards whose input has gone away are detached, and what was down on them is released.
    private func writeGone(at now: TraceTime) throws {
        guard !gone.isEmpty else { return }
        try writeWaiting(until: TraceTime(nanoseconds: .max))
        let time = max(now, output.lastTime)
        for (index, place) in places.enumerated() where gone.contains(place.input) {
            let id = UInt16(index + 1)
            try release(masking.keyboard.held.filter { $0.device == id }, at: time)
            try describe(upTo: id, at: time)
            try append(.hardware(HardwareRecord(device: id, isAttached: false)), at: time)
        }
        gone.removeAll()
    }

    private func release(_ keys: [KeyboardState.HeldKey], at time: TraceTime) throws {
        let places = keys.compactMap { key in key.key.usage.map { (device: key.device, usage: $0) } }
        for (device, usage) in places.sorted(by: { $0 < $1 }) {
            try write(KeyEvent(time: time, device: device, key: .clear(usage), phase: .up, isSynthetic: true))
        }
    }

    // MARK: The end

    private func finish(byChord: Bool) throws {
        // Events of the chord may still be on their way.
        if byChord { usleep(30_000) }
        readAll()
        for index in inputs.indices where inputs[index].isOpen {
            inputs[index].source.finish { self.take($0, index) }
            losses += inputs[index].source.takeLosses()
        }
        try writeWaiting(until: TraceTime(nanoseconds: .max))
        chord.end(byChord: byChord) { ready.append($0) }
        try writeReady()
        let end = max(elapsed, output.lastTime)
        try writeLosses(at: end)
        try release(masking.keyboard.held, at: end)
        for (index, place) in places.enumerated() {
            let reports = inputs[place.input].source.idleReports(of: place.id)
            guard reports > 0 else { continue }
            let idle = IdleRecord(device: UInt16(index + 1), reports: reports)
            try append(.idle(idle), at: end)
        }
        try writeClocks(at: end)
        for input in inputs { summary.notes += input.source.notes.map { "\(input.source.name): \($0)" } }
        progress.elapsed = end.since(.zero)
        try output.finish()
    }

    /// Writes the properties learned of the clocks.
    private func writeClocks(at end: TraceTime) throws {
        var clocks: [String: ClockRecord] = [:]
        for input in inputs {
            let source = input.source
            var clock =
                clocks[source.kind.name]
                ?? ClockRecord(
                    source: source.kind.name, unixTime: start.realtime, granularity: nil, backwardSteps: 0)
            clock.granularity = [clock.granularity, source.granularity].compactMap { $0 }.min()
            clock.backwardSteps += source.backwardSteps
            clocks[source.kind.name] = clock
        }
        for (_, clock) in clocks.sorted(by: { $0.key < $1.key })
        where clock.granularity != nil || clock.backwardSteps > 0 {
            try append(.clock(clock), at: end)
        }
        let steps = clockSteps + clocks.values.reduce(0) { $0 + $1.backwardSteps }
        if steps > 0 {
            let loss = LossRecord(
                cause: .clockStep, count: steps, duration: nil, detail: "stamps of an input whose clock was set")
            try append(.loss(loss), at: end)
        }
        if lateEvents > 0 {
            summary.notes.append(
                "\(lateEvents) events came after later ones of other keyboards, and have the time of those")
        }
    }
}
