public import KeyModel
public import TraceFormat

/// Every chord that was offered in a focus context that occurred: who gets it, who is shadowed, and how many presses
/// that concerned.
public struct BindingsAnalysis: Hashable, Sendable {
    /// Contexts in the order in which they came up.
    public var contexts: [Context]
    /// By context, then by chord.
    public var bindings: [Binding]

    /// Where the chain started.
    public struct Context: Hashable, Sendable {
        /// The responder; `nil` is nobody.
        public var start: String?
        /// Presses that were made in it.
        public var presses: UInt64
    }

    public struct Binding: Hashable, Sendable {
        public var context: String?
        /// As a command has it, such as `w` or `UIKeyInputEscape`.
        public var input: String
        public var modifiers: KeyModifiers
        /// Who offers it, nearest first, the main menu last.
        public var offers: [Offer]
        /// Presses of it.
        public var presses: UInt64
        /// What those presses came to besides the offers, such as `consumedByText`, in order of first appearance.
        public var others: [TraceStatistics.OutcomeCount]

        /// The first of the offers that is not disabled.
        public var provider: Offer? { offers.first { !$0.isDisabled } }
        public var shadowed: [Offer] {
            guard let provider else { return [] }
            return offers.filter { $0 != provider && !$0.isDisabled }
        }
    }

    public struct Offer: Hashable, Sendable {
        /// `"mainMenu"` for the menu.
        public var supplier: String
        public var action: String
        public var isDisabled: Bool
        /// Presses that it won.
        public var won: UInt64
    }

    /// Those that a chord means.
    public mutating func select(_ query: ChordQuery) {
        bindings.removeAll { !query.matches(input: $0.input, modifiers: $0.modifiers) }
    }
}

/// Collects `BindingsAnalysis`, from one recording or from several of the same responders.
public struct BindingsAnalyzer: TraceConsumer, Sendable {
    private var assembler = TickAssembler()
    private var facts = TraceInfoBuilder()
    private var contexts: [BindingsAnalysis.Context] = []
    private var bindings: [Place: BindingsAnalysis.Binding] = [:]
    private var lists: [ResponderRef: CommandListRef] = [:]
    private var seen: Set<Seen> = []
    /// More bindings than anybody has; a bound for what a damaged trace can take.
    private static let limit = 65_536

    private struct Place: Hashable, Sendable {
        var context: String?
        var input: String
        var modifiers: KeyModifiers
    }

