public import TraceFormat
import TracePresses

/// Reads chosen presses one by one: what a list says of each, and its explanation. Only those that are under way are
/// held in memory.
public struct PressDetailReader: TraceConsumer, Sendable {
    private let choice: PressChoice
    /// For rows, in the order in which presses and repeats were decided.
    private var decided: PressAssembler
    /// For explanations, which have the release.
    private var released: PressAssembler
    private var rows: [PressRow] = []
    private var presses = RepeatedPresses()
    private var explanations: [PressExplanation] = []
    private var isFinished = false
    /// Explanations come so many at once, so that a page begins with its list.
    private static let batch = 64

    public init(_ choice: PressChoice) {
        self.choice = choice
        decided = PressDetailReader.assembler(.decided, choice, [])
        released = PressDetailReader.assembler(.released, choice, [])
    }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        decided = PressDetailReader.assembler(.decided, choice, entries)
        released = PressDetailReader.assembler(.released, choice, entries)
    }

    private static func assembler(
        _ delivery: PressAssembler.Delivery, _ choice: PressChoice, _ entries: [ContextEntry]
    ) -> PressAssembler {
        let presses = Set(choice.chosen.map(\.press))
        return PressAssembler(.decision, delivery, context: entries) { press, _ in presses.contains(press) }
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        decided.consume(record)
        released.consume(record)
        take(definitions)
    }

    private mutating func take(_ definitions: TraceDefinitions) {
        while let press = decided.next() {
            if choice.chosen.contains(press.at) { rows.append(PressRow(press, definitions)) }
        }
        while let press = released.next() { presses.add(press) }
        explanations += presses.takeExplanations(definitions)
    }

    /// Ends the reading: what is still open is over.
    public mutating func finish(_ definitions: TraceDefinitions) {
        decided.finish()
        released.finish()
        take(definitions)
        presses.finish()
        isFinished = true
        explanations += presses.takeExplanations(definitions)
    }

    /// Those that became whole since the last call.
    public mutating func takeRows() -> [PressRow] {
        guard !rows.isEmpty else { return [] }
        defer { rows.removeAll(keepingCapacity: true) }
        return rows
    }

    /// Explanations of presses that are over.
    public mutating func takeExplanations() -> [PressExplanation] {
        guard explanations.count > PressDetailReader.batch || isFinished else { return [] }
        defer { explanations.removeAll(keepingCapacity: true) }
        return explanations
    }
}
