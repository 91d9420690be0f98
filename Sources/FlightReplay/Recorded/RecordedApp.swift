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
        responders = trace.summary.linked.compactMap(provider.object)
        self.provider = provider
        let application = provider.object(trace.summary.application) as? Application ?? Application(id: "")
        if let delegate = provider.object(trace.summary.appDelegate) as? DeclaredApplicationDelegate {
            application.delegate = delegate
        }
        engine = KeyboardEngine(
            application: application, profile: profile, layout: layout, cachePolicy: cachePolicy)
        engine.layoutDirection = environment.facts["direction"] == "rtl" ? .rtl : .ltr
        engine.hasFocusSystem = environment.facts[EnvironmentFact.focusSystem] == "true"
        engine.isPad = environment.isPad
        // Printing is queried only in apps that print.
        engine.application.supportsPrintCommand = trace.summary.actions.contains { trace.definitions[$0] == "print:" }
        engine.hearsModifiers = trace.summary.hearsModifiers
        engine.track(responders)
        engine.forgoKeyboardModel()
        provider.attach(engine)
        engine.recordedAnswers = provider
    }

    deinit {
        provider.unlink()
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
}
