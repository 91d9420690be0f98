package import KeyModel

/// How a live recording stands.
package struct LiveProgress: Hashable, Sendable {
    /// Since the recording began.
    package var elapsed = TraceDuration.zero
    /// Downs of keys that are no modifiers.
    package var presses: UInt64 = 0
    /// Downs of any key.
    package var downs: UInt64 = 0
    /// What each input has brought: packets or events, keys or not.
    package var inputs: [Input] = []
    /// What inputs have lost, where they count it.
    package var dropped: UInt64 = 0
    /// Losses that nobody counted.
    package var uncountedLosses: UInt64 = 0

    package struct Input: Hashable, Sendable {
        package var name: String
        package var packets: UInt64
    }
}

/// Why a live recording ended.
package enum LiveEnd: Hashable, Sendable {
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
package struct LiveSummary: Hashable, Sendable {
    package var end: LiveEnd
    package var progress = LiveProgress()
    /// Downs and ups as the inputs reported them.
    package var keyEvents: UInt64 = 0
    package var devices = 0
    package var bytes: UInt64 = 0
    /// The files, in the order of the recording.
    package var paths: [String] = []
    /// What else a reader of the recording should know, a sentence each.
    package var notes: [String] = []
}

/// Who asks a recording to end.
package enum LiveStop: Hashable, Sendable {
    /// SIGINT, which ⌃C sends: a ⌃C that was recorded just before is left out.
    case interrupt
    /// Any other signal.
    case terminate
}
