public import KeyModel
public import ResponderEngine
public import TraceFormat
public import TracePresses

/// Is shown what a replay does, in order. All parts have a default that does nothing.
public protocol ReplayVisitor {
    /// True if presses that the system cancels (deactivation, a responder leaving its window) are to be shown as
    /// released. Tracking them costs time in every press. True by default.
    var watchesCancellations: Bool { get }
    /// Delay of the next delivery, by the clock that paces the replay; negative is early.
    mutating func paced(error: TraceDuration)
    /// The repeat that comes next is the last one of its press that is replayed: the key is held for longer.
    mutating func repeatsEnd(at tick: PressTick)
    /// A press, a repeat or text without a key (press 0) was resolved. `stages` is empty where nothing is declared.
    mutating func resolved(_ resolution: Resolution, at tick: PressTick, stages: StageSplit)
    /// A press ended or was cancelled. `release` is `nil` when the engine did not hold the key.
    mutating func released(_ release: Release?, of event: KeyEvent, press: UInt32)
    /// The input has ended.
    mutating func finished(at time: TraceTime)
}

extension ReplayVisitor {
    public var watchesCancellations: Bool { true }
    public mutating func paced(error: TraceDuration) {}
    public mutating func repeatsEnd(at tick: PressTick) {}
    public mutating func resolved(_ resolution: Resolution, at tick: PressTick, stages: StageSplit) {}
    public mutating func released(_ release: Release?, of event: KeyEvent, press: UInt32) {}
    public mutating func finished(at time: TraceTime) {}
}
