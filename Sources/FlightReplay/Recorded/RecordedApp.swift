public import KeyModel
public import ResponderEngine
public import Scenes
import TraceFormat

/// The responders of a recording at level `calls`, of an app or of a replay, replaced by recorded answers.
///
/// Chain, first responder, windows and menus are as recorded at each press, and every question is answered as it was.
/// Under the profile and layout of the recording every press has its recorded outcome; under others the recorded
/// lists and answers decide, and a question that was never answered gives the outcome `unrecorded`.
///
/// A recording does not keep the responders' own state: the changes by a press are known only where its outcome is the
/// recorded one.
public final class RecordedApp: ReplaySubject {
    public let name: String
    public let engine: KeyboardEngine
    public let responders: [Responder]
    public let costs: ServiceCosts
    public var bareKeys: String? { environment.facts[EnvironmentFact.bareKeys] }
    let provider: AnswerProvider
    private let objects: [Responder]
    private let environment: RecordedEnvironment
    private var position: UInt64 = 0

    /// `profile` and `layout` are those of the replay, whatever the recording was made under. `recordedLayout` is the
    /// layout that it was typed on, where it stores none.
    public init(
        _ trace: RecordedTrace, profile: Profile, layout: Layout, recordedLayout: Layout? = nil,
        cachePolicy: CachePolicy = .none
    ) {
        environment = RecordedEnvironment(trace)
        name = environment.facts["scene"] ?? ""
        costs = environment.costs
        let provider = AnswerProvider(trace)
        provider.keyEvents = RecordedEvents(trace, typedOn: environment.layout ?? recordedLayout ?? layout)
        let made = RecordedApp.makeResponders(trace, provider)
        objects = made.all
        responders = made.linked
        self.provider = provider
        engine = KeyboardEngine(
            application: made.application, profile: profile, layout: layout, cachePolicy: cachePolicy)
        engine.layoutDirection = environment.facts["direction"] == "rtl" ? .rtl : .ltr
        engine.hasFocusSystem = environment.facts[EnvironmentFact.focusSystem] == "true"
        engine.isPad = environment.isPad
        // Printing is queried only in apps that print.
        engine.application.supportsPrintCommand = trace.summary.actions.contains { trace.definitions[$0] == "print:" }
        engine.hearsModifiers = trace.definitions.commands.contains { $0.input == "" }
        engine.track(responders)
        engine.forgoKeyboardModel()
        provider.attach(engine, objects: objects)
        engine.recordedAnswers = provider
    }

    deinit {
        // Chains of strong links would otherwise be let go of one inside the other.
        for responder in objects { responder.setExplicitNextSilently(nil) }
        engine.recordedAnswers = nil
    }

    /// True for a recording of the questions to responders and of their answers; false for a torn one without a record.
    public static func canReplay(_ trace: RecordedTrace) -> Bool {
        trace.summary.recordsCalls && trace.summary.begin != nil
    }

    public func kind(of responder: Responder) -> String {
        responder.recordedRef.flatMap { provider.definitions[$0]?.kind } ?? ""
    }

    /// The changes by a step are in the recording after it.
    public func perform(_ step: ContextStep, at time: TraceTime) {
        switch step {
        case .deactivate: engine.deactivate(at: time)
        case .activate: engine.recordedActivity(true)
        case .attach: engine.attachKeyboard()
        case .detach: engine.detachKeyboard(at: time)
        default: break
        }
        if case .setNext = step { provider.isSilentStep = true }
        provider.applyFacts(before: provider.index.input(after: position))
        provider.isSilentStep = false
    }

    // MARK: The course of a replay

    /// The input at this place of the recording is next.
    func arrives(_ sequence: UInt64) {
        position = sequence
        provider.arrives(sequence)
    }

    func begin(_ event: KeyEvent, _ tick: PressTick?) {
        let occasion: CallOccasion =
            switch event.phase {
            case .down: .down
            case .repeat: .repeatTick
            case .up, .cancel: .release
            }
        // A modifier is no press; where a command matched it, it has answers of its own.
        let isDown = tick == nil && event.phase == .down && engine.hearsModifiers
        let tick = tick ?? (isDown ? provider.index.textTick(at: position) : nil)
        let character = event.key.usage.map { engine.layout.plainText(for: $0).lowercased() } ?? ""
        provider.begin(tick, occasion, character: character)
    }

    func beginText() { provider.begin(provider.index.textTick(at: position), .down) }

    // MARK: Making

    private static func makeResponders(
        _ trace: RecordedTrace, _ provider: AnswerProvider
    ) -> (all: [Responder], linked: [Responder], application: Application) {
        let windows = trace.summary.windows
        var application: Application?
        var delegate: DeclaredApplicationDelegate?
        func make(_ ref: ResponderRef, _ definition: ResponderDefinition) -> Responder {
            if windows.contains(ref) { return Window(id: definition.id) }
            switch definition.kind {
            case "application", "UIApplication", "NSApplication", "keyboardApplication":
                guard application == nil else { break }
                let made = Application(id: definition.id)
                application = made
                return made
            case "appDelegate":
                guard delegate == nil else { break }
                let made = DeclaredApplicationDelegate(id: definition.id)
                delegate = made
                return made
            case "window", "keyboardWindow": return Window(id: definition.id)
            default: break
            }
            return RecordedResponder(id: definition.id)
        }
        let all = trace.definitions.responders.enumerated().map { place, definition -> Responder in
            let ref = ResponderRef(rawValue: UInt32(truncatingIfNeeded: place))
            let responder = make(ref, definition)
            responder.declared = ProvidedAnswers(ref, provider)
            return responder
        }
        let top = application ?? Application(id: "")
        if let delegate { top.delegate = delegate }
        return (all, trace.summary.linked.map { all[Int($0.rawValue)] }, top)
    }
}
