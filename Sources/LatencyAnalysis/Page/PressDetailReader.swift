public import TraceFormat
import KeyModel

/// Reads chosen presses one by one: what a list says of each, and its explanation. Only those that are under way are
/// held in memory.
public struct PressDetailReader: TraceConsumer, Sendable {
    private let choice: PressChoice
    private let presses: Set<UInt32>
    private var context = ChainContext()
    private var assembler = TickAssembler()
    private var open: [UInt32: PressCapture] = [:]
    private var rows: [PressRow] = []
    private var explanations: [PressExplanation] = []
    /// Presses that are held though later ones were made. Real ones overlap by a handful.
    private static let overlap = 64
    private static let limit = 1024

    public init(_ choice: PressChoice) {
        self.choice = choice
        presses = Set(choice.chosen.map(\.press))
        assembler = TickAssembler(chosen: choice.chosen)
    }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        context = ChainContext(entries)
        assembler = TickAssembler(entries, chosen: choice.chosen)
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        if case .key(let key) = record.body, key.phase == .down, let press = key.press, presses.contains(press) {
            if open.count > PressDetailReader.overlap { closeFinished(definitions) }
            open[press] = PressCapture(press: press, context: context)
        }
        if let press = record.body.press { open[press]?.consume(record, current: context) }
        context.consume(record)
        assembler.consume(record)
        takeClosed(definitions)
    }

    public mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions) {
        for placed in calls {
            if !open.isEmpty, presses.contains(placed.call.at.press) {
                consume(TraceRecord(placed), definitions: definitions)
            } else {
                context.note(placed.call)
                assembler.consume(placed.call, at: placed.time)
            }
        }
        takeClosed(definitions)
    }

    public mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions) {
        for placed in stages {
            if !open.isEmpty, presses.contains(placed.stage.at.press) {
                consume(TraceRecord(placed), definitions: definitions)
            } else {
                assembler.consume(placed.stage, at: placed.time)
            }
        }
        takeClosed(definitions)
    }

    private mutating func takeClosed(_ definitions: TraceDefinitions) {
        guard assembler.hasClosed else { return }
        for tick in assembler.takeClosed() where choice.chosen.contains(tick.at) {
            rows.append(PressRow(tick, definitions))
        }
    }

    /// Ends with those that were resolved and released, and with the oldest where there are far too many.
    private mutating func closeFinished(_ definitions: TraceDefinitions) {
        let isFull = open.count > PressDetailReader.limit
        for press in open.keys.sorted() {
            guard let capture = open[press] else { continue }
            let isOver = capture.resolution != nil && capture.release != nil
            guard isOver || isFull else { continue }
            explanations.append(capture.explanation(search: nil, definitions: definitions))
            open[press] = nil
        }
    }

    /// Ends the reading: what is still open is over.
    public mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        takeClosed(definitions)
        for press in open.keys.sorted() {
            if let capture = open.removeValue(forKey: press) {
                explanations.append(capture.explanation(search: nil, definitions: definitions))
            }
        }
    }

    /// Those that became whole since the last call.
    public mutating func takeRows() -> [PressRow] {
        guard !rows.isEmpty else { return [] }
        defer { rows.removeAll(keepingCapacity: true) }
        return rows
    }

    /// Explanations of presses that are over, since the last call.
    public mutating func takeExplanations() -> [PressExplanation] {
        guard !explanations.isEmpty else { return [] }
        defer { explanations.removeAll(keepingCapacity: true) }
        return explanations
    }
}
