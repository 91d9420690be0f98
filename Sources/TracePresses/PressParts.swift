/// The parts of presses that are assembled; records of others are passed over. The stages' sums are always kept.
package struct PressParts: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The key events; without them, presses are known by their decisions alone.
    package static let keys = PressParts(rawValue: 1 << 0)
    /// Text that came without a key.
    package static let texts = PressParts(rawValue: 1 << 1)
    package static let context = PressParts(rawValue: 1 << 2)
    package static let receivers = PressParts(rawValue: 1 << 3)
    /// Only whether one of the receivers did not pass the press on.
    package static let swallowing = PressParts(rawValue: 1 << 4)
    package static let candidates = PressParts(rawValue: 1 << 5)
    /// Calls one by one; without them, they are counted.
    package static let calls = PressParts(rawValue: 1 << 6)
    package static let effects = PressParts(rawValue: 1 << 7)
    package static let cache = PressParts(rawValue: 1 << 8)
    /// Without them, only whether there is one.
    package static let resolutions = PressParts(rawValue: 1 << 9)
    /// End times of calls and stages.
    package static let times = PressParts(rawValue: 1 << 10)

    /// Samples of the stack.
    package static let samples = PressParts(rawValue: 1 << 11)

    /// Exact counts of stages.
    package static let costs = PressParts(rawValue: 1 << 12)

    /// All that a decision about a key is made of.
    package static let decision: PressParts = [
        .keys, .context, .receivers, .candidates, .calls, .effects, .cache, .resolutions,
    ]
}
