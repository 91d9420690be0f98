public import TraceFormat
import KeyModel

/// Explains every press of a trace as it is read, in the order of presses as far as they end in it.
public struct PressStoryteller: TraceConsumer, Sendable {
    private var context = ChainContext()
    private var open: [UInt32: PressCapture] = [:]
    private var finished: [PressCapture] = []
    /// Presses that are not over. Real ones overlap by a handful.
    private static let limit = 64

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { context = ChainContext(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        if case .key(let key) = record.body, key.phase == .down, let press = key.press {
            // Effects and a second run of an action may still come after the key went up.
            close { $0.resolution != nil && $0.release != nil }
            if open.count >= PressStoryteller.limit, let oldest = open.keys.min(),
                let capture = open.removeValue(forKey: oldest)
            {
                finished.append(capture)
            }
            open[press] = PressCapture(press: press, context: context)
        }
        if let press = record.body.press { open[press]?.consume(record, current: context) }
        context.consume(record)
    }

    /// Ends the reading: what is open is told as it is.
    public mutating func finish() { close { _ in true } }

    private mutating func close(_ isOver: (PressCapture) -> Bool) {
        for press in open.keys.sorted() {
            guard let capture = open[press], isOver(capture) else { continue }
            open[press] = nil
            finished.append(capture)
        }
    }

    /// Those that were over since the last call.
    public mutating func takeFinished(_ definitions: TraceDefinitions) -> [PressExplanation] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll(keepingCapacity: true) }
        return finished.map { $0.explanation(search: nil, definitions: definitions) }
    }
}
