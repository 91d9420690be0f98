public import KeyModel
public import ResponderEngine
public import Scenes

/// What a replay drives: an engine, its responders, and the means to carry out context steps.
public protocol ReplaySubject: AnyObject {
    /// The name that a trace keeps of it.
    var name: String { get }
    var engine: KeyboardEngine { get }
    /// Every responder, in a fixed order: their links are recorded.
    var responders: [Responder] { get }
    /// Declared service times.
    var costs: ServiceCosts { get }
    /// Carries out a step and returns the presses that it cancelled.
    func perform(_ step: ContextStep, at time: TraceTime) throws
}

/// Declared virtual service times of the calls that responders answer, by responder.
///
/// A call without a declared time takes no time; a stage in which no responder declares any is absent.
public struct ServiceCosts: Hashable, Sendable {
    /// One kind of call. An action is named by its selector.
    public enum Call: Hashable, Sendable {
        case presses, keyCommands, buildMenu, canPerformAction, validate
        case action(String)

        /// The name in a scene's `cost`: the call's own, else an action's selector.
        public init(name: String) {
            switch name {
            case "presses": self = .presses
            case "keyCommands": self = .keyCommands
            case "buildMenu": self = .buildMenu
            case "canPerformAction": self = .canPerformAction
            case "validate": self = .validate
            default: self = .action(name)
            }
        }

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

    private var times: [String: [Call: TraceDuration]] = [:]
    /// Stages in which some call has a declared time.
    public private(set) var stages: Set<LatencyStage> = []

    public init() {}

    public var isEmpty: Bool { times.isEmpty }

    /// Negative times count as none.
    public mutating func declare(_ call: Call, of responder: String, takes time: TraceDuration) {
        times[responder, default: [:]][call] = max(time, .zero)
        stages.insert(call.stage)
    }

    /// `nil` where nothing is declared.
    public func time(of call: Call, at responder: String) -> TraceDuration? { times[responder]?[call] }
}
