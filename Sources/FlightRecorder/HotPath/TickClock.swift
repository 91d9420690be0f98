import CRecorderSupport

/// Conversion of the recorder's ticks to nanoseconds of CLOCK_MONOTONIC: the moments at which both were read, and a
/// straight line between each two of them. Entries are turned into records after the moment that follows them.
struct TickClock {
    private struct Moment {
        var ticks: UInt64
        var nanoseconds: UInt64
        /// Nanoseconds of a tick, from the moment before to this one.
        var rate: Double
    }

    private static let longest = 32
    /// Closer moments give too inexact a rate.
    private static let apart: UInt64 = 1_000_000
    private static let first: UInt64 = 500_000

    /// At least two.
    private var moments: [Moment]
    /// Nanoseconds of a tick over all moments, for lengths.
    private var pace: Double

    /// Takes half a millisecond, to know the rate.
    init() {
        keyflight_choose_ticks()
        let begin = TickClock.read()
        var end = TickClock.read()
        while end.nanoseconds - begin.nanoseconds < TickClock.first { end = TickClock.read() }
        let rate = TickClock.rate(begin, end)
        pace = rate
        moments = [
            Moment(ticks: begin.ticks, nanoseconds: begin.nanoseconds, rate: rate),
            Moment(ticks: end.ticks, nanoseconds: end.nanoseconds, rate: rate),
        ]
    }

    /// Both clocks at the same moment, to within some ten nanoseconds unless this thread is interrupted.
    private static func read() -> (ticks: UInt64, nanoseconds: UInt64) {
        var best: (ticks: UInt64, nanoseconds: UInt64, width: UInt64) = (0, 0, .max)
        for _ in 0..<4 {
            let before = keyflight_monotonic_ns()
            let ticks = keyflight_ticks()
            let after = keyflight_monotonic_ns()
            if after - before < best.width { best = (ticks, before + (after - before) / 2, after - before) }
        }
        return keyflight_ticks_are_cycles() == 0 ? (best.ticks, best.ticks) : (best.ticks, best.nanoseconds)
    }

    private static func rate(
        _ one: (ticks: UInt64, nanoseconds: UInt64), _ next: (ticks: UInt64, nanoseconds: UInt64)
    ) -> Double {
        next.ticks > one.ticks && next.nanoseconds >= one.nanoseconds
            ? Double(next.nanoseconds - one.nanoseconds) / Double(next.ticks - one.ticks) : 1
    }

    /// Notes this moment, and returns it in ticks. `nil`: the counter went back, as it may where the machine has
    /// slept, and stamps are no longer valid.
    mutating func sample() -> UInt64? {
        let now = TickClock.read()
        guard let last = moments.last, now.ticks >= last.ticks, now.nanoseconds >= last.nanoseconds else { return nil }
        if now.nanoseconds - last.nanoseconds >= TickClock.apart {
            if moments.count == TickClock.longest { moments.removeFirst() }
            let rate = TickClock.rate((last.ticks, last.nanoseconds), now)
            moments.append(Moment(ticks: now.ticks, nanoseconds: now.nanoseconds, rate: rate))
            pace = TickClock.rate((moments[0].ticks, moments[0].nanoseconds), now)
        }
        return now.ticks
    }

    /// Nanoseconds of CLOCK_MONOTONIC.
    func nanoseconds(_ ticks: UInt64) -> UInt64 {
        if keyflight_ticks_are_cycles() == 0 { return ticks }
        var index = moments.count - 1
        while index > 1, moments[index - 1].ticks > ticks { index -= 1 }
        let (from, rate) = (moments[index - 1], moments[index].rate)
        if ticks >= from.ticks { return from.nanoseconds &+ TickClock.whole(Double(ticks - from.ticks) * rate) }
        let before = TickClock.whole(Double(from.ticks - ticks) * rate)
        return from.nanoseconds > before ? from.nanoseconds - before : 0
    }

    /// Nanoseconds of a number of ticks.
    func duration(_ ticks: UInt64) -> UInt64 {
        keyflight_ticks_are_cycles() == 0 ? ticks : TickClock.whole(Double(ticks) * pace)
    }

    /// Ticks of a number of nanoseconds.
    func ticks(ofNanoseconds nanoseconds: UInt64) -> UInt64 {
        keyflight_ticks_are_cycles() == 0 ? nanoseconds : TickClock.whole(Double(nanoseconds) / pace)
    }

    private static func whole(_ value: Double) -> UInt64 { UInt64(min(max(0, value), 9e18) + 0.5) }
}
