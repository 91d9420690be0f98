import KeyModel
import ResponderEngine
import TraceFormat

/// A responder that answers what a recording says it answered.
protocol WitnessedResponder: Responder {
    var ref: ResponderRef { get }
    var witness: RecordedWitness { get }
}

/// An object of the chain.
final class RecordedResponder: Responder, WitnessedResponder {
    let ref: ResponderRef
    unowned let witness: RecordedWitness

    init(_ ref: ResponderRef, id: String, _ witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
        super.init(id: id)
    }

    override var keyCommands: [KeyCommand]? { witness.keyCommands(of: ref) }
    override var offChainSuppliers: [Responder] { witness.offChainSuppliers(of: ref) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        witness.canPerform(action, ref, sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { witness.perform(action, ref) }
    override func validate(_ command: Command) { witness.validate(command) }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !witness.swallows(ref) { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        witness.ended()
        super.pressesEnded(presses, with: event)
    }
    override var textInput: (any TextInput)? {
        witness.textInput(of: ref) ? RecordedTextInput(witness: witness) : nil
    }
    override var keyboardScrolling: (any KeyboardScrolling)? { RecordedScrolling(ref: ref, witness: witness) }
}

/// A window.
final class RecordedWindow: Window, WitnessedResponder {
    let ref: ResponderRef
    unowned let witness: RecordedWitness

    init(_ ref: ResponderRef, id: String, _ witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
        super.init(id: id)
    }

    override var keyCommands: [KeyCommand]? { witness.keyCommands(of: ref) }
    override var offChainSuppliers: [Responder] { witness.offChainSuppliers(of: ref) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        witness.canPerform(action, ref, sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { witness.perform(action, ref) }
    override func validate(_ command: Command) { witness.validate(command) }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !witness.swallows(ref) { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        witness.ended()
        super.pressesEnded(presses, with: event)
    }
}

/// The application.
final class RecordedApplication: Application, WitnessedResponder {
    let ref: ResponderRef
    unowned let witness: RecordedWitness

    init(_ ref: ResponderRef, id: String, _ witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
        super.init(id: id)
    }

    override var keyCommands: [KeyCommand]? { witness.keyCommands(of: ref) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        witness.canPerform(action, ref, sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { witness.perform(action, ref) }
    override func validate(_ command: Command) { witness.validate(command) }
    override func buildMenu(with builder: MenuBuilder) { witness.menuIsBuilt() }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !witness.swallows(ref) { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        witness.ended()
        super.pressesEnded(presses, with: event)
    }
}

/// The application's delegate.
final class RecordedDelegate: ApplicationDelegate, WitnessedResponder {
    let ref: ResponderRef
    unowned let witness: RecordedWitness

    init(_ ref: ResponderRef, id: String, _ witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
        super.init(id: id)
    }

    override var keyCommands: [KeyCommand]? { witness.keyCommands(of: ref) }
    override func canPerformAction(_ action: Selector, sender: Any?) -> Bool {
        witness.canPerform(action, ref, sender)
    }
    override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { witness.perform(action, ref) }
    override func validate(_ command: Command) { witness.validate(command) }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if !witness.swallows(ref) { super.pressesBegan(presses, with: event) }
    }
    override func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        witness.ended()
        super.pressesEnded(presses, with: event)
    }
}

/// Text of which nothing is known but that it has the keyboard.
private final class RecordedTextInput: TextInput {
    private let witness: RecordedWitness

    init(witness: RecordedWitness) { self.witness = witness }

    var hasText: Bool { true }
    var isEditable: Bool { witness.textIsEditable }
    var isSingleLine: Bool { witness.textIsSingleLine }
    var isSecureTextEntry: Bool { witness.textInput?.isSecure ?? false }
    var allowsEditingTextAttributes: Bool { witness.textHasAttributes }
    var markedText: String? { witness.isMarked ? "\u{FFFD}" : nil }
    /// What was typed is not known.
    var documentLength: Int { 0 }

    func insertText(_ text: String) { witness.textChanges() }
    func deleteBackward() { witness.textChanges() }
    func setMarkedText(_ text: String?) { witness.textChanges() }
    func unmarkText() { witness.textChanges() }
    func perform(_ command: TextCommand) { witness.textChanges() }
}

/// Scrolling as it was recorded.
private final class RecordedScrolling: KeyboardScrolling {
    private let ref: ResponderRef
    private let witness: RecordedWitness

    init(ref: ResponderRef, witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
    }

    var allowsKeyboardScrolling: Bool { true }
    func scroll(_ step: ScrollStep) -> Bool { witness.scrolls(ref) }
}
