import Foundation

/// The interval of Clopper and Pearson for a probability of which `successes` of `trials` were seen: exact, and so on
/// the safe side.
struct BinomialInterval: Hashable, Sendable {
    let low: Double
    let high: Double

    init(successes: Int, trials: Int, confidence: Double = 0.95) {
        let tail = (1 - confidence) / 2
        guard trials > 0 else {
            (low, high) = (0, 1)
            return
        }
        low =
            successes <= 0
            ? 0 : BinomialInterval.root { 1 - BinomialInterval.cumulated(successes - 1, trials, $0) - tail }
        high =
            successes >= trials
            ? 1 : BinomialInterval.root { tail - BinomialInterval.cumulated(successes, trials, $0) }
    }

    /// Where a function that grows from below 0 crosses it.
    private static func root(_ function: (Double) -> Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if function(middle) < 0 { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// P(X ≤ k) of n trials with probability p.
    private static func cumulated(_ k: Int, _ n: Int, _ p: Double) -> Double {
        if p <= 0 { return 1 }
        if p >= 1 { return k >= n ? 1 : 0 }
        var sum = 0.0
        for value in 0...max(k, 0) {
            let (v, all) = (Double(value), Double(n))
            let ways = lgamma(all + 1) - lgamma(v + 1) - lgamma(all - v + 1)
            sum += exp(ways + v * log(p) + (all - v) * log1p(-p))
        }
        return min(1, sum)
    }
}
