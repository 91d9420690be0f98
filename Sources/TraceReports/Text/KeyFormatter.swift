import KeyModel
package import LatencyAnalysis
import TraceFormat
import TracePresses

/// Keys, commands and outcomes in the words of reports.
package enum KeyFormatter {
    /// Placeholder for a masked key.
    static let masked = "◻"

    /// `⌘W`, by what the key types where that is known; `◻ letter` for a masked key.
    static func chord(_ key: PressExplanation.KeyFacts, character: String?) -> String {
        chord(PressChord(modifiers: key.modifiers, key: key.key, character: character))
    }

    /// `–` for a key that is not in the recording.
    package static func chord(_ chord: PressChord) -> String {
        let modifiers = Chord.glyphs(chord.modifiers)
        switch chord.key {
        case .masked(let textClass): return modifiers + "\(masked) \(textClass.name)"
        case .clear(let usage):
            let position = Chord(modifiers: chord.modifiers, usage: usage)
            guard let character = chord.character, let typed = glyph(of: character) else { return position.glyphs }
            return modifiers + typed
        case nil: return HumanNumbers.absent
        }
    }

    /// A layout, and whether the trace has its table or nothing but its name.
    static func layout(_ name: String, isStored: Bool) -> String {
        SafeText.escaped(name, limit: 40) + (isStored ? "" : " (name only)")
    }

    /// The form of a single visible character in a chord.
    private static func glyph(of character: String) -> String? {
        guard character.count == 1, character != " ", let first = character.unicodeScalars.first,
            !VisibleText.isHidden(first)
        else { return nil }
        return SafeText.escaped(character.uppercased(), limit: 8)
    }

    /// A key command's own chord.
    static func chord(_ command: CommandDefinition) -> String {
        guard let input = command.input else { return "no key" }
        return Chord.glyphs(command.modifiers) + self.input(input)
    }

    private static let inputs: [String: String] = [
        "UIKeyInputEscape": "⎋", "UIKeyInputLeftArrow": "←", "UIKeyInputRightArrow": "→", "UIKeyInputUpArrow": "↑",
        "UIKeyInputDownArrow": "↓", "UIKeyInputPageUp": "PageUp", "UIKeyInputPageDown": "PageDown",
        "UIKeyInputHome": "Home", "UIKeyInputEnd": "End", "UIKeyInputDelete": "⌦", "\u{8}": "⌫", "\u{7F}": "⌦",
        "\r": "⏎", "\n": "⏎", "\t": "⇥", " ": "Space", "\u{1B}": "⎋",
    ]

    static func input(_ input: String) -> String {
        if let name = inputs[input] { return name }
        if input.hasPrefix("UIKeyInput") { return SafeText.escaped(String(input.dropFirst(10)), limit: 20) }
        return SafeText.escaped(input.count == 1 ? input.uppercased() : input, limit: 20)
    }

    /// `won`, `skipped: canPerformAction = no at vc`, `shadowed by tabs`.
    static func verdict(_ candidate: LadderCandidate, in press: PressExplanation) -> String {
        let word =
            switch candidate.verdict {
            case .won: "won"
            case .shadowed: "shadowed"
            case .disabled: "disabled"
            case .unperformable: "skipped"
            case .taken: "lost"
            case .otherModifiers: "other modifiers"
            case .possible: "possible"
            }
        let reason = SafeText.escaped(candidate.reason)
        switch candidate.verdict {
        // The reason of a key binding contains its place.
        case .won:
            if press.resolution?.takenBy == .priorityKeyCommands {
                return "\(word): it asks for priority, and comes before text and focus"
            }
            return reason.isEmpty || reason == "performed" ? word : "\(word): \(reason)"
        case .otherModifiers where reason.hasPrefix("other key"): return reason
        case .otherModifiers:
            guard let held = press.key?.modifiers.intersection(.matchMask), reason == "other modifiers" else {
                return reason.isEmpty ? word : "\(word): \(reason)"
            }
            let wanted = candidate.command.modifiers.intersection(.matchMask)
            if wanted == held, let input = candidate.command.input, input.count == 1 {
                return "\(word): this key gives \(SafeText.escaped(input, limit: 8)) with ⇧ or ⌥ only"
            }
            return modifiers(wanted, instead: held)
        case .taken:
            guard let takenBy = press.resolution?.takenBy, reason == "taken before by \(takenBy.name)" else {
                // The reason already contains what took the key.
                return reason.isEmpty ? word : reason
            }
            let swallower = press.ladder.first(where: \.isSwallower)?.id
            return "lost: \(taking(takenBy, press, press.resolution?.target ?? swallower))"
        case .unperformable where reason.contains(" performs it"):
            return reason + askedInVain(candidate.command.action, press)
        default:
            if reason.isEmpty || reason == word { return word }
            return reason.hasPrefix(word) ? reason : "\(word): \(reason)"
        }
    }

    /// The receiver that took a key before any key command.
    private static func taking(_ takenBy: TakenBy, _ press: PressExplanation, _ target: String?) -> String {
        let who = target.map { SafeText.escaped($0, limit: 40) } ?? "a responder"
        let key = press.key.map { chord($0, character: press.resolution?.character) } ?? "the key"
        switch takenBy {
        case .text: return "\(who) uses \(key) as text"
        case .builtinText: return "\(who) edits its text with \(key)"
        case .inputMethod: return "the input method of \(who) takes the key"
        case .standardEdit:
            let action = press.resolution?.action.map { SafeText.escaped($0, limit: 40) } ?? "an action"
            let end = press.resolution?.outcome == .performed ? "of \(who)" : "and no responder performs it"
            return "\(key) is the system's key for \(action) \(end)"
        case .focus: return "the focus system takes the key"
        case .scroll: return "the key scrolls \(who)"
        case .presses: return "\(who) keeps the press to itself"
        case .system: return "kept by the system"
        default: return "taken by \(takenBy.words)"
        }
    }

    /// Such as ` (canPerformAction = no from all 7 asked)`.
    private static func askedInVain(_ action: String, _ press: PressExplanation) -> String {
        let answers = press.ladder.flatMap(\.answers).filter { $0.kind == .canPerformAction && $0.action == action }
        guard !answers.isEmpty, answers.allSatisfy({ $0.isYes == false }) else { return "" }
        let who = answers.count == 1 ? "the one" : "all \(HumanNumbers.count(answers.count))"
        return " (canPerformAction = no from \(who) asked)"
    }

    /// `one modifier off: ⇧ is not held`; `other modifiers: ⌃ is held, ⇧ and ⌥ are not`.
    private static func modifiers(_ wanted: KeyModifiers, instead held: KeyModifiers) -> String {
        func list(_ modifiers: KeyModifiers) -> [String] { Chord.glyphs(modifiers).map { String($0) } }
        let (extra, missing) = (list(held.subtracting(wanted)), list(wanted.subtracting(held)))
        var parts: [String] = []
        if !extra.isEmpty {
            parts.append("\(extra.joined(separator: " and ")) \(extra.count == 1 ? "is" : "are") held")
        }
        if !missing.isEmpty {
            let verb = missing.count == 1 ? "is" : "are"
            let end = extra.isEmpty ? "not held" : "not"
            parts.append("\(missing.joined(separator: " and ")) \(verb) \(end)")
        }
        let title = extra.count + missing.count == 1 ? "one modifier off" : "other modifiers"
        return parts.isEmpty ? title : "\(title): \(parts.joined(separator: ", "))"
    }

    /// `layout fr types Z with the key at W, and W here`
    static func whereabouts(_ misplaced: MisplacedCommand) -> String {
        func visible(_ text: String) -> String {
            text.isEmpty ? "nothing" : SafeText.escaped(text, limit: 8).uppercased()
        }
        if misplaced.typed == "UIKeyInputEscape" { return "⌘. arrives as Escape, the input of another command" }
        let input = visible(misplaced.command.input ?? "")
        let layout = SafeText.escaped(misplaced.layout, limit: 40)
        let here = "this key types \(visible(misplaced.typed)) on layout \(layout)"
        let held = Chord.glyphs(misplaced.command.modifiers)
        if let other = misplaced.localised { return "\(here); the command is at \(held)\(visible(other)) there" }
        guard let modifiers = misplaced.modifiers else { return "\(here), and no key types \(input)" }
        guard let usage = misplaced.usage else { return "\(here), and \(input) takes several keys" }
        let place = "\(here); \(input) is at \(Chord(modifiers: modifiers, usage: usage).glyphs)"
        let isOther = !modifiers.isSubset(of: misplaced.command.modifiers)
        return place + (isOther ? ", so that no key is \(held)\(input)" : "")
    }

    static func role(_ verdict: CandidateVerdict) -> ReportStyle.Role {
        switch verdict {
        case .won: .good
        case .shadowed, .unperformable, .disabled, .taken: .bad
        case .otherModifiers, .possible: .faint
        }
    }

    /// The result, as after an arrow: `tabs.closeTab:`, `text in field`, `no responder (unhandled)`.
    static func outcome(_ facts: PressExplanation.ResolutionFacts) -> String {
        outcome(
            PressOutcome(
                outcome: facts.outcome, action: facts.action, supplier: facts.supplier, target: facts.target,
                text: facts.text, takenBy: facts.takenBy))
    }

    package static func outcome(_ found: PressOutcome) -> String {
        let (what, action, target, text) = (found.outcome, found.action, found.target, found.text)
        guard found.takenBy != .system else { return "kept by the system" }
        if found.takenBy == .keyDown, what == .performed, action == nil {
            return "handled" + (target.map { " by " + SafeText.escaped($0, limit: 60) } ?? "") + " in keyDown:"
        }
        if found.takenBy == .eventLoop, what == .performed, action == nil {
            return "handled by a loop of the app that takes its events"
        }
        func safe(_ name: String?) -> String { name.map { SafeText.escaped($0, limit: 60) } ?? "?" }
        let by = target.map { " by " + safe($0) } ?? ""
        // Where the responder is the place and not the doer.
        let at = target.map { " at " + safe($0) } ?? ""
        switch what {
        case .performed:
            guard let action = action else { return "done" + by }
            return target == nil ? safe(action) : "\(safe(target)).\(safe(action))"
        case .blockedUnperformable:
            return "blocked: \(safe(action)) matched, and no responder performs it"
        case .consumedByText:
            let typed = text.map { " \"\(SafeText.escaped($0, limit: 20))\"" } ?? ""
            return "text\(typed)" + (target.map { " in " + SafeText.escaped($0, limit: 60) } ?? "")
        case .consumedByInputMethod: return "the input method" + at
        case .consumedByFocus: return "taken by the focus system" + at
        case .consumedByScroll: return "scrolled" + by
        case .consumedByKeyBinding: return "taken by a key binding" + at
        case .swallowedByPresses: return "swallowed" + (by.isEmpty ? " in pressesBegan" : by)
        case .handledByKeyPress: return "handled by onKeyPress" + at
        case .unhandled: return "no responder (unhandled)"
        case .discarded: return "discarded: a modal loop took the key and sent it to no responder"
        case .noStart: return "no responder: there was none to start from"
        case .unrecorded: return "unknown: the recording does not hold the answer that decides"
        case .undetermined: return "undetermined: it depends on which key the mask hides"
        case .cancelled: return "cancelled"
        default: return SafeText.escaped(what.name) + by
        }
    }

    /// `since #97 (+00:33.980, another window became key)`
    static func since(_ change: ContextChange, isNone: Bool = false) -> String {
        if change.isInitial { return "since the start" }
        // From no responder to none: of a change in the course of a press only the time is known then.
        let cause = isNone && change.cause == .become ? nil : change.cause
        let when = HumanNumbers.time(change.time) + (cause.map { ", \(words($0))" } ?? "")
        return change.press.map { "since #\($0) (\(when))" } ?? "since \(when)"
    }

    private static func words(_ cause: FocusCause) -> String {
        switch cause {
        case .start: "from the start"
        case .become: "became it"
        case .resign: "resigned"
        case .present: "something was presented"
        case .dismiss: "something was dismissed"
        case .windowChange: "another window became key"
        case .removal: "it was removed"
        case .focusSystem: "the focus moved"
        case .click: "clicked"
        case .unknown: "cause unknown"
        }
    }
}

extension TakenBy {
    /// The name in prose.
    var words: String { self == .mainMenu ? "the main menu" : name }
}
