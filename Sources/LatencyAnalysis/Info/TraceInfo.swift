public import KeyModel
public import TraceFormat
public import TracePresses

/// The facts of a trace that `info` prints.
public struct TraceInfo: Hashable, Sendable {
    /// What the file itself says, apart from its records.
    public var file: TraceFileFacts
    /// The lowest level in the trace.
    public var level: TraceLevel
    /// The stretches of each level; empty when there is only one.
    public var levels: [LevelSpan]
    public var records: UInt64
    /// Downs and ups as captured; releases that no source sent and repeats are counted apart.
    public var keyEvents: UInt64
    /// Downs of any key, modifiers included.
    public var presses: UInt64
    /// Downs of keys that have an ordinal, which no modifier has: presses, in every text for people. Of a trace that is
    /// not decoded, as many as there are ordinals from the first to the last one.
    public var numberedPresses: UInt64
    public var repeats: UInt64
    public var cancels: UInt64
    /// Texts that came without a key.
    public var texts: UInt64
    /// Resolutions of presses and of repeats.
    public var resolutions: UInt64
    /// Candidate records.
    public var candidates: UInt64
    /// Resolutions by a command of presses without candidate records; `nil` for facts of an index, which does not tell.
    public var commandsWithoutCandidates: UInt64?
    /// Whether first responders, chain links, text inputs and calls are recorded at all.
    public var contextKinds: Set<RecordKind>
    /// From the first record to the last.
    public var duration: TraceDuration
    /// Whether keys that type text are kept only as classes.
    public var isMasked: Bool
    public var devices: [DeviceRecord]
    public var clocks: [ClockRecord]
    /// How clocks stand to each other, where presses were matched.
    public var clockRelations: [ClockRelationRecord]
    public var loss: LossSummary
    /// Reports that only repeated the one before them.
    public var idleReports: UInt64
    /// Records of kinds that this version does not know.
    public var unknownRecords: UInt64
    /// Profile, scene, cache, parameters, …: the last value of each, in order of first appearance.
    public var environment: [EnvironmentRecord]
    /// Layouts in order of first use.
    public var layouts: [LayoutUse]

    public struct LevelSpan: Hashable, Sendable {
        public var level: TraceLevel
        public var from: TraceTime
        public var to: TraceTime
        /// Sequence number of its first record.
        public var sequence: UInt64
    }

    public struct LayoutUse: Hashable, Sendable {
        public var name: String
        /// `Layout.hash`.
        public var hash: UInt64
        /// The trace holds the layout's table, not only its name.
        public var isStored: Bool
    }

    /// The adapter that recorded the app from outside; `nil` where none did.
    public var adapter: AdapterDescription? { AdapterDescription(environment.lazy.map { ($0.name, $0.value) }) }

    /// Where the candidates of its presses come from.
    public enum CandidateSource: Hashable, Sendable {
        case recorded
        case derived(DerivationRules)
        /// Which commands some presses met is not recorded.
        case unknown
    }

    public var candidateSource: CandidateSource {
        if let rules = file.derivation { return .derived(rules) }
        if resolutions == 0 || (isOfReplay && level == .calls) { return .recorded }
        // Toolkits with key equivalents have no key commands.
        if adapter != nil, !contextKinds.contains(.call) { return .recorded }
        return candidates > 0 && commandsWithoutCandidates ?? 0 == 0 ? .recorded : .unknown
    }

    /// What is not recorded of the chain; `nil` where all of it may be.
    public var chainGap: TracePress.ChainGap? {
        if resolutions == 0 { return nil }
        return !contextKinds.contains(.firstResponder) ? .firstResponder : !contextKinds.contains(.link) ? .links : nil
    }

    /// A replay made the trace, and not an app: it holds every parameter of its profile.
    public var isOfReplay: Bool { environment.contains { EnvironmentRecord.isProfileParameter($0.name) } }

    /// The value of an environment fact such as `profile`, `scene` or `cache`.
    public func environment(_ name: String) -> String? { environment.first { $0.name == name }?.value }
}

/// What is known of the file that a trace was read from.
public struct TraceFileFacts: Hashable, Sendable {
    /// Format version; `nil` for a recording that was never a file.
    public var version: UInt16?
    /// `live` or `canonical`; `nil` where unknown.
    public var form: String?
    /// The end marker is there and nothing was unreadable.
    public var isComplete: Bool
    public var bytes: UInt64
    /// The level in which the trace begins, as the header says.
    public var level: TraceLevel?
    /// What the header says; `nil`: only its keys tell.
    public var isMasked: Bool?
    public var damage: LossSummary.Damage?
    /// What the candidates of its presses were derived under; `nil` where they are recorded, or not known.
    public var derivation: DerivationRules?

    public init(
        version: UInt16? = nil, form: String? = nil, isComplete: Bool = true, bytes: UInt64 = 0,
        level: TraceLevel? = nil, isMasked: Bool? = nil, damage: LossSummary.Damage? = nil
    ) {
        self.version = version
        self.form = form
        self.isComplete = isComplete
        self.bytes = bytes
        self.level = level
        self.isMasked = isMasked
        self.damage = damage
    }
}
