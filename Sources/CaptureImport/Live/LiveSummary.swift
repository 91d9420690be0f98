public import KeyModel

/// How a live recording stands.
public struct LiveProgress: Hashable, Sendable {
    /// Since the recording began.
    public var elapsed = TraceDuration.zero
    /// Downs of keys that are no modifiers.
    public var presses: UInt64 = 0
    /// Downs of any key.
    public var downs: UInt64 = 0
    /// What each input has brought: packets or events, keys or not.
    public var inputs: [Input] = []
    /// What inputs have lost, where they count it.
    public var dropped: UInt64 = 0
    /// Losses that nobody counted.
    public var uncountedLosses: UInt64 = 0

    public struct Input: Hashable, Sendable {
        public var name: String
        public var packets: UInt64
    }
}

/// Why a live recording ended.
public enum LiveEnd: Hashable, Sendable {
    /// The time that it was given is up.
    case timeIsUp
    /// Somebody asked for it: by a signal, or by ⌃C in a terminal that is recorded.
    case stopped
    /// All inputs have gone away; the reason of the last one.
    case inputsGone(String)
    /// The file cannot be written any more, in words. What was written before is whole.
    case outputFailed(String)
}

/// What went into a live recording.
public struct LiveSummary: Hashable, Sendable {
    public var end: LiveEnd
    public var progress = LiveProgress()
    /// Downs and ups as the inputs told them.
    public var keyEvents: UInt64 = 0
    public var devices = 0
    public var bytes: UInt64 = 0
    /// The files, in the order of the recording.
    public var paths: [String] = []
    /// What else a reader of the recording should know, a sentence each.
    public var notes: [String] = []
}

/// Who asks a recording to end.
public enum LiveStop: Hashable, Sendable {
    /// SIGINT, which ⌃C sends: a ⌃C that was recorded just before is left out.
    case interrupt
    /// Any other signal.
    case terminate
}
