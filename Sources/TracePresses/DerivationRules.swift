/// The rules for deriving candidates, where presses have lists and answers and no candidates.
public struct DerivationRules: Hashable, Sendable {
    /// A rule, and where it comes from.
    public struct Rule: Hashable, Sendable {
        public var name: String
        public var origin: Origin

        public init(_ name: String, _ origin: Origin) {
            self.name = name
            self.origin = origin
        }
    }

    public enum Origin: Hashable, Sendable {
        /// The trace holds it.
        case recorded
        /// The trace names it, and it is taken as it is known here.
        case recordedName
        /// Not in the trace: the default.
        case preset
    }

    public var profile: Rule
    public var layout: Rule
    /// Presses and repeats whose candidates are recorded.
    public var recorded = 0
    /// Presses and repeats whose candidates were derived, or that were found to have none.
    public var derived = 0
    /// Presses and repeats that come to something else under these rules than was recorded: they have no candidates.
    public var contradicted = 0
    /// Presses and repeats whose result these rules do not determine, since a key is masked or an answer is not
    /// recorded: they have no candidates either.
    public var undetermined = 0

    public init(profile: Rule, layout: Rule) {
        self.profile = profile
        self.layout = layout
    }

    /// Some press was without recorded candidates.
    public var isApplied: Bool { derived + contradicted + undetermined > 0 }
}
