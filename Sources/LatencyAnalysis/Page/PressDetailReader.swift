public import TraceFormat
import TracePresses

/// Reads chosen presses one by one: what a list says of each, and its explanation. Only those that are under way are
/// held in memory.
public struct PressDetailReader: TraceConsumer, Sendable {
    private let choice: PressChoice
    private var assembler: PressAssembler
    private var rows: [PressRow] = []
    private var presses = RepeatedPresses()
    private var explanations: [PressExplanation] = []
    private var isFinished = false
    /// Explanations come so many at once, so that a page begins with its list.
    private static let batch = 64

    public init(_ choice: PressChoice) {
        self.choice = choice
        assembler = PressDetailReader.assembler(choice, [])
    }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressDetailReader.assembler(choice, entries)
    }

    private static func assembler(_ choice: PressChoice, _ entries: [ContextEntry]) -> PressAssembler {
        let presses = Set(choice.chosen.map(\.press))
        return PressAssembler(.decision, .released, context: entries) { press, _ in presses.contains(press) }
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        take(definitions)
    }

    private mutating func take(_ definitions: TraceDefinitions) {
        while let press = assembler.next() {
            if choice.chosen.contains(press.at) { rows.append(PressRow(press, definitions)) }
            presses.add(press)
        }
        explanations += presses.takeExplanations(definitions)
    }

    /// Ends the reading: what is still open is over.
    public mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
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
