import KeyModel
import TraceFormat

/// Result of matching the presses of one trace with those of another: the latency of each, the presses that are missing
/// from the second, and the relation of the clocks.
struct AlignmentResult {
    /// The stage between the two traces.
    var stage: LatencyStage
    /// By the ordinal of the press in the other trace.
    var durations: [UInt32: TraceDuration] = [:]
    /// Stages that the press had there already, by the same ordinal.
    var stages: [UInt32: [StageRecord]] = [:]
    /// On the time line of the other trace, in order.
    var losses: [(time: TraceTime, loss: LossRecord)] = []
    /// Clocks under their own names.
    var relation: ClockRelationRecord
    var environment: [EnvironmentRecord] = []

    /// `names`: of the trace that is folded.
    func facts(_ names: JoinedNames?) -> [TraceRecord.Body] {
        var relation = relation
        if let names { relation.source = names.clock(relation.source) }
        return [.clockRelation(relation)] + environment.map { .environment($0) }
    }
}
