import KeyModel

/// The part of a decision about a masked press that may be recorded.
///
/// Where a command has the key of one letter for input, as `r` for Reply, and is asked before the text, then what a
/// press came to names its letter: who performed it, who was asked, how long that took. Of each masked press that meets
/// such a command, whatever its letter, the questions for commands and the stages up to them are kept, and the outcome
/// is undetermined, as in a replay that does not know the key.
///
/// A command is asked before the text where the rules put commands or the main menu first, and where it has priority.
/// Which commands there are is known from the lists that were answered. Where no text input has the keyboard, a key is
/// a shortcut and no text: its outcome stays.
public struct MaskedDecisions: Sendable {
    private var commandsComeFirst = false
    private var menuComesFirst = false
    /// A text input has the keyboard; `nil` where an app does not report it.
    private var hasTextInput: Bool?
    /// The text that has the keyboard is a web page's, which asks commands first under every profile.
    private var isWebPage = false
    private var hasBareKey = false
    private var hasPriorityKey = false
    private var seenLists: Set<CommandListRef> = []
    /// The last masked presses, and those of them of which an outcome would name the letter.
    private var masked: Set<UInt32> = []
    private var hidden: Set<UInt32> = []
    /// The last masked presses that were text: whatever the letter, the functions that insert it are the same.
    private var texts: Set<UInt32> = []
    /// Lengths of documents depend on hidden presses.
    private var hidAny = false
    /// Text was typed of which only its class is kept. From then on a state hash, and where a text is selected, may
    /// depend on it: on the keys that are down, on the words of a text, on what it was searched for.
    public private(set) var hidesText = false
    /// Ids of responders that had the keyboard as a text.
    private var inputs: Set<ByteName> = []
    /// Presses that are remembered: the last records of one come soon after its key is released.
    private static let limit = 4096

    public init() {}

    /// Lists have other handles from now on.
    public mutating func forgetHandles() { seenLists.removeAll() }

    /// Follows a key record as it is recorded.
    public mutating func follow(_ key: KeyRecord) {
        if key.key.usage == nil { hidesText = true }
        guard key.phase == .down, let press = key.press else { return }
        hidden.remove(press)
        follow(press, isMasked: key.key.usage == nil)
    }

    /// Follows a press whose key is down.
    public mutating func follow(_ press: UInt32, isMasked: Bool) {
        if isMasked {
            hidesText = true
            MaskedDecisions.insert(press, &masked)
        } else {
            masked.remove(press)
        }
    }

    private static func insert(_ press: UInt32, _ presses: inout Set<UInt32>) {
        if presses.count >= 2 * limit { presses = Set(presses.sorted().suffix(limit)) }
        presses.insert(press)
    }

    /// Follows a record that is no key, before anything is left out of it.
    public mutating func follow(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) {
        switch body {
        case .environment(let fact):
            switch fact.name {
            case "parameter.stageOrder":
                commandsComeFirst = fact.value == "commandsFirst"
                // A replay reports a text input as soon as there is one.
                if hasTextInput == nil { hasTextInput = false }
            case "parameter.menuBeforeText": menuComesFirst = fact.value == "true"
            default: break
            }
        case .textInput(let record):
            hasTextInput = record.responder != nil
            let input = record.responder.flatMap { definitions[$0] }
            isWebPage = input.map { $0.kind == "webView" || $0.kind.hasSuffix("WebView") } ?? false
            if let input { inputs.insert(ByteName(input.id)) }
        case .text: hidesText = true
        case .call(let record):
            guard case .commands(let list) = record.answer else { return }
            follow(list, definitions)
        case .candidate(let record): follow(definitions[record.command])
        case .resolution(let record):
            if record.outcome == .consumedByText {
                MaskedDecisions.insert(record.at.press, &texts)
            } else {
                texts.remove(record.at.press)
            }
            follow(record.command.flatMap { definitions[$0] })
        default: break
        }
    }

    /// Follows a list of commands that a responder answered.
    public mutating func follow(_ list: CommandListRef, _ definitions: TraceDefinitions) {
        guard !hasPriorityKey, seenLists.insert(list).inserted else { return }
        for command in definitions[list] ?? [] { follow(definitions[command]) }
    }

    /// Follows a command that was offered.
    public mutating func follow(_ command: CommandDefinition?) {
        // A space is a class of its own, and a key with a name is not masked.
        guard let command, let input = command.input, input.utf8.count <= 32, input.count == 1, input != " ",
            input.unicodeScalars.first?.properties.generalCategory != .control,
            command.modifiers.isDisjoint(with: [.command, .control])
        else { return }
        hasBareKey = true
        let isOfFirstMenu = menuComesFirst && command.attributes.contains(.mainMenu)
        if isOfFirstMenu || command.attributes.contains(.wantsPriority) { hasPriorityKey = true }
    }

    /// The last resolution of this press is that of text.
    package func isText(_ press: UInt32) -> Bool { texts.contains(press) }

    /// The outcome of this press would name its letter.
    public mutating func hides(_ press: UInt32) -> Bool {
        guard hasBareKey, masked.contains(press) else { return false }
        if hidden.contains(press) { return true }
        guard hasPriorityKey || commandsComeFirst || isWebPage, hasTextInput ?? true else { return false }
        MaskedDecisions.insert(press, &hidden)
        hidAny = true
        return true
    }

    /// The part of a record that may be recorded; `nil` for nothing.
    public mutating func kept(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) -> TraceRecord.Body? {
        // Whether a held key repeats depends on what takes it.
        if case .key(let key) = body, key.phase == .repeat, let press = key.press, hides(press) { return nil }
        guard let at = body.decided else { return body }
        // The functions of a command name it, and so its key.
        if case .samples = body, masked.contains(at.press), !isText(at.press) { return nil }
        // A press waits for what became of the one before.
        if hidAny, case .stage(let record) = body, record.stage == .inputDelay { return nil }
        guard hides(at.press) else { return hidesText ? withoutText(body, definitions) : body }
        guard at.tick == 0 else { return nil }
        switch body {
        case .call(let record): return record.kind == .keyCommands ? body : nil
        case .candidate(let record): return record.verdict == .possible ? body : nil
        case .stage(let record): return MaskedDecisions.stages.contains(record.stage) ? body : nil
        case .cache(var record):
            // Those of the action among them.
            record.invalidations = 0
            return .cache(record)
        case .resolution(let record):
            var open = ResolutionRecord(at: record.at, outcome: .undetermined, takenBy: nil, state: nil)
            open.start = record.start
            open.keyWindow = record.keyWindow
            return .resolution(open)
        default: return nil
        }
    }

    /// Stages before anything is matched.
    private static let stages: Set<LatencyStage> = [.hid, .transport, .presses, .collect]

    private func withoutText(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) -> TraceRecord.Body {
        switch body {
        case .resolution(var record):
            record.state = nil
            return .resolution(record)
        case .effect(var record):
            let isOfText = switch definitions[record.kind] {
            case "text", "marked": hidAny
            case "selection": inputs.contains(ByteName(record.responder.flatMap { definitions[$0]?.id } ?? ""))
            default: false
            }
            if isOfText { record.value = nil }
            return .effect(record)
        default: return body
        }
    }
}
