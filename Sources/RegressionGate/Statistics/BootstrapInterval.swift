/// An interval for a statistic by resampling the sample with replacement (Efron's percentile interval). The draws come
/// from a seed, so that the same sample has the same interval.
package struct BootstrapInterval: Hashable, Sendable {
    package let low: Double
    package let high: Double

    /// `nil` for an empty sample. `confidence` is two-sided, between 0 and 1.
    package init?(
        _ sample: [Double], confidence: Double = 0.95, draws: Int = 2000, seed: UInt64 = 1,
        statistic: ([Double]) -> Double = OrderStatistics.median
    ) {
        guard !sample.isEmpty, draws > 0 else { return nil }
        var random = SplitMix(seed: seed)
        var drawn = sample
        var values: [Double] = []
        values.reserveCapacity(draws)
        for _ in 0..<draws {
            for place in drawn.indices { drawn[place] = sample[random.below(sample.count)] }
            values.append(statistic(drawn))
        }
        values.sort()
        let tail = (1 - confidence) / 2
        low = OrderStatistics.quantile(tail, ofSorted: values)
        high = OrderStatistics.quantile(1 - tail, ofSorted: values)
    }
}

/// Values of a sample in order.
package enum OrderStatistics {
    /// The middle value, or the mean of the two in the middle; 0 of nothing.
    package static func median(_ sample: [Double]) -> Double {
        quantile(0.5, ofSorted: sample.sorted())
    }

    /// Between the values nearest to it in proportion, as most statistics packages do.
    static func quantile(_ q: Double, ofSorted values: [Double]) -> Double {
        guard let last = values.last else { return 0 }
        let place = min(max(q, 0), 1) * Double(values.count - 1)
        let below = Int(place)
        guard below + 1 < values.count else { return last }
        return values[below] + (place - Double(below)) * (values[below + 1] - values[below])
    }
}
