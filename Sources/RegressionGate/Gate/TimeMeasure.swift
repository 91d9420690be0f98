package import KeyModel
import LatencyAnalysis
package import TracePresses

extension TimeGate {
    /// A statistic of the times of one run.
    package struct Measure: Hashable, Sendable {
        package enum Statistic: String, CaseIterable, Hashable, Sendable {
            case p50, p90, sum
            /// The number of presses with a time, which has no ratio.
            case presses

            package static let allCases: [Statistic] = [.p50, .p90, .sum]
        }

        /// `nil`: the total of each press.
        package var stage: LatencyStage?
        /// Presses that came to this action, or to this outcome without one; `nil`: all presses.
        package var action: String?
        package var statistic: Statistic

        package init(_ stage: LatencyStage?, _ statistic: Statistic, action: String? = nil) {
            (self.stage, self.statistic, self.action) = (stage, statistic, action)
        }

        static let sum = Measure(nil, .sum)
        static let repeats = Measure(nil, .p50, action: "repeats")
        static let releases = Measure(nil, .sum, action: "releases")

        /// `total`, a stage or an action.
        package var subject: String { action ?? stage?.name ?? "total" }

        /// Parts that share the error of a false alarm, the larger of it first.
        enum Family: CaseIterable { case total, stage, action }
        var family: Family { action != nil ? .action : stage != nil ? .stage : .total }
    }

    /// The times of one run by measure, in nanoseconds.
    package typealias Run = [Measure: Double]
}

extension [TimeGate.Measure: Double] {
    /// Statistics of so many presses; a percentile is absent where they are too few for it.
    package init(_ presses: [(action: String, stages: StageSplit)]) {
        self.init()
        for stage in LatencyStage.allCases { add(presses.compactMap { $0.stages[stage] }, stage) }
        add(presses.compactMap(\.stages.total), nil)
        for (action, group) in [String: [(action: String, stages: StageSplit)]](grouping: presses, by: \.action) {
            let times = group.compactMap(\.stages.total)
            guard !times.isEmpty else { continue }
            self[TimeGate.Measure(nil, .sum, action: action)] = times.reduce(0) { $0 + Double($1.nanoseconds) }
        }
    }

    /// Repeats of held keys, whose number may differ from run to run, as an action of their own.
    package mutating func add(repeats times: [TraceDuration]) {
        guard !times.isEmpty else { return }
        self[.repeats] = OrderStatistics.median(times.map { Double($0.nanoseconds) })
    }

    /// What key commands asked on release took, as an action of its own.
    package mutating func add(releases times: [TraceDuration]) {
        let sum = times.reduce(0) { $0 + Double($1.nanoseconds) }
        if sum > 0 { self[.releases] = sum }
    }

    /// The median of an even number is the mean of the middle two: it has less noise than either.
    private mutating func add(_ times: [TraceDuration], _ stage: LatencyStage?) {
        guard let statistics = DurationStatistics(times) else { return }
        self[TimeGate.Measure(stage, .p50)] = OrderStatistics.median(times.map { Double($0.nanoseconds) })
        self[TimeGate.Measure(stage, .p90)] = statistics.p90.map { Double($0.nanoseconds) }
        self[TimeGate.Measure(stage, .sum)] = Double(statistics.sum.nanoseconds)
        self[TimeGate.Measure(stage, .presses)] = Double(times.count)
    }
}
