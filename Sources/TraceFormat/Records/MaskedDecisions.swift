import KeyModel

/// The part of a decision about a masked press that may be stored.
///
/// Where a command has the key of a letter alone for input, as `r` for Reply, who was asked, who performed it and what
/// came of it names the letter, and so does the outcome of the letters that are none. So from the first list on that
/// has such a command, of each masked press no more is known than a replay of the masked press could find out: that it
/// is undetermined. What was recorded before that list does not depend on the letter.
public struct MaskedDecisions: Sendable {
    /// A command was offered whose input is the key of a letter alone.
    public private(set) var nameKeys = false
    private var looked: Set<CommandListRef> = []

    public init() {}

    /// Lists have other handles from now on.
    public mutating func forgetHandles() { looked.removeAll() }

    /// Follows the commands that a record offers, before it is masked.
    public mutating func note(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) {
        guard !nameKeys else { return }
        switch body {
        case .call(let record):
            guard case .commands(let list) = record.answer, looked.insert(list).inserted else { return }
            for command in definitions[list] ?? [] { note(definitions[command]) }
        case .candidate(let record): note(definitions[record.command])
        case .resolution(let record): note(record.command.flatMap { definitions[$0] })
        default: break
        }
    }

    public mutating func note(_ command: CommandDefinition?) {
        guard let command, let input = command.input, input.utf8.count <= 32, input.count == 1,
            let scalar = input.unicodeScalars.first
        else { return }
        let isText = scalar.properties.generalCategory != .control
        if isText, command.modifiers.isDisjoint(with: [.command, .control]) { nameKeys = true }
    }

    /// What is left of a record about a masked press; `nil` for nothing.
    public func masked(_ body: TraceRecord.Body) -> TraceRecord.Body? {
        guard nameKeys, body.decided.map({ $0.press > 0 }) == true else { return body }
        switch body {
        case .resolution(let record):
            var masked = ResolutionRecord(at: record.at, outcome: .undetermined, takenBy: nil, state: nil)
            masked.start = record.start
            masked.keyWindow = record.keyWindow
            return .resolution(masked)
        // Found by a replay that does not know the key either.
        case .candidate(let record) where record.verdict == .possible: return .candidate(record)
        default: return nil
        }
    }
}
