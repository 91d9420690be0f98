public import KeyModel

// Records of level `keys`: events and context.

/// A key going down, up, repeating or being cancelled.
public struct KeyRecord: Hashable, Sendable {
    public var device: UInt16
    public var key: KeyIdentity
    public var phase: KeyPhase
    /// Modifiers held after this event.
    public var modifiers: KeyModifiers
    /// The 1-based ordinal of this press's down among the downs of non-modifier keys; `nil` for modifier keys and
    /// for releases whose down is not in the recording.
    public var press: UInt32?
    /// A release that no source sent.
    public var isSynthetic: Bool

    @inlinable public init(
        device: UInt16, key: KeyIdentity, phase: KeyPhase, modifiers: KeyModifiers, press: UInt32?,
        isSynthetic: Bool = false
    ) {
        self.device = device
        self.key = key
        self.phase = phase
        self.modifiers = modifiers
        self.press = press
        self.isSynthetic = isSynthetic
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.optionalNumber("press", &press, 0...UInt32.max)
        try w.choice("phase", &phase)
        try w.identity("key", &key)
        try w.modifiers("modifiers", &modifiers)
        try w.flag("synthetic", &isSynthetic)
    }
}

/// Text that came without a key: paste, dictation, an emoji picker.
public struct TextRecord: Hashable, Sendable {
    /// `nil` when masked.
    public var text: StringRef?
    public init(text: StringRef?) { self.text = text }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.string("text", &text) }
}

/// A keyboard repeated the report it had already sent, so often since the last such record of this device, or since
/// the beginning.
public struct IdleRecord: Hashable, Sendable {
    public var device: UInt16
    /// ≥ 1.
    public var reports: UInt64
    public init(device: UInt16, reports: UInt64) {
        self.device = device
        self.reports = reports
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.number("reports", &reports, 1...UInt64.max)
    }
}

/// A keyboard stream and its source. Fields that a source cannot know are `nil`.
public struct DeviceRecord: Hashable, Sendable {
    /// 1-based.
    public var device: UInt16
    public var name: String
    /// `usbmon`, `usbpcap`, `script`, …
    public var source: String
    public var bus: UInt32?
    public var address: UInt32?
    /// USB endpoint address with its direction bit, such as 0x81.
    public var endpoint: UInt32?
    /// Bluetooth adapter, transport (`classic`, `le`), connection handle and attribute.
    public var adapter: UInt32?
    public var transport: String?
    public var handle: UInt32?
    public var attribute: UInt32?
    public var vendor: UInt32?
    public var product: UInt32?

    public init(device: UInt16, name: String, source: String) {
        self.device = device
        self.name = name
        self.source = source
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.number("device", &device, 0...UInt16.max)
        try w.text("name", &name)
        try w.text("source", &source)
        try w.optionalNumber("bus", &bus, 0...UInt32.max)
        try w.optionalNumber("address", &address, 0...UInt32.max)
        try w.optionalNumber("endpoint", &endpoint, 0...UInt32.max)
        try w.optionalNumber("adapter", &adapter, 0...UInt32.max)
        try w.optionalText("transport", &transport)
        try w.optionalNumber("handle", &handle, 0...UInt32.max)
        try w.optionalNumber("attribute", &attribute, 0...UInt32.max)
        try w.optionalNumber("vid", &vendor, 0...UInt32.max)
        try w.optionalNumber("pid", &product, 0...UInt32.max)
    }
}

/// A clock whose timestamps a source gave its events.
public struct ClockRecord: Hashable, Sendable {
    /// The source, as in `DeviceRecord`.
    public var source: String
    /// Nanoseconds since 1970 (UTC) at time 0, where the clock is wall-clock time.
    public var unixTime: Int64?
    /// Smallest difference between two timestamps, in nanoseconds.
    public var granularity: UInt64?
    /// Number of timestamps that were earlier than the one before.
    public var backwardSteps: UInt64
    public init(source: String, unixTime: Int64?, granularity: UInt64?, backwardSteps: UInt64) {
        self.source = source
        self.unixTime = unixTime
        self.granularity = granularity
        self.backwardSteps = backwardSteps
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("source", &source)
        try w.optionalSigned("unix_time_ns", &unixTime)
        try w.optionalNumber("granularity_ns", &granularity, 0...UInt64.max - 1)
        try w.number("backward_steps", &backwardSteps, 0...UInt64.max)
    }
}

/// A fact about the recording: `profile`, `parameter.repeatDelay`, `scene`, `cache`, `direction`, …
public struct EnvironmentRecord: Hashable, Sendable {
    public var name: String
    public var value: String
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The name of a fact about a parameter of the profile, which replays record and apps do not have.
    public static func nameOfFact(aboutParameter name: String) -> String { profileParameterPrefix + name }

    /// The parameter of the profile that a fact of this name is about; `nil` for all others.
    public static func profileParameter(_ name: String) -> String? {
        isProfileParameter(name) ? String(name.dropFirst(profileParameterPrefix.count)) : nil
    }

    /// True for a fact about a parameter of the profile.
    public static func isProfileParameter(_ name: String) -> Bool { name.hasPrefix(profileParameterPrefix) }

    private static let profileParameterPrefix = "parameter."

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("name", &name)
        try w.text("value", &value)
    }
}

/// The layout from here on.
public struct LayoutRecord: Hashable, Sendable {
    public var name: String
    /// `Layout.hash`.
    public var hash: UInt64
    /// `Layout.text`; `nil` when only the name is known.
    public var table: StringRef?
    public init(name: String, hash: UInt64, table: StringRef?) {
        self.name = name
        self.hash = hash
        self.table = table
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.text("name", &name)
        try w.hash("hash", &hash)
        try w.string("table", &table)
    }
}

