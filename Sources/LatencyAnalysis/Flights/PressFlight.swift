public import KeyModel
public import TraceFormat

/// Where the time of one press, or of one repeat of it, went: intervals in which it was in a stage, and the calls
/// that were made meanwhile. What was not recorded has no interval.
public struct PressFlight: Hashable, Sendable {
    public var at: PressTick
    public var chord: PressChord
    public var ending: Ending
    /// The first one; `nil` for a press that was never resolved.
    public var resolution: ResolutionRecord?
    /// More than one where an action ran more than once.
    public var resolutions: Int
    /// When the key was told; of the first record where it is not in the recording.
    public var arrival: TraceTime
    /// From the begin of its first interval to the end of its last one, its arrival among them.
    public var begin: TraceTime
    public var end: TraceTime
    /// In the order of their begins.
    public var stages: [StageInterval]
    /// Calls that were made in none of its stages, or whose stage is not recorded.
    public var looseCalls: [NestedCall]
    /// Messages that hooks saw at the down or the repeat, whatever stage that was in.
    public var messages: [NestedCall]
    /// The sum of the stages; `nil` when there is none.
    public var total: TraceDuration?
    /// The responders it was offered to, the first one first.
    public var chain: [ResponderRef]
    /// Questions for `keyCommands`.
    public var keyCommands: Int

    /// How a press ended.
    public enum Ending: Hashable, Sendable {
        case resolved(Outcome)
        /// The system took it back before anything was decided.
        case cancelled
        /// A repeat that was never served: a later one of the same press was.
        case coalesced
        /// The recording ends, or has a gap, before anything was decided.
        case unresolved

        public var name: String {
            switch self {
            case .resolved(let outcome): outcome.name
            case .cancelled: "cancelled"
            case .coalesced: "coalesced"
            case .unresolved: "unresolved"
            }
        }
    }
}

/// One interval that a press spent in a stage.
public struct StageInterval: Hashable, Sendable {
    public var stage: LatencyStage
    public var begin: TraceTime
    /// `begin` + `duration`; saturating at the end of time.
    public var end: TraceTime
    /// As it was recorded.
    public var duration: TraceDuration
    /// The duration was kept to 1 %.
    public var isRounded: Bool
    /// Made meanwhile, in order; none overlaps another.
    public var calls: [NestedCall] = []
}

/// What a responder was asked: by the engine or an app that tells it, or as a hook saw it.
public enum FlightCall: Hashable, Sendable {
    case call(CallRecord)
    case message(InvocationRecord)

    public var responder: ResponderRef {
        switch self {
        case .call(let call): call.responder
        case .message(let message): message.responder
        }
    }

    public var kindName: String {
        switch self {
        case .call(let call): call.kind.name
        case .message(let message): message.kind.name
        }
    }

    /// `nil` where nobody measured or declared it.
    public var duration: TraceDuration? {
        switch self {
        case .call(let call): call.duration
        case .message(let message): message.duration
        }
    }

    /// As `NestedTimes` and trees of calls need it.
    var record: CallRecord {
        switch self {
        case .call(let call): call
        case .message(let message): CallRecord(message)
        }
    }
}

/// A call with the calls made inside it.
public struct NestedCall: Hashable, Sendable {
    public var call: FlightCall
    /// Where it lies: inside the call or stage that it was made in, after what came before it there. Its duration,
    /// where it was rounded or clocks disagree, may be a little longer than that.
    public var begin: TraceTime
    public var end: TraceTime
    /// Without the calls made inside; `nil` where nobody measured or declared the duration.
    public var selfTime: TraceDuration?
    public var inner: [NestedCall]
}

/// What happens in a recording, in the form of intervals and moments.
public enum FlightEvent: Hashable, Sendable {
    /// Ticks come when they are complete, nearly in the order of their ends.
    case press(PressFlight)
    /// A key event of which nothing was decided.
    case undecided(at: PressTick, chord: PressChord, begin: TraceTime, end: TraceTime, ending: PressFlight.Ending)
    /// So many presses and repeats have arrived and are not done. In order.
    case waiting(Int, TraceTime)
    /// It was first responder, or key window; `nil` for none.
    case firstResponder(ResponderRef?, begin: TraceTime, end: TraceTime)
    case keyWindow(ResponderRef?, begin: TraceTime, end: TraceTime)
    case mark(String, TraceTime)
    case loss(LossRecord, TraceTime)
    /// Nanoseconds since 1970 at time 0.
    case clock(unixTime: Int64)
}
