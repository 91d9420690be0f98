import Libc

/// The normal distribution with mean 0 and variance 1.
enum NormalDistribution {
    /// The probability of more than `z`.
    static func upperTail(_ z: Double) -> Double { 0.5 * erfc(z / 2.0.squareRoot()) }

    /// The `z` below which the probability is `p`: the tail function, bisected. Exact to 1e-12.
    static func quantile(_ p: Double) -> Double {
        if p <= 0 { return -.infinity }
        if p >= 1 { return .infinity }
        var (low, high) = (-40.0, 40.0)
        while high - low > 1e-12 {
            let middle = (low + high) / 2
            if 1 - upperTail(middle) < p { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
