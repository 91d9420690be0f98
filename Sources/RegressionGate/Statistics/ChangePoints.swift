/// A step of a series of measurements to another lasting level: the best split by ranks, then the same in each part.
package struct ChangePoint: Hashable, Sendable {
    /// The first value of the new level.
    package var place: Int
    /// Medians of the levels before and after.
    package var before: Double
    package var after: Double
    /// Probability, corrected for all splits that were tried.
    package var p: Double

    /// Numbers of values on each side that are compared: in a whole series with two steps each would hide the other.
    private static let windows = [12, 24, 48]

    /// Levels shorter than this are not distinguished from noise.
    package static let shortest = 4

    /// Steps of at least `effect` (a part of the level before) of which chance makes one in `1 / error` series.
    package static func all(in series: [Double], effect: Double = 0.03, error: Double = 0.001) -> [ChangePoint] {
        var found: [ChangePoint] = []
        var open = [series.indices]
        while let range = open.popLast() {
            guard let point = best(series, range, effect, error) else { continue }
            found.append(point)
            open.append(range.lowerBound..<point.place)
            open.append(point.place..<range.upperBound)
        }
        return found.sorted { $0.place < $1.place }
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    private static func best(
        _ series: [Double], _ range: Range<Int>, _ effect: Double, _ error: Double
    ) -> ChangePoint? {
        guard range.count >= 2 * shortest else { return nil }
        let splits = (range.lowerBound + shortest)...(range.upperBound - shortest)
        var best: ChangePoint?
        // Of places that separate equally well, the one with the larger step between the means.
        var bestStep = 0.0
        for place in splits {
            for window in windows {
                let left = Array(series[max(range.lowerBound, place - window)..<place])
                let right = Array(series[place..<min(range.upperBound, place + window)])
                let p = min(1, MannWhitney(left, right).p * Double(splits.count * windows.count))
                let step = abs(mean(right) - mean(left))
                guard p < error, p < best?.p ?? error || p == best?.p && step > bestStep else { continue }
                let (before, after) = (OrderStatistics.median(left), OrderStatistics.median(right))
                guard before > 0, abs(after / before - 1) >= effect else { continue }
                best = ChangePoint(place: place, before: before, after: after, p: p)
                bestStep = step
            }
        }
        return best
    }
}
