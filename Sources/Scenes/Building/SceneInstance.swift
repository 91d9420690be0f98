public import KeyModel
public import ResponderEngine

/// Resources that a scene names but does not contain: layouts, and profile files.
public struct SceneResources: Sendable {
    /// A layout by its XKB name, such as `us` or `us:dvorak`.
    public var layoutNamed: @Sendable (String) throws -> Layout
    /// The bytes of a file.
    public var readFile: @Sendable (String) throws -> [UInt8]

    public init(
        layoutNamed: @escaping @Sendable (String) throws -> Layout,
        readFile: @escaping @Sendable (String) throws -> [UInt8] = { path in throw MissingFile(path: path) }
    ) {
        self.layoutNamed = layoutNamed
        self.readFile = readFile
    }

    /// Thrown where no file can be read.
    public struct MissingFile: Error, CustomStringConvertible {
        public var path: String

        public init(path: String) { self.path = path }

        public var description: String { "\(path) cannot be read here" }
    }
}

/// The live responders of a scene with their engine. Keep it as long as its responders are in use: it ends their
/// links.
public final class SceneInstance {
    public let scene: Scene
    public let engine: KeyboardEngine
    /// Context steps of performed actions that could not be applied, in order.
    public private(set) var failures: [ContextStepError] = []

    let resources: SceneResources
    private let index: [String: Int]
    private let answers: [SceneAnswers]
    /// Outermost first, so that letting go of them never descends a long tree.
    private var owned: [Responder]
    private let responderAt: [Responder]

    init(
        _ builder: SceneBuilder, profile: Profile, layout: Layout, cachePolicy: CachePolicy, resources: SceneResources
    ) throws(SourceTextError) {
        try builder.attachKeyBindings(resources)
        scene = builder.scene
        self.resources = resources
        index = builder.links.index
        answers = builder.answers
        responderAt = builder.responders
        owned = builder.links.deepestFirst().reversed().map { builder.responders[$0] }
        engine = KeyboardEngine(
            application: builder.application, profile: profile, layout: layout, cachePolicy: cachePolicy)
        engine.layoutDirection = builder.scene.direction
        engine.hasFocusSystem = builder.scene.hasFocusSystem
        engine.isPad = builder.scene.device == .ipad
        engine.hearsModifiers = builder.scene.hasEmptyInput
        builder.scene.softwareKeyboard.configure(engine)
        engine.track(builder.responders.flatMap { [$0] + $0.injectedResponders })
        builder.linkChain()
        try checkWindowScenes(under: profile)
        let keyWindow = builder.keyWindow
        for window in builder.otherKeyWindows { engine.activate(window) }
        if let keyWindow { engine.activate(keyWindow) }
        engine.focus(scene.firstResponder.flatMap { index[$0] }.map { builder.responders[$0] })
        for answer in answers {
            answer.runSteps = { [weak self] steps, time in self?.run(steps, at: time) }
        }
    }

    /// The window scenes are those that an app must and may have under a profile.
    func checkWindowScenes(under profile: Profile) throws(SourceTextError) {
        if profile.requiresWindowScene { try requireWindowScenes() }
        if scene.device == .iphone, !profile.multipleScenes { try requireOneScene() }
    }

    /// An app linked against the SDK of iOS 27 does not start without window scenes (spec I27-1).
    private func requireWindowScenes() throws(SourceTextError) {
        for (description, responder) in zip(scene.responders, responderAt) {
            guard let window = responder as? Window, window.windowScene == nil else { continue }
            throw SourceTextError(
                file: scene.file, line: description.line, subject: description.id,
                expected: "a windowScene that has the window, without which an app of iOS 27 does not start"
                    + " (parameters: {requiresWindowScene: false} for one linked against an older SDK)",
                found: "none")
        }
    }

    /// An app has one scene on an iPhone, besides those of external displays, before iOS 27.1 (spec I27-16).
    private func requireOneScene() throws(SourceTextError) {
        let scenes = zip(scene.responders, responderAt).filter { ($0.1 as? WindowScene)?.isInteractive == true }
        guard let second = scenes.dropFirst().first?.0 else { return }
        throw SourceTextError(
            file: scene.file, line: second.line, subject: second.id,
            expected: "one windowScene on an iPhone before iOS 27 (interactive: false for an external display,"
                + " parameters: {multipleScenes: true} for a phone with several)",
            found: "another one")
    }

    deinit {
        // Chains of strong links would otherwise be let go of one inside the other.
        for responder in owned { responder.setExplicitNextSilently(nil) }
    }

    /// The responders in the order of the scene.
    public var responders: [Responder] { responderAt }

    public func responder(_ id: String) -> Responder? { index[id].map { responderAt[$0] } }

    /// The scene's description of a responder.
    public func description(of id: String) -> ResponderDescription? { index[id].map { scene.responders[$0] } }

    func answers(of id: String) -> SceneAnswers? { index[id].map { answers[$0] } }

    private func run(_ steps: [ContextStep], at time: TraceTime) {
        for step in steps {
            do { try apply(step, at: time) } catch { failures.append(error) }
        }
    }
}

extension Scene {
    /// Live responders and an engine over them, with the scene's first responder, key window and presentations.
    ///
    /// `profile` wins over the scene's own (its parameters apply to either), `layout` over the scene's layout.
    public func instantiate(
        profile: Profile? = nil, layout: Layout? = nil, cachePolicy: CachePolicy = .none, resources: SceneResources
    ) throws(SourceTextError) -> SceneInstance {
        let builder = try SceneBuilder(self)
        let chosen: Profile
        if let profile {
            chosen = try applyingParameters(to: profile)
        } else {
            chosen = try self.profile(named: self.profile ?? "ios15", resources)
        }
        let keys: Layout
        if let layout { keys = layout } else { keys = try layoutOfItsOwn(resources) }
        return try SceneInstance(builder, profile: chosen, layout: keys, cachePolicy: cachePolicy, resources: resources)
    }

    /// The layout that the scene names.
    public func layoutOfItsOwn(_ resources: SceneResources) throws(SourceTextError) -> Layout {
        do { return try resources.layoutNamed(layout) } catch {
            throw SourceTextError(
                file: file, line: layoutLine, subject: "layout", expected: "a layout such as us, fr, de or us:dvorak",
                found: "\(SourceTextError.quoted(layout)) (\(error))")
        }
    }

    /// The shipped profile of this name, or the one in the file of this path relative to the scene, with the
    /// scene's parameters.
    public func profile(named name: String, _ resources: SceneResources) throws(SourceTextError) -> Profile {
        if let shipped = Profile.named(name) { return try applyingParameters(to: shipped) }
        let path = path(of: name)
        let bytes: [UInt8]
        do { bytes = try resources.readFile(path) } catch {
            throw SourceTextError(
                file: file, line: name == self.profile ? profileLine : 1, subject: "profile",
                expected: "one of \(Profile.shippedNames.joined(separator: ", ")), or a profile file",
                found: "\(SourceTextError.quoted(name)) (\(error))")
        }
        let text = try SourceText.decode(bytes, file: path)
        // A scene comes with a repository of others, and may name any file of the user: its content is not quoted.
        let profile: Profile
        do { profile = try Profile(text: text) } catch {
            throw SourceTextError(
                file: path, line: error.line, subject: "profile", expected: "a profile", found: "another text",
                remedy: "--profile \(path) tells what is wrong there")
        }
        return try applyingParameters(to: profile)
    }
}

extension ProfileError {
    fileprivate var line: Int {
        switch self {
        case .malformed(let line, _, _), .atLine(let line, _): line
        case .unknownParameter, .badValue: 1
        }
    }
}
