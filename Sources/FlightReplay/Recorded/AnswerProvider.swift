import KeyModel
import ResponderEngine
import TraceFormat

/// Answers for responders that are known from a recording alone.
///
/// Every question is answered as it was at the same press and occasion. A list of key commands also holds until the
/// next recorded one, as in any cache. Recorded changes happen at the press where they were recorded, whatever its
/// outcome now. A question without a recorded answer is an open question; the outcome of its press is `unrecorded`.
final class AnswerProvider: RecordedAnswerSource {
    let definitions: TraceDefinitions
    let summary: RecordingSummary
    @exclusivity(unchecked) var index: PressIndex
    /// Rules of the replay that was recorded; `nil` in the recording of an app, which may name a profile and is
    /// not bound by it.
    let rules: RecordedRules?
    weak var engine: KeyboardEngine?
    /// The responders, by their handles: those that something was asked of so far.
    private var objects: [Responder?]
    var commands = MadeCommands()

    /// Answers to key events of an AppKit app, by the event.
    var keyEvents: RecordedEvents?

    // Current state.
    var lists: [ResponderRef: CommandListRef] = [:]
    var menu: CommandListRef?
    var parameters: [String: String] = [:]
    var parametersChanged = false
    var textInput: (responder: ResponderRef, isSecure: Bool)?
    var isMarked = false
    var layoutHash: UInt64?
    var layouts = ParsedTexts<Layout?>()
    /// True if the text that has the keyboard takes keys; `nil` until a press shows it.
    var isEditable: Bool?
    /// Recorded: the text that has the keyboard cannot be edited.
    var isReadOnly = false
    /// The place of the input that is handled.
    private(set) var position: UInt64 = 0
    /// Controllers that present another one.
    var presenters: Set<ResponderRef> = []
    /// Start of the last press.
    private var lastStart: ResponderRef?
    /// The current step sets a link without notifying any cache.
    var isSilentStep = false

    // What is being handled.
    private(set) var press: PressAnswers?
    private(set) var tick: PressTick?
    private(set) var occasion = CallOccasion.down
    private(set) var character = ""
    /// Number of a responder's lists of this press that were returned.
    private var nextList: [ResponderRef: Int] = [:]
    private var nextAnswer: [PressAnswers.Question: Int] = [:]
    private var hasHappened = false
    private var openQuestions = UniqueList<OpenQuestion>()
    private var unknownLists = UniqueList<ResponderRef>()
    private(set) var recordedState: UInt64?
    /// Indices in the chain that `engine` followed last, as far as they were asked for.
    private var chain: (members: ResponderList?, places: [ObjectIdentifier: Int]) = (nil, [:])

    init(_ trace: RecordedTrace) {
        definitions = trace.definitions
        summary = trace.summary
        index = PressIndex(trace)
        objects = Array(repeating: nil, count: definitions.responders.count)
        rules = summary.facts.isOfReplay ? summary.environment.profile.map(RecordedRules.init) : nil
    }

    func attach(_ engine: KeyboardEngine) {
        self.engine = engine
        applyFacts(before: index.firstInput, isSilent: true)
        // What the recording was made under is the caller's choice now.
        parametersChanged = false
    }

    func object(_ ref: ResponderRef?) -> Responder? {
        guard let ref, Int(ref.rawValue) < objects.count else { return nil }
        if let object = objects[Int(ref.rawValue)] { return object }
        let object = makeObject(ref)
        objects[Int(ref.rawValue)] = object
        return object
    }

    /// Chains of strong links would otherwise be let go of one inside the other.
    func unlink() { for object in objects { object?.setExplicitNextSilently(nil) } }

    func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
    func text(_ ref: StringRef?) -> String? { ref.flatMap { definitions[$0] } }

    // MARK: The course of a press

    /// Applies everything before the input at this place of the recording.
    func arrives(_ sequence: UInt64) {
        applyFacts(before: sequence)
        position = sequence
        press = nil
        index.forget(before: sequence)
    }

