import KeyModel
import TraceFormat
import TracePresses

/// Rules that one press decides by itself.
extension FindingAccumulator {
    mutating func inspect(_ tick: TracePress, _ names: TraceDefinitions) {
        guard let resolution = tick.resolution else { return }
        if tick.effects.contains(where: { names[$0.kind] == "dismiss" }) { lastDismissal = tick.at.press }
        let chord = tick.chord(names)
        if resolution.outcome == .swallowedByPresses, let start = tick.start,
            tick.receivers.contains(where: { $0.isSwallowed && $0.responder == start })
        {
            lastSwallower = start
        }
        if resolution.outcome == .performed, lastSuppliers.count < FindingAccumulator.limit {
            lastSuppliers[ByteName(chord.order)] = resolution.supplier
        }
        if !findGhostModifier(tick, resolution, chord, names) { findStolenText(tick, resolution, chord, names) }
        findSwallowedPress(tick, resolution, chord, names)
        findBlockedKey(tick, resolution, chord, names)
        findUnperformed(tick, resolution, chord, names)
        findActionBehind(tick, resolution, chord, names)
        findOtherWindow(tick, resolution, chord, names)
        findMissingFirstResponder(tick, resolution, chord, names)
        findSupplierOffChain(tick, resolution, chord, names)
        findOuterPerformer(tick, resolution, chord, names)
        findUnstableAnswers(tick, names)
        findCapsLock(tick, resolution, chord, names)
        findPosition(tick, resolution, chord, names)
        findDeadArrow(tick, resolution, chord, names)
        findDoubleFire(tick, chord, names)
        if let stale = tick.cache?.stale, stale > 0 {
            add(.staleAnswer, chord.order, chord: chord, at: tick) {
                "\(stale) of the answers from the cache (policy \(tick.context.environment["cache"] ?? "unknown")) "
                    + "differed from fresh ones"
            }
        }
    }

    private mutating func findDoubleFire(_ tick: TracePress, _ chord: PressChord, _ names: TraceDefinitions) {
        let performs = tick.resolutions.count { $0.outcome == .performed }
        let wins = tick.candidates.count { $0.verdict == .won }
        guard performs > 1 || performs == 1 && wins > 1 else { return }
        let actions =
            performs > 1
            ? tick.resolutions.filter { $0.outcome == .performed }.map { names.actionName($0) }
            : tick.candidates.filter { $0.verdict == .won }.map { names.offer($0) }
        add(.doubleFire, chord.order + actions.joined(separator: " "), chord: chord, at: tick) {
            "one press runs \(actions.joined(separator: " and "))"
        }
    }

    /// T-2, T-7.
    private mutating func findStolenText(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        let isCommand = resolution.outcome == .performed || resolution.outcome == .blockedUnperformable
        guard isCommand, let takenBy = resolution.takenBy,
            [.priorityKeyCommands, .keyCommands, .mainMenu].contains(takenBy)
        else { return }
        if tick.context.isTextMarked, !chord.modifiers.contains(.command), EditingKeys.compose(chord) {
            let actionName = names.actionName(resolution)
            add(.compositionBroken, chord.order + actionName, chord: chord, at: tick) {
                "\(actionName) runs while text is marked, and the composition never gets the key"
            }
            return
        }
        guard let field = tick.textInput, resolution.supplier != field,
            EditingKeys.types(chord)
                || EditingKeys.edits(chord) && takenBy != .priorityKeyCommands && names[field]?.kind != "keyInputView"
        else { return }
        let actionName = names.actionName(resolution)
        add(.textStolen, chord.order + actionName, chord: chord, at: tick) {
            "\(actionName) runs although \(names.name(field)) has the keyboard for text"
        }
    }

    /// T-8: a command matched with a modifier that no key holds.
    private mutating func findGhostModifier(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) -> Bool {
        guard resolution.outcome == .performed, tick.key?.key.usage != nil,
            let command = resolution.command.flatMap({ names[$0] })
        else { return false }
        let ghosts = command.modifiers.intersection([.command, .control, .option]).subtracting(chord.modifiers)
        guard !ghosts.isEmpty, tick.context.environment["parameter.observesApplicationCommands"] != "true" else {
            return false
        }
        let held = ghosts.names.joined(separator: " and ")
        let actionName = names.actionName(resolution)
        add(.stuckModifier, held + actionName, chord: chord, at: tick) {
            "\(actionName) runs as if \(held) were held, and no key holds it"
        }
        return true
    }

