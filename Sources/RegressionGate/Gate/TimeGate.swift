import KeyModel
import Libc

/// Compares the times of two builds, from runs of both in turn on one machine.
///
/// Each pair of runs gives one ratio for each measure, head by base, so that a temporary slowdown of the whole machine
/// cancels out. The verdict looks at the pairs a few times, more of them only while it is undecided; the errors
/// stated are for all looks and all measures together (Bonferroni, with the shares of `Shares`).
///
/// The total (p50, p90, sum) and the p50 of each stage are decided: worse, better, not worse, or inconclusive. The p90
/// and the sum of a stage and the sum of an action are watched: they are worse or better when that is proven, and
/// never keep a gate undecided.
package struct TimeGate: Sendable {
    package struct Options: Hashable, Sendable {
        /// Tolerated slowdown, as a part: 0.02 is 2 %.
        package var margin = 0.02
        /// The probability that anything is called worse that is not.
        package var falseAlarm = 0.01
        /// The probability that anything is called not worse by more than the margin that is.
        package var miss = 0.05
        /// Pairs after which it looks; the last is the cap.
        package var looks = Options.looks(upTo: 48)

        package init() {}

        /// Numbers of pairs or runs after which one looks, of so many at most.
        package static func looks(upTo most: Int) -> [Int] { [12, 24].filter { $0 < most } + [most] }
    }

    package enum Verdict: String, Hashable, Sendable {
        case worse, better
        /// Not worse by more than the margin.
        case notWorse
        case inconclusive
        /// Undecided, and too short for more runs to be worth their time.
        case tooShort
        /// Watched, and nothing proven.
        case notFoundWorse
    }

    /// In nanoseconds: a stage below it, or below the step of its clock, is too short. The total is always decided.
    private static let shortest = 10_000.0
    /// Most actions that are watched: those that take longest in the first pair, base and head together.
    private static let actions = 32

    /// Result of one measure.
    package struct Row: Hashable, Sendable {
        package var measure: Measure
        /// Builds with a time of the stage, where some run has none: the ratio is then that of the base's total with
        /// the stage of head and with that of base.
        package var partOfTotal: Part?
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
        /// About how many pairs would decide it; `nil` where it is decided, or no such number is known.
        package var pairsNeeded: Int?
        /// Decided, not watched.
        package var isDecisive: Bool

        package enum Part: String, Hashable, Sendable {
            case head, base
            /// Both have it, but not in every run.
            case both
        }
    }

    package private(set) var rows: [Row] = []
    package private(set) var pairs = 0
    /// Stages with a percentile that has no ratio, one a line, and how they were compared instead.
    package private(set) var notes: [String] = []
    /// Actions that take less than those that are watched.
    package private(set) var unwatchedActions = 0
    /// The total and stages of which some run of one build has times of fewer presses than every run of the other: what
    /// those took is not compared.
    package private(set) var missingTimes: [MissingTimes] = []
    package var incomplete: [String] { missingTimes.map(\.line) }

    /// Fewest presses with a time in the runs of each build.
    package struct MissingTimes: Hashable, Sendable {
        package var measure: Measure
        package var base: Int
        package var head: Int
        /// Most presses of a pair of runs of which one build alone has a time.
        package var alone = 0

        package var line: String {
            let others = alone > 0 && base == head ? ", \(alone) presses with one in one build alone" : ""
            return "\(measure.subject): presses with a time\(measure.action == nil ? "" : " above 0"): \(base) in base,"
                + " \(head) in head\(others)"
        }
    }

    /// The worst of all rows: worse, then inconclusive, then the rest.
    package var verdict: Verdict {
        if rows.contains(where: { $0.verdict == .worse }) { return .worse }
        let verdicts = rows.filter(\.isDecisive).map(\.verdict)
        let isOpen = verdicts.contains(.inconclusive) || verdicts.allSatisfy { $0 == .tooShort }
        if isOpen || !missingTimes.isEmpty { return .inconclusive }
        return verdicts.allSatisfy { $0 == .better } ? .better : .notWorse
    }

    /// Runs pairs until everything is decided or the cap is reached. `pair` makes one run of each. Which of the two
    /// goes first is `isBaseFirst`: base in the first pair, then by `coin` in every other one, and the other way in the
    /// next. In plain turns a load that comes and goes could slow one build more than the other. `clockStep`: the
    /// coarsest step between two stamps of the runs so far, in nanoseconds.
    package init(
        _ options: Options = Options(), clockStep: () -> Double = { 0 }, coin: () -> Bool = { .random() },
        pair: (_ isBaseFirst: Bool) throws -> (base: Run, head: Run)
    ) rethrows {
        var runs: [(base: Run, head: Run)] = []
        var isBaseFirst = true
        for (place, look) in options.looks.enumerated() {
            while runs.count < look {
                isBaseFirst = runs.count.isMultiple(of: 2) ? runs.isEmpty || coin() : !isBaseFirst
                runs.append(try pair(isBaseFirst))
            }
            pairs = runs.count
            let isLast = place == options.looks.count - 1
            let isOpen = judge(runs, options, isLast: isLast, shortest: max(TimeGate.shortest, clockStep()))
            // One that is worse fails the gate, whatever more runs would show for the others.
            if !isOpen || verdict == .worse { return }
        }
    }

    /// Makes the rows of one look.
    /// - Returns: True if more pairs could change the verdict.
    private mutating func judge(
        _ runs: [(base: Run, head: Run)], _ options: Options, isLast: Bool, shortest: Double
    ) -> Bool {
        let samples = samples(runs)
        let shares = Shares(samples, options, isLast: isLast)
        rows = samples.map { $0.row(shares, options, shortest: shortest) }
        let suspicion = SignedRank.rank(runs.count, error: 0.05)
        return rows.contains { $0.verdict == .inconclusive }
            || zip(rows, samples).contains { row, sample in
                row.verdict == .notFoundWorse && sample.ranks.lowerBound(suspicion) > log1p(options.margin)
            }
    }

    // MARK: Measures with a ratio

    /// Measures of which every pair has a ratio, and stages that some run lacks.
    private mutating func samples(_ runs: [(base: Run, head: Run)]) -> [Sample] {
        (notes, missingTimes) = ([], [])
        var samples: [Sample] = []
        let stages: [LatencyStage?] = [nil] + LatencyStage.allCases.map { $0 }
        for stage in stages {
            noteMissingTimes(Measure(stage, .presses), runs)
            let measures = Measure.Statistic.allCases.map { Measure(stage, $0) }
            var ratios = measures.compactMap { Sample(ratio: $0, runs) }
            let isPresent = runs.contains { ($0.base[measures[2]] ?? 0) > 0 || ($0.head[measures[2]] ?? 0) > 0 }
            if !ratios.contains(where: { $0.measure.statistic == .sum }), isPresent, let stage,
                let part = Sample(partOfTotal: stage, runs)
            {
                samples.append(part)
                continue
            }
            if isPresent, !ratios.contains(where: { $0.measure.statistic == .p50 }) {
                notes.append("\(measures[0].subject): its p50 is 0 in some run: its sum is compared instead")
                for place in ratios.indices { ratios[place].isDecisive = ratios[place].measure.statistic == .sum }
            }
            samples += ratios
        }
        for measure in costliest(runs) {
            let sample = Sample(ratio: measure, runs)
            if let sample { samples.append(sample) }
            // A percentile may be 0, or of too few presses, where the mean has a ratio.
            if [.sum, .mean].contains(measure.statistic) { noteMissingTimes(measure, runs, hasRatio: sample != nil) }
        }
        return samples
    }

    /// An action without a ratio, or without the time of some presses in one build.
    private mutating func noteMissingTimes(
        _ action: Measure, _ runs: [(base: Run, head: Run)], hasRatio: Bool
    ) {
        let (base, head) = (runs.map(\.base), runs.map(\.head))
        func most(_ runs: [Run]) -> Double { runs.map { $0[action.counting(.untimed)] ?? 0 }.max() ?? 0 }
        let alone = Int(head.compactMap { $0[action.counting(.alone)] }.max() ?? 0)
        let isOneSided = !hasRatio && (base + head).contains { ($0[action] ?? 0) > 0 }
        guard isOneSided || most(base) != most(head) || alone > 0 else { return }
        func fewest(_ runs: [Run]) -> Int {
            Int(runs.map { $0[action] ?? 0 > 0 ? $0[action.counting(.presses)] ?? 1 : 0 }.min() ?? 0)
        }
        missingTimes.append(MissingTimes(measure: action, base: fewest(base), head: fewest(head), alone: alone))
    }

    /// A stage that one build never has is compared by its part of the total; one that is left out of both is missing.
    private mutating func noteMissingTimes(_ presses: Measure, _ runs: [(base: Run, head: Run)]) {
        let (base, head) = (runs.map { $0.base[presses] ?? 0 }, runs.map { $0.head[presses] ?? 0 })
        let alone = runs.compactMap { $0.head[presses.counting(.alone)] }.max() ?? 0
        guard let fewest = base.min(), let others = head.min(), fewest != others || alone > 0 else { return }
        // An action is there wherever a press performs one.
        if let stage = presses.stage, stage != .action, (base.max() == 0) != (head.max() == 0) { return }
        missingTimes.append(
            MissingTimes(measure: presses, base: Int(fewest), head: Int(others), alone: Int(alone)))
    }

    /// Both builds count alike, so that the choice favours neither. One action alone is the total.
    private mutating func costliest(_ runs: [(base: Run, head: Run)]) -> [Measure] {
        guard let first = runs.first else { return [] }
        let ends = Measure.repeats + [.releases]
        let own = ends.filter { (first.base[$0] ?? first.head[$0]) != nil }
        let names = Set(ends.map(\.action))
        let actions = first.base.keys.filter {
            $0.action != nil && $0.statistic == .sum && !names.contains($0.action)
        }
        guard actions.count > 1 else { return own }
        func cost(_ measure: Measure) -> Double { (first.base[measure] ?? 0) + (first.head[measure] ?? 0) }
        unwatchedActions = max(0, actions.count - TimeGate.actions)
        let order = actions.sorted { (cost($0), $1.subject) > (cost($1), $0.subject) }
        return order.prefix(TimeGate.actions).sorted { $0.subject < $1.subject } + own
    }

    /// The share of the errors that one row has at one look. A false alarm: half of it for the total, 35 % for stages,
    /// 15 % for actions, twice as much for a p50 as for the others of its family. The last look has twice the share of
    /// one before it.
    private struct Shares {
        private let isLast: Bool
        private var falseAlarms: [Measure: Double] = [:]
        private var ranks: [Double: Int] = [:]
        private let missRank: Int?

        init(_ samples: [Sample], _ options: Options, isLast: Bool) {
            self.isLast = isLast
            func weight(_ measure: Measure) -> Double { measure.statistic == .p50 ? 2 : 1 }
            func share(_ family: Measure.Family) -> Double {
                switch family {
                case .total: 0.5
                case .stage: 0.35
                case .action: 0.15
                }
            }
            let look = (isLast ? 2 : 1) / Double(options.looks.count + 1)
            let families = Dictionary(grouping: samples.map(\.measure), by: \.family)
            let shared = families.keys.reduce(0) { $0 + share($1) }
            for (family, measures) in families {
                let weights = measures.reduce(0) { $0 + weight($1) }
                let error = options.falseAlarm * look * share(family) / shared
                for measure in measures { falseAlarms[measure] = error * weight(measure) / weights }
            }
            let count = samples.first?.differences.count ?? 0
            for error in Set(falseAlarms.values) { ranks[error] = SignedRank.rank(count, error: error) }
            let decisive = Double(max(1, samples.count(where: \.isDecisive)))
            missRank = SignedRank.rank(count, error: options.miss * look / decisive)
        }

        func falseAlarmRank(_ measure: Measure) -> Int? { ranks[falseAlarms[measure] ?? 0] }
        func falseAlarm(_ measure: Measure) -> Double { falseAlarms[measure] ?? 1 }
        /// The share at the last look.
        func lastFalseAlarm(_ measure: Measure) -> Double { (falseAlarms[measure] ?? 0) * (isLast ? 1 : 2) }
        /// Watched rows are never called not worse.
        func missRank(_ sample: Sample) -> Int? { sample.isDecisive ? missRank : nil }
    }

    /// What the pairs have of one measure.
    private struct Sample {
        let measure: Measure
        var partOfTotal: Row.Part?
        var isDecisive: Bool
        let base: [Double]
        let head: [Double]
        /// Logarithms of the ratios.
        let differences: [Double]
        let ranks: SignedRank

        /// `nil` where some run has no time of it.
        init?(ratio measure: Measure, _ runs: [(base: Run, head: Run)]) {
            self.measure = measure
            isDecisive = measure.action == nil && (measure.stage == nil || measure.statistic == .p50)
            base = runs.map { $0.base[measure] ?? 0 }
            head = runs.map { $0.head[measure] ?? 0 }
            guard !runs.isEmpty, base.allSatisfy({ $0 > 0 }), head.allSatisfy({ $0 > 0 }) else { return nil }
            differences = zip(base, head).map { log($0.1 / $0.0) }
            ranks = SignedRank(differences)
        }

        /// The cost of a stage that not every run has, as a part of the base's total; `nil` where that is 0.
        init?(partOfTotal stage: LatencyStage, _ runs: [(base: Run, head: Run)]) {
            measure = Measure(stage, .sum)
            isDecisive = true
            let measure = measure
            base = runs.map { $0.base[measure] ?? 0 }
            head = runs.map { $0.head[measure] ?? 0 }
            let totals = runs.map { $0.base[.sum] ?? 0 }
            guard totals.allSatisfy({ $0 > 0 }) else { return nil }
            partOfTotal = base.allSatisfy { $0 == 0 } ? .head : head.allSatisfy { $0 == 0 } ? .base : .both
            let costs = zip(base, head)
            differences = zip(totals, costs).map { log(($0 - min($1.0, $0) + $1.1) / $0) }
            ranks = SignedRank(differences)
        }

        func row(_ shares: Shares, _ options: Options, shortest: Double) -> Row {
            let falseAlarmRank = shares.falseAlarmRank(measure)
            let low = ranks.lowerBound(falseAlarmRank)
            let high = ranks.upperBound(shares.missRank(self))
            // A gain is reported with the certainty of a loss.
            let gain = ranks.upperBound(falseAlarmRank)
            let margin = log1p(options.margin)
            let medians = (base: OrderStatistics.median(base), head: OrderStatistics.median(head))
            let isShort = measure.stage != nil && max(medians.base, medians.head) < shortest
            // Whether a loss fails the gate is decided by `GateReport.failsOnTime`.
            let verdict: Verdict =
                low > margin
                ? .worse : gain < -margin ? .better : !isDecisive ? .notFoundWorse
                : high < margin ? .notWorse : isShort ? .tooShort : .inconclusive
            let cap = max(options.looks.last ?? 1, differences.count)
            let detectable = margin + distance(error: shares.lastFalseAlarm(measure), cap: cap)
            return Row(
                measure: measure, partOfTotal: partOfTotal, verdict: verdict, ratio: exp(ranks.estimate),
                low: exp(low), high: exp(isDecisive ? high : gain), base: medians.base, head: medians.head,
                noiseFloor: noise, detectable: exp(detectable) - 1,
                pairsNeeded: verdict == .inconclusive
                    ? pairsNeeded(low, high, margin, error: shares.falseAlarm(measure))
                    : verdict == .notFoundWorse && !low.isFinite ? fewestPairs(shares.falseAlarm(measure)) : nil,
                isDecisive: isDecisive)
        }

        /// Distance of a slowdown from the margin that four of five gates with `cap` pairs prove: the half-width of
        /// their interval and 0.84 deviations of the estimate, which are those of the interval here.
        private func distance(error: Double, cap: Int) -> Double {
            func deviations(_ rank: Int, _ count: Int) -> Double {
                let most = Double(count * (count + 1))
                return (most / 4 - Double(rank)) / (most * Double(2 * count + 1) / 24).squareRoot()
            }
            let count = differences.count
            // Few pairs know the bounds of their own error too badly.
            let rank = SignedRank.rank(count, error: count < cap ? 0.05 : error) ?? 0
            let halfWidth = (ranks.upperBound(rank) - ranks.lowerBound(rank)) / 2
            let deviation = halfWidth / deviations(rank, count) * (Double(count) / Double(cap)).squareRoot()
            return deviation * (deviations(SignedRank.rank(cap, error: error) ?? 0, cap) + 0.8416)
        }

        /// Pairs with which the interval is as wide as the estimate is away from the margin: it narrows with the root
        /// of their number. At least as many as can prove a slowdown with this error, which all of one sign do, and
        /// fewer do not have a lower bound. `nil` where that is too far off to be known.
        private func pairsNeeded(_ low: Double, _ high: Double, _ margin: Double, error: Double) -> Int? {
            let estimate = ranks.estimate
            let width = estimate > margin && low.isFinite ? estimate - low : high - estimate
            let pairs = Double(differences.count) * (width / (estimate - margin)) * (width / (estimate - margin))
            guard pairs.isFinite, pairs <= Double(16 * differences.count) else { return nil }
            let fewest = estimate > margin ? fewestPairs(error) : 0
            return max(differences.count + 1, fewest, Int(pairs.rounded(.up)))
        }

        /// Pairs that prove a slowdown with this error where all are of one sign. Fewer have no lower bound.
        private func fewestPairs(_ error: Double) -> Int { Int((-log2(error)).rounded(.up)) }

        private var noise: Double {
            let changes = zip(base, base.dropFirst()).filter { $0 > 0 && $1 > 0 }.map { abs(log($1 / $0)) }
            return exp(OrderStatistics.median(changes)) - 1
        }
    }
}