    /// A press, a repeat or a release begins. `tick` is `nil` for modifier keys, which have no outcome.
    func begin(_ tick: PressTick?, _ occasion: CallOccasion, character: String = "") {
        press = tick.flatMap { index.answers($0, forRelease: occasion == .release) }
        if occasion == .repeatTick, let press { applyFacts(before: press.start) }
        (self.tick, self.occasion, self.character) = (tick, occasion, character)
        (nextList, nextAnswer) = ([:], [:])
        openQuestions.removeAll()
        unknownLists.removeAll()
        hasHappened = false
        recordedState = nil
        guard occasion != .release, let resolution = press?.resolution else { return }
        if rules != nil { findPresenters(resolution) }
        // An action may have deactivated the app, for which there is no record of its own.
        if resolution.outcome == .noStart, engine?.firstResponder != nil {
            engine?.recordedActivity(false)
        } else if resolution.start != nil {
            engine?.recordedActivity(true)
        }
    }

    /// Finds responders that were passed over in the search for a target, since they present another controller
    /// (spec DS-7).
    private func findPresenters(_ resolution: ResolutionRecord) {
        guard let press, !press.asked.isEmpty else { return }
        let asked = Set(press.asked)
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

    /// The press has its outcome: applies the changes that were recorded with it.
    func delivered(_ resolution: Resolution) {
        guard let record = press?.resolution, let press else { return }
        applyFacts(before: effectsEnd(of: press))
        if let start = record.start { lastStart = start }
        if [.text, .inputMethod, .builtinText, .keyBinding].contains(record.takenBy) { isEditable = true }
        recordedState = agrees(resolution, record) ? record.state : nil
    }

    private func agrees(_ resolution: Resolution, _ record: ResolutionRecord) -> Bool {
        guard resolution.outcome == record.outcome, resolution.takenBy == record.takenBy,
            resolution.target?.id == id(record.target)
        else { return false }
        if resolution.key?.maskedClass != nil || resolution.key == nil { return true }
        let supplier = id(record.supplier)
        return resolution.action?.name == text(record.action)
            && (resolution.supplier?.id == supplier || resolution.isFromMainMenu && supplier == Resolution.mainMenuID)
    }

    /// Applies the recorded effects of a press, if its replayed outcome is the recorded one.
    func happens() {
        guard !hasHappened, openQuestions.isEmpty, unknownLists.isEmpty, let press else { return }
        hasHappened = true
        if occasion == .release { return report(press.effectsOnRelease) }
        applyFacts(before: press.end)
        report(press.effects)
    }

    /// The same in an AppKit app: a replay of one recorded what its responders did.
    func keyEventHappens() {
        guard rules != nil, !hasHappened, let press else { return }
        hasHappened = true
        report(press.effects)
    }

    func report(_ effects: [EffectRecord], isMenu: Bool = false) {
        for effect in effects {
            guard let kind = text(effect.kind).flatMap(Effect.Kind.init(rawValue:)) else { continue }
            // The engine itself reports which other actions ran.
            let isOfMenu = [.menuDropped, .menuRaised, .menuException].contains(kind)
            guard isMenu == isOfMenu, kind != .alsoPerformed else { continue }
            let value = Effect.Value(json: text(effect.value))
            engine?.recordedEffect(Effect(id: id(effect.responder) ?? "", kind: kind, value: value))
        }
    }

    var recordsRepeats: Bool { summary.hasOwnRepeats }

    func ask(_ question: OpenQuestion) { openQuestions.append(question) }

    var questions: [OpenQuestion] { openQuestions.elements }

    /// The place of a responder in the chain that was followed last.
    func chainPlace(of responder: Responder?) -> Int? {
        guard let responder, let engine else { return nil }
        if engine.recordedChain !== chain.members {
            chain.members = engine.recordedChain
            let places = engine.recordedChain.array.enumerated().map { (ObjectIdentifier($1), $0) }
            chain.places = Dictionary(places) { first, _ in first }
        }
        return chain.places[ObjectIdentifier(responder)]
    }

    // MARK: Key commands

    func keyCommands(of ref: ResponderRef) -> [KeyCommand] {
        if let list = recordedList(of: ref) ?? lists[ref] { return commands(of: list) }
        // An app records what its own classes answer. The others had no answer to this press: that follows from
        // its outcome, on the same layout.
        if !summary.suppliers.contains(ref), let record = press?.resolution, rules == nil {
            if record.supplier == ref, let action = text(record.action), let engine {
                return [KeyCommand(input: character, modifierFlags: engine.modifiers, action: Selector(action))]
            }
            if passedKeyCommands(record) { return [] }
        }
        unknownLists.append(ref)
        return []
    }

    /// The next answer of this press; the last one again where it is asked more often than when it was recorded.
    private func recordedList(of ref: ResponderRef) -> CommandListRef? {
        guard let press, let places = press.listPlaces[ref] else { return nil }
        let rest = places.indices.dropFirst(nextList[ref] ?? 0)
        let next =
            rest.first { press.lists[places[$0]].occasion == occasion }
            ?? rest.first { press.lists[places[$0]].occasion == .shadow }
        if let next {
            nextList[ref] = next + 1
            return press.lists[places[next]].list
        }
        return places.last { press.lists[$0].occasion == occasion }.map { press.lists[$0].list }
    }

    /// Key commands were tried, and none of an unknown list took the press.
    private func passedKeyCommands(_ record: ResolutionRecord) -> Bool {
        switch record.takenBy {
        case nil: record.outcome.isDecided
        case .keyCommands?, .priorityKeyCommands?, .mainMenu?: true
        // Commands that come before text were tried in vain, and those after it are never reached.
        default:
            engine.map { $0.profile.stageOrder == .textFirst || $0.profile == summary.environment.profile } ?? false
        }
    }

    func isWindowScene(_ responder: Responder) -> Bool {
        responder.recordedRef.flatMap { definitions[$0]?.kind }.map(SceneDraft.windowScenes.contains) ?? false
    }

    func commands(of list: CommandListRef) -> [KeyCommand] { commands.commands(of: list, definitions) }

    // MARK: Actions

    func canPerform(_ action: Selector, _ ref: ResponderRef, _ sender: Any?) -> Bool {
        let question = PressAnswers.Question(responder: ref, action: action.name)
        if let command = sender as? Command, !(command is KeyCommand) {
            return press?.validated.contains(question) ?? false
        }
        if presenters.contains(ref), rules?.profile.filtersActionsOfPresenters == false,
            engine?.profile.filtersActionsOfPresenters == true
        {
            ask(OpenQuestion(responder: id(ref) ?? "", question: "performsActionsWhilePresentingModally"))
        }
        if let answers = press?.answers[question] {
            // The last one again where it is asked more often than when it was recorded.
            let next = min(nextAnswer[question] ?? 0, answers.count - 1)
            nextAnswer[question] = next + 1
            return answers[next]
        }
        if let record = press?.resolution, text(record.action) == action.name, record.target == ref { return true }
        // An app records what its own classes answer; where the press had no effect, no responder performed an action,
        // and those passed on the way to the target returned false.
        if rules == nil, let outcome = press?.resolution?.outcome,
            outcome == .unhandled || outcome == .blockedUnperformable
        {
            return false
        }
        if rules == nil, let target = press?.resolution?.target, text(press?.resolution?.action) == action.name,
            isBefore(ref, target)
        {
            return false
        }
        ask(OpenQuestion(responder: id(ref) ?? "", question: "canPerformAction", action: action.name))
        return false
    }

    func defaultMenuKeeps(_ action: Selector) -> Bool {
        guard let press, press.resolution?.outcome == .unhandled, let rules, rules.profile == engine?.profile
        else { return true }
        return press.actions.contains { text($0) == action.name }
    }

    private func isBefore(_ ref: ResponderRef, _ target: ResponderRef) -> Bool {
        guard let here = chainPlace(of: object(ref)), let there = chainPlace(of: object(target)) else { return false }
        return here < there
    }

    func perform(_ action: Selector, _ ref: ResponderRef) {
        guard let record = press?.resolution else { return }
        if record.target == ref, text(record.action) == action.name { happens() }
    }

    // MARK: Open questions

    func deepestResponder() -> Responder? {
        if occasion != .release, rules?.profile.startWithoutFirstResponder ?? .deepest == .deepest,
            let record = press?.resolution, let start = object(record.start)
        {
            return start
        }
        // Modifier keys and releases have no outcome.
        if press != nil, occasion != .release {
            ask(OpenQuestion(responder: engine?.application.keyWindow?.id ?? "", question: "start"))
        }
        if occasion == .release, let first = press?.lists.first(where: { $0.occasion == .release }) {
            return object(first.responder)
        }
        return object(index.modifierStart(at: position) ?? lastStart)
    }

    func openQuestions(of resolution: Resolution) -> [OpenQuestion] {
        if engine?.profile.appKit != nil { return questions }
        // What a masked key met is not known anyway.
        if resolution.outcome == .undetermined { return [] }
        guard let press else {
            for ref in unknownLists.elements { ask(OpenQuestion(responder: id(ref) ?? "", question: "keyCommands")) }
            return questions
        }
        if let lists = listsThatMatter(to: resolution) {
            for ref in lists { ask(OpenQuestion(responder: id(ref) ?? "", question: "keyCommands")) }
        }
        if !summary.recordsMenu, resolution.takenBy == nil, engine?.profile.mainMenu == true,
            press.resolution?.takenBy == .mainMenu || isUnansweredByMenu(resolution, press)
        {
            ask(OpenQuestion(responder: Resolution.mainMenuID, question: "buildMenu"))
        }
        if !summary.recordsFirstResponder, questions.isEmpty, let recorded = press.resolution, recorded.start == nil,
            recorded.outcome != .noStart
        {
            ask(OpenQuestion(responder: engine?.application.keyWindow?.id ?? "", question: "start"))
        }
        if let end = openEnd, [.unhandled, .blockedUnperformable].contains(resolution.outcome),
            let recorded = press.resolution?.outcome, recorded != resolution.outcome
        {
            ask(OpenQuestion(responder: id(end) ?? "", question: "next"))
        }
        return questions
    }

    /// The menu of an app is known by the chords that it was offered: it may have an item for another one.
    private func isUnansweredByMenu(_ resolution: Resolution, _ press: PressAnswers) -> Bool {
        guard rules == nil, resolution.outcome == .unhandled, let key = press.key, let engine else { return false }
        return keyEvents?.isAnother(key, on: engine.layout, resolution.modifiers) == true
    }

    /// The last of the chain, where it is not recorded that none follows it.
    private var openEnd: ResponderRef? {
        engine?.recordedChain.array.last?.recordedRef.flatMap { summary.linked.contains($0) ? nil : $0 }
    }

    /// Unknown lists that could have changed the outcome of the press: not those of responders behind the one whose
    /// command took it, where nearer ones go first.
    private func listsThatMatter(to resolution: Resolution) -> [ResponderRef]? {
        guard !unknownLists.isEmpty, let engine else { return nil }
        switch resolution.takenBy {
        case .presses?: return nil
        case .standardEdit?, .builtinText?, .inputMethod?, .text?, .focus?, .scroll?, .keyBinding?:
            return engine.profile.stageOrder == .textFirst ? unknownLists.elements : nil
        default: break
        }
        guard engine.profile.stageOrder == .commandsFirst, engine.profile.precedence == .nearestFirst,
            let place = chainPlace(of: resolution.supplier)
        else { return unknownLists.elements }
        return unknownLists.elements.filter { ref in chainPlace(of: object(ref)).map { $0 < place } ?? false }
    }
}

/// The profile of a recording, in a box: a press reads single rules of it at every responder.
final class RecordedRules {
    let profile: Profile
    /// Stages that may take a press, in the order in which they are asked.
    let takingOrder: [TakenBy]

    init(_ profile: Profile) {
        self.profile = profile
        takingOrder = profile.takingOrder
    }
}
