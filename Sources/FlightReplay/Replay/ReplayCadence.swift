public import KeyModel

/// Times at which the events of a replay reach the engine.
public enum ReplayCadence: Sendable {
    /// At their recorded times, on a virtual clock, without waiting.
    case virtual
    /// The same, and each event waits on a clock of the outside world until its recorded time has come. The outcomes of
    /// presses are the same as with `virtual`; the delay of each event is reported beside them.
    case recorded(pacer: @Sendable () -> any ReplayPacer)
    /// Each event as soon as the one before it is served, on the virtual clock: times are sums of service times. Keys
    /// repeat as often as they would have at the recorded times.
    case saturated
}

/// A clock of the outside world. It starts when it is made.
public protocol ReplayPacer: AnyObject {
    /// Waits until so much time has passed since the start, and returns the delay: negative is early.
    func wait(until offset: TraceDuration) -> TraceDuration
}
