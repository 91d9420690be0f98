import KeyModel
import TraceFormat

/// What is kept of the presses of a trace that are the presses of another: how long each took from there to here, what
/// came here never, and how the clocks stand to each other.
struct PressFold {
    /// What the time between the two is called.
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
