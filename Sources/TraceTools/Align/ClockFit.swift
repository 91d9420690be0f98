import KeyModel

/// One clock as a linear function of another: a press at time t of the first is at t + `base` + `offset` + `drift` × (t
/// − `origin`) of the second.
struct ClockFit: Equatable {
    /// Time of the first clock, near the middle of the fitted range.
    var origin: Int64
    var base: Int64
    /// Nanoseconds beyond `base`, so that small differences keep their precision.
    var offset = 0.0
    /// Nanoseconds for each nanosecond.
    var drift = 0.0
    /// By how much `drift` may be wrong (one standard error).
    var driftError = 0.0
    /// Median absolute residual of the fitted presses, in nanoseconds.
    var residual = 0.0

    /// Beyond the worst resonator there is.
    static let largestDrift = 0.01

    init(origin: Int64, base: Int64) {
        self.origin = origin
        self.base = base
    }

    /// The offset, in nanoseconds, to add to a time of the first clock.
    func shift(at time: Int64) -> Int64 {
        base.saturatingAdding(Int64(nearest: offset + drift * Double(time.saturatingSubtracting(origin))))
    }

    /// Delay of a press on the second clock relative to the fitted line, in nanoseconds.
    func residual(_ first: Int64, _ second: Int64) -> Double {
        let difference = second.saturatingSubtracting(first).saturatingSubtracting(base)
        return Double(difference) - offset - drift * Double(first.saturatingSubtracting(origin))
    }

    /// Fits the times of the same presses, robust against presses that came late: the slope is the median of those
    /// between presses far apart (Theil–Sen), then the least squares of what lies near that line.
    init(_ stamps: [(first: Int64, second: Int64)], near known: ClockFit, fitsDrift: Bool = true) {
        self = known
        drift = 0
        offset = 0
        guard let begin = stamps.first, let end = stamps.last else { return }
        origin = stamps[stamps.count / 2].first
        base = stamps[stamps.count / 2].second.saturatingSubtracting(origin)
        let span = Double(end.first.saturatingSubtracting(begin.first))
        if fitsDrift, stamps.count >= ClockFit.fewestForDrift, span >= ClockFit.shortestForDrift {
            drift = ClockFit.medianSlope(stamps, self)
        }
        offset = ClockFit.median(stamps.map { residual($0.first, $0.second) })
        residual = ClockFit.median(stamps.map { abs(residual($0.first, $0.second)) })
        if drift != 0 { refine(stamps) }
        drift = min(max(drift, -ClockFit.largestDrift), ClockFit.largestDrift)
    }

    private static let fewestForDrift = 8
    private static let shortestForDrift = 1_000_000_000.0
    private static let sampleSize = 2048

    private static func medianSlope(_ stamps: [(first: Int64, second: Int64)], _ fit: ClockFit) -> Double {
        let step = max(1, stamps.count / sampleSize)
        let sample = stride(from: 0, to: stamps.count, by: step).map { stamps[$0] }
        let half = sample.count / 2
        let slopes = (0..<(sample.count - half)).compactMap { index -> Double? in
            let (near, far) = (sample[index], sample[index + half])
            let time = Double(far.first.saturatingSubtracting(near.first))
            guard time > 0 else { return nil }
            return (fit.residual(far.first, far.second) - fit.residual(near.first, near.second)) / time
        }
        return median(slopes)
    }

    /// Least squares of the presses within five times the usual distance. A slope that may as well be none is none.
    private mutating func refine(_ stamps: [(first: Int64, second: Int64)]) {
        let bound = max(5 * ClockFit.deviationOfMedian * residual, 2)
        let kept = stamps.filter { abs(residual($0.first, $0.second)) <= bound }
        guard kept.count >= ClockFit.fewestForDrift else { return }
        let count = Double(kept.count)
        let times = kept.map { Double($0.first.saturatingSubtracting(origin)) }
        let rests = kept.map { residual($0.first, $0.second) }
        let meanTime = times.reduce(0, +) / count, meanRest = rests.reduce(0, +) / count
        var squares = 0.0, products = 0.0
        for (time, rest) in zip(times, rests) {
            squares += (time - meanTime) * (time - meanTime)
            products += (time - meanTime) * (rest - meanRest)
        }
        guard squares > 0 else { return }
        drift += products / squares
        driftError = max(ClockFit.deviationOfMedian * residual, 1) / squares.squareRoot()
        if abs(drift) < 3 * driftError { drift = 0 }
        offset = 0
        offset = ClockFit.median(stamps.map { residual($0.first, $0.second) })
        residual = ClockFit.median(stamps.map { abs(residual($0.first, $0.second)) })
    }

    /// The standard deviation of a normal distribution, in median absolute deviations.
    private static let deviationOfMedian = 1.4826

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
