public import KeyModel
public import ResponderEngine
import ResponderKit

/// The result of a context step.
public struct StepResult {
    /// False when the step was refused or had nothing to do: a responder that cannot become first, nothing to pop.
    public var isAccepted: Bool
    /// Keys that the step cancelled (`deactivate`, `detach`).
    public var releases: [Release]

    init(_ isAccepted: Bool = true, releases: [Release] = []) {
        self.isAccepted = isAccepted
        self.releases = releases
    }
}

/// Carries out the steps that any app knows, whether a file or Swift made its responders.
package struct AppSteps {
    private let engine: KeyboardEngine
    private let responders: [Responder]
    /// In messages, as `scene close-tab`.
    private let owner: String
    private let profileNamed: (String) throws -> Profile
    private let layoutNamed: (String) throws -> Layout
    private let responder: (String) -> Responder?

    package init(
        _ engine: KeyboardEngine, _ responders: [Responder], of owner: String,
        layoutNamed: @escaping (String) throws -> Layout, profileNamed: @escaping (String) throws -> Profile,
        responder: @escaping (String) -> Responder?
    ) {
        (self.engine, self.responders, self.owner, self.responder) = (engine, responders, owner, responder)
        (self.profileNamed, self.layoutNamed) = (profileNamed, layoutNamed)
    }

    /// Applies a step at a time; `nil` for one that concerns what a scene declares. An error names the reference of the
    /// step that is not there.
    package func apply(_ step: ContextStep, at time: TraceTime) throws(ContextStepError) -> StepResult? {
        engine.advance(to: time)
        switch step {
        case .focus, .resign, .activate, .deactivate, .attach, .detach, .markText, .unmark, .invalidate,
            .setNeedsRebuild, .setNeedsRevalidate:
            return try applyToEngine(step, at: time)
        case .candidateBar, .dock, .undock, .split, .join, .reloadInputViews:
            return try applyToSoftwareKeyboard(step)
        case .present, .dismiss, .push, .pop, .select, .click: return try navigate(step)
        case .pick(let item):
            guard engine.pick(item, at: time) else {
                let hasNone = engine.profile.overlay == .menuBar && !engine.hasMenuBar
                throw ContextStepError(
                    step, "the action or title of an item of the main menu",
                    hasNone ? "an iPhone, which has no menu bar" : SourceTextError.quoted(item))
            }
            return StepResult(engine.picked?.outcome == .performed)
        case .layout(let name): engine.layout = try find(name, step, "a layout", layoutNamed)
        case .profile(let name): engine.profile = try find(name, step, "a profile", profileNamed)
        case .mark: break
        default: return nil
        }
        return StepResult()
    }

    private func applyToEngine(_ step: ContextStep, at time: TraceTime) throws(ContextStepError) -> StepResult {
        switch step {
        case .focus(let id):
            let item = try find(id, step)
            if engine.focus(item, asking: true) { return StepResult() }
            return StepResult((item as? View)?.isFocusable == true && engine.moveFocus(to: item))
        case .resign: return StepResult(engine.resign())
        case .activate(let id): engine.activate(try find(id, step, as: Window.self, "a window"))
        case .deactivate: return StepResult(releases: engine.deactivate(at: time))
        case .attach: engine.attachKeyboard()
        case .detach: return StepResult(releases: engine.detachKeyboard(at: time))
        case .markText(let text): return StepResult(engine.markText(text))
        case .unmark: return StepResult(engine.markText(nil))
        case .invalidate(let id): engine.invalidate(try find(id, step))
        case .setNeedsRebuild: engine.setNeedsRebuild()
        case .setNeedsRevalidate: engine.setNeedsRevalidate()
        default: break
        }
        return StepResult()
    }

    /// Refused where nothing of the keyboard is on the screen to be moved.
    private func applyToSoftwareKeyboard(_ step: ContextStep) throws(ContextStepError) -> StepResult {
        let before = engine.softwareKeyboard
        switch step {
        case .candidateBar(let height): engine.setCandidateBar(height: height)
        case .dock: engine.placeKeyboard(.docked)
        case .undock, .join: engine.placeKeyboard(.undocked)
        case .split: engine.placeKeyboard(.split)
        case .reloadInputViews(let id): engine.reloadInputViews(of: try find(id, step))
        default: break
        }
        return StepResult(engine.softwareKeyboard != before)
    }

    // MARK: Navigation

    private func navigate(_ step: ContextStep) throws(ContextStepError) -> StepResult {
        switch step {
        case .present(let id):
            let controller = try find(id, step, as: ViewController.self, "a controller")
            guard let presenter = presenter(of: controller) else {
                throw ContextStepError(step, "a controller that can present \(id)", "none")
            }
            presenter.present(controller)
            return StepResult(presenter.presentedViewController === controller)
        case .dismiss(let id):
            // The user agrees that a scene closes, or closes it in the app switcher.
            if let scene = responder(id) as? WindowScene {
                let isConnected = scene.application != nil
                engine.application.disconnect(scene)
                return StepResult(isConnected)
            }
            let controller = try find(id, step, as: ViewController.self, "a controller")
            // The presenting controller dismisses it; a controller that only presents dismisses that.
            let presenter = controller.presentingViewController ?? controller
            let hasPresented = presenter.presentedViewController != nil
            presenter.dismiss()
            return StepResult(hasPresented)
        case .push(let id):
            let controller = try find(id, step, as: ViewController.self, "a controller")
            try nearest(NavigationController.self, step, "a navigationController").pushViewController(controller)
        case .pop:
            let navigation = try nearest(NavigationController.self, step, "a navigationController")
            return StepResult(navigation.popViewController() != nil)
        case .select(let index):
            let tabs = try nearest(TabBarController.self, step, "a tabBarController")
            tabs.selectedIndex = index
            return StepResult(tabs.selectedIndex == index)
        case .click(let id, let row, let modifiers):
            let list = try find(id, step, as: ListView.self, "a tableView or collectionView")
            guard row < list.rowCount else {
                throw ContextStepError(step, "one of the \(list.rowCount) rows of \(id), from 0", "row \(row)")
            }
            list.click(row, modifiers: modifiers == .shift ? .shift : modifiers == .command ? .command : [])
        default: break
        }
        return StepResult()
    }

    /// The controller that presents another: the one that is its explicit `next`, else the topmost controller of the
    /// key window, else the nearest one up the chain.
    private func presenter(of controller: ViewController) -> ViewController? {
        if let next = controller.explicitNext as? ViewController { return next }
        if let root = engine.application.keyWindow?.rootViewController { return root.topmost }
        return upTheChain { ($0 as? ViewController).flatMap { $0 === controller ? nil : $0 } }?.topmost
    }

    /// The nearest container up the chain from the first responder, else the first one of the scene.
    private func nearest<Container: ViewController>(
        _: Container.Type, _ step: ContextStep, _ expected: String
    ) throws(ContextStepError) -> Container {
        if let found = upTheChain({ $0 as? Container }) { return found }
        for responder in responders { if let container = responder as? Container { return container } }
        throw ContextStepError(step, "\(expected) in \(owner)", "none")
    }

    private func upTheChain<Found>(_ match: (Responder) -> Found?) -> Found? {
        // A chain may go round in a circle after `set ID next ID`.
        var walk = ChainWalk(from: engine.firstResponder)
        while let here = walk.step() {
            if let found = match(here) { return found }
        }
        return nil
    }

    // MARK: Finding

    private func find<Found>(
        _ name: String, _ step: ContextStep, _ expected: String, _ named: (String) throws -> Found
    ) throws(ContextStepError) -> Found {
        do { return try named(name) } catch {
            throw ContextStepError(step, expected, "\(SourceTextError.quoted(name)) (\(error))")
        }
    }

    private func find(_ id: String, _ step: ContextStep) throws(ContextStepError) -> Responder {
        guard let responder = responder(id) ?? upTheChain({ $0.id == id ? $0 : nil }) else {
            throw ContextStepError(step, "the id of a responder of \(owner)", SourceTextError.quoted(id))
        }
        return responder
    }

    private func find<Kind: Responder>(
        _ id: String, _ step: ContextStep, as kind: Kind.Type, _ expected: String
    ) throws(ContextStepError) -> Kind {
        let found = try find(id, step)
        guard let responder = found as? Kind else {
            throw ContextStepError(step, "the id of \(expected)", "\(id), which is none")
        }
        return responder
    }
}