/// The level of the records that follow.
public struct LevelRecord: Hashable, Sendable {
    public var level: TraceLevel
    public init(level: TraceLevel) { self.level = level }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.choice("level", &level) }
}

/// A context step of a key script, such as `focus field`, in the words of the script. Text that it would type or
/// mark is left out when masked.
public struct StepRecord: Hashable, Sendable {
    public var step: StringRef
    public init(step: StringRef) { self.step = step }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.string("step", &step) }
}

/// The cause of a change of the first responder or the key window.
public enum FocusCause: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case start, become, resign, present, dismiss, windowChange, removal, focusSystem, click, unknown

    public static let names = [
        "start", "become", "resign", "present", "dismiss", "windowChange", "removal", "focusSystem", "click", "unknown",
    ]
}

public struct FirstResponderRecord: Hashable, Sendable {
    /// `nil`: there is none.
    public var responder: ResponderRef?
    public var cause: FocusCause
    public init(responder: ResponderRef?, cause: FocusCause) {
        self.responder = responder
        self.cause = cause
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.choice("cause", &cause)
    }
}

public struct KeyWindowRecord: Hashable, Sendable {
    public var window: ResponderRef?
    public var cause: FocusCause
    public init(window: ResponderRef?, cause: FocusCause) {
        self.window = window
        self.cause = cause
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("window", &window)
        try w.choice("cause", &cause)
    }
}

/// A link of the chain as it is from here on.
public struct LinkRecord: Hashable, Sendable {
    public var responder: ResponderRef
    public var next: ResponderRef?
    /// The window it is in.
    public var window: ResponderRef?
    public init(responder: ResponderRef, next: ResponderRef?, window: ResponderRef?) {
        self.responder = responder
        self.next = next
        self.window = window
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.responder("next", &next)
        try w.responder("window", &window)
    }
}

public struct PresentationRecord: Hashable, Sendable {
    public var presenter: ResponderRef
    /// `nil`: nothing is presented any more.
    public var presented: ResponderRef?
    public init(presenter: ResponderRef, presented: ResponderRef?) {
        self.presenter = presenter
        self.presented = presented
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("presenter", &presenter)
        try w.responder("presented", &presented)
    }
}

/// The text input that has the keyboard, if any, and whether it is secure.
public struct TextInputRecord: Hashable, Sendable {
    public var responder: ResponderRef?
    public var isSecure: Bool
    public init(responder: ResponderRef?, isSecure: Bool) {
        self.responder = responder
        self.isSecure = isSecure
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.responder("responder", &responder)
        try w.flag("secure", &isSecure)
    }
}

/// Marked text began or ended; never its content.
public struct MarkedTextRecord: Hashable, Sendable {
    public var isMarked: Bool
    public init(isMarked: Bool) { self.isMarked = isMarked }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.flag("marked", &isMarked) }
}

/// A hardware keyboard was attached or detached.
public struct HardwareRecord: Hashable, Sendable {
    public var device: UInt16?
    public var isAttached: Bool
    public init(device: UInt16?, isAttached: Bool) {
        self.device = device
        self.isAttached = isAttached
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.optionalNumber("device", &device, 0...UInt16.max)
        try w.flag("attached", &isAttached)
    }
}

/// The scope that was invalidated.
public enum InvalidationScope: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    case responder, menuRebuild, menuRevalidate

    public static let names = ["responder", "menuRebuild", "menuRevalidate"]
}

public struct InvalidationRecord: Hashable, Sendable {
    public var scope: InvalidationScope
    public var responder: ResponderRef?
    public init(scope: InvalidationScope, responder: ResponderRef?) {
        self.scope = scope
        self.responder = responder
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("scope", &scope)
        try w.responder("responder", &responder)
    }
}

/// A named moment.
public struct MarkRecord: Hashable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.text("name", &name) }
}

/// The cause of a loss.
public enum LossCause: UInt8, NamedCase, NamedCode, Hashable, Sendable {
    /// A buffer was full.
    case dropped
    /// A secure text entry: nothing of it is recorded, not even a count.
    case secureEntry
    /// The end of the file or of a source is missing.
    case truncated
    /// Bytes that are not what they should be.
    case damaged
    /// A clock stepped backwards.
    case clockStep
    /// Recording was paused.
    case paused

    public static let names = ["dropped", "secureEntry", "truncated", "damaged", "clockStep", "paused"]
}

public struct LossRecord: Hashable, Sendable {
    public var cause: LossCause
    /// Number of missing records or events; `nil` where unknown.
    public var count: UInt64?
    /// Duration of the interval without records, from this record's time on.
    public var duration: TraceDuration?
    /// The place in the source, in words: `"byte 4096 of keyboard.pcap"`.
    public var detail: String
    public init(cause: LossCause, count: UInt64?, duration: TraceDuration?, detail: String) {
        self.cause = cause
        self.count = count
        self.duration = duration
        self.detail = detail
    }

    /// Records that were made and are gone, at least; 0 where nothing was to be recorded.
    public var lostRecords: UInt64 {
        [.dropped, .truncated, .damaged].contains(cause) ? max(1, count ?? 1) : 0
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        try w.choice("cause", &cause)
        try w.optionalNumber("count", &count, 0...UInt64.max - 1)
        try w.optionalDuration("duration_ns", &duration)
        try w.text("detail", &detail)
    }
}
