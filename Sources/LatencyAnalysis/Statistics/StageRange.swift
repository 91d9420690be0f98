package import KeyModel
import TracePresses

/// Stages that follow one another, such as all that lies between a key's switch and the app.
package struct StageRange: Hashable, Sendable {
    package var first: LatencyStage
    package var last: LatencyStage

    /// `hid..app`, `transport..inputDelay`, `app..settle`, `collect`: names of stages, and `app` for the entry into the
    /// app, before which the input delay ends and after which the presses begin.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: true)
        let isRange = text.contains("..")
        guard parts.count == (isRange ? 2 : 1), let from = parts.first, let to = parts.last,
            let first = from == "app" ? .presses : LatencyStage(name: String(from)),
            let last = to == "app" ? .inputDelay : LatencyStage(name: String(to)), first.rawValue <= last.rawValue
        else { return nil }
        self.first = first
        self.last = last
    }

    package func contains(_ stage: LatencyStage) -> Bool {
        (first.rawValue...last.rawValue).contains(stage.rawValue)
    }

    package var stages: [LatencyStage] { LatencyStage.allCases.filter(contains) }

    /// True if it lies before the app, where the clocks of other sources count.
    package var isBeforeApp: Bool { last.rawValue <= LatencyStage.inputDelay.rawValue }
}

/// Time of each press in a span of stages, against all the rest.
package struct StageSpanStatistics: Hashable, Sendable {
    package var span: StageRange
    /// First presses of which some stage is known.
    package var presses: UInt64
    package var stages: StageStatistics
    /// Per press the sum of its stages in the span; `nil` when no press has any.
    package var inside: DurationStatistics?
    /// Per press the sum of its other stages; `nil` when no press has any.
    package var rest: DurationStatistics?
    /// Presses of which both are known, and what each of them sums up to there: only these can be compared.
    package var compared: Compared

    package struct Compared: Hashable, Sendable {
        package var presses: UInt64 = 0
        package var inside = TraceDuration.zero
        package var rest = TraceDuration.zero
    }
}

/// Collects `StageSpanStatistics`.
struct StageSpanSamples: Sendable {
    let span: StageRange
    private var stages = StageSamples()
    private var inside = DurationPercentiles()
    private var rest = DurationPercentiles()
    private var compared = StageSpanStatistics.Compared()

    init(_ span: StageRange) { self.span = span }

    mutating func add(_ split: StageSplit) {
        guard !split.isEmpty else { return }
        stages.add(split)
        var own: TraceDuration?
        var other: TraceDuration?
        for stage in LatencyStage.allCases {
            guard let duration = split[stage] else { continue }
            if span.contains(stage) { own = (own ?? .zero) + duration } else { other = (other ?? .zero) + duration }
        }
        if let own { inside.add(own) }
        if let other { rest.add(other) }
        guard let own, let other else { return }
        compared.presses += 1
        compared.inside = compared.inside + own
        compared.rest = compared.rest + other
    }

    mutating func statistics() -> StageSpanStatistics {
        StageSpanStatistics(
            span: span, presses: stages.presses, stages: stages.statistics(), inside: inside.statistics(),
            rest: rest.statistics(), compared: compared)
    }
}
