import KeyModel
import TraceFormat

/// A recorded message with those that were sent inside of it. A trace has them in the order of their answers.
struct Message {
    let record: InvocationRecord
    let inner: [Message]

    var kind: InvocationKind { record.kind }

    /// The messages of one event. `isWhole`: the event was handled to its end, and `messages` are what it sent.
    static func ofEvent(_ records: [InvocationRecord]) -> (messages: [Message], isWhole: Bool) {
        var open: [Message] = []
        for record in records {
            let first = open.lastIndex { $0.record.depth <= record.depth }.map { $0 + 1 } ?? 0
            let inner = Array(open[first...])
            open.removeSubrange(first...)
            open.append(Message(record: record, inner: inner))
        }
        // A replay records no message of the event itself.
        guard let event = open.last(where: { $0.kind == .sendEvent }) else {
            return (open, records.allSatisfy { $0.duration == .zero })
        }
        return (event.inner, true)
    }

    /// The first taker of the press among these messages and those sent inside them.
    static func taker(among messages: [Message], inKeyDown: Bool) -> Message? {
        for message in messages {
            switch message.kind {
            case .insertText, .doCommand, .sendAction: return message
            // Of another event.
            case .sendEvent: continue
            default: break
            }
            if let inner = taker(among: message.inner, inKeyDown: inKeyDown) { return inner }
            if message.kind == .makeFirstResponder, inKeyDown { return message }
        }
        return nil
    }
}
