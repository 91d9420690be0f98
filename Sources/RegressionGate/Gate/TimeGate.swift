package import KeyModel
import Libc

/// Compares the times of two builds, from runs of both in turn on one machine.
///
/// Each pair of runs gives one ratio for each stage, head by base, so that a temporary slowdown of the whole machine
/// cancels out. The verdict looks at the pairs a few times, more of them only while it is undecided; the error
/// stated is for all looks and all stages together (Bonferroni).
package struct TimeGate: Sendable {
    package struct Options: Hashable, Sendable {
        /// Tolerated slowdown, as a part: 0.02 is 2 %.
        package var margin = 0.02
        /// The probability that anything is called worse that is not.
        package var falseAlarm = 0.01
        /// The probability that anything is called not worse by more than the margin that is.
        package var miss = 0.05
        /// Pairs after which it looks; the last is the cap.
        package var looks = [12, 24, 48]

        package init() {}
    }

    package enum Verdict: String, Hashable, Sendable {
        case worse, better
        /// Not worse by more than the margin.
        case notWorse
        case inconclusive
        /// Undecided, and too short for more runs to be worth their time.
        case tooShort
    }

    /// In nanoseconds: a stage below it, or below the step of its clock, is too short. The total is always decided.
    private static let shortest = 10_000.0

    /// Result of one stage.
    package struct Row: Hashable, Sendable {
        /// `nil`: the total.
        package var stage: LatencyStage?
        package var verdict: Verdict
        /// Head by base: 1.1 is 10 % slower. `low` and `high` hold it with the stated errors.
        package var ratio: Double
        package var low: Double
        package var high: Double
        /// Medians over the runs, in nanoseconds.
        package var base: Double
        package var head: Double
        /// Difference between neighbouring runs of one build, as a part: smaller changes cannot be distinguished.
        package var noiseFloor: Double
        /// The smallest slowdown that would be found in four of five gates with the runs of the cap.
        package var detectable: Double
        /// About how many pairs would decide it; `nil` where it is decided.
        package var pairsNeeded: Int?
    }

    package var rows: [Row]
    package var pairs: Int

    /// The worst of all rows: worse, then inconclusive, then the rest.
    package var verdict: Verdict {
        let verdicts = rows.map(\.verdict)
        if verdicts.contains(.worse) { return .worse }
        if verdicts.contains(.inconclusive) || verdicts.allSatisfy({ $0 == .tooShort }) { return .inconclusive }
        return verdicts.allSatisfy { $0 == .better } ? .better : .notWorse
    }

    /// The medians of one run, in nanoseconds, by stage; `nil` is the total.
    package typealias Run = [LatencyStage?: Double]

    /// Runs pairs until everything is decided or the cap is reached. `pair` makes one run of each; which of the two
    /// goes first changes from pair to pair, and is given by `isBaseFirst`. `clockStep`: the coarsest step between two
    /// stamps of the runs so far, in nanoseconds.
    package init(
        _ options: Options = Options(), clockStep: () -> Double = { 0 },
        pair: (_ isBaseFirst: Bool) throws -> (base: Run, head: Run)
    ) rethrows {
        var runs: [(base: Run, head: Run)] = []
        rows = []
        pairs = 0
        for look in options.looks {
            while runs.count < look { runs.append(try pair(runs.count.isMultiple(of: 2))) }
            pairs = runs.count
            rows = TimeGate.rows(runs, options, shortest: max(TimeGate.shortest, clockStep()))
            let verdicts = rows.map(\.verdict)
            // One that is worse fails the gate, whatever more runs would show for the others.
            if !verdicts.contains(.inconclusive) || verdicts.contains(.worse) { return }
        }
    }

    private static func rows(
        _ runs: [(base: Run, head: Run)], _ options: Options, shortest: Double
    ) -> [Row] {
        var stages: [LatencyStage?] = LatencyStage.allCases.map { $0 }
        stages.append(nil)
        // A stage without time in some run cannot be compared as a ratio.
        stages.removeAll { stage in
            runs.contains { ($0.base[stage] ?? 0) <= 0 || ($0.head[stage] ?? 0) <= 0 }
        }
        let share = Double(max(1, stages.count) * max(1, options.looks.count))
        // The share of the errors that one stage has at one look.
        var own = options
        (own.falseAlarm, own.miss) = (options.falseAlarm / share, options.miss / share)
        return stages.map { stage in
            row(
                stage, base: runs.map { $0.base[stage] ?? 1 }, head: runs.map { $0.head[stage] ?? 1 }, own,
                shortest: shortest)
        }
    }

    private static func row(
        _ stage: LatencyStage?, base: [Double], head: [Double], _ options: Options, shortest: Double
    ) -> Row {
        let ratios = zip(base, head).map { log($0.1 / $0.0) }
        let ranks = SignedRank(ratios)
        let falseAlarmRank = SignedRank.rank(ratios.count, error: options.falseAlarm)
        let low = ranks.lowerBound(falseAlarmRank)
        let high = ranks.upperBound(SignedRank.rank(ratios.count, error: options.miss))
        let margin = log1p(options.margin)
        // A gain is reported with the certainty of a loss.
        let gain = ranks.upperBound(falseAlarmRank)
        let medians = (base: OrderStatistics.median(base), head: OrderStatistics.median(head))
        let isShort = stage != nil && max(medians.base, medians.head) < shortest
        // Whether a loss fails the gate is decided by `GateReport.failsOnTime`.
        let verdict: Verdict =
            low > margin
            ? .worse : gain < -margin ? .better : high < margin ? .notWorse : isShort ? .tooShort : .inconclusive
        let spread = deviation(ratios)
        let certainty = -NormalDistribution.quantile(options.falseAlarm)
        let cap = Double(max(1, options.looks.last ?? 1))
        // 1.02: the efficiency of signed ranks against the mean, 3/π, as a factor of the deviation.
        let detectable = margin + (certainty + 0.8416) * spread * 1.02 / cap.squareRoot()
        var needed: Int?
        if verdict == .inconclusive {
            let distance = max(abs(ranks.estimate - margin), margin / 4)
            let width = -NormalDistribution.quantile(options.miss) * spread * 1.02
            let pairs = (width / distance) * (width / distance)
            needed = max(ratios.count + 1, Int(min(pairs.rounded(.up), 1e6)))
        }
        return Row(
            stage: stage, verdict: verdict, ratio: exp(ranks.estimate), low: exp(low), high: exp(high),
            base: medians.base, head: medians.head, noiseFloor: noise(base),
            detectable: exp(detectable) - 1, pairsNeeded: needed)
    }

    /// By the median of distances from the median, so that one run in which the machine slept does not count as noise
    /// of all.
    private static func deviation(_ values: [Double]) -> Double {
        let middle = OrderStatistics.median(values)
        return 1.4826 * OrderStatistics.median(values.map { abs($0 - middle) })
    }

    private static func noise(_ runs: [Double]) -> Double {
        exp(OrderStatistics.median(zip(runs, runs.dropFirst()).map { abs(log($0.1 / $0.0)) })) - 1
    }
}
