import KeyModel
import TraceFormat
import TracePresses

/// Commands that presses met, and those of them that ever won (row "two commands, one silently unreachable").
///
/// By name in place of handle, since several recordings may be read one after the other.
struct UnreachableCommandRule: Sendable {
    private var offers: [Offer: Standing] = [:]
    /// Candidates that are known to have won, by handles, which mean the same for one recording.
    private var winners: Set<Winner> = []
    private static let limit = 16_384
    /// The last answer of each responder to `keyCommands` at the press that is read: made at the first loss of a press,
    /// since most presses have none.
    private var lastAnswers: [ResponderRef: CallRecord.Answer]?
    /// The chords that each list has for an action: any of its commands may be shadowed at each press. Lists are known
    /// by handles, which mean the same for one recording.
    private var chords: [CommandListRef: [ByteName: Set<CommandChord>]] = [:]

    private struct Winner: Hashable, Sendable {
        var supplier: ResponderRef?
        var command: CommandRef
    }

    private struct Offer: Hashable, Sendable {
        var supplier: ByteName
        var action: ByteName
    }

    private struct Standing: Sendable {
        var hasWon = false
        /// The same action is offered with another chord that no press met.
        var hasOtherChord = false
        /// Chords that it won with, and those that it won with or lost to another command.
        var won: Set<String> = []
        var contested: Set<String> = []

        mutating func win(_ chord: PressChord) {
            hasWon = true
            won.insert(chord.order)
            contested.insert(chord.order)
        }
        var losses: [String: Loss] = [:]
    }

    private struct Loss: Sendable {
        var rule: LintRule
        var chord: PressChord
        /// The command that lost, and what it lost to, in each context of a scene.
        var offer: String
        var reasons: [String]
        var hint: String?
        var evidence: [Finding.Evidence]
        var presses: UInt64
    }

    /// Handles mean something else from now on.
    mutating func endRecording() {
        winners.removeAll()
        chords.removeAll()
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions, place: String?) {
        guard !tick.isRepeat else { return }
        lastAnswers = nil
        for candidate in tick.candidates {
            if candidate.verdict == .won {
                let winner = Winner(supplier: candidate.supplier, command: candidate.command)
                guard winners.count >= UnreachableCommandRule.limit || winners.insert(winner).inserted else { continue }
            }
            guard [.won, .shadowed, .taken].contains(candidate.verdict) else { continue }
            let chord = tick.chord(names)
            guard let command = names[candidate.command] else { continue }
            let offer = Offer(supplier: ByteName(names.name(candidate.supplier)), action: ByteName(command.action))
            switch candidate.verdict {
            case .won:
                change(offer) { $0.win(chord) }
            case .shadowed:
                change(offer) { $0.contested.insert(chord.order) }
                guard tick.resolution?.outcome == .performed, let winner = tick.resolution,
                    winner.action.flatMap({ names[$0] }) != command.action, isSpecific(candidate, names)
                else { continue }
                lose(offer, .unreachableCommand, chord, tick, candidate, names, place) {
                    "\(names.offer(winner)) comes first"
                }
            case .taken:
                guard let resolution = tick.resolution, let takenBy = resolution.takenBy else { continue }
                if resolution.outcome == .performed, resolution.action.flatMap({ names[$0] }) == command.action {
                    // The system's key runs the same action.
                    change(offer) { $0.win(chord) }
                    continue
                }
                if isOfSystemMenu(chord, tick) {
                    let item = resolution.action.flatMap { names[$0] }
                        ?? SystemChord.name(input: chord.input, modifiers: chord.modifiers)
                    lose(
                        offer, .reservedChord, chord, tick, candidate, names, place, hint: hint(of: item, chord, tick)
                    ) { "the system's menu has the key" + (item.map { ", for \($0)" } ?? "") }
                    continue
                }
                guard place != nil && takenBy != .system || isTakenFromCommand(chord, command, takenBy) else {
                    continue
                }
                let rule = mayGetPriority(candidate, command, chord, takenBy, names)
                    ? LintRule.priorityMissing : .alwaysTaken
                lose(offer, rule, chord, tick, candidate, names, place) {
                    let swallower = tick.receivers.first(where: \.isSwallowed)?.responder
                    guard takenBy == .presses, let swallower else { return "\(takenBy.name) takes the key first" }
                    return "\(names.name(swallower)) swallows the press first"
                }
            default: break
            }
        }
    }