extension SceneInstance {
    /// Applies a step at a time. An error names the reference of the step that this scene does not have.
    @discardableResult
    public func apply(_ step: ContextStep, at time: TraceTime) throws(ContextStepError) -> StepResult {
        let steps = AppSteps(
            engine, responders, of: "scene \(scene.name)", layoutNamed: resources.layoutNamed,
            profileNamed: { name in
                let profile = try self.scene.profile(named: name, self.resources)
                try self.checkWindowScenes(under: profile)
                return profile
            }
        ) { self.responder($0) }
        if let result = try steps.apply(step, at: time) { return result }
        guard case .call = step else { return try set(step) }
        throw ContextStepError(step, "a step of a scene", ContextStepError.callInScene)
    }

    // MARK: Other answers, without invalidating caches

    private func set(_ step: ContextStep) throws(ContextStepError) -> StepResult {
        switch step {
        case .setKeyCommands(let id, let variant):
            guard try findAnswers(id, step).answer(with: variant) else {
                throw ContextStepError(step, "a variant of \(id)", SourceTextError.quoted(variant))
            }
        case .setCanPerform(let id, let action, let answer):
            try findAnswers(id, step).setCanPerform(Selector(action), answer)
        case .setNext(let id, let next):
            let target: Responder? = if let next { try declared(next, step) } else { nil }
            try declared(id, step).setExplicitNextSilently(target)
        case .setInputView(let id, let height): try findAnswers(id, step).setInputView(height)
        case .setInputAccessoryView(let id, let height): try findAnswers(id, step).setInputAccessoryView(height)
        case .setSwallowsPresses(let id, let answer): try findAnswers(id, step).setSwallowsPresses(answer)
        case .setMenu(let variant):
            let menus = variant == "mainMenu" ? scene.mainMenu : scene.mainMenuVariants.value(named: variant)
            guard let menus else {
                throw ContextStepError(step, "one of the mainMenuVariants", SourceTextError.quoted(variant))
            }
            engine.application.menuChanges = MenuDescription.changes(menus)
        default: break
        }
        return StepResult()
    }

    private func declared(_ id: String, _ step: ContextStep) throws(ContextStepError) -> Responder {
        guard let responder = responder(id) else { throw missing(id, step) }
        return responder
    }

    private func findAnswers(_ id: String, _ step: ContextStep) throws(ContextStepError) -> SceneAnswers {
        guard let answers = answers(of: id) else { throw missing(id, step) }
        return answers
    }

    private func missing(_ id: String, _ step: ContextStep) -> ContextStepError {
        ContextStepError(step, "the id of a responder of scene \(scene.name)", SourceTextError.quoted(id))
    }
}

extension ContextStepError {
    static let callInScene = "one that a Swift test brings: AppReplay.App(steps:)"

    package init(_ step: ContextStep, _ expected: String, _ found: String) {
        self.init(step: step.text, expected: expected, found: found)
    }
}
