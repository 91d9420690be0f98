package import KeyModel
import LatencyAnalysis
import TraceFormat
package import TracePresses

extension TimeGate {
    /// A statistic of the times of one run.
    package struct Measure: Hashable, Sendable {
        package enum Statistic: String, CaseIterable, Hashable, Sendable {
            case p50, p90, sum
            /// Of presses whose number differs from run to run.
            case mean
            /// The number of presses with a time, which has no ratio; of those without one; and of those with a time
            /// whose counterpart in the other build has none.
            case presses, untimed, alone

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
        /// Repeats of held keys.
        static let repeats = [Statistic.p50, .p90, .mean].map { Measure(nil, $0, action: "repeats") }
        /// Key commands asked on release.
        static let releases = Measure(nil, .sum, action: "releases")

        func counting(_ statistic: Statistic) -> Measure { Measure(stage, statistic, action: action) }

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

    /// Adds repeats of held keys, whose number may differ from run to run, as an action of their own. One without a
    /// time is `nil`.
    package mutating func add(repeats times: [TraceDuration?]) {
        let known = count(times, TimeGate.Measure.repeats[0])
        guard let statistics = DurationStatistics(known) else { return }
        self[TimeGate.Measure.repeats[0]] = OrderStatistics.median(known.map { Double($0.nanoseconds) })
        self[TimeGate.Measure.repeats[1]] = statistics.p90.map { Double($0.nanoseconds) }
        self[TimeGate.Measure.repeats[2]] = Double(statistics.sum.nanoseconds) / Double(known.count)
    }

    /// Adds what key commands asked on release took, calls with a time and without one, as an action of its own.
    package mutating func add(releases time: TraceDuration, timed: UInt64, of calls: UInt64) {
        self[TimeGate.Measure.releases.counting(.presses)] = Double(timed)
        self[TimeGate.Measure.releases.counting(.untimed)] = Double(timed < calls ? calls - timed : 0)
        if timed > 0 { self[.releases] = Double(time.nanoseconds) }
    }

    /// Notes how many of the times are known, and gives those.
    private mutating func count(_ times: [TraceDuration?], _ measure: TimeGate.Measure) -> [TraceDuration] {
        let known = times.compactMap(\.self)
        self[measure.counting(.presses)] = Double(known.count)
        self[measure.counting(.untimed)] = Double(times.count - known.count)
        return known
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

extension PressResults {
    /// The stages of a press that are compared with those of the same press of another trace: calls alone, without any
    /// stage, are no times of it, and a sum of calls is no measure beside a stage that is recorded.
    package func stages(_ place: Int, beside twin: Int?, of other: PressResults) -> StageSplit {
        let recorded = recordedStages | other.recordedStages
        let split = results[place].stages
        guard recorded != 0, let twin else { return split.without(split.derived & (recorded == 0 ? .max : recorded)) }
        return split.without(split.mixed(with: other.results[twin].stages))
    }

    /// The places of the presses, by what they have in common with those of another trace.
    private var places: [PressTick: Int] {
        Dictionary(results.indices.map { (results[$0].at, $0) }) { first, _ in first }
    }

    /// What the presses took, as it is compared with another trace.
    package func times(beside other: PressResults) -> TimeGate.Run {
        let twins = other.places
        let all = results.indices.map { stages($0, beside: twins[results[$0].at], of: other) }
        let presses = results.indices.filter { !results[$0].isRepeat }
        var run = TimeGate.Run(
            presses.map { (results[$0].decision.action ?? results[$0].decision.outcome.name, all[$0]) })
        let repeats = results.indices.filter { results[$0].isRepeat }
        if !repeats.isEmpty { run.add(repeats: repeats.map { all[$0].total }) }
        let calls = results.reduce(0) { $0 + $1.callsOnRelease }
        if calls > 0 {
            run.add(
                releases: results.reduce(.zero) { $0 + $1.timeOnRelease },
                timed: results.reduce(0) { $0 + $1.timedOnRelease }, of: calls)
        }
        return run
    }

    /// The numbers of presses that both have, and of whose times one alone has some: in total, a stage, of a repeat or
    /// at the release.
    package func timesAlone(beside other: PressResults) -> TimeGate.Run {
        var run = TimeGate.Run()
        func note(_ measure: TimeGate.Measure) { run[measure.counting(.alone), default: 0] += 1 }
        let places = other.places
        for place in results.indices where results[place].at.press > 0 {
            guard let twin = places[results[place].at] else { continue }
            let (own, others) = (
                stages(place, beside: twin, of: other), other.stages(twin, beside: place, of: self))
            let mixed = results[place].stages.mixed(with: other.results[twin].stages)
            if results[place].timedOnRelease != other.results[twin].timedOnRelease { note(.releases) }
            if results[place].isRepeat {
                if own.present != others.present || mixed != 0 { note(TimeGate.Measure.repeats[2]) }
                continue
            }
            if (own.present == 0) != (others.present == 0) { note(TimeGate.Measure(nil, .sum)) }
            for stage in LatencyStage.allCases
            where (own[stage] == nil) != (others[stage] == nil) || mixed & 1 << UInt16(stage.rawValue) != 0 {
                note(TimeGate.Measure(stage, .sum))
            }
        }
        return run
    }
}
