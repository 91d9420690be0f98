/// What candidates were derived under, where a trace has lists and answers and no candidates.
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
        /// The trace says nothing of it.
        case preset
    }

    public var profile: Rule
    public var layout: Rule
    /// Presses and repeats that come to something else under these rules than was recorded: they have no candidates.
    public var contradicted: Int
    /// Those of which these rules cannot tell what they come to, since a key is masked or an answer is not recorded:
    /// they have none either.
    public var undetermined: Int

    public init(profile: Rule, layout: Rule, contradicted: Int = 0, undetermined: Int = 0) {
        self.profile = profile
        self.layout = layout
        self.contradicted = contradicted
        self.undetermined = undetermined
    }
}
