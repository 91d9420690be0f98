public import KeyModel

/// The press, and the delivery of it, that a decision belongs to.
public struct PressTick: Hashable, Comparable, Sendable {
    /// The press's ordinal; 0 for text that came without a key.
    public var press: UInt32
    /// 0 for the down, n for its n-th repeat.
    public var tick: UInt32

    @inlinable public init(press: UInt32, tick: UInt32) {
        self.press = press
        self.tick = tick
    }

    public static func < (a: PressTick, b: PressTick) -> Bool { (a.press, a.tick) < (b.press, b.tick) }
}

/// A responder got the raw press (spec EV-4).
public struct ReceiverRecord: Hashable, Sendable {
    public var at: PressTick
    public var responder: ResponderRef
    public var phase: KeyPhase
    /// It did not pass the press on.
    public var isSwallowed: Bool
    public init(at: PressTick, responder: ResponderRef, phase: KeyPhase, isSwallowed: Bool) {
        self.at = at
        self.responder = responder
        self.phase = phase
        self.isSwallowed = isSwallowed
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.choice("phase", &phase)
        try w.flag("swallowed", &isSwallowed)
    }
}

/// A gesture recogniser was offered a press (spec EV-3).
public struct GestureRecord: Hashable, Sendable {
    public var at: PressTick
    /// The responder to which it is attached.
    public var responder: ResponderRef
    /// Kind or class name.
    public var recognizer: StringRef
    public var phase: KeyPhase
    /// It kept the press from its responder.
    public var isTaken: Bool
    public init(at: PressTick, responder: ResponderRef, recognizer: StringRef, phase: KeyPhase, isTaken: Bool) {
        self.at = at
        self.responder = responder
        self.recognizer = recognizer
        self.phase = phase
        self.isTaken = isTaken
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.string("recognizer", &recognizer)
        try w.choice("phase", &phase)
        try w.flag("taken", &isTaken)
    }
}

/// The outcome of one key command that was considered for the press.
public enum CandidateVerdict: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case won
    /// Matches as well, but another one won.
    case shadowed
    case disabled
    /// No responder performs its action.
    case unperformable
    /// Text, focus or the input method took the key before commands were queried.
    case taken
    /// The input is right, the modifiers are not.
    case otherModifiers
    /// Could match, depending on which key of its class a masked key was.
    case possible

    public static let names = ["won", "shadowed", "disabled", "unperformable", "taken", "otherModifiers", "possible"]
}

/// One candidate of a press, with the reason for its verdict.
public struct CandidateRecord: Hashable, Sendable {
    public var at: PressTick
    /// `nil`: the main menu.
    public var supplier: ResponderRef?
    public var command: CommandRef
    public var verdict: CandidateVerdict
    /// In words, such as `"shadowed by tabs"` or `"canPerformAction = no at vc"`.
    public var reason: StringRef
    /// Found by a replay of the recorded lists and answers. No trace stores such a record: it is delivered with the
    /// resolution, and has no information about the context in which the press was decided.
    public var isDerived: Bool
    public init(
        at: PressTick, supplier: ResponderRef?, command: CommandRef, verdict: CandidateVerdict, reason: StringRef,
        isDerived: Bool = false
    ) {
        self.at = at
        self.supplier = supplier
        self.command = command
        self.verdict = verdict
        self.reason = reason
        self.isDerived = isDerived
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("supplier", &supplier)
        try w.command("command", &command)
        try w.choice("verdict", &verdict)
        try w.string("reason", &reason)
    }
}

extension TraceDefinitions {
    /// The reason for the verdict of a candidate, in the words of today where an older version stored it.
    package func reason(of candidate: CandidateRecord) -> String? {
        self[candidate.reason]?.replacing("nobody performs it", with: "no responder performs it")
    }
}

