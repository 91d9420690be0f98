public import KeyModel

/// What one press would have come to under the rules of the other profiles, everything else being as it was.
public struct OtherProfiles: Hashable, Sendable {
    /// What came of it under some of them.
    public struct Difference: Hashable, Sendable {
        /// In the order in which profiles are shipped.
        public var profiles: [String]
        public var outcome: PressOutcome
        /// What decides was never asked, so that nobody knows: the question, for people.
        public var openQuestion: String?
    }

    /// The profile that the press was decided under; `nil` where the recording names none.
    public var own: String?
    /// Profiles under which it comes to the same.
    public private(set) var same: [String] = []
    public private(set) var differences: [Difference] = []
    /// Why nothing can be told; then there is nothing else.
    public var unknown: Unknown?

    public enum Unknown: String, Hashable, Sendable {
        /// Which key it was is not in the recording.
        case masked
        /// The recording does not hold what responders answered.
        case noCalls
        /// It holds them, and none to this press.
        case notAsked
        /// Run again under its own rules, the press comes to something else than was recorded.
        case notReproduced
    }

    public init(unknown: Unknown) { self.unknown = unknown }

    public init(own: String?) { self.own = own }

    /// Adds what the press comes to under a profile; `openQuestion` where that is not known.
    public mutating func add(
        _ outcome: PressOutcome, under name: String, instead recorded: PressOutcome, openQuestion: String?
    ) {
        guard openQuestion != nil || !outcome.isSame(as: recorded) else { return same.append(name) }
        if let known = differences.firstIndex(where: { $0.outcome == outcome && $0.openQuestion == openQuestion }) {
            differences[known].profiles.append(name)
        } else {
            differences.append(Difference(profiles: [name], outcome: outcome, openQuestion: openQuestion))
        }
    }
}

/// What a press came to, in names.
public struct PressOutcome: Hashable, Sendable {
    public var outcome: Outcome
    public var action: String?
    /// Who supplied the command, `"mainMenu"` for the menu.
    public var supplier: String?
    public var target: String?
    /// How often it came again while the key was held; `nil` where that is not known.
    public var repeats: UInt64?

    public init(
        outcome: Outcome, action: String?, supplier: String?, target: String?, repeats: UInt64? = nil
    ) {
        self.repeats = repeats
        self.outcome = outcome
        self.action = action
        self.supplier = supplier
        self.target = target
    }

    /// The same runs, or is taken, at the same place and as often, whichever responder supplied the command.
    public func isSame(as other: PressOutcome) -> Bool {
        if let repeats, let others = other.repeats, repeats != others { return false }
        return outcome == other.outcome && action == other.action && target == other.target
    }
}
