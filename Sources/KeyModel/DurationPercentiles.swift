/// Durations of which percentiles are wanted: exact ones up to 100,000 durations, which are kept, eight bytes each;
/// beyond that at most 0.1 % too high, out of a histogram. The longest, the shortest and the sum are always exact.
///
/// A percentile is the *nearest rank*: of n durations in ascending order, the q-th percentile is number
/// ⌈q · n⌉, so it is always one that was measured. It is only stated where n is at least 1 / (1 − q): below that
/// it would be the maximum under another name. The median is stated from n = 1 on.
package struct DurationPercentiles: Sendable {
    private var durations: [Int64] = []
    /// In place of `durations` once there are too many: how many there are in each step of 1/1024, by code; short
    /// while durations are.
    private var histogram: [UInt64] = []
    private static let bits: UInt64 = 10
    package static let exactLimit = 100_000
    private var isSorted = true
    package private(set) var count = 0
    package private(set) var sum = TraceDuration.zero
    private var shortest = Int64.max
    private var longest: Int64 = 0

    package init() {}

    /// Adds a duration; a negative one, which only a damaged source has, counts as zero.
    package mutating func add(_ duration: TraceDuration) {
        let nanoseconds = max(0, duration.nanoseconds)
        count += 1
        sum = sum + TraceDuration(nanoseconds: nanoseconds)
        (shortest, longest) = (min(shortest, nanoseconds), max(longest, nanoseconds))
        guard histogram.isEmpty else { return addToHistogram(nanoseconds) }
        if let last = durations.last, nanoseconds < last { isSorted = false }
        durations.append(nanoseconds)
        guard count > DurationPercentiles.exactLimit else { return }
        for duration in durations { addToHistogram(duration) }
        durations = []
    }

    /// More time of a duration that was added before.
    package mutating func addToSum(_ duration: TraceDuration) { sum = sum + max(duration, .zero) }

    private mutating func addToHistogram(_ nanoseconds: Int64) {
        let code = Int(RoundedDuration.code(UInt64(nanoseconds), bits: DurationPercentiles.bits))
        if code >= histogram.count { histogram += Array(repeating: 0, count: code + 1 - histogram.count) }
        histogram[code] += 1
    }

    /// The statistics of everything added so far; `nil` for an empty sample.
    package mutating func statistics() -> DurationStatistics? {
        guard count > 0 else { return nil }
        sort()
        return DurationStatistics(
            count: count, p50: percentile(500), p90: percentile(900), p99: percentile(990), p999: percentile(999),
            min: TraceDuration(nanoseconds: shortest), max: TraceDuration(nanoseconds: longest), sum: sum,
            isExact: histogram.isEmpty)
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
        guard histogram.isEmpty else { return TraceDuration(nanoseconds: upperBound(ofRank: rank)) }
        return TraceDuration(nanoseconds: durations[min(max(rank, 1), durations.count) - 1])
    }

    /// The largest value of the step in which the duration of this rank lies; the longest one exactly.
    private func upperBound(ofRank rank: Int) -> Int64 {
        var left = UInt64(max(1, rank))
        for (code, count) in histogram.enumerated() {
            guard count < left else {
                let step = RoundedDuration.step(UInt64(code), bits: DurationPercentiles.bits)
                return min(longest, step.map { Int64(clamping: $0.first + $0.width - 1) } ?? longest)
            }
            left -= count
        }
        return longest
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
    package var min: TraceDuration
    package var max: TraceDuration
    package var sum: TraceDuration
    /// The percentiles are durations that were measured; else they are at most 0.1 % too high.
    package var isExact = true
}

extension DurationStatistics {
    /// `nil` for no durations.
    package init?(_ durations: some Sequence<TraceDuration>) {
        var sample = DurationPercentiles()
        for duration in durations { sample.add(duration) }
        guard let statistics = sample.statistics() else { return nil }
        self = statistics
    }
}
