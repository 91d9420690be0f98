import KeyModel
import ResponderEngine
import TraceFormat

/// Answers in place of responders that are known from a recording alone.
///
/// Every question is answered as it was at the same press and occasion. A list of key commands also holds until the
/// next one was recorded, as in any cache. What was recorded as having changed at a press, changes there, whatever
/// the press comes to now: each press meets the situation in which it was recorded. A question that the recording
/// never answered becomes an open question, and what depends on it has the outcome `unrecorded`.
final class RecordedWitness: RecordedAnswerSource {
    let definitions: TraceDefinitions
    let outline: RecordedOutline
    @exclusivity(unchecked) var story: RecordedStory
    /// What the recording was made under; `nil` where it does not say, as in the recording of an app.
    let profile: Profile?
    weak var engine: KeyboardEngine?
    private(set) var objects: [Responder] = []
    private var commands: [CommandListRef: [KeyCommand]] = [:]

    // What is true now.
    var lists: [ResponderRef: CommandListRef] = [:]
    var menu: CommandListRef?
    var parameters: [String: String] = [:]
    var parametersChanged = false
    var textInput: (responder: ResponderRef, isSecure: Bool)?
    var isMarked = false
    var layoutHash: UInt64?
    /// Whether the text that has the keyboard takes keys, once some press told.
    var isEditable: Bool?
    /// The place of the input that is handled.
    private(set) var position: UInt64 = 0
    /// Controllers that present another one.
    var presenters: Set<ResponderRef> = []
    /// Where the last press began.
    private var lastStart: ResponderRef?
    /// The step that is carried out sets a link without telling any cache.
    var isSilentStep = false

    // What is being handled.
    private(set) var delivery: RecordedDelivery?
    private(set) var occasion = CallOccasion.down
    private(set) var character = ""
    private var nextList: [ResponderRef: Int] = [:]
    private var usedAnswers: Set<Int> = []
    private var hasHappened = false
    private(set) var questions: [OpenQuestion] = []
    private var unknownLists: [ResponderRef] = []
    private(set) var recordedState: UInt64?

    init(_ trace: RecordedTrace) {
        definitions = trace.definitions
        outline = trace.outline
        story = RecordedStory(trace)
        profile = outline.environment.profile
    }

    func attach(_ engine: KeyboardEngine, objects: [Responder]) {
        self.engine = engine
        self.objects = objects
        applyFacts(before: story.firstInput, isSilent: true)
        // What the recording was made under is the caller's choice now.
        parametersChanged = false
    }

    func object(_ ref: ResponderRef?) -> Responder? {
        guard let ref, Int(ref.rawValue) < objects.count else { return nil }
        return objects[Int(ref.rawValue)]
    }

    func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
    func text(_ ref: StringRef?) -> String? { ref.flatMap { definitions[$0] } }

    // MARK: The course of a press

    /// An input at this place of the recording comes: everything before it is true.
    func arrives(_ sequence: UInt64) {
        applyFacts(before: sequence)
        position = sequence
        delivery = nil
        story.forget(before: sequence)
    }

    /// A press, a repeat or a release begins. `tick` is `nil` for modifier keys, which come to nothing.
    func begin(_ tick: PressTick?, _ occasion: CallOccasion, character: String = "") {
        delivery = tick.flatMap { story.delivery($0, forRelease: occasion == .release) }
        if occasion == .repeatTick, let delivery { applyFacts(before: delivery.start) }
        self.occasion = occasion
        self.character = character
        nextList.removeAll(keepingCapacity: true)
        usedAnswers.removeAll(keepingCapacity: true)
        questions.removeAll()
        unknownLists.removeAll()
        hasHappened = false
        recordedState = nil
        guard occasion != .release, let resolution = delivery?.resolution else { return }
        if profile != nil { findPresenters(resolution) }
        // An action may have deactivated the app, which no record says by itself.
        if resolution.outcome == .noStart, engine?.firstResponder != nil {
            engine?.recordedActivity(false)
        } else if resolution.start != nil {
            engine?.recordedActivity(true)
        }
    }

    /// Who was passed over when an action looked for its target presents another controller (spec DS-7).
    private func findPresenters(_ resolution: ResolutionRecord) {
        guard let answers = delivery?.answers, !answers.isEmpty else { return }
        let asked = Set(answers.map(\.responder))
        var passed: [Responder] = []
        var here = object(resolution.start)
        for _ in 0..<objects.count {
            guard let responder = here, let ref = responder.recordedRef else { return }
            if asked.contains(ref) {
                responder.skipsActions = false
                for other in passed { other.skipsActions = true }
                passed = []
            } else {
                passed.append(responder)
            }
            here = responder.next
        }
    }

    /// The press has come to something: what was recorded as having changed, has.
    func delivered(_ resolution: Resolution) {
        guard let record = delivery?.resolution, let delivery else { return }
        applyFacts(before: delivery.end)
        if let start = record.start { lastStart = start }
        if [.text, .inputMethod, .builtinText, .keyBinding].contains(record.takenBy) { isEditable = true }
        recordedState = agrees(resolution, record) ? record.state : nil
    }

