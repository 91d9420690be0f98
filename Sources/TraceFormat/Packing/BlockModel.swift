import KeyModel

/// Prediction model of a block: the next record is predicted from those so far. Writer and reader keep the same model,
/// so that packed records hold only what differs from it. It is reset with every block.
struct BlockModel: Sendable {
    /// The press and tick that decisions are expected to belong to: those of the last key event, or of the last
    /// decision since.
    var at = PressTick(press: 0, tick: 0)
    var calls = CallModel()
    /// Receivers, candidates, effects and resolutions, without their press, tick and state.
    var decisions = SuccessorModel<TraceRecord.Body>()
    var stages = StageModel()
    var invocations = InvocationModel()

    mutating func begin(_ time: Int64) {
        at = PressTick(press: 0, tick: 0)
        calls.removeAll()
        decisions.removeAll()
        invocations.removeAll()
        stages = StageModel()
        stages.end = time
    }

    /// Follows a key record at this time.
    @inline(__always) mutating func record(_ phase: KeyPhase, _ press: UInt32?, _ time: Int64) {
        at = at.following(phase, press)
        calls.order.begin(phase)
        calls.isAfterCall = false
        decisions.begin(phase)
        invocations.begin(phase)
        stages.begin(phase, time)
    }
}

extension PressTick {
    /// The expected press and tick of decisions after a key event, where those before it belonged to this.
    @inline(__always) func following(_ phase: KeyPhase, _ press: UInt32?) -> PressTick {
        let press = press ?? 0
        // The first repeat of a press is its tick 1, as releases and downs are its tick 0.
        return PressTick(press: press, tick: phase == .repeat ? (self.press == press ? tick &+ 1 : 1) : 0)
    }
}

/// The order of stages, and when the last one ended.
struct StageModel: Sendable {
    private static let none: UInt8 = 255
    private static var codes: Int { Int(LatencyStage.settle.rawValue) + 1 }
    /// By stage, then by phase of a key event.
    private var successors = [UInt8](repeating: StageModel.none, count: StageModel.codes + 4)
    private var place = 0
    /// End of the stage before, or arrival of the key event.
    var end: Int64 = 0

    @inline(__always) mutating func begin(_ phase: KeyPhase, _ time: Int64) {
        place = StageModel.codes + Int(phase.rawValue)
        end = time
    }

    var expected: LatencyStage? { LatencyStage(rawValue: successors[place]) }

    /// A stage that was recorded at this time, which is its end.
    mutating func record(_ stage: LatencyStage, _ time: Int64) {
        successors[place] = stage.rawValue
        place = Int(stage.rawValue)
        end = time
    }
}

/// The order of calls, their answers, and what lies between them.
struct CallModel: Sendable {
    var order = SuccessorModel<CallSymbol>()
    /// The symbol of the call before, also where it was of an earlier press.
    private(set) var last: CallSymbol?
    /// The last record was a call.
    var isAfterCall = false
    /// True when the duration of the call before was rounded.
    private(set) var isRounded = false
    /// Time from the record before to the begin of a call: after another call, and after anything else.
    private var gaps: (afterCall: Int64, afterOther: Int64) = (0, 0)
    /// By symbol: its question.
    private var questionOfSymbol: [Int32] = []
    private var questions: [CallQuestion: Int32] = [:]
    /// By question: what it was answered last, and how long that took.
    private var answers: [(answer: CallRecord.Answer?, duration: Int64)] = []

    mutating func removeAll() {
        order.removeAll()
        last = nil
        isAfterCall = false
        isRounded = false
        gaps = (0, 0)
        questionOfSymbol.removeAll(keepingCapacity: true)
        questions.removeAll(keepingCapacity: true)
        answers.removeAll(keepingCapacity: true)
    }

