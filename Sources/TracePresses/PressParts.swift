/// The parts of presses that are assembled; records of others are passed over. The stages' sums are always kept.
public struct PressParts: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The key events; without them, presses are known by their decisions alone.
    public static let keys = PressParts(rawValue: 1 << 0)
    /// Text that came without a key.
    public static let texts = PressParts(rawValue: 1 << 1)
    public static let context = PressParts(rawValue: 1 << 2)
    public static let receivers = PressParts(rawValue: 1 << 3)
    /// Only whether one of the receivers did not pass the press on.
    public static let swallowing = PressParts(rawValue: 1 << 4)
    public static let candidates = PressParts(rawValue: 1 << 5)
    /// Calls one by one; without them, they are counted.
    public static let calls = PressParts(rawValue: 1 << 6)
    public static let effects = PressParts(rawValue: 1 << 7)
    public static let cache = PressParts(rawValue: 1 << 8)
    /// Without them, only whether there is one.
    public static let resolutions = PressParts(rawValue: 1 << 9)
    /// End times of calls and stages.
    public static let times = PressParts(rawValue: 1 << 10)

    /// All that a decision about a key is made of.
    public static let decision: PressParts = [
        .keys, .context, .receivers, .candidates, .calls, .effects, .cache, .resolutions,
    ]
}
