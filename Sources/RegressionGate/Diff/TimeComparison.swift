package import KeyModel
import LatencyAnalysis
import TracePresses

/// The time of the same presses in two traces. Two single runs show what they took, not which build is faster:
/// that takes repeated runs of both (`gate`), so this never decides anything.
package struct TimeComparison: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// `nil`: the total.
        package var stage: LatencyStage?
        package var base: DurationStatistics
        package var head: DurationStatistics
        /// Probability that differences as these or larger come of chance, if each press were a draw of its own.
        package var p: Double
    }

    package var rows: [Row]

    /// Times of the same presses; `nil` where the two have no stage in common.
    init?(base: some Sequence<StageSplit>, head: some Sequence<StageSplit>) {
        rows = []
        for stage in LatencyStage.allCases {
            if let row = TimeComparison.row(
                stage, base.compactMap { $0[stage] }, head.compactMap { $0[stage] })
            {
                rows.append(row)
            }
        }
        guard !rows.isEmpty,
            let total = TimeComparison.row(nil, base.compactMap(\.total), head.compactMap(\.total))
        else { return nil }
        rows.append(total)
    }

    private static func row(_ stage: LatencyStage?, _ base: [TraceDuration], _ head: [TraceDuration]) -> Row? {
        guard let old = DurationStatistics(base), let new = DurationStatistics(head) else { return nil }
        let test = MannWhitney(base.map { Double($0.nanoseconds) }, head.map { Double($0.nanoseconds) })
        return Row(stage: stage, base: old, head: new, p: test.p)
    }
}
