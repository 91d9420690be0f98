package import KeyModel
import TraceFormat
import TracePresses

/// Commands that are offered although no press can reach them: reserved chords (T-5, T-22, MT-13) and inputs that the
/// layout does not have (T-33); those that are offered twice (T-14), and arrows that are shown mirrored (T-20).
package struct OfferedCommandRules: Sendable {
    private var seen: Set<Offer> = []
    /// The list that each responder offered last: most answers are the same as the one before.
    private var last = HandleTable<ResponderDefinition, CommandListRef>()
    private var menu: Set<Twin> = []
    private var chain: [Twin: String] = [:]
    private var layout: (table: StringRef, layout: Layout?)?
    private var layouts = ParsedTexts<Layout?>()
    private var typed: [String: Bool] = [:]
    /// Ids of the responders that were asked for their commands.
    private(set) var asked: Set<String> = []

    private struct Offer: Hashable, Sendable {
        var responder: ResponderRef
        var list: CommandListRef
    }

    private struct Twin: Hashable, Sendable {
        var input: String
        var modifiers: KeyModifiers
        var action: String
    }

    mutating func endRecording() {
        seen.removeAll()
        last.removeAll()
        layout = nil
        typed.removeAll()
    }

    mutating func consume(
        _ call: CallRecord, _ context: PressContext, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        guard case .commands(let list) = call.answer, last[call.responder] != list else { return }
        last[call.responder] = list
        guard seen.insert(Offer(responder: call.responder, list: list)).inserted else { return }
        let isMenu = call.kind == .buildMenu
        if !isMenu { asked.insert(names.name(call.responder)) }
        // The overlay of single lists came before that of menus.
        let hasMenus = context.environment["parameter.overlay"] == "menus"
        let owner = isMenu ? "mainMenu" : names.name(call.responder)
        for ref in names[list] ?? [] {
            guard let command = names[ref], let input = command.input, !input.isEmpty else { continue }
            inspect(command, input, of: owner, context, names, &accumulator)
            guard hasMenus else { continue }
            let twin = Twin(input: input, modifiers: command.modifiers, action: command.action)
            if isMenu { menu.insert(twin) } else { chain[twin] = chain[twin] ?? owner }
        }
    }

    func report(to accumulator: inout FindingAccumulator) {
        for (twin, owner) in chain where menu.contains(twin) {
            accumulator.add(
                .listedTwice, "\(owner) \(twin.action) \(twin.input)", chord: nil, evidence: nil) {
                let shortcut = OfferedCommandRules.words(twin.modifiers, twin.input)
                return "\(shortcut) \(twin.action) is offered by \(owner) and by the menu"
            }
        }
    }

    private mutating func inspect(
        _ command: CommandDefinition, _ input: String, of owner: String, _ context: PressContext,
        _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        // Formatted only for the few that are reported: a list may have 65,536 commands.
        var chord: String { OfferedCommandRules.words(command.modifiers, input) }
        var subject: String { "\(owner) \(chord) \(command.action)" }
        let modifiers = command.modifiers.intersection(.matchMask)
        if let (why, hint) = OfferedCommandRules.reservation(modifiers, input, context) {
            accumulator.add(.reservedChord, subject, chord: nil, evidence: nil, hint: hint) {
                "\(owner) offers \(chord) (\(command.action)): \(why)"
            }
        } else if OfferedCommandRules.isShownMirrored(input, command, context) {
            accumulator.add(.mirroredLabel, subject, chord: nil, evidence: nil) {
                "\(owner) offers \(chord) \(command.action), and the overlay of a right-to-left interface shows the "
                    + "other arrow"
            }
        } else if isUntypeable(input, command, context, names) {
            let isLocalised = context.environment["parameter.localises"] == "true"
                && !command.attributes.contains(.notLocalised)
            let hint = isLocalised ? "choose an input that a key of this layout types" : nil
            accumulator.add(.untypeableInput, subject, chord: nil, evidence: nil, hint: hint) {
                "\(owner) offers \(chord) \(command.action), and no key of layout \(context.layoutName ?? "?") types it"
            }
        }
    }

    /// Reason for which the system reserves a chord, and what to do; `nil` for any other.
    private static func reservation(
        _ modifiers: KeyModifiers, _ input: String, _ context: PressContext
    ) -> (why: String, hint: String)? {
        if input == "\u{3}" {
            let why = "Enter of the numeric pad arrives as Return, never as this character"
            return (why, "offer Return, with the modifier numericPad for the numeric pad alone")
        }
        if input == ".", modifiers == .command, context.environment["parameter.commandDotIsEscape"] == "true" {
            return ("⌘. arrives as Escape: offer UIKeyCommand.inputEscape", "offer Escape without modifiers")
        }
        guard let chords = context.environment["parameter.reservedChords"].flatMap({ ReservedChords(text: $0) }) else {
            return nil
        }
        let key = CommandDefinition.key(ofInput: input)
        let isReserved = chords.contains(input: input, modifiers: modifiers, usage: key)
        return isReserved ? ("kept by the system", "choose another chord: no app gets this one") : nil
    }

    /// A flat overlay of a system that mirrors what it shows and not what it matches.
    private static func isShownMirrored(
        _ input: String, _ command: CommandDefinition, _ context: PressContext
    ) -> Bool {
        let facts = context.environment
        return (input == "UIKeyInputLeftArrow" || input == "UIKeyInputRightArrow") && facts["direction"] == "rtl"
            && facts["parameter.overlay"] == "hud" && facts["parameter.mirrors"] == "false"
            && !command.attributes.contains(.notMirrored)
    }

    private mutating func isUntypeable(
        _ input: String, _ command: CommandDefinition, _ context: PressContext, _ names: TraceDefinitions
    ) -> Bool {
        guard let table = context.layoutTable else { return false }
        if layout?.table != table {
            layout = (table, layouts.layout(table, names))
            typed.removeAll()
        }
        guard let layout = layout?.layout, typed[input] != true else { return false }
        // The system moves some commands to other keys of a layout, unless the command opts out (spec MT-7).
        guard LadderBuilder.localised(command, layout, context.environment) == nil else { return false }
        if let known = typed[input] { return !known }
        let found = !OfferedCommandRules.isCharacter(input)
            || OfferedCommandRules.types(input.lowercased(), layout)
            || OfferedCommandRules.types(input, layout)
        typed[input] = found
        return !found
    }

    /// A visible character, which a key can therefore type.
    private static func isCharacter(_ input: String) -> Bool {
        guard input.count == 1, let scalar = input.unicodeScalars.first else { return false }
        return scalar.value > 0x20 && !VisibleText.isHidden(scalar)
    }

    private static func types(_ text: String, _ layout: Layout) -> Bool {
        if layout.usage(ofPlain: text) != nil { return true }
        let keys = Set(layout.keys.keys).union(layout.commandLevel.keys)
        return keys.contains { usage in
            let key = KeyUsage.keyboard(usage)
            return layout.plainText(for: key).lowercased() == text || layout.shiftedText(for: key).lowercased() == text
                || layout.commandLevel[usage].map { $0.plain == text || $0.shifted == text } ?? false
        }
    }

    private static let names = ["\t": "Tab", " ": "Space", "\r": "Return", "\u{3}": "\\u{3}"]

    package static func words(_ modifiers: KeyModifiers, _ input: String) -> String {
        if names[input] == nil, let key = CommandDefinition.key(ofInput: input) {
            return Chord(modifiers: modifiers, usage: key).glyphs
        }
        return Chord.glyphs(modifiers) + (names[input] ?? (input.count == 1 ? input.uppercased() : input))
    }
}
