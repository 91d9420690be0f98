import TraceFormat

/// The recorded calls, receivers, effects and resolution of one press, repeat or text, by responder.
///
/// A class: an answer provider looks into it for every question of a press.
final class PressAnswers {
    struct List {
        var responder: ResponderRef
        var occasion: CallOccasion
        var list: CommandListRef
    }

    /// A call of `canPerformAction` or `validate`.
    struct Question: Hashable {
        var responder: ResponderRef
        var action: String?
    }

    /// Sequence number of its key or text record.
    let start: UInt64
    /// The down or the repeat.
    var key: KeyRecord?
    /// Sequence number of the resolution that closes it.
    var end: UInt64
    /// `keyCommands` results in call order.
    private(set) var lists: [List] = []
    /// Indices in `lists`, ascending.
    private(set) var listPlaces: [ResponderRef: [Int]] = [:]
    /// Responders asked about an action, in call order.
    private(set) var asked: [ResponderRef] = []
    /// Actions asked about.
    private(set) var actions: Set<StringRef?> = []
    /// Answers of `canPerformAction` in call order.
    private(set) var answers: [Question: [Bool]] = [:]
    /// Commands that were validated.
    var validated: Set<Question> = []
    /// Messages to an AppKit app up to the outcome, in the order of the answers.
    var messages: [InvocationRecord] = []
    /// Each receiver of the press, with whether it swallowed it.
    private(set) var receivers: [ResponderRef: Bool] = [:]
    private(set) var lastReceiver: ResponderRef?
    var effects: [EffectRecord] = []
    var effectsOnRelease: [EffectRecord] = []
    var resolution: ResolutionRecord?
    /// The candidate that won, a key binding included.
    var winner: CandidateRecord?
    /// Candidates of a masked key.
    var possible: [CandidateRecord] = []

    init(start: UInt64) {
        self.start = start
        end = start
    }

    func append(_ list: List) {
        listPlaces[list.responder, default: []].append(lists.count)
        lists.append(list)
    }

    /// `ref` is the handle of the question's action.
    func append(_ isYes: Bool, to question: Question, _ ref: StringRef?) {
        asked.append(question.responder)
        actions.insert(ref)
        answers[question, default: []].append(isYes)
    }

    /// A responder that receives a press twice counts as it did the first time.
    func append(_ receiver: ReceiverRecord) {
        if receivers[receiver.responder] == nil { receivers[receiver.responder] = receiver.isSwallowed }
        lastReceiver = receiver.responder
    }
}