    /// What can be done where an item of the system's menu has the key; `nil` for most.
    private func hint(of item: String?, _ chord: PressChord, _ tick: TracePress) -> String? {
        if has("systemMenuKeysBlock", chord, tick) {
            return "choose another chord: the key is the system's also where its menu is removed"
        }
        if tick.context.environment["parameter.macMenus"] == "true" {
            return "give it wantsPriorityOverSystemBehavior, or leave the system's item out in buildMenu"
        }
        // Reports of apps of one window have ⌘N (spec I26-3).
        guard item == "New Window" else { return nil }
        return "choose another chord; an app of one window has no New Window: its scene removes new-scene in mainMenu"
    }

    /// The key of an item of the system's menu, which comes before presses and priority on iOS 26 and 27 (I26-2), and
    /// before commands on the Mac.
    private func isOfSystemMenu(_ chord: PressChord, _ tick: TracePress) -> Bool {
        guard tick.receivers.isEmpty, let takenBy = tick.resolution?.takenBy else { return false }
        let facts = tick.context.environment
        // A chord that the system keeps is another rule's.
        if takenBy == .system, facts["parameter.macMenus"] == "true" { return !has("reservedChords", chord, tick) }
        guard facts["parameter.systemMenuBeforePriority"] == "unlessKeyInput" else { return false }
        // The system itself performs New Window.
        return takenBy == .standardEdit || takenBy == .system && has("windowMenuKeys", chord, tick)
    }

    /// A chord is among those of a parameter.
    private func has(_ parameter: String, _ chord: PressChord, _ tick: TracePress) -> Bool {
        let name = EnvironmentRecord.nameOfFact(aboutParameter: parameter)
        let chords = tick.context.environment[name].flatMap { ReservedChords(text: $0) }
        return chords?.contains(input: chord.input ?? "", modifiers: chord.modifiers, usage: chord.key?.usage) ?? false
    }

    /// Commands of the menu, of windows and of the application are there to be overridden by those inside.
    private func isSpecific(_ candidate: CandidateRecord, _ names: TraceDefinitions) -> Bool {
        guard let supplier = candidate.supplier, let kind = names[supplier]?.kind.lowercased() else { return false }
        return !["window", "application", "delegate", "scene"].contains { kind.hasSuffix($0) }
    }

    /// A responder's command can ask to come before text and focus; SwiftUI's controls cannot, and a letter is text's.
    private func mayGetPriority(
        _ candidate: CandidateRecord, _ command: CommandDefinition, _ chord: PressChord, _ takenBy: TakenBy,
        _ names: TraceDefinitions
    ) -> Bool {
        let isTyped = EditingKeys.types(chord) && !chord.modifiers.contains(.option)
        guard takenBy != .presses, !isTyped, !command.attributes.contains(.wantsPriority),
            let supplier = candidate.supplier
        else { return false }
        return names[supplier]?.kind != "hostingController"
    }

    /// Keys that a command may need before the system, and the text styles, which it never gets (T-3, T-15).
    private func isTakenFromCommand(_ chord: PressChord, _ command: CommandDefinition, _ takenBy: TakenBy) -> Bool {
        guard !command.attributes.contains(.wantsPriority) else { return false }
        switch takenBy {
        case .builtinText, .standardEdit: return chord.modifiers.contains(.command)
        case .text where EditingKeys.types(chord) && chord.modifiers.contains(.option): return true
        case .text, .focus, .scroll: return EditingKeys.areTaken(chord)
        default: return false
        }
    }

    private mutating func change(_ offer: Offer, _ body: (inout Standing) -> Void) {
        guard offers[offer] != nil || offers.count < UnreachableCommandRule.limit else { return }
        body(&offers[offer, default: Standing()])
    }

