import KeyModel
import ResponderEngine

/// The present answers of a scene's responder: they go before what the kind does by itself. Changing an answer
/// invalidates no cache, as an app's own state does not.
final class SceneAnswers: DeclaredAnswers {
    let canBecomeFirstResponder: Bool?
    /// The answer to `keyCommands`; `nil` leaves it to the kind.
    private var commands: [KeyCommand]?
    private let firstList: [KeyCommand]?
    let keyEquivalents: [KeyCommand]
    private let variants: [Named<CommandList>]
    private var perRead: [[KeyCommand]?]
    private var reads = 0
    private let actions: [(selector: Selector, steps: [ContextStep])]
    private var canPerform: [(selector: Selector, answer: ResponderDescription.PerformAnswer)]
    /// Actions about which only a sender that is a key command gets an answer (spec DS-5).
    private let castsSender: [Selector]
    private let menuChanges: [MenuChange]
    private var swallowed: ResponderDescription.SwallowedPresses
    private var ownInputView: InputView?
    private var ownAccessory: InputView?
    /// Runs the steps of an action that was performed.
    var runSteps: (([ContextStep], TraceTime) -> Void)?

    /// Command objects compare by identity.
    struct CommandList: Hashable, @unchecked Sendable {
        let commands: [KeyCommand]
        static func == (a: CommandList, b: CommandList) -> Bool { a.commands.elementsEqual(b.commands, by: ===) }
        func hash(into hasher: inout Hasher) { hasher.combine(commands.count) }
    }

    init(_ description: ResponderDescription, isFirstResponder: Bool) {
        // A responder that is first at the start evidently can be.
        canBecomeFirstResponder = description.canBecomeFirstResponder ?? (isFirstResponder ? true : nil)
        firstList = description.keyCommands.map { $0.map(KeyCommand.init) }
        commands = firstList
        keyEquivalents = description.keyEquivalents.map(KeyCommand.init)
        variants = description.variants.map { Named($0.name, CommandList(commands: $0.value.map(KeyCommand.init))) }
        perRead = []
        actions = description.actions.map { (Selector($0.name), $0.value) }
        canPerform = description.canPerform.map { (Selector($0.name), $0.value) }
        castsSender = description.castsSender.map { Selector($0) }
        menuChanges = MenuDescription.changes(description.buildMenu)
        swallowed = description.swallowsPresses
        ownInputView = description.inputView.map { InputView(height: $0) }
        ownAccessory = description.inputAccessoryView.map { InputView(height: $0) }
        perRead = description.keyCommandsPerRead.map { list(named: $0) }
    }

    private func list(named name: String) -> [KeyCommand]? {
        name == "keyCommands" ? firstList ?? [] : variants.value(named: name)?.commands
    }

    func inputView(of responder: Responder) -> InputView? { ownInputView }
    func inputAccessoryView(of responder: Responder) -> InputView? { ownAccessory }
    func setInputView(_ height: Int?) { ownInputView = height.map { InputView(height: $0) } }
    func setInputAccessoryView(_ height: Int?) { ownAccessory = height.map { InputView(height: $0) } }

    var declaresKeyCommands: Bool { commands != nil || !perRead.isEmpty }

    /// One read. With `keyCommandsPerRead` the answers come round in turn.
    func keyCommands(of responder: Responder) -> [KeyCommand]? {
        guard !perRead.isEmpty else { return commands }
        let answer = perRead[reads % perRead.count]
        reads = (reads + 1) % perRead.count
        return answer
    }

    /// Reads without advancing the answers in turn.
    func apart(_ question: () -> [KeyCommand]) -> [KeyCommand] {
        let before = reads
        defer { reads = before }
        return question()
    }

    func implements(_ action: Selector) -> Bool { actions.contains { $0.selector == action } }

    func canPerform(_ action: Selector, sender: Any?) -> Bool? {
        if !castsSender.isEmpty, castsSender.contains(action), !(sender is KeyCommand) { return false }
        guard let entry = canPerform.first(where: { $0.selector == action }) else { return nil }
        return sender is Command ? entry.answer.toCommands : entry.answer.toOthers
    }

    /// Performs an action that the scene declares; false for all others.
    func perform(_ action: Selector, event: PressesEvent?) -> Bool {
        guard let entry = actions.first(where: { $0.selector == action }) else { return false }
        if !entry.steps.isEmpty { runSteps?(entry.steps, event?.timestamp ?? .zero) }
        return true
    }

    /// Applies the responder's changes to a menu, whichever system is built: it does not look.
    func buildMenu(of responder: Responder, with builder: any MenuBuilder) {
        for change in menuChanges { builder.apply(change) }
    }

    func swallows(_ presses: Set<Press>) -> Bool {
        switch swallowed {
        case .none: false
        case .all: true
        case .keys: presses.contains { swallowed.contains($0.key?.keyCode) }
        }
    }

    // MARK: Other answers

    /// False when the responder has no such list.
    func answer(with variant: String) -> Bool {
        guard let list = list(named: variant) else { return false }
        commands = list
        perRead = []
        return true
    }

    func setCanPerform(_ action: Selector, _ answer: Bool) {
        canPerform.removeAll { $0.selector == action }
        canPerform.append((action, ResponderDescription.PerformAnswer(answer)))
    }

    func setSwallowsPresses(_ all: Bool) { swallowed = all ? .all : .none }
}

extension KeyCommand {
    /// The live command of a description.
    convenience init(_ description: CommandDescription) {
        var attributes: Attributes = []
        if description.isDisabled { attributes.insert(.disabled) }
        if description.isHidden { attributes.insert(.hidden) }
        self.init(
            title: description.title, action: Selector(description.action), input: description.input,
            modifierFlags: description.modifiers, propertyList: description.propertyList,
            alternates: description.alternates.map {
                CommandAlternate(title: $0.title, action: Selector($0.action), modifierFlags: $0.modifiers)
            },
            discoverabilityTitle: description.discoverabilityTitle, attributes: attributes)
        wantsPriorityOverSystemBehavior = description.wantsPriority
        allowsAutomaticLocalization = description.allowsAutomaticLocalization
        allowsAutomaticMirroring = description.allowsAutomaticMirroring
        repeatBehavior = description.repeatBehavior
    }
}
