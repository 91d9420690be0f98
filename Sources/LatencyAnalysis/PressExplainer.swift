public import TraceFormat
import KeyModel

/// Finds one press in a trace as it is read, and keeps what `PressExplanation` needs of it.
public struct PressExplainer: TraceConsumer, Sendable {
    private let selector: PressSelector
    var facts = TraceInfoBuilder()
    private var context = ChainContext()
    /// Presses that may be meant and whose character is not known yet, by ordinal.
    private var undecided: [UInt32: PressCapture] = [:]
    private var byCharacter: PressCapture?
    private var byPosition: PressCapture?
    private var characterMatches: UInt64 = 0
    private var positionMatches: UInt64 = 0
    private var layout: (table: StringRef, layout: Layout?)?
    /// Presses whose resolution has not come. A trace of level `keys` has none at all.
    private static let undecidedLimit = 64

    public init(_ selector: PressSelector) { self.selector = selector }

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        context = ChainContext(entries)
    }

    /// The press looked for by its ordinal has gone down.
    var hasDown: Bool { (byPosition ?? undecided.values.first)?.down != nil }

    /// It was resolved and released.
    var isOver: Bool { byPosition.map { $0.resolution != nil && $0.release != nil } ?? false }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        read(record, definitions: definitions)
    }

    /// What concerns the press.
    mutating func read(_ record: TraceRecord, definitions: TraceDefinitions) {
        if case .key(let key) = record.body, key.phase == .down, let press = key.press, isPossible(key, press) {
            undecided[press] = PressCapture(press: press, context: context)
            while undecided.count > PressExplainer.undecidedLimit, let oldest = undecided.keys.min() {
                decide(oldest, character: nil, definitions)
            }
        }
        deliver(record)
        if !undecided.isEmpty, case .resolution(let resolution) = record.body, resolution.at.tick == 0,
            undecided[resolution.at.press] != nil
        {
            decide(resolution.at.press, character: resolution.character.flatMap { definitions[$0] }, definitions)
        }
        context.consume(record)
    }

    /// The facts of the trace, for the header of a report.
    public func info(of file: TraceFileFacts = TraceFileFacts()) -> TraceInfo { facts.info(of: file) }

    /// The explanation; `nil` when no press is the one looked for.
    public mutating func explanation(definitions: TraceDefinitions) -> PressExplanation? {
        for press in undecided.keys.sorted() { decide(press, character: nil, definitions) }
        switch selector {
        case .press: return byPosition.map { $0.explanation(search: nil, definitions: definitions) }
        case .chord(let query, let isLast):
            let match: ChordQuery.Match = byCharacter != nil ? .character : .position
            let search = PressExplanation.Search(
                query: query, match: match, count: match == .character ? characterMatches : positionMatches,
                isLast: isLast)
            return (byCharacter ?? byPosition).map { $0.explanation(search: search, definitions: definitions) }
        }
    }

    private func isPossible(_ key: KeyRecord, _ press: UInt32) -> Bool {
        switch selector {
        case .press(let wanted): press == wanted
        case .chord(let query, _): query.admits(key.modifiers)
        }
    }

    private mutating func deliver(_ record: TraceRecord) {
        guard !undecided.isEmpty || byCharacter != nil || byPosition != nil, let press = record.body.press else {
            return
        }
        if !undecided.isEmpty { undecided[press]?.consume(record, current: context) }
        if byCharacter?.press == press { byCharacter?.consume(record, current: context) }
        if byPosition?.press == press { byPosition?.consume(record, current: context) }
    }

    private mutating func decide(_ press: UInt32, character: String?, _ definitions: TraceDefinitions) {
        guard let capture = undecided.removeValue(forKey: press), let down = capture.down else { return }
        guard case .chord(let query, let isLast) = selector else {
            byPosition = byPosition ?? capture
            return
        }
        if query.matchesCharacter(character ?? self.character(of: down.record, in: capture.context, definitions)) {
            characterMatches += 1
            if isLast || byCharacter == nil { byCharacter = capture }
        }
        if query.matchesPosition(down.record.key) {
            positionMatches += 1
            if isLast || byPosition == nil { byPosition = capture }
        }
    }

    /// What the layout in the trace says the key types, where no resolution says so.
    private mutating func character(
        of key: KeyRecord, in context: ChainContext, _ definitions: TraceDefinitions
    ) -> String? {
        guard let usage = key.key.usage, let table = context.layoutTable else { return nil }
        if layout?.table != table {
            layout = (table, definitions[table].flatMap { try? Layout(text: $0) })
        }
        let typed = layout?.layout?.plainText(for: usage) ?? ""
        return typed.isEmpty ? nil : typed
    }
}
