package import KeyModel
import TraceFormat

/// The interval at which a host polled a keyboard, and the phase of a switch's presses in it.
package struct PollFacts: Hashable, Sendable {
    /// `bInterval` of the endpoint as time, where a descriptor is recorded: at full speed, or at high speed when that
    /// alone fits the measured interval.
    package var declared: TraceDuration?
    /// The longest common interval of which the times between reports are multiples; `nil` where none is significant.
    package var measured: TraceDuration?
    /// Phase of the switch's closing before the report: the middle of the cluster, when the presses cluster. `nil` when
    /// they are spread evenly, as valid latencies require.
    package var cluster: TraceDuration?

    /// Intervals of USB: 125 µs × a power of two, and those of low-speed keyboards; and of Bluetooth LE.
    private static let intervals: [Int64] = [
        125_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 7_500_000, 8_000_000, 10_000_000, 11_250_000,
        15_000_000, 16_000_000, 32_000_000,
    ]
    /// Over longer gaps between reports the two clocks drift apart too far.
    private static let longestGap: Int64 = 2_000_000_000
    private static let fewest = 16

    /// `times`: of reports, ascending. `delays`: from the switch to the report.
    init(times: [Int64], delays: [Int64], interval: UInt8?) {
        let gaps = zip(times.dropFirst(), times).map { $0.saturatingSubtracting($1) }
            .filter { $0 > 0 && $0 <= PollFacts.longestGap }
        if gaps.count >= PollFacts.fewest {
            measured = PollFacts.intervals.last { PollFacts.isOnGrid(gaps, $0) }
                .map { TraceDuration(nanoseconds: $0) }
        }
        declared = interval.map { PollFacts.declared($0, measured?.nanoseconds) }
        guard let interval = measured ?? self.declared, interval.nanoseconds > 0, delays.count >= PollFacts.fewest
        else { return }
        cluster = PollFacts.cluster(delays, interval.nanoseconds).map { TraceDuration(nanoseconds: $0) }
    }

    private static func declared(_ interval: UInt8, _ measured: Int64?) -> TraceDuration {
        let full = Int64(interval) * 1_000_000
        let high: Int64 = 125_000 << Int64(min(max(interval, 1), 16) - 1)
        // Hosts poll at full speed at a power of two not above `bInterval`.
        let isHigh = measured.map { $0 == high && !(full / 2 < $0 && $0 <= full) } ?? false
        return TraceDuration(nanoseconds: isHigh ? high : full)
    }

    /// Nine of ten gaps lie within an eighth of the interval of a multiple of it.
    private static func isOnGrid(_ gaps: [Int64], _ interval: Int64) -> Bool {
        let near = gaps.count { gap in
            let rest = gap % interval
            return gap >= interval / 2 && min(rest, interval - rest) * 8 <= interval
        }
        return 10 * near >= 9 * gaps.count
    }

    /// The eighth of the interval that holds the most, when it and its neighbours hold more than two thirds: evenly
    /// spread presses have three of eight there.
    private static func cluster(_ delays: [Int64], _ interval: Int64) -> Int64? {
        var eighths = Array(repeating: 0, count: 8)
        for delay in delays where delay >= 0 {
            let eighth = (delay % interval) * 8 / interval
            eighths[Int(min(7, eighth))] += 1
        }
        var sums = eighths
        for index in eighths.indices { sums[index] += eighths[(index + 7) % 8] + eighths[(index + 1) % 8] }
        guard let most = sums.max(), let place = sums.firstIndex(of: most), 3 * most > 2 * delays.count else {
            return nil
        }
        return interval * Int64(2 * place + 1) / 16
    }

    var environment: [EnvironmentRecord] {
        var facts: [EnvironmentRecord] = []
        if let declared { facts.append(.init(name: "poll.bInterval", value: declared.text)) }
        if let measured { facts.append(.init(name: "poll.grid", value: measured.text)) }
        facts.append(.init(name: "poll.phase", value: cluster.map { "clusters at \($0.text)" } ?? "uniform"))
        return facts
    }
}