    private mutating func lose(
        _ offer: Offer, _ rule: LintRule, _ chord: PressChord, _ tick: TracePress, _ candidate: CandidateRecord,
        _ names: TraceDefinitions, _ place: String?, hint: String? = nil, _ reason: () -> String
    ) {
        let evidence = Finding.Evidence(press: tick.at.press, tick: tick.at.tick, time: tick.time, place: place)
        let isElsewhere = hasOtherChord(candidate, tick, names)
        change(offer) { standing in
            // In a scene every chord is pressed in every context.
            if isElsewhere, place == nil || rule == .unreachableCommand { standing.hasOtherChord = true }
            let key = rule.rawValue + chord.order
            if standing.losses[key] == nil {
                standing.losses[key] = Loss(
                    rule: rule, chord: chord, offer: names.offer(candidate), reasons: [reason()], hint: hint,
                    evidence: [], presses: 0)
            }
            if place != nil, standing.losses[key]?.reasons.contains(reason()) == false {
                standing.losses[key]?.reasons.append(reason())
            }
            standing.losses[key]?.presses += 1
            if standing.losses[key]?.evidence.count ?? 0 < Finding.evidenceLimit {
                standing.losses[key]?.evidence.append(evidence)
            }
        }
    }

    /// Its supplier offers the action with another input or other modifiers as well.
    private mutating func hasOtherChord(
        _ candidate: CandidateRecord, _ tick: TracePress, _ names: TraceDefinitions
    ) -> Bool {
        guard let command = names[candidate.command], let supplier = candidate.supplier,
            case .commands(let list)? = lastAnswers(of: tick)[supplier],
            let offered = chords(of: list, names)[ByteName(command.action)]
        else { return false }
        return offered.count > 1 || !offered.contains(UnreachableCommandRule.chord(of: command))
    }

    private mutating func lastAnswers(of tick: TracePress) -> [ResponderRef: CallRecord.Answer] {
        if let lastAnswers { return lastAnswers }
        var answers: [ResponderRef: CallRecord.Answer] = [:]
        for call in tick.calls where call.kind == .keyCommands { answers[call.responder] = call.answer }
        lastAnswers = answers
        return answers
    }

    private mutating func chords(
        of list: CommandListRef, _ names: TraceDefinitions
    ) -> [ByteName: Set<CommandChord>] {
        if let known = chords[list] { return known }
        var made: [ByteName: Set<CommandChord>] = [:]
        for command in (names[list] ?? []).compactMap({ names[$0] }) {
            made[ByteName(command.action), default: []].insert(UnreachableCommandRule.chord(of: command))
        }
        chords[list] = made
        return made
    }

    private static func chord(of command: CommandDefinition) -> CommandChord {
        CommandChord(input: command.input ?? "", modifiers: command.modifiers)
    }

    /// A command that lost to others is reported where its action has no other way; one whose key is always taken also
    /// beside others, in a scene; one that lost to the system's menu also where it won elsewhere: closing a window in
    /// place of a tab is no shortcut that is merely out of reach.
    func report(to accumulator: inout FindingAccumulator) {
        for (offer, standing) in offers {
            for loss in standing.losses.values {
                let isOfScene = loss.rule != .unreachableCommand && loss.evidence.first?.place != nil
                guard loss.rule == .reservedChord
                    || (isOfScene ? !standing.contested.contains(loss.chord.order)
                        : !standing.hasWon && !standing.hasOtherChord)
                else { continue }
                let runs = standing.won.contains(loss.chord.order) ? "runs elsewhere, not here" : "never runs"
                let message = "\(loss.offer) \(runs): \(loss.reasons.joined(separator: ", elsewhere "))"
                let subject = "\(offer.supplier.text) \(offer.action.text) \(loss.chord.order)"
                accumulator.add(loss.rule, subject, chord: loss.chord, evidence: nil, hint: loss.hint) { message }
                accumulator.add(loss.rule, subject, presses: loss.presses, evidence: loss.evidence)
            }
        }
    }
}
