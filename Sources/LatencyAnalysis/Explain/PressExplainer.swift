package import TraceFormat
package import TracePresses
package import KeyModel

/// Finds one press in a trace as it is read, and keeps what `PressExplanation` needs of it.
package struct PressExplainer: TraceConsumer, Sendable {
    private var selector: PressSelector
    /// For the header of a report.
    package internal(set) var facts = TraceInfoBuilder()
    private var assembler: PressAssembler
    private var byCharacter: RepeatedPress?
    private var byPosition: RepeatedPress?
    /// What the presses found so came to.
    private var characterResults = PressExplanation.ChordResults()
    private var positionResults = PressExplanation.ChordResults()
    /// Presses of the position that typed another character.
    private var otherCharacters = PressExplanation.ChordResults()
    /// The last list of each responder that was asked for any press: it may offer the chord and be off the chain now.
    private var offers: [ResponderRef: CommandListRef] = [:]
    private var layouts = ParsedTexts<Layout?>()
    /// The first chords that were pressed, for a person who looks for one that was not.
    package private(set) var pressed: [Chord] = []
    private static let pressedLimit = 8
    /// The modifiers that count as held, and what is known only when all of the trace was read.
    private var modifiers = ModifierTracker()
    private var findings = FindingAccumulator()
    var isPart = false
    private var keysStop = KeysStop()
    /// What was left out of the main menu so far, or ended the app.
    private var menuDrops: [EffectRecord] = []
    private static let dropLimit = 64
    private var departures = ChainDepartures()

    package init(_ selector: PressSelector) {
        self.selector = selector
        assembler = PressExplainer.assembler(selector, PressContext())
    }

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        assembler = PressExplainer.assembler(selector, PressContext(entries))
    }

    /// The context after the records read so far.
    package var context: PressContext { assembler.context }

    /// Looks for this press in the records that follow, in the context so far: of a trace that is still written, or
    /// that is read from a place in it on.
    package mutating func look(for press: UInt32) {
        (selector, isPart) = (.press(press), true)
        assembler = PressExplainer.assembler(selector, context)
    }

    private static func assembler(_ selector: PressSelector, _ context: PressContext) -> PressAssembler {
        PressAssembler([.decision, .samples, .costs, .times], .released, from: context) { press, down in
            switch selector {
            case .press(let wanted): press == wanted
            case .chord(let query, _): down.map { query.admits($0.modifiers) } ?? false
            }
        }
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        if pressed.count < PressExplainer.pressedLimit, case .key(let key) = record.body { note(key) }
        read(record, definitions: definitions)
    }

    private mutating func note(_ key: KeyRecord) {
        guard key.phase == .down, key.press != nil, let usage = key.key.usage else { return }
        let chord = Chord(modifiers: key.modifiers.intersection(.matchMask), usage: usage)
        if !pressed.contains(chord) { pressed.append(chord) }
    }

    /// Reads the records of presses, without the facts of the trace.
    package mutating func read(_ record: TraceRecord, definitions: TraceDefinitions) {
        if case .call(let call) = record.body, call.kind == .keyCommands, case .commands(let list) = call.answer {
            offers[call.responder] = list
        }
        modifiers.consume(record, definitions, &findings)
        keysStop.consume(record, definitions)
        departures.consume(record, assembler.context)
        assembler.consume(record)
        while let press = assembler.next() { decide(press, definitions) }
        if case .effect(let effect) = record.body, menuDrops.count < PressExplainer.dropLimit,
            effect.menuConflict(definitions) != nil
        {
            menuDrops.append(effect)
        }
        byCharacter?.noteLate(record)
        byPosition?.noteLate(record)
    }

    /// The press with this ordinal was resolved and released.
    package func isOver(_ press: UInt32) -> Bool {
        let found = assembler.waitingPress(at: PressTick(press: press, tick: 0)) ?? byPosition?.press
        return found.map { $0.isResolved && $0.release != nil } ?? false
    }

    /// The explanation; `nil` when no press matches the selector.
    package mutating func explanation(definitions: TraceDefinitions) -> PressExplanation? {
        assembler.finish()
        while let press = assembler.next() { decide(press, definitions) }
        guard var explanation = found(definitions) else { return nil }
        if !isPart { modifiers.finish(&findings) }
        if let key = explanation.key {
            explanation.stuckModifiers = modifiers.stuck.filter {
                $0.presses.contains(key.time) && $0.key.modifierKey.map { key.modifiers.contains($0.modifiers) } == true
            }
        }
        explanation.menuDrops = menuDrops.filter { $0.at.press < explanation.press }.map { .init($0, definitions) }
        return explanation
    }

    /// The last list of each responder that was asked for any press, by its id.
    package func offers(_ definitions: TraceDefinitions) -> [(id: String, commands: [CommandDefinition])] {
        offers.sorted { $0.key.rawValue < $1.key.rawValue }.map { responder, list in
            (definitions.id(of: responder) ?? "", (definitions[list] ?? []).compactMap { definitions[$0] })
        }
    }

    private func found(_ definitions: TraceDefinitions) -> PressExplanation? {
        switch selector {
        case .press: return byPosition.map { $0.explanation(search: nil, definitions) }
        case .chord(let query, let isLast):
            let match: ChordQuery.Match = byCharacter != nil ? .character : .position
            let search = PressExplanation.Search(
                query: query, match: match, results: match == .character ? characterResults : positionResults,
                others: match == .character ? otherCharacters : PressExplanation.ChordResults(), isLast: isLast)
            return (byCharacter ?? byPosition).map { $0.explanation(search: search, definitions) }
        }
    }

    private mutating func decide(_ press: TracePress, _ definitions: TraceDefinitions) {
        guard !press.isRepeat else {
            byCharacter?.add(press)
            byPosition?.add(press)
            return
        }
        // Of a part of a trace the first decisions may be there without their keys.
        guard press.key != nil || press.isResolved else { return }
        let reason = press.knownStart == nil ? keysStop.reason(at: press.time) : nil
        let found = RepeatedPress(press: press, keysStop: reason, departures: departures)
        guard case .chord(let query, let isLast) = selector else {
            byPosition = byPosition ?? found
            return
        }
        guard let key = press.key else { return }
        let resolved = press.resolution?.character.flatMap { definitions[$0] }
        let typed = resolved ?? character(of: key, in: press.context, definitions)
        if query.matchesCharacter(typed) {
            characterResults.add(press, definitions)
            if isLast || byCharacter == nil { byCharacter = found }
        } else if typed != nil, query.matchesPosition(key.key) {
            otherCharacters.add(press, definitions)
        }
        if query.matchesPosition(key.key) {
            positionResults.add(press, definitions)
            if isLast || byPosition == nil { byPosition = found }
        }
    }

    /// Character of the key on the layout of the trace, where no resolution contains it.
    private mutating func character(
        of key: KeyRecord, in context: PressContext, _ definitions: TraceDefinitions
    ) -> String? {
        guard let usage = key.key.usage, let table = context.layoutTable else { return nil }
        let typed = layouts.layout(table, definitions)?.plainText(for: usage) ?? ""
        return typed.isEmpty ? nil : typed
    }
}