    /// Lists along a chain that were gone through already.
    private struct Seen: Hashable, Sendable {
        var start: ResponderRef?
        var chain: [ResponderRef]
        var lists: [CommandListRef?]
        var menu: CommandListRef?
    }

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) { assembler = TickAssembler(entries) }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        assembler.consume(record)
        takeClosed(definitions)
    }

    /// Reads a whole recording, of several.
    public mutating func scan(_ recording: Recording) {
        assembler = TickAssembler(recording.initialContext)
        consume(recording)
        finish(recording.definitions)
    }

    private mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        takeClosed(definitions)
        lists.removeAll()
        seen.removeAll()
    }

    private mutating func takeClosed(_ definitions: TraceDefinitions) {
        for tick in assembler.takeClosed() where !tick.isRepeat && !tick.resolutions.isEmpty { note(tick, definitions) }
    }

    private mutating func note(_ tick: DecidedTick, _ names: TraceDefinitions) {
        for call in tick.calls where call.kind == .keyCommands {
            if case .commands(let list) = call.answer { lists[call.responder] = list }
        }
        let context = names.id(of: tick.start)
        if let at = contexts.firstIndex(where: { $0.start == context }) {
            contexts[at].presses += 1
        } else {
            contexts.append(BindingsAnalysis.Context(start: context, presses: 1))
        }
        let chain = tick.chain
        let menu = tick.menu ?? tick.context.menu
        if seen.insert(Seen(start: tick.start, chain: chain, lists: chain.map { lists[$0] }, menu: menu)).inserted {
            for responder in chain { add(lists[responder], of: names.name(responder), context, names) }
            add(menu, of: "mainMenu", context, names)
        }
        count(tick, context, names)
    }

    private mutating func add(
        _ list: CommandListRef?, of supplier: String, _ context: String?, _ names: TraceDefinitions
    ) {
        for command in list.flatMap({ names[$0] })?.compactMap({ names[$0] }) ?? [] {
            offer(command, of: supplier, context)
        }
    }

    @discardableResult
    private mutating func offer(_ command: CommandDefinition, of supplier: String, _ context: String?) -> Place? {
        guard let input = command.input, !input.isEmpty else { return nil }
        let place = Place(
            context: context, input: ChordQuery.folded(input), modifiers: command.modifiers.intersection(.matchMask))
        if bindings[place] == nil {
            guard bindings.count < BindingsAnalyzer.limit else { return nil }
            bindings[place] = BindingsAnalysis.Binding(
                context: context, input: input, modifiers: place.modifiers, offers: [], presses: 0, others: [])
        }
        let known = bindings[place]?.offers ?? []
        if !known.contains(where: { $0.supplier == supplier && $0.action == command.action }) {
            bindings[place]?.offers.append(
                BindingsAnalysis.Offer(
                    supplier: supplier, action: command.action,
                    isDisabled: command.attributes.contains(.disabled), won: 0))
        }
        return place
    }

    /// The presses, by the commands that they met.
    private mutating func count(_ tick: DecidedTick, _ context: String?, _ names: TraceDefinitions) {
        var places: Set<Place> = []
        for candidate in tick.candidates where candidate.verdict != .otherModifiers && candidate.verdict != .possible {
            guard let command = names[candidate.command] else { continue }
            let supplier = names.name(candidate.supplier)
            guard let place = offer(command, of: supplier, context) else { continue }
            places.insert(place)
            guard candidate.verdict == .won else { continue }
            win(supplier, command.action, place)
        }
        if tick.candidates.isEmpty, let resolution = tick.resolution,
            let command = resolution.command.flatMap({ names[$0] })
        {
            let supplier = resolution.takenBy == .mainMenu ? "mainMenu" : names.name(resolution.supplier)
            if let place = offer(command, of: supplier, context) {
                places.insert(place)
                if resolution.outcome == .performed { win(supplier, command.action, place) }
            }
        }
        guard let outcome = tick.resolution?.outcome else { return }
        for place in places {
            bindings[place]?.presses += 1
            guard outcome != .performed else { continue }
            if let at = bindings[place]?.others.firstIndex(where: { $0.outcome == outcome }) {
                bindings[place]?.others[at].count += 1
            } else {
                bindings[place]?.others.append(TraceStatistics.OutcomeCount(outcome: outcome, count: 1))
            }
        }
    }

    private mutating func win(_ supplier: String, _ action: String, _ place: Place) {
        guard let at = bindings[place]?.offers.firstIndex(where: { $0.supplier == supplier && $0.action == action })
        else { return }
        bindings[place]?.offers[at].won += 1
    }

    /// The facts of the trace, for the header of a report.
    public func info(of file: TraceFileFacts = TraceFileFacts()) -> TraceInfo { facts.info(of: file) }

    public mutating func analysis(definitions: TraceDefinitions = TraceDefinitions()) -> BindingsAnalysis {
        finish(definitions)
        var order: [String?: Int] = [:]
        for (index, context) in contexts.enumerated() { order[context.start] = index }
        let sorted = bindings.values.sorted { a, b in
            let (placeA, placeB) = (order[a.context] ?? 0, order[b.context] ?? 0)
            if placeA != placeB { return placeA < placeB }
            let (inputA, inputB) = (ChordQuery.folded(a.input), ChordQuery.folded(b.input))
            return inputA != inputB ? inputA < inputB : a.modifiers.rawValue < b.modifiers.rawValue
        }
        return BindingsAnalysis(contexts: contexts, bindings: sorted)
    }
}

extension CommandDefinition {
    /// Keys that a command names by a constant or a control character.
    static let inputKeys: [String: KeyUsage] = [
        "UIKeyInputEscape": .escape, "UIKeyInputLeftArrow": .leftArrow, "UIKeyInputRightArrow": .rightArrow,
        "UIKeyInputUpArrow": .upArrow, "UIKeyInputDownArrow": .downArrow, "UIKeyInputPageUp": .pageUp,
        "UIKeyInputPageDown": .pageDown, "UIKeyInputHome": .home, "UIKeyInputEnd": .end,
        "UIKeyInputDelete": .deleteForward, "\u{8}": .deleteOrBackspace, "\u{7F}": .deleteForward,
        "\r": .returnOrEnter, "\n": .returnOrEnter, "\t": .tab, " ": .spacebar, "\u{1B}": .escape,
    ]

    /// The key of an input that is no character; `nil` for one that the layout decides about.
    public static func key(ofInput input: String) -> KeyUsage? {
        if let key = inputKeys[input] { return key }
        guard input.hasPrefix("UIKeyInputF"), let number = UInt16(input.dropFirst(11)), (1...12).contains(number) else {
            return nil
        }
        return .keyboard(0x39 + number)
    }
}

extension ChordQuery {
    /// Whether a command with this input has the chord.
    func matches(input: String, modifiers: KeyModifiers) -> Bool {
        guard admits(modifiers) else { return false }
        if let key = CommandDefinition.key(ofInput: input) { return key == usage }
        return matchesCharacter(input)
    }
}