    private func agrees(_ resolution: Resolution, _ record: ResolutionRecord) -> Bool {
        guard resolution.outcome == record.outcome, resolution.takenBy == record.takenBy,
            resolution.target?.id == id(record.target)
        else { return false }
        if resolution.key?.maskedClass != nil || resolution.key == nil { return true }
        return resolution.action?.name == text(record.action) && resolution.supplier?.id == id(record.supplier)
    }

    /// What a press did is done: its effects are those recorded, if it is what the recording says that it was.
    func happens() {
        guard !hasHappened, questions.isEmpty, unknownLists.isEmpty, let delivery else { return }
        hasHappened = true
        if occasion == .release { return report(delivery.effectsOnRelease) }
        applyFacts(before: delivery.end)
        report(delivery.effects)
    }

    func report(_ effects: [EffectRecord], isMenu: Bool = false) {
        for effect in effects {
            guard let kind = text(effect.kind).flatMap(Effect.Kind.init(rawValue:)) else { continue }
            // The engine says itself which other actions ran.
            guard isMenu == (kind == .menuDropped || kind == .menuRaised), kind != .alsoPerformed else { continue }
            let value = Effect.Value(json: text(effect.value))
            engine?.recordedEffect(Effect(id: id(effect.responder) ?? "", kind: kind, value: value))
        }
    }

    func ask(_ question: OpenQuestion) {
        if !questions.contains(question) { questions.append(question) }
    }

    // MARK: Key commands

    func keyCommands(of ref: ResponderRef) -> [KeyCommand] {
        if let list = recordedList(of: ref) ?? lists[ref] { return commands(of: list) }
        // An app records what its own classes answer. That the others had nothing to say to this press is known from
        // what it came to, on the same layout.
        if !outline.suppliers.contains(ref), let record = delivery?.resolution, profile == nil {
            if record.supplier == ref, let action = text(record.action), let engine {
                return [KeyCommand(input: character, modifierFlags: engine.modifiers, action: Selector(action))]
            }
            if passedKeyCommands(record) { return [] }
        }
        if !unknownLists.contains(ref) { unknownLists.append(ref) }
        return []
    }

    /// The next answer of this press; the last one again where it is asked more often than it was.
    private func recordedList(of ref: ResponderRef) -> CommandListRef? {
        guard let answers = delivery?.lists else { return nil }
        let from = nextList[ref] ?? 0
        let next =
            answers.indices.dropFirst(from).first {
                answers[$0].responder == ref && answers[$0].occasion == occasion
            } ?? answers.indices.dropFirst(from).first {
                answers[$0].responder == ref && answers[$0].occasion == .shadow
            }
        if let next {
            nextList[ref] = next + 1
            return answers[next].list
        }
        return answers.last { $0.responder == ref && $0.occasion == occasion }?.list
    }

    /// Key commands were tried, and none of an unknown list took the press.
    private func passedKeyCommands(_ record: ResolutionRecord) -> Bool {
        switch record.takenBy {
        case nil: record.outcome != .undetermined && record.outcome != .unrecorded
        case .keyCommands?, .priorityKeyCommands?, .mainMenu?: true
        default: false
        }
    }

    func commands(of list: CommandListRef) -> [KeyCommand] {
        if let known = commands[list] { return known }
        let made = KeyCommand.commands(definitions[list]?.compactMap { definitions[$0] } ?? [])
        commands[list] = made
        return made
    }

    /// Responders beside the chain whose commands were read right after this one's (spec KC-7).
    func offChainSuppliers(of ref: ResponderRef) -> [Responder] {
        guard let answers = delivery?.lists, let place = answers.firstIndex(where: { $0.responder == ref }) else {
            return []
        }
        return answers.dropFirst(place + 1).prefix { answer in
            !(engine?.recordedChain.contains { $0 === object(answer.responder) } ?? true)
        }.compactMap { object($0.responder) }
    }

    // MARK: Actions

    func canPerform(_ action: Selector, _ ref: ResponderRef, _ sender: Any?) -> Bool {
        if let command = sender as? Command, !(command is KeyCommand) {
            return delivery?.validated.contains { $0.responder == ref && text($0.action) == action.name } ?? false
        }
        let answers = delivery?.answers ?? []
        func matches(_ place: Int) -> Bool {
            answers[place].responder == ref && text(answers[place].action) == action.name
        }
        if let profile, !profile.filtersActionsOfPresenters, presenters.contains(ref),
            engine?.profile.filtersActionsOfPresenters == true
        {
            ask(OpenQuestion(responder: id(ref) ?? "", question: "performsActionsWhilePresentingModally"))
        }
        if let next = answers.indices.first(where: { matches($0) && !usedAnswers.contains($0) }) {
            usedAnswers.insert(next)
            return answers[next].isYes
        }
        if let last = answers.indices.last(where: matches) { return answers[last].isYes }
        if let record = delivery?.resolution, text(record.action) == action.name, record.target == ref { return true }
        // An app records what its own classes answer; where the press came to nothing, nobody performed an action, and
        // who was passed on the way to the target said no.
        if profile == nil, delivery?.resolution?.outcome == .unhandled { return false }
        if profile == nil, let target = delivery?.resolution?.target, text(delivery?.resolution?.action) == action.name,
            isBefore(ref, target)
        {
            return false
        }
        ask(OpenQuestion(responder: id(ref) ?? "", question: "canPerformAction", action: action.name))
        return false
    }

