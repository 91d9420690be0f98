import KeyModel

/// Repeats of the keys that are held (spec EV-13): at down + delay + n × interval, for as long as they are held.
///
/// Times are those of arrival. A handler slower than the interval does not slow the repeats down; they queue up.
struct RepeatSchedule {
    /// Most repeats that a replay makes of all its keys, a quarter of an hour at ten a second, with `repeatsPerKey`
    /// more for each key that goes down: damaged times in a trace of few bytes may hold keys for centuries. The last
    /// repeat of a key that is held for longer is marked.
    static let maximumRepeats: UInt32 = 10_000
    static let repeatsPerKey = 4
    /// Repeats left.
    private var left: Int

    struct Tick: Equatable {
        var press: UInt32
        /// 1 for the first repeat.
        var number: UInt32
        var time: TraceTime
        /// More repeats would come, and are left out.
        var isLast = false
    }

    private struct Holding {
        var press: UInt32
        var next: Tick
        var interval: TraceDuration
    }

    private var holdings: [Holding] = []

    init(maximum: UInt32 = RepeatSchedule.maximumRepeats) { left = Int(maximum) }

    /// The key of this press is held from `time` on. An interval of zero or less gives one repeat.
    mutating func begin(press: UInt32, at time: TraceTime, delay: TraceDuration, interval: TraceDuration) {
        left += RepeatSchedule.repeatsPerKey
        let first = Tick(press: press, number: 1, time: time.advanced(by: max(delay, .zero)))
        holdings.append(Holding(press: press, next: first, interval: interval))
    }

    mutating func end(press: UInt32) {
        guard let last = holdings.last else { return }
        if last.press == press, holdings.count == 1 {
            holdings.removeLast()
        } else {
            holdings.removeAll { $0.press == press }
        }
    }

    mutating func endAll() { holdings.removeAll(keepingCapacity: true) }

    /// The next repeat at or before `time`; among repeats at one time the earlier press comes first.
    mutating func nextTick(notAfter time: TraceTime) -> Tick? {
        guard !holdings.isEmpty else { return nil }
        var earliest = 0
        for index in holdings.indices.dropFirst() where holdings[index].next.time < holdings[earliest].next.time {
            earliest = index
        }
        var tick = holdings[earliest].next
        guard tick.time <= time else { return nil }
        let interval = holdings[earliest].interval
        left = max(0, left - 1)
        if interval <= .zero || left == 0 || tick.time.nanoseconds == .max {
            tick.isLast = interval > .zero && left == 0
            holdings.remove(at: earliest)
        } else {
            holdings[earliest].next = Tick(
                press: tick.press, number: tick.number + 1, time: tick.time.advanced(by: interval))
        }
        return tick
    }
}
