public import ResponderEngine
import Scenes
public import KeyModel

/// Replays timelines at responders written in Swift. Each run creates the app again.
public struct AppReplay: ReplayPlan {
    /// A live app, and the responders whose links a recording of the replay holds.
    public struct App {
        public var engine: KeyboardEngine
        public var responders: [Responder]

        public init(_ engine: KeyboardEngine, responders: [Responder] = []) {
            self.engine = engine
            self.responders = responders
        }
    }

    public var name: String
    public var options = ReplayRunOptions()
    public var recordedCosts = ServiceCosts()
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
        return AppSubject(name: name, app: app)
    }
}

/// A step that an app cannot carry out.
public struct AppStepError: Error, Hashable, Sendable, CustomStringConvertible {
    public var expected: String
    public var found: String

    public var description: String { "step: expected \(expected), found \(found)" }
}

private final class AppSubject: ReplaySubject {
    let name: String
    let engine: KeyboardEngine
    let responders: [Responder]
    let costs = ServiceCosts()

    init(name: String, app: AppReplay.App) {
        self.name = name
        engine = app.engine
        responders = app.responders.isEmpty ? [app.engine.application] : app.responders
    }

    /// Steps that apply to any app. Steps that name what a scene declares throw.
    func perform(_ step: ContextStep, at time: TraceTime) throws {
        engine.advance(to: time)
        switch step {
        case .focus(let id):
            guard let responder = responders.first(where: { $0.id == id }) else {
                throw AppStepError(
                    expected: "one of \(responders.map(\.id).joined(separator: ", "))", found: id)
            }
            responder.becomeFirstResponder()
        case .resign: _ = engine.resign()
        default:
            throw AppStepError(expected: "focus or resign, which any app knows", found: "\(step)")
        }
    }
}