/// Something that changed because of a press.
public struct EffectRecord: Hashable, Sendable {
    public var at: PressTick
    /// The responder whose state changed; `nil` for the system (a beep).
    public var responder: ResponderRef?
    /// `selection`, `offset`, `text`, `firstResponder`, …
    public var kind: StringRef
    /// The new value as JSON; `nil` where there is none or it is masked.
    public var value: StringRef?
    public init(at: PressTick, responder: ResponderRef?, kind: StringRef, value: StringRef?) {
        self.at = at
        self.responder = responder
        self.kind = kind
        self.value = value
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.responder("responder", &responder)
        try w.string("effect", &kind)
        try w.string("value", &value)
    }
}

/// The result of a press, or of one repeat of it. It closes the records of its `PressTick`.
public struct ResolutionRecord: Hashable, Sendable {
    public var at: PressTick
    /// Hash of the state after it; `nil` in most apps' recordings, and while a masked key is down: the hash covers it.
    public var state: UInt64?
    public var outcome: Outcome
    public var takenBy: TakenBy?
    /// `charactersIgnoringModifiers`; `nil` when masked.
    @OptionalHandle public var character: StringRef?
    /// The start of the chain; `nil` when there was none.
    @OptionalHandle public var start: ResponderRef?
    /// The window that was key.
    @OptionalHandle public var keyWindow: ResponderRef?
    /// The command that decided; `nil` when none did.
    @OptionalHandle public var command: CommandRef?
    /// The responder that supplied it; `nil` for the main menu and when there is none.
    @OptionalHandle public var supplier: ResponderRef?
    /// The responder that performed the action, or took the text.
    @OptionalHandle public var target: ResponderRef?
    @OptionalHandle public var action: StringRef?
    /// The inserted text; `nil` when none was inserted or it is masked.
    @OptionalHandle public var text: StringRef?

    public init(at: PressTick, outcome: Outcome, takenBy: TakenBy?, state: UInt64?) {
        self.at = at
        self.outcome = outcome
        self.takenBy = takenBy
        self.state = state
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("outcome", &outcome)
        try w.optionalChoice("taken_by", &takenBy)
        try w.string("character", &character)
        try w.responder("start", &start)
        try w.responder("key_window", &keyWindow)
        try w.command("command", &command)
        try w.responder("supplier", &supplier)
        try w.responder("target", &target)
        try w.string("action", &action)
        try w.string("text", &text)
        try w.optionalHash("state", &state)
    }
}

/// Time that a press spent in one stage. The stages of a press follow each other; their sum is its total.
public struct StageRecord: Hashable, Sendable {
    public var at: PressTick
    public var stage: LatencyStage
    public var duration: TraceDuration
    /// The duration was kept to 1 %.
    public var isRounded: Bool
    public init(at: PressTick, stage: LatencyStage, duration: TraceDuration, isRounded: Bool = false) {
        self.at = at
        self.stage = stage
        self.duration = duration
        self.isRounded = isRounded
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("stage", &stage)
        try w.duration("duration_ns", &duration)
        try w.flag("rounded", &isRounded)
    }
}

/// A query of the system to a responder.
public enum CallKind: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case keyCommands, canPerformAction, validate, buildMenu

    public static let names = ["keyCommands", "canPerformAction", "validate", "buildMenu"]
}

/// The moment in the life of a press at which a call was made.
public enum CallOccasion: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case down, repeatTick, release
    /// A fresh answer read only to compare a cached one with it; not part of `calls`.
    case shadow

    public static let names = ["down", "repeatTick", "release", "shadow"]
}

/// One call of `keyCommands`, `canPerformAction`, `validate` or `buildMenu`, with its answer.
public struct CallRecord: Hashable, Sendable {
    public var at: PressTick
    public var kind: CallKind
    public var occasion: CallOccasion
    public var responder: ResponderRef
    /// 1-based pass over the chain; 0 where passes have no meaning.
    public var pass: UInt16
    /// 0 for a call the system made, n for one made inside n others. A call is recorded when it returns, so the
    /// calls inside it come before it.
    public var depth: UInt16
    /// Recorded or declared; `nil` where it was neither.
    public var duration: TraceDuration?
    /// The duration was kept to 1 %.
    public var isRounded: Bool
    /// The queried action (`canPerformAction`, `validate`).
    public var action: StringRef?
    public var answer: Answer

