import KeyModel
import TraceFormat

/// Presses and repeats that arrived, until they are done: how many wait at a time, and which of them nothing was ever
/// decided of.
struct ArrivalQueue: Sendable {
    struct Arrival: Hashable, Sendable {
        var at: PressTick
        var key: KeyRecord
        var time: TraceTime
        /// Its resolution was read; only its end is not known yet.
        var isResolved = false
    }

    struct Lost: Hashable, Sendable {
        var arrival: Arrival
        var end: TraceTime
        var ending: PressTimeline.Ending
    }

    /// In the order of arrival.
    private var open: [Arrival] = []
    private var ticks: [UInt32: UInt32] = [:]
    /// Arrivals and ends that wait for everything before them, as steps of the number of those that wait.
    private var steps: [(time: TraceTime, by: Int)] = []
    private var count = 0
    /// Length at which the steps are looked through, even if no press was reported meanwhile.
    private var longest = ArrivalQueue.mostSteps
    private static let mostSteps = 4 * limit
    private var now = TraceTime.zero
    /// Arrivals that were never decided, until they are taken.
    private(set) var lost: [Lost] = []
    /// Real presses overlap by a handful; a damaged recording may never resolve any.
    private static let limit = 1024

    mutating func note(_ record: TraceRecord) {
        now = max(now, record.time)
        switch record.body {
        case .key(let key):
            guard let press = key.press, press > 0 else { return }
            switch key.phase {
            case .down, .repeat: arrive(key, press, record.time)
            case .cancel: lose(record.time, .cancelled) { $0.at.press == press && !$0.isResolved }
            case .up: ticks[press] = nil
            }
        case .resolution(let resolution): resolve(resolution.at)
        default: break
        }
    }

    private mutating func arrive(_ key: KeyRecord, _ press: UInt32, _ time: TraceTime) {
        if open.count >= ArrivalQueue.limit { lose(open.removeFirst(), time, .unresolved) }
        if ticks.count >= ArrivalQueue.limit { ticks.removeAll() }
        let tick = key.phase == .down ? 0 : (ticks[press] ?? 0) + 1
        ticks[press] = tick
        open.append(Arrival(at: PressTick(press: press, tick: tick), key: key, time: time))
        steps.append((time, 1))
    }

    private mutating func resolve(_ at: PressTick) {
        // A trimmed recording may begin in the middle of a held key, whose repeats are then counted from there.
        guard
            let place = open.firstIndex(where: { $0.at == at && !$0.isResolved })
                ?? open.firstIndex(where: { $0.at.press == at.press && !$0.isResolved })
        else { return }
        open[place].at = at
        open[place].isResolved = true
        // Repeats before a served one will not be served any more.
        lose(now, .coalesced) { $0.at.press == at.press && $0.at.tick < at.tick && !$0.isResolved }
    }

    private mutating func lose(
        _ end: TraceTime, _ ending: PressTimeline.Ending, where isLost: (Arrival) -> Bool
    ) {
        for arrival in open where isLost(arrival) { lose(arrival, end, ending) }
        open.removeAll(where: isLost)
    }

    private mutating func lose(_ arrival: Arrival, _ end: TraceTime, _ ending: PressTimeline.Ending) {
        if !arrival.isResolved { lost.append(Lost(arrival: arrival, end: max(arrival.time, end), ending: ending)) }
        steps.append((max(arrival.time, end), -1))
    }

    /// Notes the end of a complete tick.
    mutating func end(_ at: PressTick, _ end: TraceTime) {
        guard let place = open.firstIndex(where: { $0.at == at }) else { return }
        steps.append((max(end, open[place].time), -1))
        open.remove(at: place)
    }

    /// Reports the rest as not resolved.
    mutating func finish() { lose(now, .unresolved) { _ in true } }

    mutating func takeLost() -> [Lost] {
        guard !lost.isEmpty else { return [] }
        defer { lost.removeAll() }
        return lost
    }

    /// True when enough steps wait to be counted.
    var isLong: Bool { steps.count >= longest }

    /// Number of waiting presses from each time on, as far as nothing that is still open can change it.
    mutating func takeCounts(isLast: Bool = false) -> [(time: TraceTime, count: Int)] {
        defer { longest = max(ArrivalQueue.mostSteps, 2 * steps.count) }
        let known = isLast ? TraceTime(rawValue: .max) : min(open.first?.time ?? now, now)
        guard steps.contains(where: { isLast || $0.time < known }) else { return [] }
        // At the same moment an end comes before an arrival, for which it makes room.
        let sorted = steps.enumerated().sorted {
            ($0.element.time, $0.element.by, $0.offset) < ($1.element.time, $1.element.by, $1.offset)
        }.map(\.element)
        let done = sorted.prefix { isLast || $0.time < known }
        steps = Array(sorted.dropFirst(done.count))
        var counts: [(time: TraceTime, count: Int)] = []
        for step in done {
            // An end may precede its own begin in the list, where both are at one moment.
            count += step.by
            if counts.last?.time == step.time { counts.removeLast() }
            counts.append((step.time, max(0, count)))
        }
        return counts
    }
}
