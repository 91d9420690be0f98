import KeyModel

/// The part of a decision about a masked press that may be recorded.
///
/// Where something takes the key of one letter before a text does, as a command on `r` for Reply, then what a press
/// came to names its letter: who performed it, who was asked, how long that took. Of each masked press that may meet
/// such a taker, whatever its letter, the outcome is undetermined, as in a replay that does not know the key. Where
/// commands alone take such keys the questions for commands and the stages up to them are kept.
///
/// A command is asked before the text where the rules put commands or the main menu first, and where it has priority.
/// The takers are known from the fact `bareKeys`, from the lists that were answered, and from a masked press that came
/// to something else than text; a reader that has the whole trace looks for them first. Where no text input has the
/// keyboard, a key is a shortcut and no text: its outcome stays.
public struct MaskedDecisions: Sendable {
    /// What of an app takes keys that are held without ⌘ and ⌃, as far as a trace shows it.
    package struct Takers: Hashable, Sendable {
        fileprivate var hasCommand = false
        fileprivate var hasPriorityCommand = false
        fileprivate var hasMenuCommand = false
        /// Handlers of presses and key bindings, which are asked before any list is read.
        fileprivate var hasHandler = false
        /// A key is a part of a sequence.
        fileprivate var hasSequence = false
        /// A masked key has no number: a decision without one may be about it.
        fileprivate var hasUnnumberedKey = false
    }

    package private(set) var takers: Takers
    private var commandsComeFirst = false
    private var menuComesFirst = false
    /// A text input has the keyboard; `nil` where an app does not report it.
    private var hasTextInput: Bool?
    private var textIsEditable = true
    private var textIsMarked = false
    /// The text that has the keyboard is a web page's, which asks commands first under every profile.
    private var isWebPage = false
    /// Command lists may be those of an earlier press.
    private var keepsLists = false
    private var seenLists: Set<CommandListRef> = []
    /// The last masked presses, and those of them of which an outcome would name the letter.
    private var masked: Set<UInt32> = []
    private var hidden: Set<UInt32> = []
    /// Presses of keys in clear: what is known of no press is masked.
    private var clear = OrdinalSet()
    /// The last presses of a class that has one key: what takes it names no other.
    private var known: Set<UInt32> = []
    /// The last masked presses that were text: whatever the letter, the functions that insert it are the same.
    private var texts: Set<UInt32> = []
    /// The last presses that came to something else, and whose key may come later.
    private var taken: Set<UInt32> = []
    /// The press of the last decision; 0 for none, and for one without a number.
    private var lastDecided: UInt32 = 0
    private var keys = MaskedKeys()
    /// Whether a document changes, and its length, depends on hidden presses, on which keys were dead, or on which were
    /// parts of words and which dashes.
    private var hidesLengths = false
    /// Whether a document has text depends on that.
    private var hidesContent = false
    private var hidAny = false
    /// Text was typed of which only its class is kept. From then on a state hash, and where a text is selected, may
    /// depend on it: on the keys that are down, on the words of a text, on what it was searched for.
    public private(set) var hidesText = false
    /// Ids of responders that had the keyboard as a text.
    private var inputs: Set<ByteName> = []
    /// Presses that are remembered: the last records of one come soon after its key is released.
    private static let limit = 4096

    public init() { takers = Takers() }

    /// `takers`: those of the whole trace.
    package init(_ takers: Takers) { self.takers = takers }

    /// Lists have other handles from now on.
    public mutating func forgetHandles() { seenLists.removeAll() }

    /// Follows a key record as it is recorded.
    public mutating func follow(_ key: KeyRecord) {
        let textClass = key.key.maskedClass
        if textClass != nil { hidesText = true }
        guard key.phase == .down else { return }
        let hasDeadKey = textClass.map { keys.areDead($0, key.modifiers) && hasTextInput ?? true } ?? false
        hidesContent = hidesContent || hasDeadKey
        if let textClass, !hidesLengths {
            hidesLengths = (hasDeadKey || keys.areMixed(textClass, key.modifiers)) && hasTextInput ?? true
        } else if textClass == nil, hidesLengths, !key.modifiers.isDisjoint(with: [.option, .control]) {
            // It may delete a word, or select one.
            hidesContent = true
        }
        guard let press = key.press else {
            takers.hasUnnumberedKey = takers.hasUnnumberedKey || textClass != nil
            return
        }
        hidden.remove(press)
        if textClass?.onlyUsage == nil { known.remove(press) } else { MaskedDecisions.insert(press, &known) }
        follow(press, isMasked: textClass != nil)
        // A dead key leaves marked text alone. What copies a text is only possible where there is one.
        if hasDeadKey, textIsMarked { hide(press) }
        if textClass == nil, hidesContent, hasTextInput ?? true, keys.needText(key) { hide(press) }
    }

