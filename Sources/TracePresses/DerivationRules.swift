/// What candidates were derived under, where a trace has lists and answers and no candidates.
public struct DerivationRules: Hashable, Sendable {
    /// A rule, and whether the trace holds it; it is the default where it does not.
    public struct Rule: Hashable, Sendable {
        public var name: String
        public var isRecorded: Bool

        public init(_ name: String, isRecorded: Bool) {
            self.name = name
            self.isRecorded = isRecorded
        }
    }

    public var profile: Rule
    public var layout: Rule
    /// Presses and repeats that come to something else under these rules than was recorded: they have no candidates.
    public var contradicted: Int

    public init(profile: Rule, layout: Rule, contradicted: Int = 0) {
        self.profile = profile
        self.layout = layout
        self.contradicted = contradicted
    }
}
