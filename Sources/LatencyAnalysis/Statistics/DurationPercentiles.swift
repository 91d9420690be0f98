package import KeyModel

/// Durations of which percentiles are wanted: exact ones up to 100,000 durations, which are kept, eight bytes each;
/// beyond that at most 0.1 % too high, out of a histogram. The longest and the sum are always exact.
///
/// A percentile is the *nearest rank*: of n durations in ascending order, the q-th percentile is number
/// ⌈q · n⌉, so it is always one that was measured. It is only stated where n is at least 1 / (1 − q): below that
/// it would be the maximum under another name. The median is stated from n = 1 on.
package struct DurationPercentiles: Sendable {
    private var durations: [Int64] = []
    /// In place of `durations` once there are too many.
    private var histogram: DurationHistogram?
    package static let exactLimit = 100_000
    private var isSorted = true
    package private(set) var sum = TraceDuration.zero

    package init() {}

    package var count: Int { histogram?.count ?? durations.count }

    /// Adds a duration; a negative one, which only a damaged source has, counts as zero.
    package mutating func add(_ duration: TraceDuration) {
        let nanoseconds = max(0, duration.nanoseconds)
        sum = sum + TraceDuration(nanoseconds: nanoseconds)
        if histogram != nil {
            histogram?.add(nanoseconds)
            return
        }
        if let last = durations.last, nanoseconds < last { isSorted = false }
        durations.append(nanoseconds)
        if durations.count > DurationPercentiles.exactLimit { beginHistogram() }
    }

    /// More time of a duration that was added before.
    mutating func addToSum(_ duration: TraceDuration) { sum = sum + max(duration, .zero) }

    private mutating func beginHistogram() {
        var histogram = DurationHistogram()
        for duration in durations { histogram.add(duration) }
        self.histogram = histogram
        durations = []
    }

    /// The statistics of everything added so far; `nil` for an empty sample.
    package mutating func statistics() -> DurationStatistics? {
        sort()
        guard let longest = histogram?.longest ?? durations.last else { return nil }
        return DurationStatistics(
            count: count, p50: percentile(500), p90: percentile(900), p99: percentile(990), p999: percentile(999),
            max: TraceDuration(nanoseconds: longest), sum: sum, isExact: histogram == nil)
    }

    /// The percentile of so many thousandths; `nil` where the sample is too small for it.
    package mutating func value(perMille: Int) -> TraceDuration? {
        sort()
        return percentile(perMille)
    }

    private mutating func sort() {
        if !isSorted { durations.sort() }
        isSorted = true
    }

    private func percentile(_ perMille: Int) -> TraceDuration? {
        guard count >= (perMille <= 500 ? 1 : (1000 + 999 - perMille) / max(1, 1000 - perMille)) else { return nil }
        // ⌈n · q⌉ without overflow: n is far below Int.max / 1000 in any memory.
        let rank = (count * perMille + 999) / 1000
        if let histogram { return TraceDuration(nanoseconds: histogram.value(atRank: rank)) }
        return TraceDuration(nanoseconds: durations[min(max(rank, 1), durations.count) - 1])
    }
}

/// Statistics of a sample of durations. A percentile is `nil` where the sample is too small for it.
package struct DurationStatistics: Hashable, Sendable {
    package var count: Int
    package var p50: TraceDuration?
    package var p90: TraceDuration?
    /// `nil` below 100 durations.
    package var p99: TraceDuration?
    /// `nil` below 1000 durations.
    package var p999: TraceDuration?
    package var max: TraceDuration
    package var sum: TraceDuration
    /// The percentiles are durations that were measured; else they are at most 0.1 % too high.
    package var isExact = true
}
