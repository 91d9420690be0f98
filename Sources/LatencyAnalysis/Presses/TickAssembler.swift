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
    private var parked: [PressTick: DecidedTick] = [:]
    /// Downs and repeats of which nothing was decided yet.
    private var waiting: [UInt32: Arrival] = [:]
    private var closed: [DecidedTick] = []
    /// Presses that wait. Real ones overlap by a handful; a damaged trace may never resolve any.
    private static let limit = 1024

    private struct Arrival: Sendable {
        var key: KeyRecord
        var time: TraceTime
        var context: ChainContext
    }

    /// Keeps when each record was told.
    private let keepsTimes: Bool

    init(_ entries: [ContextEntry] = [], keepsTimes: Bool = false) {
        context = ChainContext(entries)
        self.keepsTimes = keepsTimes
    }

    mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .key(let key):
            if let press = key.press { note(key, press, record.time) }
        case .call(let call):
            if call.occasion == .down || call.occasion == .repeatTick { add(record, to: call.at, decides: true) }
            if call.kind == .buildMenu, call.occasion == .shadow, case .commands(let list) = call.answer,
                current?.at == call.at
            {
                current?.menu = list
            }
        case .receiver(let receiver):
            if receiver.phase == .down { add(record, to: receiver.at, decides: true) }
        case .candidate(let candidate): add(record, to: candidate.at, decides: true)
        case .effect(let effect): add(record, to: effect.at, decides: false)
        case .stage(let stage): add(record, to: stage.at, decides: true)
        case .cache(let counts): addIfOpen(record, to: counts.at)
        case .resolution(let resolution): add(record, to: resolution.at, decides: false)
        default: break
        }
        context.consume(record)
    }

    /// Something was told of it, and more may come.
    func isOpen(_ at: PressTick) -> Bool { current?.at == at || parked[at] != nil }

    /// Hands over what is open; at the end of a recording.
    mutating func finish() {
        for at in parked.keys.sorted() { if let tick = parked.removeValue(forKey: at) { closed.append(tick) } }
        if let tick = current { closed.append(tick) }
        current = nil
        closed.sort { $0.at < $1.at }
    }

    /// Those that became whole since the last call, in the order in which they did.
    mutating func takeClosed() -> [DecidedTick] {
        guard !closed.isEmpty else { return [] }
        defer { closed.removeAll(keepingCapacity: true) }
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
        select(at, record.time, decides)
        current?.take(record)
    }

    private mutating func addIfOpen(_ record: TraceRecord, to at: PressTick) {
        if current?.at == at {
            current?.take(record)
        } else if parked[at] != nil {
            parked[at]?.take(record)
        }
    }

    private mutating func select(_ at: PressTick, _ time: TraceTime, _ decides: Bool) {
        if current?.at == at { return }
        if let tick = current {
            if tick.resolutions.isEmpty {
                parked[tick.at] = tick
                if parked.count > TickAssembler.limit, let oldest = parked.keys.min(),
                    let tick = parked.removeValue(forKey: oldest)
                {
                    closed.append(tick)
                }
            } else {
                closed.append(tick)
            }
        }
        if let tick = parked.removeValue(forKey: at) {
            current = tick
            return
        }
        let arrival = waiting.removeValue(forKey: at.press)
        current = DecidedTick(
            at: at, key: arrival?.key, time: arrival?.time ?? time,
            context: decides ? context : arrival?.context ?? context)
        if keepsTimes { current?.told = ToldTimes() }
    }
}
