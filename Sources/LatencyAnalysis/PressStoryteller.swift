public import TraceFormat
import TracePresses

/// Explains every press of a trace as it is read, in the order in which they are over.
public struct PressStoryteller: TraceConsumer, Sendable {
    private var assembler = PressAssembler(.decision, .released)
    private var presses = RepeatedPresses()

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressAssembler(.decision, .released, context: entries)
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        while let press = assembler.next() { presses.add(press) }
    }

    /// Ends the reading: what is open is explained as it is.
    public mutating func finish() {
        assembler.finish()
        while let press = assembler.next() { presses.add(press) }
        presses.finish()
    }

    /// Those that were over since the last call.
    public mutating func takeFinished(_ definitions: TraceDefinitions) -> [PressExplanation] {
        presses.takeExplanations(definitions)
    }
}
