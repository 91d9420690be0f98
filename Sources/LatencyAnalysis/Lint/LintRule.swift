import KeyModel
import TraceFormat
import TracePresses

/// A rule of `lint`. The raw value is the rule's id, which never changes.
package enum LintRule: String, CaseIterable, Hashable, Sendable {
    case textStolen = "text-stolen"
    case compositionBroken = "composition-broken"
    case pressSwallowed = "press-swallowed"
    case blockedByUnperformable = "blocked-by-unperformable"
    case unreachableCommand = "unreachable-command"
    case priorityMissing = "priority-missing"
    case outerPerforms = "outer-performs"
    case doubleFire = "double-fire"
    case repeatsDestructively = "repeats-destructively"
    case repeatOverrun = "repeat-overrun"
    case stuckModifier = "stuck-modifier"
    case lostRelease = "lost-release"
    case capsLock = "caps-lock"
    case wrongWindow = "wrong-window"
    case noFirstResponder = "nobody-listens"
    case windowListens = "window-listens"
    case supplierOffChain = "supplier-off-chain"
    case nonDeterministic = "non-deterministic"
    case unstableKeyCommands = "unstable-key-commands"
    case staleAnswer = "stale-answer"
    case staleMenu = "stale-menu"
    case menuDuplicate = "menu-duplicate"
    case listedTwice = "listed-twice"
    case reservedChord = "reserved-chord"
    case untypeableInput = "untypeable-input"
    case matchedByPosition = "matched-by-position"
    case mirroredLabel = "mirrored-label"
    case deadArrow = "dead-arrow"
    case focusTooEarly = "focus-too-early"
    case pressCancelled = "press-cancelled"
    case menuOfController = "menu-of-controller"
    case senderCast = "sender-cast"
    case neverAsked = "never-asked"
    case alwaysTaken = "always-taken"
    case neverPerformed = "never-performed"
    case firstResponderLost = "first-responder-lost"
    case actsBehind = "acts-behind"
    case menuPickLost = "menu-pick-lost"

    package enum Severity: UInt8, NamedCase, Comparable, Hashable, Sendable {
        /// Worth knowing.
        case note
        /// Likely to surprise a user.
        case warning
        /// Has affected a user.
        case error

        package static let names = ["note", "warning", "error"]

        package static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
    }

    package var severity: Severity {
        switch self {
        case .textStolen, .compositionBroken, .blockedByUnperformable, .doubleFire, .repeatsDestructively,
            .stuckModifier, .wrongWindow, .noFirstResponder, .nonDeterministic, .staleAnswer:
            .error
        case .listedTwice: .note
        default: .warning
        }
    }

    /// The rule in a few words.
    package var title: String {
        switch self {
        case .textStolen: "a command takes a key that the text field needs"
        case .compositionBroken: "a key is taken from a text that is being composed"
        case .pressSwallowed: "a responder keeps presses from those who wait for them"
        case .blockedByUnperformable: "a command that no responder performs blocks the key"
        case .unreachableCommand: "a command is shadowed wherever it was pressed"
        case .priorityMissing: "the system takes the key before the command"
        case .outerPerforms: "a farther responder performs what a nearer one offers"
        case .doubleFire: "one press runs more than one action"
        case .repeatsDestructively: "a held key repeats an action that destroys"
        case .repeatOverrun: "a repeat takes longer than the time to the next"
        case .stuckModifier: "a modifier is believed to be held"
        case .lostRelease: "the release of a key is not recorded"
        case .capsLock: "Caps Lock keeps a shortcut from matching"
        case .wrongWindow: "an action runs in a window that is not key"
        case .noFirstResponder: "there is no responder to start from"
        case .windowListens: "the window itself is first responder"
        case .supplierOffChain: "a command comes from a responder that is not on the chain"
        case .nonDeterministic: "the same press in the same situation came to something else"
        case .unstableKeyCommands: "keyCommands answers differently within one press"
        case .staleAnswer: "a cache served an answer that was no longer true"
        case .staleMenu: "the main menu changed and no rebuild was requested"
        case .menuDuplicate: "the main menu refuses a command that it has already"
        case .listedTwice: "a command is in the main menu and on the chain"
        case .reservedChord: "the system keeps this chord to itself"
        case .untypeableInput: "no key of the layout types this input"
        case .matchedByPosition: "a shortcut matched by the key's position, not by what it types"
        case .mirroredLabel: "the overlay shows another arrow than the one that runs the command"
        case .deadArrow: "the text takes an arrow and does nothing with it"
        case .focusTooEarly: "a first responder was asked for before it could be one"
        case .pressCancelled: "a press is cancelled instead of ended"
        case .menuOfController: "a menu is built where none is asked for"
        case .senderCast: "a menu asks with a sender that is refused"
        case .neverAsked: "a responder that offers commands is on no chain"
        case .alwaysTaken: "a command never gets its key"
        case .neverPerformed: "no responder performs a command"
        case .firstResponderLost: "there is no first responder since one went away"
        case .actsBehind: "a command acts behind a presented controller"
        case .menuPickLost: "a menu item that is picked finds no target"
        }
    }

    /// Suggested repair.
    package var hint: String {
        switch self {
        case .textStolen: "return no bare-key commands while a text input is first responder, or add a modifier"
        case .compositionBroken: "leave Return, Escape, arrows and Delete alone while markedTextRange is not nil"
        case .pressSwallowed: "call super in pressesBegan for every press that you do not handle"
        case .blockedByUnperformable: "leave the command out of keyCommands while canPerformAction would say no"
        case .unreachableCommand: "give one of the two another chord, or leave the nearer one out where it has no use"
        case .priorityMissing:
            "set wantsPriorityOverSystemBehavior on the command, if it may take the key from text or focus; before "
                + "iOS 15 choose another chord"
        case .outerPerforms: "let the outer controller leave the command out while the inner one offers it"
        case .doubleFire: "handle the key in one place: as a command, in the menu or in pressesBegan"
        case .repeatsDestructively:
            "ignore events while the key is held; from iOS 26 on set repeatBehavior to nonRepeatable"
        case .repeatOverrun: "make the action cheaper, or drop repeats that come while one is being served"
        case .stuckModifier: "forget held modifiers when the app or its window stops being active"
        case .lostRelease: "record releases and cancels of every key, and look for what took them from the source"
        case .capsLock: "compare modifiers without alphaShift"
        case .wrongWindow: "ask for the key window when the action runs; do not keep a pointer to the active one"
        case .noFirstResponder: "make a responder first responder again after a dismissal or removal"
        case .windowListens: "make a view or controller first responder, so that the chain has more than the window"
        case .supplierOffChain: "let the responder that supplies the command be on the chain, or supply it elsewhere"
        case .nonDeterministic: "look for state that decides but is not on the chain; explain both presses"
        case .unstableKeyCommands: "answer from state that changes between presses only"
        case .staleAnswer: "invalidate the responder whenever its key commands change"
        case .staleMenu: "call setNeedsRebuild when what the menu depends on changes"
        case .menuDuplicate:
            "choose another chord, or remove the system's menu first; ⌘F ⌘B ⌘I ⌘U stay its own on an iPad from 26 on"
        case .listedTwice: "keep it in the menu only; the chain need not offer it as well"
        case .reservedChord: "choose another chord, or take the item that has the key out of the system's menu"
        case .untypeableInput: "choose an input that a key types, or leave its localisation to the system"
        case .matchedByPosition: "compare charactersIgnoringModifiers, not key codes"
        case .mirroredLabel: "on systems before iOS 15 leave the arrow's meaning to the text, or offer both arrows"
        case .deadArrow: "add commands for the arrows that move the caret, on this version alone"
        case .focusTooEarly: "call becomeFirstResponder when the transition is over, and look at what it returns"
        case .pressCancelled: "treat pressesCancelled of a key like pressesEnded"
        case .menuOfController: "build it in the application or its delegate, and call setNeedsRebuild"
        case .senderCast: "decide by the action in canPerformAction; a menu's sender is no UIKeyCommand"
        case .neverAsked: "let it, or a responder inside it, be first responder, or offer the command farther up"
        case .alwaysTaken: "choose another chord, or handle the key where it is taken"
        case .neverPerformed: "implement the action in a responder of the chain, or leave the command out"
        case .firstResponderLost: "make a responder first responder again after a dismissal or removal"
        case .actsBehind: "leave the command out, or refuse its action, while a controller is presented"
        case .menuPickLost: "perform the action in the application or its delegate, or send it on from there"
        }
    }
}

