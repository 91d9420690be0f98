/// Turns the stamps of packets into times since the first one, and measures the clock.
///
/// Each interface of a capture has a clock of its own, whose times never decrease; all count from the first packet of
/// the capture, so that an interface that began before it has times below 0. A stamp before the one before it of the
/// same interface is counted. Below one second back it is taken for disorder and the time does not advance until the
/// stamps catch up; from one second on the clock was set back, and time goes on from where it was.
struct StampFollower {
    private(set) var clock = CaptureClock()
    private var current = Interface()
    private var others: [Int: Interface] = [:]
    private var selected = 0
    /// The first and the last time of all interfaces but the selected one.
    private var earliest: Int64 = 0
    private var highest: Int64 = 0
    /// The smallest gap between stamps, `max` as long as there is none.
    private var smallestStep = UInt64.max

    private struct Interface {
        var hasBegun = false
        /// The time of the latest packet, and its stamp.
        var now: Int64 = 0
        var latest: Int64 = 0
        /// The offset subtracted from a stamp to give a time.
        var base: Int64 = 0
    }

    /// More than one interface was selected.
    var hasSeveral: Bool { !others.isEmpty }

    private static let clockWasSet: Int64 = 1_000_000_000
    /// Interfaces that are farther apart than these nine years have clocks that count from different moments.
    private static let unrelated: Int64 = 1 << 58

    /// Follows another interface from now on; false where it is the same.
    mutating func select(_ interface: Int) -> Bool {
        guard interface != selected else { return false }
        others[selected] = current
        highest = max(highest, current.now)
        current = others[interface] ?? Interface()
        selected = interface
        return true
    }

    /// The time of a packet stamped `stamp` nanoseconds since 1970.
    @inline(__always)
    mutating func time(of stamp: Int64) -> Int64 {
        let (gap, overflow) = stamp.subtractingReportingOverflow(current.latest)
        guard current.hasBegun, gap >= 0, !overflow else { return irregular(stamp) }
        if gap > 0 {
            smallestStep = min(smallestStep, UInt64(gap))
            current.latest = stamp
            let (time, overflow) = stamp.subtractingReportingOverflow(current.base)
            current.now = max(current.now, overflow ? Int64.max : time)
        } else {
            clock.repeatedStamps &+= 1
        }
        return current.now
    }

    /// The stamps do not count from 1970.
    mutating func noteOtherEpoch() { clock.isWallClock = false }

    /// The time of a packet without a stamp.
    mutating func timeOfUnstamped() -> Int64 {
        clock.unstamped += 1
        return current.now
    }

    /// To be added to all times, so that none is below 0.
    var shift: Int64 { -earliest }

    /// The facts, after the last packet.
    var facts: CaptureClock {
        var facts = clock
        let (end, isBeyond) = max(highest, current.now).addingReportingOverflow(shift)
        facts.end = isBeyond ? .max : end
        facts.start = clock.start.map { $0 &- shift }
        if smallestStep < .max { facts.smallestStep = smallestStep }
        return facts
    }

    private mutating func begin(_ stamp: Int64) -> Int64 {
        let start = clock.start ?? stamp
        clock.start = start
        let (time, overflow) = stamp.subtractingReportingOverflow(start)
        let isRelated = !overflow && time > -StampFollower.unrelated && time < StampFollower.unrelated
        let now = isRelated ? time : highest
        current = Interface(hasBegun: true, now: now, latest: stamp, base: isRelated ? start : stamp &- now)
        earliest = min(earliest, now)
        return now
    }

    private mutating func irregular(_ stamp: Int64) -> Int64 {
        guard current.hasBegun else { return begin(stamp) }
        let (back, overflow) = current.latest.subtractingReportingOverflow(stamp)
        if overflow, stamp > current.latest {  // forward by more than the range of a time
            current.latest = stamp
            current.now = Int64.max
            return current.now
        }
        clock.backwardSteps += 1
        if overflow || back >= StampFollower.clockWasSet {
            current.base = stamp.subtractingReportingOverflow(current.now).partialValue
        }
        current.latest = stamp
        let (time, isBeyond) = stamp.subtractingReportingOverflow(current.base)
        if !isBeyond { current.now = max(current.now, time) }
        return current.now
    }
}
