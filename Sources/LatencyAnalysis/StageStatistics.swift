public import KeyModel

/// The time that presses spent in each stage.
public struct StageStatistics: Hashable, Sendable {
    /// Presses (or repeats) that these statistics are of.
    public var presses: UInt64 = 0
    /// By `LatencyStage.rawValue`; `nil` for a stage that no press has.
    public var stages: [DurationStatistics?] = Array(repeating: nil, count: LatencyStage.allCases.count)
    /// Per press the sum of the stages it has; `nil` when no press has any.
    public var total: DurationStatistics?

    public init() {}

    public subscript(_ stage: LatencyStage) -> DurationStatistics? { stages[Int(stage.rawValue)] }

    /// Whether a stage is unknown and hence missing from the total.
    public var isPartial: Bool { stages.contains { $0 == nil } }
}

/// The stages of one press, or of one repeat.
public struct StageSplit: Hashable, Sendable {
    /// By `LatencyStage.rawValue`.
    public private(set) var durations: [TraceDuration?]

    public init() { durations = Array(repeating: nil, count: LatencyStage.allCases.count) }

    public subscript(_ stage: LatencyStage) -> TraceDuration? { durations[Int(stage.rawValue)] }

    /// Adds time to a stage; time spent in a stage twice is time spent in it. Negative time counts as none.
    public mutating func add(_ duration: TraceDuration, to stage: LatencyStage) {
        let known = durations[Int(stage.rawValue)] ?? .zero
        durations[Int(stage.rawValue)] = known + max(duration, .zero)
    }

    public mutating func removeAll() {
        for index in durations.indices { durations[index] = nil }
    }

    /// The sum of the stages present; `nil` when there is none.
    public var total: TraceDuration? {
        var sum: TraceDuration?
        for case let duration? in durations { sum = (sum ?? .zero) + duration }
        return sum
    }

    /// The total without the time before the app was reached: waiting is no service. `nil` when nothing is known.
    public var service: TraceDuration? {
        var sum: TraceDuration?
        for stage in LatencyStage.allCases where stage.rawValue > LatencyStage.inputDelay.rawValue {
            if let duration = self[stage] { sum = (sum ?? .zero) + duration }
        }
        return sum
    }

    public var isEmpty: Bool { durations.allSatisfy { $0 == nil } }
}

/// Collects `StageStatistics`, one split at a time.
struct StageSamples: Sendable {
    private(set) var presses: UInt64 = 0
    private var stages = Array(repeating: DurationSample(), count: LatencyStage.allCases.count)
    private var total = DurationSample()

    mutating func add(_ split: StageSplit) {
        presses = presses.addingSaturated(1)
        for (index, duration) in split.durations.enumerated() {
            if let duration { stages[index].add(duration) }
        }
        if let duration = split.total { total.add(duration) }
    }

    mutating func statistics() -> StageStatistics {
        var statistics = StageStatistics()
        statistics.presses = presses
        for index in stages.indices { statistics.stages[index] = stages[index].statistics() }
        statistics.total = total.statistics()
        return statistics
    }
}
