import KeyModel
package import TraceFormat

/// Excerpts of chosen presses, cut out in one reading of their trace.
package struct PressExcerpts: TraceConsumer, Sendable {
    private let presses: Set<UInt32>
    private var context = TraceContext()
    private var menu: TraceRecord.Body?
    /// Lists of the responders that `context` already has.
    private var lists: [CommandListRef?] = []
    private static let mostLists = 1 << 16
    private var open: [UInt32: PressExcerpt] = [:]
    private var finished: [(press: UInt32, excerpt: PressExcerpt)] = []
    /// Presses that are under way at once. Real ones overlap by a handful.
    private static let overlap = 64

    package init(of presses: Set<UInt32>) { self.presses = presses }

    package mutating func begin(_ entries: [ContextEntry]) { context = TraceContext(entries) }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard !presses.isEmpty else { return }
        if case .key(let key) = record.body, key.phase == .down, let press = key.press, presses.contains(press),
            open.count < PressExcerpts.overlap
        {
            open[press] = PressExcerpt(of: press, context: context, menu: menu)
        }
        // The keys alone: a view of them would have each excerpt copied where it is changed.
        for press in Array(open.keys) {
            open[press]?.consume(record, definitions: definitions)
            guard open[press]?.isOver == true, let excerpt = open.removeValue(forKey: press) else { continue }
            finished.append((press, excerpt))
        }
        if case .call(let call) = record.body { follow(call, record.body) } else { context.apply(record.body) }
    }

    private mutating func follow(_ call: CallRecord, _ body: TraceRecord.Body) {
        guard isNews(call) else { return }
        if call.kind == .buildMenu { menu = body }
        context.apply(body)
    }

    /// False where the context after the call is the one before it.
    private mutating func isNews(_ call: CallRecord) -> Bool {
        guard call.kind == .keyCommands else { return call.kind == .buildMenu }
        guard call.occasion != .shadow, case .commands(let list) = call.answer else { return false }
        let at = Int(call.responder.rawValue)
        guard at < PressExcerpts.mostLists else { return true }
        while lists.count <= at { lists.append(nil) }
        defer { lists[at] = list }
        return lists[at] != list
    }

    /// Ends the reading: keys that are still held were cut out without their repeats.
    package mutating func finish() {
        finished += open.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        open.removeAll()
    }

    /// Excerpts that became whole since the last call.
    package mutating func takeFinished(_ definitions: TraceDefinitions) -> [(press: UInt32, excerpt: Recording)] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll(keepingCapacity: true) }
        return finished.compactMap { press, excerpt in excerpt.recording(definitions).map { (press, $0) } }
    }
}
