import FlightReplay
import FlightVerdicts
public import KeyModel
import LatencyAnalysis
import TraceFormat
import Scenes

/// The most that presses of a golden may take, in virtual time: by what the scene or the recording says that calls
/// cost, queueing included, and so the same on every machine.
public struct LatencyBudgets: Hashable, Sendable {
    /// Of any press, all stages together.
    public var total: TraceDuration?
    public var stages: [LatencyStage: TraceDuration] = [:]

    public init(total: TraceDuration? = nil, stages: [LatencyStage: TraceDuration] = [:]) {
        self.total = total
        self.stages = stages
    }

    var isEmpty: Bool { total == nil && stages.isEmpty }

    /// The first press that takes longer, in words; `nil` when all keep to the budgets.
    func firstExcess(
        of golden: GoldenCase, _ plan: (any ReplayPlan)?, _ resources: SceneResources
    ) throws -> String? {
        guard !isEmpty else { return nil }
        let recording =
            if let plan {
                try plan.record(golden.inputs(for: plan, resources), showsKeys: true)
            } else {
                try golden.record(resources)
            }
        var results = PressResults()
        results.consume(recording)
        for result in results.results {
            if let total, let found = result.stages.total, found > total {
                return excess(result, "total", found, total)
            }
            for stage in LatencyStage.allCases {
                guard let most = stages[stage], let found = result.stages[stage], found > most else { continue }
                return excess(result, stage.name, found, most)
            }
        }
        return nil
    }

    private func excess(
        _ result: PressResult, _ what: String, _ found: TraceDuration, _ most: TraceDuration
    ) -> String {
        "press \(result.at.press) (\(result.input.name)): \(what): expected at most \(most.text), found \(found.text)"
    }
}
