/// Options of a recording.
public struct RecorderOptions: Sendable {
    /// Destination of a recording.
    public enum Destination: Sendable {
        /// A file that must not exist yet; all of the recording, appended as it happens.
        case file(String)
        /// Memory: the last part of the recording, for `Flight.snapshot`.
        case memoryRing(RingBounds)
        /// The last part of the recording in a file, which survives the death of the process. The older part is in
        /// a second file with `.previous` appended to its name; each is at most half of the bounds. Neither may exist.
        case fileRing(String, RingBounds)
    }

    public var destination: Destination
    /// Recording level; `Flight.level` changes it while recording.
    public var level: TraceLevel
    /// Text keys in clear. A decision to make with the person who types.
    public var showsKeys = false
    /// Precision of the durations of calls: `percent` takes a third of the bytes. Times are exact either way.
    public var durations = TraceWriter.DurationPrecision.exact
    /// Messages that hooks see are recorded too (`Keyflight.invocation`), and the main window. The trace then has
    /// version 2 of the format.
    public var recordsInvocations = false
    /// Roles of the modifier keys, where a toolkit has other ones. The trace contains them in its facts.
    public var modifierRoles = ModifierRoles.physical
    /// Caps Lock and Num Lock begin no presses, as in GNUstep, which reports them by `flagsChanged:`.
    package var locksAreModifiers = false
    /// The recording stops by itself after this time; `nil`: never. `Flight.snapshot` still gives what a ring kept.
    public var autoStop: TraceDuration? = TraceDuration(nanoseconds: 600_000_000_000)
    /// The latest moment at which what was recorded reaches the destination.
    public var flushInterval = TraceDuration(nanoseconds: 25_000_000)
    /// Called with every change of state, on the thread that causes it: for an indicator such as "recording keys
    /// (masked)". An end that was not requested is reported on a thread of the recorder, when it is over: the flight
    /// may be stopped there, or another one begun.
    public var indicator: (@Sendable (RecorderState) -> Void)?

    public init(_ destination: Destination, level: TraceLevel = .calls) {
        self.destination = destination
        self.level = level
    }
}

/// Bounds of a ring: it keeps no more than the first one that is reached.
public struct RingBounds: Sendable {
    public var bytes: Int
    public var duration: TraceDuration

    /// 4 MiB and 5 minutes by default.
    public init(bytes: Int = 4 << 20, duration: TraceDuration = TraceDuration(nanoseconds: 300_000_000_000)) {
        self.bytes = max(bytes, 1 << 16)
        self.duration = duration
    }

    var recording: RecordingBounds { RecordingBounds(bytes: bytes, length: duration) }

    public static func minutes(_ count: Int) -> RingBounds {
        let (nanoseconds, overflow) = max(0, count).multipliedReportingOverflow(by: 60_000_000_000)
        return RingBounds(
            bytes: 64 << 20, duration: TraceDuration(nanoseconds: overflow ? .max : Int64(clamping: nanoseconds)))
    }
    public static func bytes(_ count: Int) -> RingBounds {
        RingBounds(bytes: count, duration: TraceDuration(nanoseconds: .max))
    }
}

/// State of the recorder, for the person in front of it.
public enum RecorderState: Hashable, Sendable {
    case recording(isMasked: Bool)
    case paused
    /// Nothing is recorded because of a secure text entry.
    case secureEntry
    case stopped
    /// The recording ended because its destination failed, in words.
    case failed(String)
}

/// Reason for which there is no recording.
public enum RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This is a release build without the trait `Recording`.
    case compiledOut
    /// This app came from the App Store.
    case storeBuild
    /// One recording at a time.
    case alreadyRecording
    /// The recording has been stopped.
    case stopped
    /// This process was forked from the one that records, which goes on; a recording of its own may be begun here.
    case forked
    /// The destination cannot be written.
    case destination(TraceError)
    /// The processor's counter went back, as after a sleep of the whole machine; a new recording does without it.
    case clockWentBack
    /// The operating system gave no thread, in words.
    case noThread(String)

    public var description: String {
        switch self {
        case .compiledOut:
            "recorder: expected a debug build, or a release build with the package trait Recording, found neither"
        case .storeBuild:
            "recorder: expected an app that is not from the App Store, found its receipt; internal builds record"
        case .alreadyRecording: "recorder: expected no other recording in this process, found one"
        case .clockWentBack:
            "recorder: expected a counter of the processor that only grows, found it set back; start a new recording"
        case .stopped: "recorder: expected a recording that runs, found one that has been stopped"
        case .forked:
            "recorder: expected the process that began the recording, found one forked from it; begin another here"
        case .destination(let error): "recorder: \(error)"
        case .noThread(let reason): "recorder: expected a thread to write the trace, found none: \(reason)"
        }
    }
}

/// Costs and losses of a recording so far.
public struct RecorderStatistics: Hashable, Sendable {
    public var entries: UInt64 = 0
    /// Entries that found no room, or names that did.
    public var dropped: UInt64 = 0
    /// Cost of a recorded key event on this machine when the recording began, in tenths of a nanosecond, and the part
    /// of it that is one clock read.
    public var keyTenthsNanoseconds: UInt64 = 0
    public var clockTenthsNanoseconds: UInt64 = 0
    /// CPU time of the background thread.
    public var flusherNanoseconds: UInt64 = 0

    public init() {}
}
