import KeyModel
import ResponderEngine
import ResponderKit

/// A live responder that answers as its scene says. One class for each kind: what a scene declares goes before
/// what the kind does by itself.
protocol SceneResponding: Responder {
    var answers: SceneAnswers { get }
}

/// An object of the chain that is nothing else.
final class SceneResponder: Responder, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// A view.
final class SceneView: View, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// A controller.
final class SceneViewController: ViewController, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// A stack of controllers.
final class SceneNavigationController: NavigationController, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// Controllers of which one is selected.
final class SceneTabBarController: TabBarController, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// Columns.
final class SceneSplitViewController: SplitViewController, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// A window.
final class SceneWindow: Window, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// A window's scene.
final class SceneWindowScene: WindowScene, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// The application.
final class SceneApplication: Application, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}

/// The application's delegate.
final class SceneApplicationDelegate: ApplicationDelegate, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers) {
        self.answers = answers
        super.init(id: answers.id)
    }

    override var canBecomeFirstResponder: Bool { answers.canBecomeFirstResponder ?? super.canBecomeFirstResponder }
    override var keyCommands: [KeyCommand]? { answers.readKeyCommands() ?? super.keyCommands }
    override func responds(to action: Selector) -> Bool { answers.implements(action) || super.responds(to: action) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        answers.canPerform(action, sender) ?? super.canPerformAction(action, sender: sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !answers.perform(action, event) { super.perform(action, sender: sender, event: event) }
    }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !answers.swallows(presses) { super.pressesBegan(presses, with: event) }
    }
    override func buildMenu(with builder: MenuBuilder) throws {
        try super.buildMenu(with: builder)
        try answers.buildMenu(with: builder)
    }
}