    /// T-6, T-7, T-35.
    private mutating func findSwallowedPress(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome.isSwallowed,
            let swallower = tick.receivers.first(where: \.isSwallowed)?.responder
        else { return }
        let name = names.name(swallower)
        if tick.context.isTextMarked, swallower != tick.textInput, EditingKeys.compose(chord) {
            add(.compositionBroken, chord.order + name, chord: chord, at: tick) {
                "\(name) swallows the press while text is marked"
            }
        } else if let field = tick.textInput, swallower != field,
            EditingKeys.types(chord) || EditingKeys.edits(chord)
        {
            add(.pressSwallowed, name, chord: chord, at: tick) {
                "\(name) swallows presses that \(names.name(field)) would type"
            }
        } else if tick.chain.count > 1 {
            let losers = tick.candidates.filter { $0.verdict == .taken }.map { names.offer($0) }
            // Escape is meant for what presented or is being edited.
            let isEscape = chord.key?.usage == .escape && swallower != tick.start
            let isKept = isEscape || chord.modifiers.contains(.command) && !commandsComeFirst(tick, chord)
            guard isKept || !losers.isEmpty else { return }
            add(.pressSwallowed, name + chord.order, chord: chord, at: tick) {
                let lost = losers.isEmpty ? "" : "; it keeps the key from \(losers.joined(separator: ", "))"
                return "\(name) swallows a chord before any key command is asked for\(lost)"
            }
        }
    }

    /// On iOS 26 and 27 no command comes too late where text has not the keyboard, on the Mac none with ⌘ or ⌃ (I26-1).
    private func commandsComeFirst(_ tick: TracePress, _ chord: PressChord) -> Bool {
        let facts = tick.context.environment
        if facts["parameter.commandsBeforePresses"] == "unlessKeyInput" {
            return tick.context.textInput?.responder == nil
        }
        // The older name has the other two values.
        return facts["parameter.pressesSeenForMatchedCommands"] == "false"
            && (facts["parameter.macMenus"] != "true" || !chord.modifiers.isDisjoint(with: [.command, .control]))
    }

    /// T-1.
    private mutating func findBlockedKey(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        // A key of the system's menu is no command that the app could leave out.
        guard resolution.outcome == .blockedUnperformable, resolution.takenBy != .standardEdit else { return }
        // AppKit's menus: an item is disabled, and keeps its key by design (spec LA-10).
        let hasMenuAnswer = tick.invocations.contains { $0.kind == .keyEquivalent && $0.answer == .yes }
        guard !hasMenuAnswer || !resolution.isKeyEquivalent else { return }
        let waiting = tick.candidates.filter { $0.verdict == .shadowed }.map { names.offer($0) }
        let actionName = names.offer(resolution)
        let evidence = Finding.Evidence(press: tick.at.press, tick: tick.at.tick, time: tick.time, place: place)
        let hint = resolution.supplier == nil
            ? "perform the action in the application or its delegate, or take the item out of the menu" : nil
        add(.blockedByUnperformable, chord.order + actionName, chord: chord, evidence: evidence, hint: hint) {
            let lost = waiting.isEmpty ? "" : "; it keeps the key from \(waiting.joined(separator: ", "))"
            return "\(actionName) matches and no responder performs it\(lost)"
        }
    }

    /// A command that matched in vain, where that does not block the key.
    private mutating func findUnperformed(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .unhandled else { return }
        for candidate in tick.candidates where candidate.verdict == .unperformable {
            let offer = names.offer(candidate)
            add(.neverPerformed, chord.order + offer, chord: chord, at: tick) {
                "\(offer) matches and no responder performs it"
            }
        }
    }

    /// The target is behind what is presented over it.
    private mutating func findActionBehind(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .performed, resolution.command != nil, let target = resolution.target else {
            return
        }
        let context = tick.context
        let covering = context.presented.filter { presenter, presented in
            context.isOnChain(presenter, from: target) && !context.isOnChain(presented, from: target)
        }
        if let (presenter, presented) = covering.min(by: { $0.key.rawValue < $1.key.rawValue }) {
            let actionName = names.actionName(resolution)
            add(.actsBehind, chord.order + actionName, chord: chord, at: tick) {
                "\(actionName) runs behind \(names.name(presented)), which \(names.name(presenter)) presents"
            }
        }
    }