    /// Sets the last answer of a responder from the context of the block.
    mutating func seed(_ responder: ResponderRef, _ list: CommandListRef) {
        guard answers.count < TraceLimits.blockSymbols else { return }
        let question = question(CallQuestion(.keyCommands, responder))
        answers[Int(question)].answer = .commands(list)
    }

    private mutating func question(_ question: CallQuestion) -> Int32 {
        if let known = questions[question] { return known }
        let number = Int32(answers.count)
        questions[question] = number
        answers.append((nil, -1))
        return number
    }

    /// The number of a symbol; `nil` when the block has met too many.
    mutating func intern(_ symbol: CallSymbol) -> Int32? {
        guard let (number, isNew) = order.intern(symbol) else { return nil }
        if isNew {
            questionOfSymbol.append(question(CallQuestion(symbol)))
        }
        return number
    }

    /// Numbers of symbols and questions, for `forget` to return to.
    var mark: (symbols: Int, questions: Int) { (order.symbols.count, answers.count) }

    /// Removes a symbol that was met since, and not followed.
    mutating func rollback(_ symbol: CallSymbol, since mark: (symbols: Int, questions: Int)) {
        order.rollback(downTo: mark.symbols)
        questionOfSymbol.removeLast(max(0, questionOfSymbol.count - mark.symbols))
        guard answers.count > mark.questions else { return }
        answers.removeLast(answers.count - mark.questions)
        questions[CallQuestion(symbol)] = nil
    }

    /// The last answer to the question of this symbol.
    @inline(__always) func answer(_ number: Int32) -> CallRecord.Answer? {
        answers[Int(questionOfSymbol[Int(number)])].answer
    }

    /// Time between the record before and a call that begins now, as it was last time.
    @inline(__always) var gap: Int64 { isAfterCall ? gaps.afterCall : gaps.afterOther }

    /// The duration that is expected of a call recorded `delta` after the record before: from the usual gap to its
    /// end, or that of the same question last time where no time went by; −1 for none.
    @inline(__always) func duration(_ number: Int32, delta: Int64) -> Int64 {
        if delta == 0 { return answers[Int(questionOfSymbol[Int(number)])].duration }
        let gap = gap
        return gap <= delta ? delta &- gap : -1
    }

    /// Follows a call.
    @inline(__always)
    mutating func record(
        _ number: Int32, _ symbol: CallSymbol, answer: CallRecord.Answer, duration: TraceDuration?, isRounded: Bool,
        delta: Int64
    ) {
        order.record(number)
        last = symbol
        self.isRounded = isRounded
        let question = Int(questionOfSymbol[Int(number)])
        answers[question] = (answer, duration?.nanoseconds ?? -1)
        if let nanoseconds = duration?.nanoseconds, delta > 0, nanoseconds <= delta {
            if isAfterCall { gaps.afterCall = delta &- nanoseconds } else { gaps.afterOther = delta &- nanoseconds }
        }
        isAfterCall = true
    }

    /// Follows a call whose symbol is beyond those that the block keeps.
    mutating func recordUnknown(isRounded: Bool) {
        self.isRounded = isRounded
        isAfterCall = true
    }
}

/// Symbol of a call: all of it but its press and its answer.
struct CallSymbol: Hashable, Sendable {
    var kind: CallKind
    var occasion: CallOccasion
    var responder: ResponderRef
    var pass: UInt16
    var depth: UInt16
    var action: StringRef?

    init(_ call: CallRecord) {
        kind = call.kind
        occasion = call.occasion
        responder = call.responder
        pass = call.pass
        depth = call.depth
        action = call.action
    }
}

/// The question of a call: the same question is expected to get the same answer as before.
private struct CallQuestion: Hashable, Sendable {
    var kind: CallKind
    var responder: ResponderRef
    var action: StringRef?

    init(_ symbol: CallSymbol) {
        kind = symbol.kind
        responder = symbol.responder
        action = symbol.action
    }

    init(_ kind: CallKind, _ responder: ResponderRef) {
        self.kind = kind
        self.responder = responder
    }
}
