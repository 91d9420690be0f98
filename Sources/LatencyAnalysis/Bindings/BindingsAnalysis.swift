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
    /// What is left out of a scene's main menu, or ends the app as it is built, with the reason: it offers nothing.
    package var menuConflicts: [MenuConflict] = []
    /// What gets the chord that was asked for and that the app does not offer, in each context of a scene.
    package var unoffered: [Unoffered] = []
    /// Actions that the scene's main menu declares for that chord, and that building it left out.
    package var leftOut: [String] = []
    /// The environment of the last press of a recording.
    package var rules: PressRules?
    /// Name of the layout on which the chords without a press were tried; `nil` where they were not.
    package var layout: String?
    /// A limit against damaged traces, far above the offers of any real app.
    package static let offerLimit = 65_536

    /// Start of the responder chain.
    package struct Context: Hashable, Sendable {
        /// The responder; `nil` without one.
        package var start: String?
        /// Presses that were made in it.
        package var presses: UInt64
        /// The ordinal of the last of them.
        package var lastPress: UInt32 = 0
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
        /// The chord was pressed to find out, in a scene or where a script did not press it; `nil` for one that the
        /// layout does not type, and in a trace.
        package var answer: Answer?
        /// The input under which it is searched on the layout, where a key types that.
        package var typedInput: String?
        /// The key that has it on the layout, with Shift where its character needs that.
        package var typedKey: Chord?
        package var isOfScene = false
        /// The layout has no key for it.
        package var hasNoKey = false
        /// Attributes of the first command that has it.
        package var attributes: CommandDefinition.Attributes = []

        package var isNowhere: Bool { hasNoKey || isOfScene && answer == nil }
        /// Not pressed, also not to find out: what a press would come to is unknown.
        package var isOfferedOnly: Bool { presses == 0 && answer == nil && !isNowhere }

        /// The offer that presses of the chord ran, the one of most of them; for a chord of a trace that was never
        /// pressed, the first that is not disabled. `nil` where something else takes the key, or no one performs it.
        package var provider: Offer? {
            if isNowhere { return nil }
            if let answer {
                guard answer.outcome == .performed else { return nil }
                return offers.first { $0.supplier == answer.supplier && $0.action == answer.action }
            }
            let most = offers.map(\.won).max() ?? 0
            if most > 0 { return offers.first { $0.won == most } }
            return presses == 0 ? offers.first { !$0.isDisabled } : nil
        }
        /// Offers that lose. One whose action a key of the system runs loses nothing.
        package var shadowed: [Offer] {
            let provider = self.provider
            let ran = answer?.outcome == .performed && answer?.supplier == nil ? answer?.action : nil
            return offers.filter { $0 != provider && !$0.isDisabled && $0.action != ran }
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

    /// Keeps the bindings that match a chord, by the command's own or by the key that has it on the layout; where
    /// that is not known yet (`isTyped` false), all that may.
    package mutating func select(_ query: ChordQuery, isTyped: Bool = true) {
        bindings.removeAll { binding in
            if query.matches(input: binding.input, modifiers: binding.modifiers) { return false }
            guard isTyped else { return query.modifiers != binding.modifiers.union(.shift) }
            guard let key = binding.typedKey, let typed = binding.typedInput else { return true }
            return !query.matches(input: typed, modifiers: key.modifiers)
        }
    }
}

/// Collects `BindingsAnalysis`, from one recording or from several of the same responders.
package struct BindingsAnalyzer: TraceConsumer, Sendable {
    private var assembler = PressAssembler(.decision, .decided)
    /// For the header of a report.
    package private(set) var facts = TraceInfoBuilder()
    private var contexts: [BindingsAnalysis.Context] = []
    private var contextPlaces: [ByteName?: Int] = [:]
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
    private var rules: PressRules?
    /// The situation of the recording that is read, one of those of a scene.
    private var explored: Explored?
    /// The offers of a binding in the order in which its press searched them.
    private var orders: [Int: [Offer]] = [:]

    private struct Explored: Sendable {
        var context: String?
        var chord: CommandChord?
        var typed: String?
        var key: Chord?
    }

    private struct Place: Hashable, Sendable {
        var context: ByteName?
        var chord: CommandChord

        init(context: String?, _ chord: CommandChord) {
            (self.context, self.chord) = (context.map(ByteName.init), chord.folded)
        }
    }

    private struct Offer: Hashable, Sendable {
        var binding: Int
        var supplier: ByteName
        var action: ByteName
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
        // A press that is taken before commands are asked for has them as shadow reads.
        if case .call(let call) = record.body, call.occasion == .shadow, lists[call.responder] == nil { keep(call) }
        assembler.consume(record)
        while let tick = assembler.next() { note(tick, definitions) }
    }

    /// Reads a press of a scene in one of its focus contexts. `chord`: of the command that it is for.
    /// `typed`: the input that `key` was pressed for.
    package mutating func scan(
        _ recording: Recording, context: String?, chord: CommandChord?, typed: String?, key: Chord?
    ) {
        explored = Explored(context: context, chord: chord, typed: typed, key: key)
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

    private mutating func keep(_ call: CallRecord) {
        guard call.kind == .keyCommands, case .commands(let list) = call.answer, lists[call.responder] != list
        else { return }
        lists[call.responder] = list
        listVersion &+= 1
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions) {
        guard !tick.isRepeat, !tick.resolutions.isEmpty else { return }
        for call in tick.calls { keep(call) }
        let context = place(ofContext: explored?.context ?? names.id(of: tick.start))
        contexts[context].presses += 1
        contexts[context].lastPress = tick.at.press
        if explored == nil { rules = PressRules(tick.context) }
        goThrough(tick, context, names)
        count(tick, context, names)
        if let chord = explored?.chord { note(tick, of: chord, context, names) }
    }

    /// The press that a scene was asked with.
    private mutating func note(
        _ tick: TracePress, of chord: CommandChord, _ context: Int, _ names: TraceDefinitions
    ) {
        guard let at = places[Place(context: contexts[context].start, chord)] else { return }
        bindings[at].answer = BindingsAnalysis.Answer(tick, names)
        (bindings[at].typedInput, bindings[at].typedKey) = (explored?.typed, explored?.key)
        orders[at] = tick.candidates.compactMap { candidate in
            guard let command = names[candidate.command] else { return nil }
            return Offer(
                binding: at, supplier: ByteName(names.name(candidate.supplier)), action: ByteName(command.action))
        }
    }

    private mutating func place(ofContext start: String?) -> Int {
        let name = start.map(ByteName.init)
        if let known = contextPlaces[name] { return known }
        contextPlaces[name] = contexts.count
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
        let chord = CommandChord(input: input, modifiers: command.modifiers)
        let place = Place(context: start, chord)
        let at = places[place] ?? bindings.count
        let offer = Offer(binding: at, supplier: ByteName(supplier), action: ByteName(command.action))
        if let known = offerPlaces[offer] { return Standing(binding: at, offer: known) }
        guard offerPlaces.count < BindingsAnalysis.offerLimit else {
            isCut = true
            return nil
        }
        if at == bindings.count {
            places[place] = at
            bindings.append(
                BindingsAnalysis.Binding(
                    context: start, input: input, modifiers: chord.folded.modifiers, offers: [], presses: 0,
                    others: [], isOfScene: explored != nil, attributes: command.attributes))
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
        // The press of a scene is of one chord, whatever else it matches.
        let asked = explored?.chord.flatMap { places[Place(context: contexts[context].start, $0)] }
        func concerns(_ binding: Int) -> Bool { explored == nil || binding == asked }
        var met: Set<Int> = asked.map { [$0] } ?? []
        var won: Set<Int> = []
        for candidate in tick.candidates where candidate.verdict != .otherModifiers && candidate.verdict != .possible {
            guard let standing = standing(candidate.command, candidate.supplier, context, names),
                concerns(standing.binding)
            else { continue }
            met.insert(standing.binding)
            if candidate.verdict == .won {
                win(standing)
                won.insert(standing.binding)
            }
        }
        if tick.candidates.isEmpty, let resolution = tick.resolution, let command = resolution.command {
            let supplier = resolution.takenBy == .mainMenu ? nil : resolution.supplier
            if let standing = standing(command, supplier, context, names), concerns(standing.binding) {
                met.insert(standing.binding)
                if resolution.outcome == .performed {
                    win(standing)
                    won.insert(standing.binding)
                }
            }
        }
        guard let outcome = tick.resolution?.outcome else { return }
        let isOfSystem = outcome == .unhandled && tick.resolution?.takenBy == .system
        for at in met {
            bindings[at].presses += 1
            if !won.contains(at) { bindings[at].others.add(outcome) }
            if isOfSystem { bindings[at].answer = BindingsAnalysis.Answer(tick, names) }
        }
    }

    private mutating func win(_ standing: Standing) { bindings[standing.binding].offers[standing.offer].won += 1 }

    package mutating func analysis(definitions: TraceDefinitions = TraceDefinitions()) -> BindingsAnalysis {
        finish(definitions)
        return found
    }

    /// The result of the last press of a recording.
    package static func answer(of recording: Recording) -> BindingsAnalysis.Answer? {
        var assembler = PressAssembler(.decision, .decided, context: recording.initialContext)
        var answer: BindingsAnalysis.Answer?
        func drain() {
            while let tick = assembler.next() {
                answer = BindingsAnalysis.Answer(tick, recording.definitions) ?? answer
            }
        }
        for record in recording.records {
            assembler.consume(record)
            drain()
        }
        assembler.finish()
        drain()
        return answer
    }

    /// Result of the presses noted so far.
    var found: BindingsAnalysis {
        var ordered = bindings
        for (at, order) in orders {
            let rank = { (offer: BindingsAnalysis.Offer) in
                order.firstIndex { $0.supplier.text == offer.supplier && $0.action.text == offer.action } ?? order.count
            }
            let ranked = ordered[at].offers.enumerated().map { (rank($1), $0, $1) }
            ordered[at].offers = ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }
        let keyed = ordered.map { binding in
            let place = contextPlaces[binding.context.map(ByteName.init)] ?? 0
            return (place, ByteName(ChordQuery.folded(binding.input)), binding.modifiers.rawValue, binding)
        }
        let sorted = keyed.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
        return BindingsAnalysis(contexts: contexts, bindings: sorted.map(\.3), isCut: isCut, rules: rules)
    }
}