    /// Follows a press whose key is down.
    public mutating func follow(_ press: UInt32, isMasked: Bool) {
        if isMasked {
            hidesText = true
            MaskedDecisions.insert(press, &masked)
            clear.remove(press)
            if taken.remove(press) != nil, !known.contains(press) { takers.hasHandler = true }
            _ = hides(press)
        } else {
            masked.remove(press)
            taken.remove(press)
            clear.insert(press)
        }
    }

    private static func insert(_ press: UInt32, _ presses: inout Set<UInt32>) {
        if presses.count >= 2 * limit { presses = Set(presses.sorted().suffix(limit)) }
        presses.insert(press)
    }

    /// Follows a record that is no key, before anything is left out of it.
    public mutating func follow(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) {
        if let press = body.decided?.press, press != lastDecided {
            lastDecided = press
            // A key that is not known may be text, and dead.
            if press > 0, !clear.contains(press), !masked.contains(press) {
                (hidesText, hidesLengths, hidesContent) = (true, true, true)
            }
        }
        switch body {
        case .environment(let fact):
            switch fact.name {
            case "parameter.stageOrder":
                commandsComeFirst = fact.value == "commandsFirst"
                // A replay reports a text input as soon as there is one.
                if hasTextInput == nil { hasTextInput = false }
            case "parameter.menuBeforeText": menuComesFirst = fact.value == "true"
            case EnvironmentFact.textIsEditable: textIsEditable = fact.value == "true"
            case "cache": keepsLists = fact.value != "none"
            // That of a merged trace begins with `source2.`.
            case let name where name.hasSuffix(EnvironmentFact.bareKeys): takers.add(fact.value)
            default: break
            }
        case .layout(let record): keys.table = record.table.flatMap { definitions[$0] }
        case .markedText(let record): textIsMarked = record.isMarked
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
            noteTaker(record)
        default: break
        }
    }

    /// Follows a list of commands that a responder answered.
    public mutating func follow(_ list: CommandListRef, _ definitions: TraceDefinitions) {
        guard !takers.hasPriorityCommand, seenLists.insert(list).inserted else { return }
        for command in definitions[list] ?? [] { follow(definitions[command]) }
    }

    /// Follows a command that was offered.
    public mutating func follow(_ command: CommandDefinition?) {
        guard let command, TextKeyClass.isBareKey(command.input, command.modifiers) else { return }
        takers.hasCommand = true
        if command.attributes.contains(.mainMenu) { takers.hasMenuCommand = true }
        if command.attributes.contains(.wantsPriority) { takers.hasPriorityCommand = true }
    }

    /// Follows the outcome of a press which a text could have had.
    private mutating func noteTaker(_ record: ResolutionRecord) {
        let press = record.at.press
        guard press > 0, hasTextInput == true, textIsEditable, !clear.contains(press), !known.contains(press),
            MaskedDecisions.takingOutcomes.contains(record.outcome)
        else { return }
        if MaskedDecisions.commandTakers.contains(record.takenBy) {
            takers.hasCommand = true
            takers.hasPriorityCommand = takers.hasPriorityCommand || !commandsComeFirst
        } else if masked.contains(press) {
            takers.hasHandler = true
        } else {
            MaskedDecisions.insert(press, &taken)
        }
    }

    private static let takingOutcomes: Set<Outcome> = [
        .performed, .blockedUnperformable, .swallowedByPresses, .handledByKeyPress, .consumedByKeyBinding,
        .consumedByFocus, .consumedByScroll,
    ]
    private static let commandTakers: Set<TakenBy?> = [.priorityKeyCommands, .keyCommands, .mainMenu]