    public enum Answer: Hashable, Sendable {
        case none
        case no
        case yes
        case commands(CommandListRef)
    }

    public init(
        at: PressTick, kind: CallKind, occasion: CallOccasion, responder: ResponderRef, pass: UInt16, depth: UInt16,
        duration: TraceDuration?, action: StringRef?, answer: Answer, isRounded: Bool = false
    ) {
        self.at = at
        self.kind = kind
        self.occasion = occasion
        self.responder = responder
        self.pass = pass
        self.depth = depth
        self.duration = duration
        self.action = action
        self.answer = answer
        self.isRounded = isRounded
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("call", &kind)
        try w.choice("occasion", &occasion)
        try w.responder("responder", &responder)
        try w.number("pass", &pass, 0...UInt16.max)
        try w.number("depth", &depth, 0...UInt16.max)
        try w.optionalDuration("duration_ns", &duration)
        try w.flag("rounded", &isRounded)
        try w.string("action", &action)
        try walkAnswer(&w)
    }

    /// `list` is present only where the answer is a list of commands.
    mutating func walkAnswer<W: FieldWalker>(_ w: inout W) throws(TraceError) {
        var code = AnswerCode(answer)
        try w.choice("answer", &code)
        var list = CommandListRef(rawValue: 0)
        if case .commands(let known) = answer { list = known }
        if code == .commands || W.describes { try w.list("list", &list) }
        switch code {
        case .none: answer = .none
        case .no: answer = .no
        case .yes: answer = .yes
        case .commands: answer = .commands(list)
        }
    }
}

/// `CallRecord.Answer` without its list.
enum AnswerCode: UInt8, NamedCase, NamedCode {
    case none, no, yes, commands

    init(_ answer: CallRecord.Answer) {
        switch answer {
        case .none: self = .none
        case .no: self = .no
        case .yes: self = .yes
        case .commands: self = .commands
        }
    }

    static let names = ["none", "no", "yes", "commands"]
}

/// Cache statistics of one press or repeat. `lookups` = `hits` + `misses`.
public struct CacheRecord: Hashable, Sendable {
    public var at: PressTick
    public var hits: UInt32
    public var misses: UInt32
    /// Hits whose answer differed from a fresh one; only a shadow check finds them.
    public var stale: UInt32
    public var invalidations: UInt32
    public var shadowReads: UInt32
    /// Calls that policy `none` would have made beyond those made.
    public var callsSaved: UInt32
    /// Recorded or declared cost of the calls saved.
    public var timeSaved: TraceDuration

    public init(
        at: PressTick, hits: UInt32, misses: UInt32, stale: UInt32, invalidations: UInt32, shadowReads: UInt32,
        callsSaved: UInt32, timeSaved: TraceDuration
    ) {
        self.at = at
        self.hits = hits
        self.misses = misses
        self.stale = stale
        self.invalidations = invalidations
        self.shadowReads = shadowReads
        self.callsSaved = callsSaved
        self.timeSaved = timeSaved
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.pressTick(&at)
        try w.number("hits", &hits, 0...UInt32.max)
        try w.number("misses", &misses, 0...UInt32.max)
        try w.number("stale", &stale, 0...UInt32.max)
        try w.number("invalidations", &invalidations, 0...UInt32.max)
        try w.number("shadow_reads", &shadowReads, 0...UInt32.max)
        try w.number("calls_saved", &callsSaved, 0...UInt32.max)
        try w.duration("time_saved_ns", &timeSaved)
    }
}
