package import KeyModel

/// The progress of a live recording.
package struct LiveProgress: Hashable, Sendable {
    /// Since the recording began.
    package var elapsed = TraceDuration.zero
    /// Downs of keys that are no modifiers.
    package var presses: UInt64 = 0
    /// Downs of any key.
    package var downs: UInt64 = 0
    /// The packets or events that each input has brought, keys or not.
    package var inputs: [Input] = []
    /// The losses of inputs that count them.
    package var dropped: UInt64 = 0
    package var uncountedLosses: UInt64 = 0

    package struct Input: Hashable, Sendable {
        package var name: String
        package var packets: UInt64
    }
}

/// The reason why a live recording ended.
package enum LiveEnd: Hashable, Sendable {
    /// The time that it was given is up.
    case timeIsUp
    /// The end was requested: by a signal, or by ⌃C in a terminal that is recorded.
    case stopped
    /// All inputs have gone away; the reason of the last one.
    case inputsGone(String)
    /// The file cannot be written any more, in words. What was written before is whole.
    case outputFailed(String)
}

/// The contents of a live recording.
package struct LiveSummary: Hashable, Sendable {
    package var end: LiveEnd
    package var progress = LiveProgress()
    /// Downs and ups as the inputs reported them.
    package var keyEvents: UInt64 = 0
    package var devices = 0
    package var bytes: UInt64 = 0
    /// The files, in the order of the recording.
    package var paths: [String] = []
    /// Further notes for a reader of the recording, a sentence each.
    package var notes: [String] = []
}

/// The source of the request to end a recording.
package enum LiveStop: Hashable, Sendable {
    /// SIGINT, which ⌃C sends: a ⌃C that was recorded just before is left out.
    case interrupt
    /// Any other signal.
    case terminate
}
