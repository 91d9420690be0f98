import KeyModel

/// What a press came to, apart from numbers. A steady press shares the object that an earlier one of its chord made:
/// giving it out costs one reference instead of a dozen.
final class Decision {
    @exclusivity(unchecked) var character = ""
    @exclusivity(unchecked) var action: Selector?
    @exclusivity(unchecked) var command: KeyCommand?
    @exclusivity(unchecked) var supplier: Responder?
    @exclusivity(unchecked) var target: Responder?
    @exclusivity(unchecked) var isFromMainMenu = false
    @exclusivity(unchecked) var text: String?
    @exclusivity(unchecked) var receivers: [Responder] = []
    @exclusivity(unchecked) var possible: [CommandReference] = []
    @exclusivity(unchecked) var effects: [Effect] = []
    @exclusivity(unchecked) var cycle: ChainCycle?
    @exclusivity(unchecked) var candidates: CandidateList?
    @exclusivity(unchecked) var decidedIndex = -1
    @exclusivity(unchecked) var chordWait: TraceDuration?

    /// It was worked out for every press of a chord.
    @exclusivity(unchecked) private(set) var isShared = false

    // Of a steady chain's decision, what it takes to carry it out again.

    @exclusivity(unchecked) var outcome = Outcome.unhandled
    @exclusivity(unchecked) var takenBy: TakenBy?
    @exclusivity(unchecked) var stage: DeliveryStage?
    @exclusivity(unchecked) private var owned: Performance?
    /// How the target performs, where somebody does; as long as the decision lives.
    @exclusivity(unchecked) private(set) var performance: Unmanaged<Performance>?

    /// The target is known: finds out how it performs.
    func prepare() {
        isShared = true
        guard outcome == .performed, let target, let action else { return }
        let own = Performance(action, by: target, sender: command)
        owned = own
        performance = .passUnretained(own)
    }

    init(copying other: Decision? = nil) {
        guard let other else { return }
        character = other.character
        action = other.action
        command = other.command
        supplier = other.supplier
        target = other.target
        isFromMainMenu = other.isFromMainMenu
        text = other.text
        receivers = other.receivers
        possible = other.possible
        effects = other.effects
        cycle = other.cycle
        candidates = other.candidates
        decidedIndex = other.decidedIndex
        chordWait = other.chordWait
    }
}

/// An action, who performs it, and how.
final class Performance {
    private let target: Responder
    private let sender: Any?
    private let run: (Responder, Any?, PressesEvent?) -> Void

    init(_ action: Selector, by target: Responder, sender: KeyCommand?) {
        self.target = target
        self.sender = sender
        // The action's own code, where the target performs as its class declares.
        let isOverridden = OverriddenMethods(of: target).contains(.perform)
        let own = isOverridden ? nil : target.actionTable[action]?.run
        run = own ?? { $0.answersPerform(action, sender: $1, event: $2) }
    }

    func perform(_ event: PressesEvent) { run(target, sender, event) }
}
