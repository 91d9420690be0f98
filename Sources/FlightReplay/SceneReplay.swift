public import KeyModel
public import ResponderEngine
public import Scenes
public import TraceFormat

/// Replays timelines through a scene. Every run has live responders of its own, so that one run leaves nothing
/// behind for the next, and runs on several threads do not meet.
public struct SceneReplay {
    public struct Options: Sendable {
        /// Wins over the scene's profile; the scene's parameters apply to either.
        public var profile: Profile?
        /// Wins over the scene's layout, and over the one that a trace stores.
        public var layout: Layout?
        public var cachePolicy = CachePolicy.none
        /// Reads everything afresh at each cache hit and counts the answers that differ.
        public var shadowCheck = false
        /// Adds rows for the up and the cancel of presses.
        public var phases = false
        /// Profile and layout stand on every line.
        public var isCompared = false
        public var cadence = ReplayCadence.virtual

        public init() {}
    }

    public let scene: Scene
    public internal(set) var resources: SceneResources
    public var options: Options
    /// Service times of a trace, for what the scene does not declare.
    var recordedCosts = ServiceCosts()

    public init(_ scene: Scene, resources: SceneResources, options: Options = Options()) {
        self.scene = scene
        self.resources = resources
        self.options = options
    }

    /// Live responders of the scene under these options.
    public func instantiate() throws -> SceneInstance {
        let instance = try scene.instantiate(
            profile: options.profile, layout: options.layout, cachePolicy: options.cachePolicy, resources: resources)
        instance.engine.shadowCheck = options.shadowCheck
        return instance
    }

    /// The inputs of a script on this scene's layout. A step that names what the scene does not have is an error
    /// with the script's line, before anything is replayed.
    public func timeline(of script: KeyScript) throws -> ReplayTimeline {
        try scene.check(script)
        let layout = try options.layout ?? scene.layoutOfItsOwn(resources)
        return ReplayTimeline(try script.timeline(layout: layout, layoutNamed: resources.layoutNamed))
    }

    /// Replays a timeline and hands over its rows in order; with a recorder it records as well.
    public func run(
        _ timeline: ReplayTimeline, recorder: TraceRecorder? = nil, _ sink: @escaping (ReplayRow) -> Void
    ) throws {
        let instance = try instantiate()
        let labels =
            options.isCompared ? (profile: instance.engine.profile.name, layout: instance.engine.layout.name) : nil
        var writer = LineWriter(instance.engine, phases: options.phases, labels: labels, sink: sink)
        var costs = instance.costs
        costs.fill(from: recordedCosts)
        try Replayer(instance, costs: costs, recorder: recorder, cadence: options.cadence).run(timeline, &writer)
        if let failure = instance.failures.first { throw failure }
    }

    /// All lines of a timeline.
    public func lines(of timeline: ReplayTimeline) throws -> [ReplayLine] {
        var lines: [ReplayLine] = []
        try run(timeline) { row in if case .resolution(let line) = row { lines.append(line) } }
        return lines
    }

    /// A trace of the replay at level `calls`, masked unless `showsKeys`.
    public func record(_ timeline: ReplayTimeline, showsKeys: Bool = false) throws -> Recording {
        let recorder = TraceRecorder(showsKeys: showsKeys)
        try run(timeline, recorder: recorder) { _ in }
        return recorder.recording
    }

    /// What a replay under these options is made under.
    public func heading() throws -> GoldenText.Heading {
        let instance = try instantiate()
        return GoldenText.Heading(
            profile: instance.engine.profile.name, layout: instance.engine.layout.name, level: .calls,
            cache: options.cachePolicy.rawValue)
    }

    /// The text of the golden for this timeline.
    public func golden(of timeline: ReplayTimeline) throws -> GoldenText {
        var golden = GoldenText(try heading())
        for line in try lines(of: timeline) { golden.append(line) }
        return golden
    }
}

extension SceneInstance: ReplaySubject {
    public var name: String { scene.name }
    public var costs: ServiceCosts { ServiceCosts(scene) }
    public func perform(_ step: ContextStep, at time: TraceTime) throws { try apply(step, at: time) }

    /// The kind that the scene gives it.
    public func kind(of responder: Responder) -> String {
        description(of: responder.id)?.kind.rawValue ?? String(describing: type(of: responder))
    }
}
