package import KeyModel
package import TraceFormat
import TracePresses

/// Every chord that was offered in a focus context that occurred: who gets it, who is shadowed, and how many presses
/// that concerned.
package struct BindingsAnalysis: Hashable, Sendable {
    /// Contexts in the order in which they came up.
    package var contexts: [Context]
    /// By context, then by chord.
    package var bindings: [Binding]
    /// There were more offers than are kept (`offerLimit`).
    package var isCut = false
    /// A limit against damaged traces, far above the offers of any real app.
    package static let offerLimit = 65_536

    /// Start of the responder chain.
    package struct Context: Hashable, Sendable {
        /// The responder; `nil` without one.
        package var start: String?
        /// Presses that were made in it.
        package var presses: UInt64
    }

    package struct Binding: Hashable, Sendable {
        package var context: String?
        /// Input of the command, such as `w` or `UIKeyInputEscape`.
        package var input: String
        package var modifiers: KeyModifiers
        /// Suppliers of the chord, nearest first, the main menu last.
        package var offers: [Offer]
        /// Presses of it.
        package var presses: UInt64
        /// Outcomes of those presses besides the offers, such as `consumedByText`, in order of first appearance.
        package var others: [TraceStatistics.OutcomeCount]

        /// The first of the offers that is not disabled.
        package var provider: Offer? { offers.first { !$0.isDisabled } }
        package var shadowed: [Offer] {
            guard let provider else { return [] }
            return offers.filter { $0 != provider && !$0.isDisabled }
        }
    }

    package struct Offer: Hashable, Sendable {
        /// `"mainMenu"` for the menu.
        package var supplier: String
        package var action: String
        package var isDisabled: Bool
        /// Presses that it won.
        package var won: UInt64
    }

    /// Keeps the bindings that match a chord.
    package mutating func select(_ query: ChordQuery) {
        bindings.removeAll { !query.matches(input: $0.input, modifiers: $0.modifiers) }
    }
}