    private mutating func findOtherWindow(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .performed, let target = resolution.target,
            let window = tick.context.link(of: target)?.window,
            let keyWindow = resolution.keyWindow ?? tick.context.keyWindow?.window, window != keyWindow,
            target != keyWindow
        else { return }
        let actionName = names.actionName(resolution)
        add(.wrongWindow, actionName + chord.order, chord: chord, at: tick) {
            "\(actionName) runs in \(names.name(window)) while \(names.name(keyWindow)) is the key window"
        }
    }

    /// T-16, T-17.
    private mutating func findMissingFirstResponder(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        // The app is not active, it has ended, or has no keyboard: nothing that another responder would mend.
        if resolution.outcome == .noStart, !tick.isRepeat, keysStop.reason(at: tick.time) == nil {
            let known = tick.context.firstResponder
            if let first = known?.responder {
                return add(.noFirstResponder, names.name(first), chord: nil, at: tick) {
                    "keys reach no responder, though \(names.name(first)) is first responder: its window gets none"
                }
            }
            let change = known?.change
            let since = change?.press.map { " since press \($0)" } ?? ""
            let why = change?.cause.map { [.start, .become].contains($0) ? "" : " (\($0.name))" } ?? ""
            add(.noFirstResponder, "\(change?.time.nanoseconds ?? 0)", chord: nil, at: tick) {
                "there has been no first responder\(since)\(why), and keys reach no responder"
            }
        }
        if let start = tick.start, let first = tick.context.firstResponder, first.responder == nil,
            let change = first.change,
            // A window that was closed leaves no first responder behind.
            tick.context.keyWindow.map({ $0.window != nil }) ?? true
        {
            let isDismissal = change.cause == .dismiss || change.press.map { $0 == lastDismissal } ?? false
            // A game or a terminal handles keys in pressesBegan, and does nothing without them.
            let left = lastSwallower.flatMap { resolution.outcome != .unhandled || tick.chain.contains($0) ? nil : $0 }
            let offered = resolution.outcome != .unhandled ? nil
                : lastSuppliers[ByteName(chord.order)].flatMap { tick.chain.contains($0) ? nil : $0 }
            guard let what = isDismissal ? "something was dismissed"
                : left.map({ "\(names.name($0)), which had swallowed the presses, left that place" })
                ?? offered.map({ "\(names.name($0)), which offers this chord, left the chain" })
            else { return }
            add(.firstResponderLost, "\(change.time.nanoseconds)", chord: nil, at: tick) {
                let since = change.press.map { " since press \($0)" } ?? ""
                return "there is no first responder\(since), when \(what), and keys start at \(names.name(start))"
            }
        }
        guard let start = tick.start, resolution.outcome == .unhandled, resolution.takenBy == nil,
            !chord.modifiers.isEmpty,
            names.isWindow(start), start == tick.context.firstResponder?.responder
        else { return }
        add(.windowListens, names.name(start), chord: nil, at: tick) {
            "\(names.name(start)) is first responder: the chain has \(tick.chain.count) members, "
                + "and none offers the key"
        }
    }

    /// T-18.
    private mutating func findSupplierOffChain(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .performed, let supplier = resolution.supplier, let start = tick.start,
            tick.context.link(of: start) != nil, !tick.context.isOnChain(supplier, from: start),
            !isDefaultButton(supplier, chord, names), names[supplier]?.kind != "hostingController",
            !resolution.isKeyEquivalent,
            // The rest of a chain whose links are not all recorded may have it.
            let last = tick.chain.last,
            tick.context.link(of: last) != nil || tick.context.link(of: start)?.window == last
        else { return }
        let actionName = names.actionName(resolution)
        add(.supplierOffChain, names.name(supplier) + actionName, chord: chord, at: tick) {
            "\(names.name(supplier)) supplies \(actionName) and is not on the chain from \(names.name(start))"
        }
    }

    /// A window gives Return to its default button, and Escape to the one that cancels, wherever they are.
    private func isDefaultButton(_ supplier: ResponderRef, _ chord: PressChord, _ names: TraceDefinitions) -> Bool {
        guard chord.modifiers.isEmpty, let usage = chord.key?.usage,
            [.returnOrEnter, .keypadEnter, .escape].contains(usage)
        else { return false }
        return names[supplier]?.kind.lowercased().contains("button") ?? false
    }

