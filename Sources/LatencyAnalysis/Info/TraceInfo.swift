package import KeyModel
package import TraceFormat
package import TracePresses

/// The facts of a trace that `info` prints.
package struct TraceInfo: Hashable, Sendable {
    /// Facts of the file itself, apart from its records.
    package var file: TraceFileFacts
    /// The lowest level in the trace.
    package var level: TraceLevel
    /// The stretches of each level; empty when there is only one.
    package var levels: [LevelSpan]
    package var records: UInt64
    /// Downs and ups as captured; releases that no source sent and repeats are counted apart.
    package var keyEvents: UInt64
    /// Downs of any key, modifiers included.
    package var presses: UInt64
    /// Presses, in every text for people: of keys that have an ordinal, which no modifier has, those with a down or a
    /// resolution. Of a trace that is not decoded, as many as there are ordinals from the first to the last one.
    package var numberedPresses: UInt64
    package var repeats: UInt64
    package var cancels: UInt64
    /// Texts that came without a key.
    package var texts: UInt64
    /// Resolutions of presses and of repeats.
    package var resolutions: UInt64
    /// Candidate records.
    package var candidates: UInt64
    /// Resolutions by a command of presses without candidate records; `nil` for facts of an index, which lacks them.
    package var commandsWithoutCandidates: UInt64?
    /// The kinds among first responders, chain links, text inputs and calls that are recorded at all.
    package var contextKinds: Set<RecordKind>
    /// From the first record to the last.
    package var duration: TraceDuration
    /// Keys that type text are kept only as classes.
    package var isMasked: Bool
    package var devices: [DeviceRecord]
    package var clocks: [ClockRecord]
    /// Relations of clocks to each other, where presses were matched.
    package var clockRelations: [ClockRelationRecord]
    package var loss: LossSummary
    /// Reports that only repeated the one before them.
    package var idleReports: UInt64
    /// Records of kinds that are unknown to this version.
    package var unknownRecords: UInt64
    /// Profile, scene, cache, parameters, …: the last value of each, in order of first appearance.
    package var environment: [EnvironmentRecord]
    /// Layouts in order of first use.
    package var layouts: [LayoutUse]

    package struct LevelSpan: Hashable, Sendable {
        package var level: TraceLevel
        package var from: TraceTime
        package var to: TraceTime
        /// Sequence number of its first record.
        package var sequence: UInt64
    }

    package struct LayoutUse: Hashable, Sendable {
        package var name: String
        /// `Layout.hash`.
        package var hash: UInt64
        /// The trace holds the layout's table, not only its name.
        package var isStored: Bool
    }

    /// The adapter that recorded the app from outside; `nil` where none did.
    package var adapter: AdapterDescription? { AdapterDescription(environment.lazy.map { ($0.name, $0.value) }) }

    /// Source of the candidates of its presses.
    package enum CandidateSource: Hashable, Sendable {
        case recorded
        case derived(DerivationRules)
        /// The commands that some presses met are not recorded.
        case unknown
    }

    package var candidateSource: CandidateSource {
        if let rules = file.derivation { return .derived(rules) }
        if resolutions == 0 || (isOfReplay && level == .calls) { return .recorded }
        // Toolkits with key equivalents have no key commands.
        if adapter != nil, !contextKinds.contains(.call) { return .recorded }
        return candidates > 0 && commandsWithoutCandidates ?? 0 == 0 ? .recorded : .unknown
    }

    /// The missing part of the chain; `nil` where all of it may be recorded.
    package var chainGap: TracePress.ChainGap? {
        if resolutions == 0 { return nil }
        return !contextKinds.contains(.firstResponder) ? .firstResponder : !contextKinds.contains(.link) ? .links : nil
    }

    /// A replay made the trace, and not an app: it holds every parameter of its profile.
    package var isOfReplay: Bool { environment.contains { EnvironmentRecord.isProfileParameter($0.name) } }

    /// The value of an environment fact such as `profile`, `scene` or `cache`.
    package func environment(_ name: String) -> String? { environment.first { $0.name == name }?.value }
}

/// Facts of the file that a trace was read from.
package struct TraceFileFacts: Hashable, Sendable {
    /// Format version; `nil` for a recording that was never a file.
    package var version: UInt16?
    /// `live` or `canonical`; `nil` where unknown.
    package var form: String?
    /// The end marker is there and nothing was unreadable.
    package var isComplete: Bool
    package var bytes: UInt64
    /// The level in which the trace begins, by its header.
    package var level: TraceLevel?
    /// Masking by the header; `nil`: only its keys show it.
    package var isMasked: Bool?
    package var damage: ReadingReport.Damage?
    /// Rules that the candidates of its presses were derived under; `nil` where they are recorded, or not known.
    package var derivation: DerivationRules?

    package init(
        version: UInt16? = nil, form: String? = nil, isComplete: Bool = true, bytes: UInt64 = 0,
        level: TraceLevel? = nil, isMasked: Bool? = nil, damage: ReadingReport.Damage? = nil
    ) {
        self.version = version
        self.form = form
        self.isComplete = isComplete
        self.bytes = bytes
        self.level = level
        self.isMasked = isMasked
        self.damage = damage
    }

    /// Facts of a reading.
    package init(_ report: ReadingReport) {
        self.init(
            version: report.header?.version, form: report.header?.form.name, isComplete: report.complete,
            bytes: report.bytes, level: report.header?.level, isMasked: report.header?.isMasked,
            damage: report.damaged)
    }
}
