/// Wilcoxon's signed-rank estimate of the middle of paired differences: no assumption but that the differences
/// of a machine that did not change lie evenly about 0. The estimate is that of Hodges and Lehmann, the median of the
/// means of all pairs of differences.
struct SignedRank {
    /// The means of all pairs of differences, each difference with itself too, ascending.
    private let means: [Double]

    init(_ differences: [Double]) {
        let count = differences.count
        var means: [Double] = []
        means.reserveCapacity(count * (count + 1) / 2)
        for (place, first) in differences.enumerated() {
            for second in differences[place...] { means.append((first + second) / 2) }
        }
        means.sort()
        self.means = means
    }

    /// 0 of nothing.
    var estimate: Double {
        guard !means.isEmpty else { return 0 }
        let middle = means.count / 2
        return means.count.isMultiple(of: 2) ? (means[middle - 1] + means[middle]) / 2 : means[middle]
    }

    /// The middle lies below this with a probability of at most the error that `rank` was found for; −∞ where there
    /// are too few differences.
    func lowerBound(_ rank: Int?) -> Double { rank.map { means[$0] } ?? -.infinity }

    /// The same from above.
    func upperBound(_ rank: Int?) -> Double { rank.map { means[means.count - 1 - $0] } ?? .infinity }

    /// The largest r with P(W ≤ r) ≤ `error` for the rank sum W of `count` differences; `nil` where even the smallest
    /// is likelier. Exact up to 100 differences, by the normal distribution above.
    static func rank(_ count: Int, error: Double) -> Int? {
        guard count > 0 else { return nil }
        let most = count * (count + 1) / 2
        guard count <= 100 else {
            let mean = Double(most) / 2
            let deviation = (Double(most) * Double(2 * count + 1) / 12).squareRoot()
            let rank = (mean + NormalDistribution.quantile(error) * deviation - 0.5).rounded(.down)
            return rank < 0 ? nil : Int(rank)
        }
        // probabilities[w]: of rank sum w, one difference after the other.
        var probabilities = [Double](repeating: 0, count: most + 1)
        probabilities[0] = 1
        var reached = 0
        for rank in 1...count {
            reached += rank
            for sum in stride(from: reached, through: 0, by: -1) {
                let with = sum >= rank ? probabilities[sum - rank] : 0
                probabilities[sum] = (probabilities[sum] + with) / 2
            }
        }
        var tail = 0.0
        var best: Int?
        for sum in 0...most {
            tail += probabilities[sum]
            guard tail <= error else { break }
            best = sum
        }
        return best
    }
}