    /// T-19.
    private mutating func findOuterPerformer(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .performed, let supplier = resolution.supplier, let target = resolution.target,
            target != supplier
        else { return }
        let hasOwn = tick.candidates.contains { other in
            other.verdict == .shadowed && other.supplier == target
                && names[other.command]?.action == resolution.action.flatMap { names[$0] }
        }
        guard hasOwn else { return }
        add(.outerPerforms, chord.order + names.actionName(resolution), chord: chord, at: tick) {
            "\(names.offer(resolution)) runs in \(names.name(target)), which offers the same and is farther away"
        }
    }

    /// T-11.
    private mutating func findUnstableAnswers(_ tick: TracePress, _ names: TraceDefinitions) {
        answers.removeAll()
        for call in tick.calls where call.kind == .keyCommands {
            guard case .commands(let list) = call.answer else { continue }
            if let before = answers[call.responder], before != list {
                add(.unstableKeyCommands, names.name(call.responder), chord: nil, at: tick) {
                    "\(names.name(call.responder)) answered keyCommands with different lists for one press"
                }
            }
            answers[call.responder] = list
        }
    }

    /// T-34.
    private mutating func findCapsLock(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard let held = tick.key?.modifiers, held.contains(.capsLock), resolution.outcome != .performed else { return }
        for candidate in tick.candidates where candidate.verdict == .otherModifiers {
            guard let command = names[candidate.command],
                command.modifiers.intersection(.matchMask) == chord.modifiers
            else { continue }
            let offer = names.offer(candidate)
            add(.capsLock, chord.order + offer, chord: chord, at: tick) {
                "\(offer) has these modifiers and did not match with Caps Lock on"
            }
        }
    }

    /// T-27.
    private mutating func findDeadArrow(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .consumedByText, chord.modifiers.isEmpty,
            tick.context.environment["parameter.verticalArrowsDeadInTextView"] == "true",
            let target = resolution.target, names[target]?.kind.lowercased().hasSuffix("textview") == true,
            let usage = chord.key?.usage, usage == .upArrow || usage == .downArrow
        else { return }
        add(.deadArrow, names.name(target), chord: chord, at: tick) {
            "\(names.name(target)) takes the arrow, and on this version its caret stays where it is"
        }
    }

    /// A letter that matched where a US keyboard has it, on a layout that has another Latin letter there: layouts of
    /// other scripts have those of US under Command (spec MT-5).
    private mutating func findPosition(
        _ tick: TracePress, _ resolution: ResolutionRecord, _ chord: PressChord, _ names: TraceDefinitions
    ) {
        guard resolution.outcome == .performed, let command = resolution.command.flatMap({ names[$0] }),
            let input = command.input, let typed = chord.character, let usage = chord.key?.usage, input != typed,
            EditingKeys.isLatinLetter(input), EditingKeys.isLatinLetter(typed),
            input.lowercased() != typed.lowercased(),
            usage.chordName == input.lowercased()
        else { return }
        add(.matchedByPosition, chord.order + input, chord: chord, at: tick) {
            "\(names.actionName(resolution)) is labelled \(input.uppercased()) and matched the key that types "
                + "\(typed.uppercased()) (layout \(tick.context.layoutName ?? "unknown"))"
        }
    }
}

extension TraceDefinitions {
    func name(_ responder: ResponderRef?) -> String { id(of: responder) ?? "mainMenu" }

    /// `tabs.closeTab:`
    func actionName(_ record: ResolutionRecord) -> String {
        let action = record.action.flatMap { self[$0] } ?? "an action"
        return record.target.map { "\(name($0)).\(action)" } ?? action
    }

    /// `closeTab: of tabs`, by who supplies it.
    func offer(_ record: ResolutionRecord) -> String {
        "\(record.action.flatMap { self[$0] } ?? "an action") of \(name(record.supplier))"
    }

    func offer(_ candidate: CandidateRecord) -> String {
        "\(self[candidate.command]?.action ?? "an action") of \(name(candidate.supplier))"
    }

    /// By its kind in a scene, or by its class.
    func isWindow(_ responder: ResponderRef) -> Bool {
        guard let kind = self[responder]?.kind else { return false }
        return kind == "window" || kind == "UIWindow" || kind.hasSuffix("Window")
    }
}

extension ResolutionRecord {
    /// Taken before the chain was asked, as AppKit does: by a view of the key window, the menu bar or a service.
    fileprivate var isKeyEquivalent: Bool {
        switch takenBy {
        case .mainMenu, .services, .keyEquivalent: true
        default: false
        }
    }
}