    func defaultMenuKeeps(_ action: Selector) -> Bool {
        guard let delivery, delivery.resolution?.outcome == .unhandled, let profile, profile == engine?.profile else {
            return true
        }
        return delivery.answers.contains { text($0.action) == action.name }
    }

    private func isBefore(_ ref: ResponderRef, _ target: ResponderRef) -> Bool {
        let chain = engine?.recordedChain ?? []
        guard let here = chain.firstIndex(where: { $0 === object(ref) }),
            let there = chain.firstIndex(where: { $0 === object(target) })
        else { return false }
        return here < there
    }

    func perform(_ action: Selector, _ ref: ResponderRef) {
        guard let record = delivery?.resolution else { return }
        if record.target == ref, text(record.action) == action.name { happens() }
    }

    func validate(_ command: Command) {
        guard let list = menuList, let refs = definitions[list] else { return }
        let known = refs.lazy.compactMap { self.definitions[$0] }.first { $0.action == command.action.name }
        guard let known else { return }
        if known.attributes.contains(.disabled) {
            command.attributes.insert(.disabled)
        } else {
            command.attributes.remove(.disabled)
        }
    }

    /// The main menu's commands as this press left them.
    private var menuList: CommandListRef? {
        var found = menu
        for fact in story.comingFacts(before: delivery?.end ?? 0) {
            if case .call(let call) = fact.body, call.kind == .buildMenu, case .commands(let list) = call.answer {
                found = list
            }
        }
        return found
    }

    /// Made anew: a menu's commands change when they are validated.
    func mainMenuCommands() -> [KeyCommand] {
        menuList.map { KeyCommand.commands(definitions[$0]?.compactMap { definitions[$0] } ?? []) } ?? []
    }

    /// What was dropped from the menu, or raised.
    func menuIsBuilt() { report(delivery?.effects ?? [], isMenu: true) }

    // MARK: Open questions

    func deepestResponder() -> Responder? {
        if occasion != .release, profile?.startWithoutFirstResponder ?? .deepest == .deepest,
            let record = delivery?.resolution, let start = object(record.start)
        {
            return start
        }
        // Modifier keys and releases come to nothing.
        if delivery != nil, occasion != .release {
            ask(OpenQuestion(responder: engine?.application.keyWindow?.id ?? "", question: "start"))
        }
        if occasion == .release, let first = delivery?.lists.first(where: { $0.occasion == .release }) {
            return object(first.responder)
        }
        return object(story.modifierStart(at: position) ?? lastStart)
    }

    func openQuestions(of resolution: Resolution) -> [OpenQuestion] {
        // What a masked key met is not known anyway.
        if resolution.outcome == .undetermined { return [] }
        guard let delivery else {
            for ref in unknownLists { ask(OpenQuestion(responder: id(ref) ?? "", question: "keyCommands")) }
            return questions
        }
        if let lists = listsThatMatter(to: resolution) {
            for ref in lists { ask(OpenQuestion(responder: id(ref) ?? "", question: "keyCommands")) }
        }
        let menuTook = delivery.resolution?.takenBy == .mainMenu
        if menuTook, !outline.tellsMenu, resolution.takenBy == nil, engine?.profile.mainMenu == true {
            ask(OpenQuestion(responder: Resolution.mainMenuID, question: "buildMenu"))
        }
        return questions
    }

    /// Unknown lists that could have changed what the press came to: not those of responders behind the one whose
    /// command took it, where nearer ones go first.
    private func listsThatMatter(to resolution: Resolution) -> [ResponderRef]? {
        guard !unknownLists.isEmpty, let engine else { return nil }
        switch resolution.takenBy {
        case .presses?: return nil
        case .standardEdit?, .builtinText?, .inputMethod?, .text?, .focus?, .scroll?, .keyBinding?:
            return engine.profile.stageOrder == .textFirst ? unknownLists : nil
        default: break
        }
        guard engine.profile.stageOrder == .commandsFirst, engine.profile.precedence == .nearestFirst,
            let supplier = resolution.supplier,
            let place = engine.recordedChain.firstIndex(where: { $0 === supplier })
        else { return unknownLists }
        let nearer = engine.recordedChain.prefix(place)
        return unknownLists.filter { ref in nearer.contains { $0 === object(ref) } }
    }
}
