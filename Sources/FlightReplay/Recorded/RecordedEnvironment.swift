public import KeyModel
public import ResponderEngine
import Scenes
public import TraceFormat

/// The environment that a trace was recorded in, as far as a replay takes it over.
public struct RecordedEnvironment: Sendable {
    /// The profile at the beginning with every recorded parameter; `nil` when the trace names none that is known.
    public var profile: Profile?
    /// The layout at the beginning, from the stored table.
    public var layout: Layout?
    /// The layout at the beginning, where the trace names one and does not store its table.
    public private(set) var layoutName: String?
    /// Hash of that layout's table; 0 where the trace has none.
    private var layoutHash: UInt64 = 0
    /// Every stored layout by its name.
    public var layouts: [String: Layout] = [:]
    /// Durations of the recorded calls.
    public var costs: ServiceCosts
    /// The other facts at the beginning, by name.
    public var facts: [String: String] = [:]

    public init(_ recording: Recording) { self.init(RecordedTrace(recording)) }

    public init(_ trace: RecordedTrace) { self = trace.summary.environment }

    /// Recorded only where it does not follow from the focus system, which an iPad has.
    var isPad: Bool {
        facts[EnvironmentFact.device].map { $0 == "ipad" } ?? (facts[EnvironmentFact.focusSystem] == "true")
    }

    private var parsed = ParsedTexts<Layout?>()
    private var profileName: String?
    private var parameters: [(name: String, value: String)] = []

    init() { costs = ServiceCosts() }

    /// `isFirst`: it was so when the recording began.
    mutating func follow(_ body: TraceRecord.Body, _ definitions: TraceDefinitions, isFirst: Bool) {
        switch body {
        case .environment(let fact) where fact.name == "profile": if profileName == nil { profileName = fact.value }
        case .environment(let fact):
            if isFirst, let parameter = EnvironmentRecord.profileParameter(fact.name) {
                return parameters.append((parameter, fact.value))
            }
            if facts[fact.name] == nil { facts[fact.name] = fact.value }
        case .layout(let stored):
            guard let layout = parsed.layout(stored.table, definitions) else {
                if self.layout == nil, layoutName == nil { (layoutName, layoutHash) = (stored.name, stored.hash) }
                return
            }
            if self.layout == nil { self.layout = layout }
            layouts[stored.name] = layout
        default: break
        }
    }

    /// Completes the environment after the last record.
    mutating func finish(_ costs: ServiceCosts) {
        self.costs = costs
        profile =
            profileName.flatMap { RecordedEnvironment.profile($0, parameters) }
            // The rules of an app are those of its toolkit, where they are known.
            ?? facts["adapter.toolkit"].flatMap { Profile.appKitNames.contains($0) ? Profile.named($0) : nil }
        parameters = []
    }

    /// The layout for a replay of a trace that stores no table: the one of the recorded name, where there is one, else
    /// `us`.
    public func layoutByName(_ named: (String) throws -> Layout) throws -> Layout {
        try namedLayout(named) ?? named("us")
    }

    /// The layout that the trace names without its table; `nil` where it names none that is known.
    ///
    /// A name means the table whose hash the trace has. Without a hash it means the table of the recorder's version:
    /// before the fact `layout.tables`, `us` was the PC table that is `us:pc` now. The layout keeps its recorded name.
    func namedLayout(_ named: (String) throws -> Layout) -> Layout? {
        guard let layoutName else { return nil }
        let pcName = layoutName + (layoutName.contains(":") ? "-pc" : ":pc")
        let isApples = facts[Layout.tablesFact.name] == Layout.tablesFact.value
        let known = (isApples ? [layoutName, pcName] : [pcName, layoutName]).compactMap { name in
            var layout = try? named(name)
            layout?.name = layoutName
            return layout
        }
        return known.first { $0.hash == layoutHash } ?? known.first
    }

    /// A shipped profile with the recorded parameters; one from a file is rebuilt from its parameters alone.
    package static func profile(_ name: String, _ parameters: [(name: String, value: String)]) -> Profile? {
        guard var profile = Profile.named(name) ?? (parameters.isEmpty ? nil : Profile()) else { return nil }
        profile.name = name
        if !parameters.isEmpty, profile.appKit == nil { profile.forgetRecentSystems() }
        for (name, value) in parameters {
            // A parameter of another version does not apply to this one.
            try? profile.set(name, to: value)
        }
        // Before this parameter existed, no command matched a modifier.
        let hearing = "emptyInputMatchesModifier"
        if !parameters.isEmpty, !parameters.contains(where: { $0.name == hearing }) {
            try? profile.set(hearing, to: "false")
        }
        return profile
    }
}

extension SceneReplay {
    /// Takes profile and layouts from a trace where the options name none, service times that the scene does not
    /// declare, and the focus system where the scene leaves it open.
    public mutating func adopt(_ environment: RecordedEnvironment) {
        if options.profile == nil { options.profile = environment.profile }
        recordedCosts = environment.costs
        // A scene that leaves it open has the focus system that it was recorded with.
        if scene.device == .ipad, scene.focusSystem == nil {
            scene.focusSystem = environment.facts[EnvironmentFact.focusSystem].map { $0 == "true" }
        }
        guard options.layout == nil else { return }
        options.layout =
            environment.layout ?? environment.namedLayout(resources.layoutNamed)
        let stored = environment.layouts
        let named = resources.layoutNamed
        resources.layoutNamed = { name in
            if let layout = stored[name] { return layout }
            return try named(name)
        }
    }
}
