import KeyModel
package import TraceFormat

/// Collects the statistics of some presses and repeats: all that is recorded of them, whenever it came.
package struct ChosenStatistics: TraceConsumer, Sendable {
    private let ticks: Set<PressTick>
    private let presses: Set<UInt32>
    private var facts = TraceInfoBuilder()
    private var statistics = TraceStatisticsBuilder()

    package init(of ticks: Set<PressTick>) { (self.ticks, presses) = (ticks, Set(ticks.map(\.press))) }

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        statistics.begin(entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        let isWanted =
            switch record.body {
            case .call(let call): ticks.contains(call.at)
            case .invocation(let message): ticks.contains(message.at)
            case .stage(let stage): ticks.contains(stage.at)
            case .cost(let cost): ticks.contains(cost.at)
            case .cache(let counts): ticks.contains(counts.at)
            case .resolution(let resolution): ticks.contains(resolution.at)
            // Of no press.
            case .invalidation: false
            case .key(let key): key.press.map(presses.contains) == true
            default: true
            }
        if isWanted { statistics.consume(record, definitions: definitions) }
    }

    /// The statistics of the presses chosen, under the facts of the whole trace.
    package mutating func statistics(of file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        var result = statistics.statistics(of: file)
        result.info = facts.info(of: file)
        (result.presses, result.repeats) = (result.stages.presses, result.repeatStages.presses)
        // Repeats and presses beside the chosen ones are not among them.
        result.undecided = nil
        return result
    }
}
