import KeyModel
import TraceFormat

/// Puts the records of presses and repeats together, though presses may overlap, and hands each one over whole.
///
/// A tick stays open until another one's record comes after its resolution, since a press whose action runs twice
/// is resolved twice.
struct TickAssembler: Sendable {
    /// After the records consumed so far.
    private(set) var context: ChainContext
    private var current: DecidedTick?
    /// Of `current`: asked for with every record.
    private var currentAt: PressTick?
    private var parked: [PressTick: DecidedTick] = [:]
    /// Downs and repeats of which nothing was decided yet.
    private var waiting: [UInt32: Arrival] = [:]
    private var closed: [DecidedTick] = []
    private var chains = ChainMemo()
    /// Calls of the tick before: the next one has about as many.
    private var room = 0
    /// Presses that wait. Real ones overlap by a handful; a damaged trace may never resolve any.
    private static let limit = 1024

    private struct Arrival: Sendable {
        var key: KeyRecord
        var time: TraceTime
        var context: ChainContext
    }

    /// Keeps when each record was told.
    private let keepsTimes: Bool
    /// Of the others nothing is kept but when they were resolved; `nil`: all are chosen.
    private let chosen: Set<PressTick>?
    private var isChosen = true

    init(_ entries: [ContextEntry] = [], keepsTimes: Bool = false, chosen: Set<PressTick>? = nil) {
        context = ChainContext(entries)
        self.keepsTimes = keepsTimes
        self.chosen = chosen
    }

    mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .key(let key):
            consume(key, at: record.time)
            return
        case .call(let call):
            consume(call, at: record.time)
            return
        case .stage(let stage):
            consume(stage, at: record.time)
            return
        case .receiver(let receiver):
            if receiver.phase == .down { add(record, to: receiver.at, decides: true) }
        case .candidate(let candidate): add(record, to: candidate.at, decides: true)
        case .effect(let effect): add(record, to: effect.at, decides: false)
        case .cache(let counts): addIfOpen(record, to: counts.at)
        case .resolution(let resolution): add(record, to: resolution.at, decides: false)
        default: break
        }
        context.consume(record)
    }

    mutating func consume(_ key: KeyRecord, at time: TraceTime) {
        if let press = key.press { note(key, press, time) }
        context.note(key)
    }

    mutating func consume(_ call: CallRecord, at time: TraceTime) {
        if call.occasion == .down || call.occasion == .repeatTick, call.at.press > 0 {
            if currentAt != call.at { select(call.at, time, true) }
            if isChosen { current?.take(call, at: time) }
        }
        guard call.kind == .buildMenu else { return }
        if call.occasion == .shadow, case .commands(let list) = call.answer, currentAt == call.at {
            current?.menu = list
        }
        context.note(call)
    }

    mutating func consume(_ stage: StageRecord, at time: TraceTime) {
        guard stage.at.press > 0 else { return }
        if currentAt != stage.at { select(stage.at, time, true) }
        if isChosen { current?.take(stage, at: time) }
    }

    /// Something was told of it, and more may come.
    func isOpen(_ at: PressTick) -> Bool { currentAt == at || parked[at] != nil }

    /// Hands over what is open; at the end of a recording.
    mutating func finish() {
        for at in parked.keys.sorted() { if let tick = parked.removeValue(forKey: at) { close(tick) } }
        if let tick = current { close(tick) }
        current = nil
        currentAt = nil
        closed.sort { $0.at < $1.at }
    }

    /// There is something to take.
    var hasClosed: Bool { !closed.isEmpty }

    /// Those that became whole since the last call, in the order in which they did.
    mutating func takeClosed() -> [DecidedTick] {
        guard !closed.isEmpty else { return [] }
        defer { closed.removeAll() }
        return closed
    }

    private mutating func note(_ key: KeyRecord, _ press: UInt32, _ time: TraceTime) {
        switch key.phase {
        case .down, .repeat:
            if waiting.count >= TickAssembler.limit, let oldest = waiting.keys.min() {
                waiting.removeValue(forKey: oldest)
            }
            waiting[press] = Arrival(key: key, time: time, context: context)
        case .up, .cancel: break
        }
    }

    /// `decides`: such records come before anything that follows from the decision, so the first one fixes the
    /// context; earlier presses that were still being handled when the key went down may have changed it.
    private mutating func add(_ record: TraceRecord, to at: PressTick, decides: Bool) {
        // Press 0 is text that came without a key.
        guard at.press > 0 else { return }
        if currentAt != at { select(at, record.time, decides) }
        if !isChosen { guard case .resolution = record.body else { return } }
        current?.take(record)
    }

    private mutating func addIfOpen(_ record: TraceRecord, to at: PressTick) {
        if currentAt == at {
            current?.take(record)
        } else if parked[at] != nil {
            parked[at]?.take(record)
        }
    }

    private mutating func close(_ tick: DecidedTick) {
        var tick = tick
        tick.shareChain(&chains)
        closed.append(tick)
    }

    private mutating func select(_ at: PressTick, _ time: TraceTime, _ decides: Bool) {
        if let tick = current.take() {
            room = min(tick.calls.count, 256)
            if tick.resolutions.isEmpty {
                parked[tick.at] = tick
                if parked.count > TickAssembler.limit, let oldest = parked.keys.min(),
                    let tick = parked.removeValue(forKey: oldest)
                {
                    close(tick)
                }
            } else {
                close(tick)
            }
        }
        currentAt = at
        isChosen = chosen?.contains(at) ?? true
        if !parked.isEmpty, let tick = parked.removeValue(forKey: at) {
            current = tick
            return
        }
        let arrival = waiting.removeValue(forKey: at.press)
        var tick = DecidedTick(
            at: at, key: arrival?.key, time: arrival?.time ?? time,
            context: decides ? context : arrival?.context ?? context)
        if keepsTimes { tick.told = ToldTimes() }
        tick.calls.reserveCapacity(room)
        current = tick
    }
}

/// Runs, which whoever puts presses together counts as well.
extension TickAssembler {
    mutating func consume(_ calls: UnsafeBufferPointer<PlacedCall>, facts: inout TraceInfoBuilder) {
        facts.pass(calls)
        for placed in calls { consume(placed.call, at: placed.time) }
    }

    mutating func consume(_ stages: UnsafeBufferPointer<PlacedStage>, facts: inout TraceInfoBuilder) {
        facts.pass(stages)
        for placed in stages { consume(placed.stage, at: placed.time) }
    }

    mutating func consume(_ keys: PlacedKeys, facts: inout TraceInfoBuilder) {
        for placed in keys {
            facts.visit(placed.key, at: placed.time, sequence: placed.sequence)
            consume(placed.key, at: placed.time)
        }
    }
}
