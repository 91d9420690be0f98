/// The rank-sum test of Mann and Whitney: whether one of two samples tends to larger values, with no assumption about
/// the form of either.
package struct MannWhitney: Hashable, Sendable {
    /// Pairs in which the value of the second sample is larger; ties count half.
    package let u: Double
    /// Two-sided. Exact without ties in samples of up to 25 values each; otherwise by the normal distribution with
    /// the correction for ties and for continuity. 1 where one sample is empty or all values are the same.
    package let p: Double

    static let exactLimit = 25

    package init(_ first: [Double], _ second: [Double]) {
        let (n, m) = (first.count, second.count)
        guard n > 0, m > 0 else {
            (u, p) = (0, 1)
            return
        }
        let values = (first.map { ($0, false) } + second.map { ($0, true) }).sorted { $0.0 < $1.0 }
        var rankSum = 0.0
        var tieTerm = 0.0
        var start = 0
        while start < values.count {
            var end = start
            while end < values.count, values[end].0 == values[start].0 { end += 1 }
            // Ranks count from 1; tied values share their mean.
            let rank = Double(start + end + 1) / 2
            rankSum += rank * Double(values[start..<end].count { $0.1 })
            let tied = Double(end - start)
            tieTerm += tied * tied * tied - tied
            start = end
        }
        u = rankSum - Double(m) * Double(m + 1) / 2
        p =
            tieTerm == 0 && n <= MannWhitney.exactLimit && m <= MannWhitney.exactLimit
            ? MannWhitney.exact(u, n, m) : MannWhitney.approximate(u, n, m, tieTerm)
    }

    /// Number of the equally likely orders that are at least as far from the middle.
    private static func exact(_ u: Double, _ n: Int, _ m: Int) -> Double {
        // ways[j][v]: orders of j values of the second sample among those of the first seen so far with U = v.
        let most = n * m
        var ways = Array(repeating: [Double](repeating: 0, count: most + 1), count: m + 1)
        for j in 0...m { ways[j][0] = 1 }
        // The count of partitions: N(v; n, m) = N(v − m; n − 1, m) + N(v; n, m − 1).
        for i in 1...n {
            var next = Array(repeating: [Double](repeating: 0, count: most + 1), count: m + 1)
            next[0][0] = 1
            for j in 1...m {
                for value in 0...(i * j) {
                    next[j][value] = next[j - 1][value] + (value >= j ? ways[j][value - j] : 0)
                }
            }
            ways = next
        }
        let counts = ways[m]
        let total = counts.reduce(0, +)
        let smaller = Int(min(u, Double(most) - u))
        return min(1, 2 * counts[...smaller].reduce(0, +) / total)
    }

    private static func approximate(_ u: Double, _ n: Int, _ m: Int, _ tieTerm: Double) -> Double {
        let (n, m) = (Double(n), Double(m))
        let all = n + m
        let variance = n * m / 12 * (all + 1 - tieTerm / (all * (all - 1)))
        guard variance > 0 else { return 1 }
        let distance = max(0, abs(u - n * m / 2) - 0.5)
        return min(1, 2 * NormalDistribution.upperTail(distance / variance.squareRoot()))
    }
}