    /// The last resolution of this press is that of text.
    package func isText(_ press: UInt32) -> Bool { texts.contains(press) }

    /// The outcome of this press would name its letter.
    public mutating func hides(_ press: UInt32) -> Bool {
        if !hidden.isEmpty, hidden.contains(press) { return true }
        guard takers.hasCommand || takers.hasHandler, isHidable(press) else { return false }
        let comesFirst = takers.hasHandler || takers.hasPriorityCommand || commandsComeFirst || isWebPage
            || menuComesFirst && takers.hasMenuCommand
        guard comesFirst, hasTextInput ?? true else { return false }
        hide(press)
        return true
    }

    private func isHidable(_ press: UInt32) -> Bool {
        // The keys before it made another one of it.
        if takers.hasSequence, hidAny { return true }
        return press == 0 ? takers.hasUnnumberedKey : !clear.contains(press)
    }

    private mutating func hide(_ press: UInt32) {
        if press > 0 { MaskedDecisions.insert(press, &hidden) }
        (hidAny, hidesLengths, hidesContent) = (true, true, true)
    }

    /// The part of a record that may be recorded; `nil` for nothing.
    public mutating func kept(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) -> TraceRecord.Body? {
        // Whether a held key repeats depends on what takes it.
        if case .key(let key) = body, key.phase == .repeat, let press = key.press, hides(press) { return nil }
        guard let at = body.decided else { return body }
        // Where it is inserted, a letter allocates by the space that it takes: counts tell some letters apart.
        if case .cost = body, masked.contains(at.press) { return nil }
        // So does the action that ran beside that of the press.
        if case .effect(let record) = body, masked.contains(at.press), definitions[record.kind] == "alsoPerformed" {
            return nil
        }
        // The functions of a command name it, and so its key.
        if case .samples = body, masked.contains(at.press), !isText(at.press) { return nil }
        guard hides(at.press) else {
            if hidAny, dependsOnHidden(body) { return nil }
            return hidesText ? withoutText(body, definitions) : body
        }
        guard at.tick == 0 || at.press == 0 else { return nil }
        if case .resolution(let record) = body {
            var open = ResolutionRecord(at: record.at, outcome: .undetermined, takenBy: nil, state: nil)
            open.start = record.start
            open.keyWindow = record.keyWindow
            return .resolution(open)
        }
        // A handler takes a press before any list is read.
        guard !takers.hasHandler else { return nil }
        switch body {
        case .call(let record): return record.kind == .keyCommands ? body : nil
        case .candidate(let record): return record.verdict == .possible ? body : nil
        case .stage(let record): return MaskedDecisions.stages.contains(record.stage) ? body : nil
        case .cache(var record):
            // Those of the action among them.
            record.invalidations = 0
            return .cache(record)
        default: return nil
        }
    }

    /// A part of a press in clear that depends on what became of the hidden ones before it.
    private func dependsOnHidden(_ body: TraceRecord.Body) -> Bool {
        switch body {
        case .stage(let record):
            // A press waits for the one before.
            record.stage == .inputDelay || takers.hasHandler && [.collect, .chordWait].contains(record.stage)
        case .call(let record) where takers.hasHandler && record.occasion != .shadow:
            record.kind == .buildMenu || record.kind == .validate || record.kind == .keyCommands && keepsLists
        case .cache: takers.hasHandler
        default: false
        }
    }

    /// Stages before anything is matched.
    private static let stages: Set<LatencyStage> = [.hid, .transport, .presses, .collect]

    private func withoutText(_ body: TraceRecord.Body, _ definitions: TraceDefinitions) -> TraceRecord.Body? {
        switch body {
        case .resolution(var record):
            record.state = nil
            return .resolution(record)
        case .effect(var record):
            let isOfInput = inputs.contains(ByteName(record.responder.flatMap { definitions[$0]?.id } ?? ""))
            switch definitions[record.kind] {
            // An empty document has nothing to delete.
            case "text", "marked": return hidesLengths ? nil : body
            case "selection" where isOfInput:
                record.value = nil
                return hidesLengths ? nil : .effect(record)
            default: return body
            }
        default: return body
        }
    }
}

