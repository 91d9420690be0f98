public import ResponderEngine
import ResponderKit
package import Scenes
public import KeyModel

/// Replays timelines at responders written in Swift. Each run creates the app again.
public struct AppReplay: ReplayPlan {
    /// A live app, the responders that steps of a script name by their ids besides those of the chain, and the steps
    /// of the app's own, by the names that `do call NAME` has for them.
    public struct App {
        public var engine: KeyboardEngine
        public var responders: [Responder]
        public var steps: [String: () -> Void]
        /// What of the app takes a typed letter before a text does (`help privacy`): `presses` unless it is known that
        /// nothing does, which is `nil`, or that commands alone do. Masked recordings leave open what came of letters.
        public var bareKeys: String? = "presses"

        public init(_ engine: KeyboardEngine, responders: [Responder] = [], steps: [String: () -> Void] = [:]) {
            self.engine = engine
            self.responders = responders
            self.steps = steps
        }
    }

    public var name: String
    public var options = ReplayRunOptions()
    public var recordedCosts = ServiceCosts()
    /// For the layouts of steps.
    package var resources = SceneResources(layoutNamed: { throw SceneResources.MissingFile(path: $0) })
    private let makeApp: (Profile?, Layout?) throws -> App

    /// `makeApp` gets the profile and the layout of the options, where they name one.
    public init(_ name: String, _ makeApp: @escaping (Profile?, Layout?) throws -> App) {
        self.name = name
        self.makeApp = makeApp
    }

    public func makeSubject() throws -> any ReplaySubject {
        let app = try makeApp(options.profile, options.layout)
        app.engine.cachePolicy = options.cachePolicy
        app.engine.shadowCheck = options.shadowCheck
        return AppSubject(name: name, app: app, resources: resources)
    }
}

private final class AppSubject: ReplaySubject {
    let name: String
    let engine: KeyboardEngine
    let responders: [Responder]
    let costs = ServiceCosts()
    private let statedBareKeys: String?
    private let steps: [String: () -> Void]
    private let resources: SceneResources

    init(name: String, app: AppReplay.App, resources: SceneResources) {
        (steps, self.resources, statedBareKeys) = (app.steps, resources, app.bareKeys)
        self.name = name
        engine = app.engine
        responders = app.responders.isEmpty ? [app.engine.application] : app.responders
    }

    /// Key bindings can be looked through; what responders do with presses cannot.
    var bareKeys: String? {
        let bindings = responders.compactMap { ($0 as? any DocumentTextInput)?.keyBindings }
        return bindings.contains(where: \.hasBareKeys) ? "keyBindings" : statedBareKeys
    }

    /// Steps that apply to any app, and the app's own. Those that concern what a scene declares throw.
    func perform(_ step: ContextStep, at time: TraceTime) throws {
        let appSteps = AppSteps(
            engine, responders, of: "the app", layoutNamed: resources.layoutNamed,
            profileNamed: AppSubject.profile(named:)
        ) { [responders] id in responders.first { $0.id == id } }
        if try appSteps.apply(step, at: time) != nil { return }
        guard case .call(let name) = step else {
            throw ContextStepError(step, "a step that any app knows", "one that concerns what a scene declares")
        }
        guard let own = steps[name] else {
            let known = steps.keys.sorted().joined(separator: ", ")
            let expected = known.isEmpty ? "a step of AppReplay.App(steps:), which has none" : "one of \(known)"
            throw ContextStepError(step, expected, name)
        }
        own()
    }

    private static func profile(named name: String) throws -> Profile {
        guard let profile = Profile.named(name) else { throw SceneResources.MissingFile(path: name) }
        return profile
    }
}
