public import KeyModel

/// One input of a key script at its virtual time.
public struct TimedInput: Hashable, Sendable {
    public enum Input: Hashable, Sendable {
        /// A key of keyboard 1, in clear, going down or up. Repeats are no inputs: they follow from the
        /// parameters `repeatDelay` and `repeatInterval` while the key is down.
        case key(KeyEvent)
        /// Text that no key typed: paste, dictation, an emoji picker.
        case text(String)
        case step(ContextStep)
    }

    public var time: TraceTime
    public var input: Input
    /// The script's line, 1-based, for messages.
    public var line: Int
}

/// The order of inputs with the same time: repeats, releases, context steps and text, downs.
public enum InputOrder: UInt8, Comparable, Hashable, Sendable {
    case `repeat`, release, context, down

    public static func < (a: InputOrder, b: InputOrder) -> Bool { a.rawValue < b.rawValue }
}

/// A key script on the virtual clock.
public struct KeyTimeline: Hashable, Sendable {
    /// The inputs in the order in which they happen.
    public var inputs: [TimedInput]
    /// The end of the last step, a final `wait` included: keys that are still down repeat up to here.
    public var end: TraceTime
}
