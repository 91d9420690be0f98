import KeyModel

/// What a press came to, apart from numbers. A steady press shares the object that an earlier one of its chord made:
/// giving it out costs one reference instead of a dozen.
final class Decision {
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
    @exclusivity(unchecked) private var sender: Any?
    /// The action's own code, where the target performs as its class declares.
    @exclusivity(unchecked) private var run: ((Responder, Any?, PressesEvent?) -> Void)?

    /// The target is known: finds out how it performs.
    func prepare() {
        isShared = true
        sender = command
        guard let target, let action, !OverriddenMethods(of: target).contains(.perform) else { return }
        run = target.actionTable[action]?.run
    }

    @inline(__always)
    func perform(_ event: PressesEvent) {
        guard let target else { return }
        if let run {
            run(target, sender, event)
        } else if let action {
            target.answersPerform(action, sender: sender, event: event)
        }
    }

    init(copying other: Decision? = nil) {
        guard let other else { return }
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