/// Rules that could not be checked in a trace, and the records that they need.
package struct UncheckedRules: Hashable, Sendable {
    package var rules: [LintRule]
    /// The records that the trace lacks.
    package var missing: String
    /// The call that records it.
    package var call: String
}

extension TraceInfo {
    /// The rules that could not be checked. A replay records all that the rules need; an app, what it is configured to.
    package var uncheckedRules: [UncheckedRules] {
        guard resolutions > 0 else {
            let rules = LintRule.allCases.filter { ![.stuckModifier, .lostRelease].contains($0) }
            return uncheckedReleases
                + [UncheckedRules(rules: rules, missing: "resolutions", call: "Keyflight.endKey, or replay --scene")]
        }
        guard !isOfReplay else { return [] }
        var unchecked = uncheckedReleases + (uncheckedCandidates.map { [$0] } ?? [])
        if !contextKinds.contains(.textInput) {
            unchecked.append(
                UncheckedRules(
                    rules: [.textStolen, .pressSwallowed], missing: "text inputs", call: "Keyflight.textInput"))
        }
        if !layouts.contains(where: \.isStored) {
            unchecked.append(
                UncheckedRules(
                    rules: [.untypeableInput, .matchedByPosition], missing: "layout table",
                    call: "Keyflight.layout with a table"))
        }
        return unchecked
    }

    private var uncheckedReleases: [UncheckedRules] {
        guard presses > 0, keyEvents == presses else { return [] }
        let rules: [LintRule] = [.stuckModifier, .lostRelease]
        return [UncheckedRules(rules: rules, missing: "releases", call: "Keyflight.key with phase up")]
    }

    private var uncheckedCandidates: UncheckedRules? {
        let rules: [LintRule] = [
            .unreachableCommand, .priorityMissing, .alwaysTaken, .neverPerformed, .outerPerforms, .capsLock,
        ]
        let ofChain: [LintRule] = [
            .nonDeterministic, .supplierOffChain, .noFirstResponder, .firstResponderLost, .windowListens,
        ]
        switch chainGap {
        case .firstResponder?:
            return UncheckedRules(
                rules: rules + ofChain, missing: "first responder", call: "Keyflight.firstResponder")
        case .links?: return UncheckedRules(rules: rules + ofChain, missing: "chain", call: "Keyflight.link")
        case nil: break
        }
        switch candidateSource {
        case .recorded: return nil
        case .derived(let origin) where origin.derived + origin.recorded > 0: return nil
        case .derived: return UncheckedRules(rules: rules, missing: "candidates", call: "Keyflight.candidate")
        case .unknown:
            let missing = candidates == 0 ? "candidates"
                : "candidates of \(commandsWithoutCandidates ?? 0) of the presses that commands took"
            return UncheckedRules(
                rules: rules, missing: missing, call: "Keyflight.candidate, or keyCommands at level calls")
        }
    }
}