extension MaskedDecisions.Takers {
    /// Adds those of the fact `bareKeys`.
    fileprivate mutating func add(_ fact: String) {
        hasCommand = true
        switch fact {
        case "commands": break
        case "menuCommands": hasMenuCommand = true
        case "priorityCommands": hasPriorityCommand = true
        default:
            hasHandler = true
            hasSequence = hasSequence || fact == "keyBindings"
        }
    }
}

/// The keys of a class on the layout that is recorded. Dead ones insert nothing, and what the next one inserts depends
/// on them; where some are letters and others none, words depend on them, and two dashes may become one.
private struct MaskedKeys: Sendable {
    /// The table of the layout; `nil` where it is not known.
    var table: String? { didSet { current = nil } }
    private var layouts = ParsedTexts { (try? Layout(text: $0)).map(MaskedKeys.facts) }
    private var current: Facts?
    private static let modifiers: [KeyModifiers] = [.shift, .option, .capsLock]
    /// Keys of the commands that copy, cut, undo, look up or search for a selection.
    private static let needText: Set<Character> = ["c", "x", "z", "d", "e", "g"]
    private static let needTextByPosition = Set([0x06, 0x1B, 0x1D, 0x07, 0x08, 0x0A].map(KeyUsage.keyboard))

    private struct Facts {
        /// Classes that have dead keys with Shift, Option and Caps Lock, as bits.
        var dead: [UInt8] = []
        /// Those whose keys are not all letters and digits.
        var mixed: [UInt8] = []
        var needText: Set<KeyUsage> = []
    }

    /// Some key of the class is dead with these modifiers. Of an unknown layout, those with Option may be.
    mutating func areDead(_ textClass: TextKeyClass, _ modifiers: KeyModifiers) -> Bool {
        guard let facts = facts() else { return modifiers.contains(.option) && textClass != .space }
        return facts.dead[MaskedKeys.place(modifiers)] & 1 << textClass.rawValue != 0
    }

    /// Some key of the class types a letter or a digit with these modifiers, or may do so, and another one none.
    mutating func areMixed(_ textClass: TextKeyClass, _ modifiers: KeyModifiers) -> Bool {
        guard textClass != .space else { return false }
        guard let facts = facts() else {
            let isPlain = textClass == .letter || textClass == .digit && !modifiers.contains(.shift)
            return !isPlain || modifiers.contains(.option)
        }
        return facts.mixed[MaskedKeys.place(modifiers)] & 1 << textClass.rawValue != 0
    }

    /// A chord of Command that does nothing where no text is selected, or none was searched for.
    mutating func needText(_ key: KeyRecord) -> Bool {
        guard key.modifiers.contains(.command), let usage = key.key.usage else { return false }
        return (facts()?.needText ?? MaskedKeys.needTextByPosition).contains(usage)
    }

    /// `nil` for an unknown layout.
    private mutating func facts() -> Facts? {
        if current == nil { current = table.flatMap { layouts.value(of: $0) } }
        return current
    }

    private static func place(_ held: KeyModifiers) -> Int {
        modifiers.indices.reduce(0) { held.contains(modifiers[$1]) ? $0 | 1 << $1 : $0 }
    }

    private static func facts(_ layout: Layout) -> Facts {
        var facts = Facts()
        for place in 0..<1 << modifiers.count {
            let held = modifiers.indices.filter { place & 1 << $0 != 0 }.reduce(into: KeyModifiers()) {
                $0.insert(modifiers[$1])
            }
            var (dead, mixed): (UInt8, UInt8) = (0, 0)
            for key in layout.keys.keys.map(KeyUsage.keyboard) {
                guard let bit = TextKeyClass(key).map({ 1 << $0.rawValue as UInt8 }) else { continue }
                switch layout.symbol(for: key, modifiers: held) {
                case .dead: dead |= bit
                case .text(let text) where text.count == 1 && text.allSatisfy { $0.isLetter || $0.isNumber }: break
                default: mixed |= bit
                }
            }
            facts.dead.append(dead)
            facts.mixed.append(mixed)
        }
        let keys = layout.keys.keys.map(KeyUsage.keyboard)
        facts.needText = Set(keys.filter { key in layout.plainText(for: key).first.map(needText.contains) ?? false })
        return facts
    }
}
