package import KeyModel
package import TraceFormat

/// Distribution of the time of one press, or of one repeat of it: intervals in which it was in a stage, and the calls
/// that were made meanwhile. A stage that was not recorded has no interval.
package struct PressTimeline: Hashable, Sendable {
    package var at: PressTick
    package var chord: PressChord
    package var ending: Ending
    /// The first one; `nil` for a press that was never resolved.
    package var resolution: ResolutionRecord?
    /// More than one where an action ran more than once.
    package var resolutions: Int
    /// From the begin of its first interval to the end of its last one, its arrival among them.
    package var begin: TraceTime
    package var end: TraceTime
    /// In the order of their begins.
    package var stages: [StageInterval]
    /// Calls that were made in none of its stages, or whose stage is not recorded.
    package var looseCalls: [NestedCall]
    /// Messages that hooks recorded at the down or the repeat, in any stage.
    package var messages: [NestedCall]
    /// The sum of the stages; `nil` when there is none.
    package var total: TraceDuration?
    /// The responders it was offered to, the first one first.
    package var chain: [ResponderRef]
    /// Questions for `keyCommands`.
    package var keyCommands: Int

    /// End of a press.
    package enum Ending: Hashable, Sendable {
        case resolved(Outcome)
        /// The system took it back before anything was decided.
        case cancelled
        /// A repeat that was never served: a later one of the same press was.
        case coalesced
        /// The recording ends, or has a gap, before anything was decided.
        case unresolved

        package var name: String {
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
package struct StageInterval: Hashable, Sendable {
    package var stage: LatencyStage
    package var begin: TraceTime
    /// `begin` + `duration`; saturating at the end of time.
    package var end: TraceTime
    /// The duration as recorded.
    package var duration: TraceDuration
    /// The duration was kept to 1 %.
    package var isRounded: Bool
    /// Made meanwhile, in order; none overlaps another.
    package var calls: [NestedCall] = []
}

/// A question to a responder: by the engine, by an app that reports it, or as a hook recorded it.
package enum TimelineCall: Hashable, Sendable {
    case call(CallRecord)
    case message(InvocationRecord)

    package var responder: ResponderRef {
        switch self {
        case .call(let call): call.responder
        case .message(let message): message.responder
        }
    }

    package var kindName: String {
        switch self {
        case .call(let call): call.kind.name
        case .message(let message): message.kind.name
        }
    }

    /// `nil` where it was neither measured nor declared.
    package var duration: TraceDuration? {
        switch self {
        case .call(let call): call.duration
        case .message(let message): message.duration
        }
    }

    /// The record that `NestedTimes` and call trees need.
    var record: CallRecord {
        switch self {
        case .call(let call): call
        case .message(let message): CallRecord(message)
        }
    }
}

/// A call with the calls made inside it.
package struct NestedCall: Hashable, Sendable {
    package var call: TimelineCall
    /// Begin of the interval: inside the call or stage that it was made in, after what came before it there. Its
    /// duration, where it was rounded or clocks disagree, may be a little longer than that.
    package var begin: TraceTime
    package var end: TraceTime
    /// Time without the calls made inside; `nil` where the duration was neither measured nor declared.
    package var selfTime: TraceDuration?
    package var inner: [NestedCall]
}

/// An event of a recording, as an interval or a moment.
package enum TimelineEvent: Hashable, Sendable {
    /// Ticks come when they are complete, nearly in the order of their ends.
    case press(PressTimeline)
    /// A key event of which nothing was decided.
    case undecided(at: PressTick, chord: PressChord, begin: TraceTime, end: TraceTime, ending: PressTimeline.Ending)
    /// Number of presses and repeats that have arrived and are not done. In order.
    case waiting(Int, TraceTime)
    /// Interval in which it was first responder, or key window; `nil` for none.
    case firstResponder(ResponderRef?, begin: TraceTime, end: TraceTime)
    case keyWindow(ResponderRef?, begin: TraceTime, end: TraceTime)
    case mark(String, TraceTime)
    case loss(LossRecord, TraceTime)
    /// Nanoseconds since 1970 at time 0.
    case clock(unixTime: Int64)
}
