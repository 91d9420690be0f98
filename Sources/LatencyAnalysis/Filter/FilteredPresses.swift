package import TraceFormat
import TracePresses

/// The presses and repeats that a filter lets through, by ordinal and tick.
package struct FilteredPresses: TraceConsumer, Sendable {
    private let filter: PressFilter
    private var assembler = PressAssembler(.decision, .decided)
    package private(set) var found: Set<PressTick> = []

    package init(_ filter: PressFilter) { self.filter = filter }

    package mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressAssembler(.decision, .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        note(definitions)
    }

    /// Evaluates presses that are still open at the end. Call it once.
    package mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        note(definitions)
    }

    private mutating func note(_ definitions: TraceDefinitions) {
        while let press = assembler.next() {
            if filter.matches(press, definitions) { found.insert(press.at) }
        }
    }
}
