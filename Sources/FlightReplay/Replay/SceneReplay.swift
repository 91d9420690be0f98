public import KeyModel
public import ResponderEngine
public import Scenes

/// Replays timelines through a scene.
public struct SceneReplay: ReplayPlan {
    public typealias Options = ReplayRunOptions

    public internal(set) var scene: Scene
    public internal(set) var resources: SceneResources
    public var options: Options
    /// Service times of a trace, for what the scene does not declare.
    public internal(set) var recordedCosts = ServiceCosts()

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

    public func makeSubject() throws -> any ReplaySubject { try instantiate() }

    /// The inputs of a script on this scene's layout. A step that names what the scene does not have is an error
    /// with the script's line, before anything is replayed.
    public func timeline(of script: KeyScript) throws -> ReplayTimeline {
        try scene.check(script)
        let layout = try options.layout ?? scene.layoutOfItsOwn(resources)
        return try ReplayTimeline(script, layout: layout, layoutNamed: resources.layoutNamed)
    }
}

extension SceneInstance: ReplaySubject {
    public var name: String { scene.name }
    public var costs: ServiceCosts { ServiceCosts(scene) }
    public func perform(_ step: ContextStep, at time: TraceTime) throws { try apply(step, at: time) }

    /// Steps of performed actions that could not be carried out.
    public func checkAfterRun() throws { if let failure = failures.first { throw failure } }

    /// The kind that the scene gives it.
    public func kind(of responder: Responder) -> String {
        description(of: responder.id)?.kind.rawValue ?? String(describing: type(of: responder))
    }
}
