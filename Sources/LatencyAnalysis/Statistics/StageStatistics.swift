package import KeyModel
import TracePresses

/// The time that presses spent in each stage.
package struct StageStatistics: Hashable, Sendable {
    /// Presses (or repeats) that these statistics are of.
    package var presses: UInt64 = 0
    /// By `LatencyStage.rawValue`; `nil` for a stage that no press has.
    package var stages: [DurationStatistics?] = Array(repeating: nil, count: LatencyStage.allCases.count)
    /// Per press the sum of the stages it has; `nil` when no press has any. Its sum, as that of each stage, saturates.
    package var total: DurationStatistics?

    /// Stages that some press has from the times of its calls, as no record gives them.
    package var derived: Set<LatencyStage> = []

    package subscript(_ stage: LatencyStage) -> DurationStatistics? { stages[Int(stage.rawValue)] }

    /// A stage is unknown and hence missing from the total.
    package var isPartial: Bool { stages.contains { $0 == nil } }
}

/// The allocations of presses and repeats in one stage.
package struct StageAllocations: Hashable, Sendable {
    package var stage: LatencyStage
    /// Of each press that was counted, an allocation as a nanosecond.
    package var counts: DurationStatistics
    /// Asked for in all.
    package var bytes: UInt64
}

/// Collects `StageStatistics`, one split at a time.
struct StageSamples: Sendable {
    private(set) var presses: UInt64 = 0
    private var stages = Array(repeating: DurationPercentiles(), count: LatencyStage.allCases.count)
    private var total = DurationPercentiles()
    private var derived: UInt16 = 0

    /// The stages of a press; those of a remainder are no press more, but time of one: no stage sums up to more than
    /// the total does.
    mutating func add(_ split: StageSplit, isRemainder: Bool = false) {
        split.forEach { stages[$0].add($1) }
        derived |= split.derived
        if !isRemainder { presses = presses.addingSaturated(1) }
        guard let duration = split.total else { return }
        if isRemainder { total.addToSum(duration) } else { total.add(duration) }
    }

    mutating func statistics() -> StageStatistics {
        var statistics = StageStatistics()
        statistics.presses = presses
        for index in stages.indices { statistics.stages[index] = stages[index].statistics() }
        statistics.total = total.statistics()
        statistics.derived = Set(LatencyStage.allCases.filter { derived & 1 << UInt16($0.rawValue) != 0 })
        return statistics
    }
}
