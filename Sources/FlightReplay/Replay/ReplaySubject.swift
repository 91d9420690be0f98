public import KeyModel
public import ResponderEngine
public import Scenes

/// The object of a replay: an engine, its responders, and the means to carry out context steps.
public protocol ReplaySubject: AnyObject {
    /// The name that a trace keeps of it.
    var name: String { get }
    var engine: KeyboardEngine { get }
    /// Every responder, in a fixed order: their links are recorded.
    var responders: [Responder] { get }
    /// Declared service times.
    var costs: ServiceCosts { get }
    /// Name of this sort of responder in a trace.
    func kind(of responder: Responder) -> String
    /// The value of the fact `bareKeys` of its recordings (`help privacy`); `nil` where nothing takes such keys.
    var bareKeys: String? { get }
    /// Carries out a step.
    func perform(_ step: ContextStep, at time: TraceTime) throws
    /// Throws errors of a run that did not stop it.
    func checkAfterRun() throws
}

extension ReplaySubject {
    /// The class, without its module.
    public func kind(of responder: Responder) -> String { String(describing: type(of: responder)) }
    public var bareKeys: String? { nil }
    public func checkAfterRun() throws {}
}

/// Declared virtual service times of the calls that responders answer, by responder.
///
/// A call without a declared time takes no time; a stage in which no responder declares any is absent.
public struct ServiceCosts: Hashable, Sendable {
    private var times: [String: [DeclaredCall: TraceDuration]] = [:]
    /// Stages in which some call has a declared time.
    public private(set) var stages: Set<LatencyStage> = []

    public init() {}

    public var isEmpty: Bool { times.isEmpty }

    /// Negative times count as none.
    public mutating func declare(_ call: DeclaredCall, of responder: String, takes time: TraceDuration) {
        times[responder, default: [:]][call] = max(time, .zero)
        stages.insert(call.stage)
    }

    /// Takes from others what is not declared here.
    public mutating func fill(from others: ServiceCosts) {
        for (responder, calls) in others.times {
            for (call, time) in calls where times[responder]?[call] == nil { declare(call, of: responder, takes: time) }
        }
    }

    /// `nil` where nothing is declared.
    public func time(of call: DeclaredCall, at responder: String) -> TraceDuration? { times[responder]?[call] }
}

extension DeclaredCall {
    /// The stage that this call's time belongs to.
    public var stage: LatencyStage {
        switch self {
        case .presses: .presses
        case .keyCommands, .buildMenu: .collect
        case .canPerformAction, .validate: .validate
        case .action: .action
        }
    }
}

extension ServiceCosts {
    /// Costs that the responders of a scene declare under `cost`.
    public init(_ scene: Scene) {
        self.init()
        for responder in scene.responders {
            for cost in responder.cost {
                guard let call = DeclaredCall(name: cost.name) else { continue }
                declare(call, of: responder.id, takes: cost.value)
            }
        }
    }
}
