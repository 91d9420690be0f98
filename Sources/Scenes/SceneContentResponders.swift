import KeyModel
import ResponderEngine
import ResponderKit

/// A line of text.
final class SceneTextField: TextField, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers, text: String) {
        self.answers = answers
        super.init(id: answers.id, text: text)
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

/// Several lines of text.
final class SceneTextView: TextView, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers, text: String) {
        self.answers = answers
        super.init(id: answers.id, text: text)
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

/// Content larger than its viewport.
final class SceneScrollView: ScrollView, SceneResponding {
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

/// Rows.
final class SceneTableView: TableView, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers, sections: [Int]) {
        self.answers = answers
        super.init(id: answers.id, sections: sections)
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

/// Items.
final class SceneCollectionView: CollectionView, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers, sections: [Int]) {
        self.answers = answers
        super.init(id: answers.id, sections: sections)
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

/// A date.
final class SceneDatePicker: DatePicker, SceneResponding {
    let answers: SceneAnswers

    init(_ answers: SceneAnswers, date: CalendarDay) {
        self.answers = answers
        super.init(id: answers.id, date: date)
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