/// Collects `BindingsAnalysis`, from one recording or from several of the same responders.
package struct BindingsAnalyzer: TraceConsumer, Sendable {
    private var assembler = PressAssembler(.decision, .decided)
    /// For the header of a report.
    package private(set) var facts = TraceInfoBuilder()
    private var contexts: [BindingsAnalysis.Context] = []
    private var contextPlaces: [String?: Int] = [:]
    private var bindings: [BindingsAnalysis.Binding] = []
    private var places: [Place: Int] = [:]
    private var offerPlaces: [Offer: Int] = [:]
    private var lists = HandleTable<ResponderDefinition, CommandListRef>()
    private var seen: Set<Seen> = []
    /// Versions of the lists and chain that the press before was counted with.
    private var lastSeen: Surroundings?
    /// Number of changed answers of responders so far.
    private var listVersion: UInt64 = 0
    /// Binding and offer of the commands met so far.
    private var known: [Met: Standing] = [:]
    private var isCut = false

    private struct Place: Hashable, Sendable {
        var context: String?
        var input: String
        var modifiers: KeyModifiers
    }

    private struct Offer: Hashable, Sendable {
        var binding: Int
        var supplier: String
        var action: String
    }

    /// Lists along a chain that were scanned already.
    private struct Seen: Hashable, Sendable {
        var start: ResponderRef?
        var chain: [ResponderRef]
        var lists: [CommandListRef?]
        var menu: CommandListRef?
    }

    /// Versions of all inputs of the list scan: equal ones need no second scan.
    private struct Surroundings: Equatable, Sendable {
        var start: ResponderRef?
        var chain: UInt64
        var lists: UInt64
        var menu: CommandListRef?
    }

    /// A candidate command of a press, by handles.
    private struct Met: Hashable, Sendable {
        var context: Int
        var supplier: ResponderRef?
        var command: CommandRef
    }

    /// A binding, and the offer in it.
    private struct Standing: Sendable {
        var binding: Int
        var offer: Int
    }

    package init() {}

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        assembler = PressAssembler(.decision, .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        assembler.consume(record)
        while let tick = assembler.next() { note(tick, definitions) }
    }

    /// Reads a whole recording, of several.
    package mutating func scan(_ recording: Recording) {
        begin(recording.initialContext)
        consume(recording)
        finish(recording.definitions)
    }

    private mutating func finish(_ definitions: TraceDefinitions) {
        assembler.finish()
        while let tick = assembler.next() { note(tick, definitions) }
        lists.removeAll()
        seen.removeAll()
        known.removeAll()
        lastSeen = nil
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions) {
        guard !tick.isRepeat, !tick.resolutions.isEmpty else { return }
        for call in tick.calls where call.kind == .keyCommands {
            guard case .commands(let list) = call.answer, lists[call.responder] != list else { continue }
            lists[call.responder] = list
            listVersion &+= 1
        }
        let context = place(ofContext: names.id(of: tick.start))
        contexts[context].presses += 1
        goThrough(tick, context, names)
        count(tick, context, names)
    }

    private mutating func place(ofContext start: String?) -> Int {
        if let known = contextPlaces[start] { return known }
        contextPlaces[start] = contexts.count
        contexts.append(BindingsAnalysis.Context(start: start, presses: 0))
        return contexts.count - 1
    }

    /// Adds all commands that were offered to a press.
    private mutating func goThrough(_ tick: TracePress, _ context: Int, _ names: TraceDefinitions) {
        let menu = tick.menu ?? tick.context.menu
        let now = Surroundings(
            start: tick.start, chain: tick.context.chainVersion, lists: listVersion, menu: menu)
        guard now != lastSeen else { return }
        lastSeen = now
        let chain = tick.chain
        guard seen.insert(Seen(start: tick.start, chain: chain, lists: chain.map { lists[$0] }, menu: menu)).inserted
        else { return }
        for responder in chain { add(lists[responder], of: responder, context, names) }
        add(menu, of: nil, context, names)
    }

    /// `supplier`: `nil` for the main menu.
    private mutating func add(
        _ list: CommandListRef?, of supplier: ResponderRef?, _ context: Int, _ names: TraceDefinitions
    ) {
        for command in list.flatMap({ names[$0] }) ?? [] { standing(command, supplier, context, names) }
    }

    private mutating func offer(_ command: CommandDefinition, of supplier: String, _ context: Int) -> Standing? {
        guard let input = command.input, !input.isEmpty else { return nil }
        let start = contexts[context].start
        let place = Place(
            context: start, input: ChordQuery.folded(input), modifiers: command.modifiers.intersection(.matchMask))
        let at = places[place] ?? bindings.count
        let offer = Offer(binding: at, supplier: supplier, action: command.action)
        if let known = offerPlaces[offer] { return Standing(binding: at, offer: known) }
        guard offerPlaces.count < BindingsAnalysis.offerLimit else {
            isCut = true
            return nil
        }
        if at == bindings.count {
            places[place] = at
            bindings.append(
                BindingsAnalysis.Binding(
                    context: start, input: input, modifiers: place.modifiers, offers: [], presses: 0, others: []))
        }
        offerPlaces[offer] = bindings[at].offers.count
        bindings[at].offers.append(
            BindingsAnalysis.Offer(
                supplier: supplier, action: command.action, isDisabled: command.attributes.contains(.disabled), won: 0))
        return Standing(binding: at, offer: bindings[at].offers.count - 1)
    }

    /// Binding and offer of a command, which counts as offered from now on.
    @discardableResult
    private mutating func standing(
        _ command: CommandRef, _ supplier: ResponderRef?, _ context: Int, _ names: TraceDefinitions
    ) -> Standing? {
        let met = Met(context: context, supplier: supplier, command: command)
        if let standing = known[met] { return standing }
        guard let definition = names[command],
            let standing = offer(definition, of: names.name(supplier), context)
        else { return nil }
        if known.count >= BindingsAnalysis.offerLimit { known.removeAll() }
        known[met] = standing
        return standing
    }

    /// The presses, by the commands that they met.
    private mutating func count(_ tick: TracePress, _ context: Int, _ names: TraceDefinitions) {
        var met: Set<Int> = []
        for candidate in tick.candidates where candidate.verdict != .otherModifiers && candidate.verdict != .possible {
            guard let standing = standing(candidate.command, candidate.supplier, context, names) else { continue }
            met.insert(standing.binding)
            if candidate.verdict == .won { win(standing) }
        }
        if tick.candidates.isEmpty, let resolution = tick.resolution, let command = resolution.command {
            let supplier = resolution.takenBy == .mainMenu ? nil : resolution.supplier
            if let standing = standing(command, supplier, context, names) {
                met.insert(standing.binding)
                if resolution.outcome == .performed { win(standing) }
            }
        }
        guard let outcome = tick.resolution?.outcome else { return }
        for at in met {
            bindings[at].presses += 1
            if outcome != .performed { bindings[at].others.add(outcome) }
        }
    }

    private mutating func win(_ standing: Standing) { bindings[standing.binding].offers[standing.offer].won += 1 }

    package mutating func analysis(definitions: TraceDefinitions = TraceDefinitions()) -> BindingsAnalysis {
        finish(definitions)
        return found
    }

    /// Result of the presses noted so far.
    var found: BindingsAnalysis {
        let sorted = bindings.sorted { a, b in
            let (placeA, placeB) = (contextPlaces[a.context] ?? 0, contextPlaces[b.context] ?? 0)
            if placeA != placeB { return placeA < placeB }
            let (inputA, inputB) = (ChordQuery.folded(a.input), ChordQuery.folded(b.input))
            return inputA != inputB ? inputA < inputB : a.modifiers.rawValue < b.modifiers.rawValue
        }
        return BindingsAnalysis(contexts: contexts, bindings: sorted, isCut: isCut)
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
    package static func key(ofInput input: String) -> KeyUsage? {
        if let key = inputKeys[input] { return key }
        guard input.hasPrefix("UIKeyInputF"), let number = UInt16(input.dropFirst(11)), (1...12).contains(number) else {
            return nil
        }
        return .keyboard(0x39 + number)
    }
}

extension ChordQuery {
    /// Returns true if a command with this input has the chord.
    func matches(input: String, modifiers: KeyModifiers) -> Bool {
        guard admits(modifiers) else { return false }
        if let key = CommandDefinition.key(ofInput: input) { return key == usage }
        return matchesCharacter(input)
    }
}
