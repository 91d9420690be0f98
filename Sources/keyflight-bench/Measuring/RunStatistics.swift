/// Statistics of the median of a few runs that assume nothing about how their times are spread.
struct RunStatistics {
    /// Ascending, in nanoseconds of a whole run.
    let sorted: [UInt64]

    init(_ samples: [UInt64]) { sorted = samples.sorted() }

    var minimum: UInt64 { sorted.first ?? 0 }

    /// The middle run; the mean of the two middle ones where their number is even.
    var median: UInt64 {
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
    }

    /// Fewer runs cannot give an interval: even the least and the greatest of five cover the median with a
    /// probability of 94 % only.
    static let runsForInterval = 6

    /// The narrowest pair of runs that covers the median with a probability of at least 95 % (order statistics of a
    /// binomial distribution); `nil` with fewer than six runs.
    var interval: (low: UInt64, high: UInt64)? {
        let count = sorted.count
        guard count >= RunStatistics.runsForInterval else { return nil }
        // P(the median lies below the k-th run) is the lower tail of the binomial distribution with p = 1/2.
        var tail = 0.0, term = 1.0
        for _ in 0..<count { term /= 2 }
        var rank = 0
        while rank < count / 2, 2 * (tail + term) <= 0.05 {
            tail += term
            term = term * Double(count - rank) / Double(rank + 1)
            rank += 1
        }
        return (sorted[max(0, rank - 1)], sorted[min(count - 1, count - rank)])
    }
}
