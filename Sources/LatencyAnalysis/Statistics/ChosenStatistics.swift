import KeyModel
package import TraceFormat

/// Collects the statistics of some presses and repeats: all that is recorded of them, whenever it came.
package struct ChosenStatistics: TraceConsumer, Sendable {
    private let ticks: Set<PressTick>
    private var facts = TraceInfoBuilder()
    private var statistics = TraceStatisticsBuilder()

    package init(of ticks: Set<PressTick>) { self.ticks = ticks }

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
            case .cache(let counts): ticks.contains(counts.at)
            case .resolution(let resolution): ticks.contains(resolution.at)
            // Of no press.
            case .invalidation: false
            // Keys that went down would count as presses.
            case .key: false
            default: true
            }
        if isWanted { statistics.consume(record, definitions: definitions) }
    }

    /// The statistics of the presses chosen, under the facts of the whole trace.
    package mutating func statistics(of file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        var result = statistics.statistics(of: file)
        (result.info, result.presses) = (facts.info(of: file), result.stages.presses)
        return result
    }
}
