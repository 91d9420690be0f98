public import TraceFormat

/// The presses and repeats that a filter lets through, by ordinal and tick.
public struct FilteredPresses: TraceConsumer, Sendable {
    private let filter: PressFilter
    private var assembler = TickAssembler()
    public private(set) var found: Set<PressTick> = []

    public init(_ filter: PressFilter) { self.filter = filter }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { assembler = TickAssembler(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        note(definitions)
    }

    /// What is still open at the end. Call it once.
    public mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        note(definitions)
    }

    private mutating func note(_ definitions: TraceDefinitions) {
        for tick in assembler.takeClosed() where filter.matches(tick, definitions) { found.insert(tick.at) }
    }
}
