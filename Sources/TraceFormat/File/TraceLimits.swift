import KeyModel

/// The bounds of a trace, as `Traces/FORMAT.md` states them. Writers refuse what is beyond, readers report it.
public enum TraceLimits {
    /// The version of traces without records of later versions, and the oldest one that is read.
    public static let version: UInt16 = 1
    /// The version that has `invocation`, `main_window`, `samples` and `cost`, and the latest one that is read.
    public static let invocationVersion: UInt16 = 2
    static let versions: ClosedRange<UInt16> = version...invocationVersion
    package static let versionNames = "\(version) or \(invocationVersion)"
    /// Bytes of one text or value.
    public static let stringBytes = 1 << 22
    /// Bytes of one layout table.
    public static let tableBytes = 1 << 18
    /// Bytes of the stacks of one press.
    public static let stacksBytes = 1 << 17
    /// Bytes of one name, step or reason: a record refers to it in two bytes, and what reads the record handles all.
    public static let nameBytes = 1 << 12
    /// Responders of a chain that are followed: a press climbs all of them, and costs three bytes.
    public static let chainResponders = 1 << 10
    /// Bytes of one record's fields.
    public static let recordBytes = 1 << 23
    /// Bytes of a block's payload.
    public static let blockBytes = 1 << 24
    /// Bytes of records after which a block is closed (canonical: or four times its context, if more).
    public static let blockTarget = 1 << 16
    /// Nanoseconds that the records of a live block span at most.
    public static let liveBlockSpan: Int64 = 100_000_000
    /// Bytes of a context snapshot; the last lists that would exceed them are left out.
    public static let contextBytes = 1 << 20
    /// Keys held down at once that a trace follows; the oldest is forgotten first.
    public static let heldKeys = KeyboardState.usualLimit
    /// Keyboards with modifier keys held at once that a trace follows.
    public static let modifierKeyboards = ModifierState.keyboardLimit
    /// Different calls, different decisions and different questions that a block expects to come again.
    public static let blockSymbols = 1 << 12
    /// Commands of one list.
    public static let listCommands = 1 << 16
    /// Damaged places that a report names one by one.
    public static let damages = 1 << 10
    /// Bytes of one line of the text format.
    public static let lineBytes = 1 << 24

    /// - Throws: `invalidText` for a name with more marks on one character than any has.
    static func check(_ text: String, of field: StaticString) throws(TraceError) {
        try check(text.utf8.count, of: field)
        guard text.hasEndlessMarks, bytes(of: field) == nameBytes else { return }
        throw TraceError(
            .invalidText, field: "\(field)", expected: "at most \(String.mostMarks) combining marks in a row",
            found: "more")
    }

    /// - Throws: `limitExceeded` for more bytes than the text of a field may have.
    static func check(_ count: Int, of field: StaticString) throws(TraceError) {
        guard count > nameBytes else { return }
        let limit = bytes(of: field)
        guard count > limit else { return }
        throw TraceError(.limitExceeded, field: "\(field)", expected: "at most \(limit) bytes", found: "\(count)")
    }

    private static func bytes(of field: StaticString) -> Int {
        switch "\(field)" {
        case "text", "value": stringBytes
        case "table": tableBytes
        case "stacks": stacksBytes
        case "json": .max
        default: nameBytes
        }
    }

    /// Record kinds of the private range, which this format never gives a meaning.
    public static let privateKinds: ClosedRange<UInt8> = 112...127
}
