package import TraceFormat
import TracePresses

/// Reads chosen presses one by one: the row of each, and its explanation. Only unfinished presses are held in memory.
package struct PressDetailReader: TraceConsumer, Sendable {
    private let choice: PressChoice
    private let selection: PressAssembler.Selection
    /// For rows.
    private var assembler: PressAssembler
    /// For explanations, which have the release. A page of few presses begins with all of its rows.
    private var summarizer: PressSummarizer

    package init(_ choice: PressChoice) {
        self.choice = choice
        let presses = Set(choice.chosen.map(\.press))
        selection = { press, _ in presses.contains(press) }
        assembler = PressAssembler(.decision, .decided, selection: selection)
        summarizer = PressSummarizer(batch: 64, selection: selection)
    }

    package mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressAssembler(.decision, .decided, context: entries, selection: selection)
        summarizer.begin(entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        summarizer.consume(record, definitions: definitions)
    }

    /// Ends the reading: what is still open is over.
    package mutating func finish() {
        assembler.finish()
        summarizer.finish()
    }

    /// The next row, in the order in which presses and repeats were decided; `nil` when more records must be consumed
    /// before.
    package mutating func nextRow(_ definitions: TraceDefinitions) -> PressRow? {
        while let press = assembler.next() {
            if choice.chosen.contains(press.at) { return PressRow(press, definitions) }
        }
        return nil
    }

    /// The next explanation of a press that is over; `nil` when more records must be consumed before.
    package mutating func nextExplanation(_ definitions: TraceDefinitions) -> PressExplanation? {
        summarizer.next(definitions)
    }
}
