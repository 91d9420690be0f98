package import TraceFormat
import TracePresses

/// Explains presses of a trace as it is read, with their repeats.
///
/// They come in the order of their downs, but for those that were not resolved and released when a later key went down:
/// these come when they are, and at the latest at the end.
package struct PressSummarizer: TraceConsumer, Sendable {
    private var assembler: PressAssembler
    private let selection: PressAssembler.Selection?
    private let batch: Int
    private var waiting: [RepeatedPress] = []
    private var over: [RepeatedPress] = []
    private var isAtEnd = false
    /// Presses that wait longer than a batch. Real ones overlap by a handful.
    private static let limit = 64

    package init() { self.init(batch: 0) }

    /// - Parameters:
    ///   - batch: Number of presses that wait until one of them is explained, unless the reading ends before.
    ///   - selection: `nil` explains every press.
    init(batch: Int, selection: PressAssembler.Selection? = nil) {
        (self.batch, self.selection) = (batch, selection)
        assembler = PressAssembler(.decision, .released, selection: selection)
    }

    package mutating func begin(_ entries: [ContextEntry]) {
        assembler = PressAssembler(.decision, .released, context: entries, selection: selection)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        assembler.consume(record)
        while let press = assembler.next() { add(press) }
        for place in waiting.indices { waiting[place].noteLate(record) }
    }

    /// Ends the reading: what is open is explained as it is.
    package mutating func finish() {
        assembler.finish()
        isAtEnd = true
    }

    /// The next explanation; `nil` when more records must be consumed before.
    package mutating func next(_ definitions: TraceDefinitions) -> PressExplanation? {
        while over.isEmpty {
            if let press = assembler.next() {
                add(press)
            } else if isAtEnd, !waiting.isEmpty {
                swap(&over, &waiting)
            } else {
                return nil
            }
        }
        return over.removeFirst().explanation(definitions)
    }

    private mutating func add(_ press: TracePress) {
        guard !press.isRepeat else {
            for place in waiting.indices { waiting[place].add(press) }
            return
        }
        guard press.key != nil || press.isResolved else { return }
        if waiting.count > batch {
            over += waiting.filter { $0.isOver(at: press.time) }
            waiting.removeAll { $0.isOver(at: press.time) }
        }
        while let oldest = waiting.first?.press,
            waiting.count >= batch + PressSummarizer.limit || assembler.context.hasOutgrown(oldest.context)
        {
            over.append(waiting.removeFirst())
        }
        waiting.append(RepeatedPress(press: press))
    }
}
