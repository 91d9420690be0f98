/// Turns the stamps of packets into times since the first one that never decrease, and measures the clock.
///
/// A stamp before the one before it is counted. Below one second back it is taken for disorder between interfaces and
/// the time does not advance until the stamps catch up; from one second on the clock was set back, and time goes on
/// from where it was.
struct StampFollower {
    private(set) var clock = CaptureClock()
    /// The time of the latest packet.
    private(set) var now: Int64 = 0
    private var latest: Int64 = 0
    /// The offset subtracted from a stamp to give a time.
    private var base: Int64 = 0
    /// The smallest gap between stamps, `max` as long as there is none.
    private var smallestStep = UInt64.max

    private static let clockWasSet: Int64 = 1_000_000_000

    /// The time of a packet stamped `stamp` nanoseconds since 1970.
    @inline(__always)
    mutating func time(of stamp: Int64) -> Int64 {
        let (gap, overflow) = stamp.subtractingReportingOverflow(latest)
        guard clock.start != nil, gap >= 0, !overflow else { return irregular(stamp) }
        if gap > 0 {
            smallestStep = min(smallestStep, UInt64(gap))
            latest = stamp
            let (time, overflow) = stamp.subtractingReportingOverflow(base)
            now = max(now, overflow ? Int64.max : time)
        } else {
            clock.repeatedStamps &+= 1
        }
        return now
    }

    /// The stamps do not count from 1970.
    mutating func noteOtherEpoch() { clock.isWallClock = false }

    /// The time of a packet without a stamp.
    mutating func timeOfUnstamped() -> Int64 {
        clock.unstamped += 1
        return now
    }

    /// The facts, after the last packet.
    var facts: CaptureClock {
        var facts = clock
        facts.end = now
        if smallestStep < .max { facts.smallestStep = smallestStep }
        return facts
    }

    private mutating func irregular(_ stamp: Int64) -> Int64 {
        guard clock.start != nil else {
            clock.start = stamp
            (latest, base) = (stamp, stamp)
            return now
        }
        let (back, overflow) = latest.subtractingReportingOverflow(stamp)
        if overflow, stamp > latest {  // forward by more than the range of a time
            latest = stamp
            now = Int64.max
            return now
        }
        clock.backwardSteps += 1
        if overflow || back >= StampFollower.clockWasSet {
            base = stamp.subtractingReportingOverflow(now).partialValue
        }
        latest = stamp
        let (time, isBeyond) = stamp.subtractingReportingOverflow(base)
        if !isBeyond { now = max(now, time) }
        return now
    }
}
