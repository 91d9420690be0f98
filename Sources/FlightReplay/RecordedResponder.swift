import KeyModel
import ResponderEngine
import TraceFormat

/// What a recording says that a responder answered.
final class WitnessedAnswers: DeclaredAnswers {
    let ref: ResponderRef
    unowned let witness: RecordedWitness

    init(_ ref: ResponderRef, _ witness: RecordedWitness) {
        self.ref = ref
        self.witness = witness
    }

    func keyCommands(of responder: Responder) -> [KeyCommand]? { witness.keyCommands(of: ref) }
    func offChainSuppliers(of responder: Responder) -> [Responder]? { witness.offChainSuppliers(of: ref) }
    func canPerform(_ action: Selector, sender: Any?) -> Bool? { witness.canPerform(action, ref, sender) }
    func perform(_ action: Selector, event: PressesEvent?) -> Bool {
        witness.perform(action, ref)
        return true
    }
    func validate(_ command: Command) { witness.validate(command) }
    func buildMenu(of responder: Responder, with builder: MenuBuilder) {
        if responder is Application { witness.menuIsBuilt() }
    }
    func swallows(_ presses: Set<Press>) -> Bool { witness.swallows(ref) }
    func pressesEnded() { witness.ended() }

    /// From now on this answers for the responder.
    func answer(for responder: Responder) {
        responder.declared = self
        responder.declaredMethods = [.canPerformAction, .perform, .pressesBegan, .pressesEnded]
    }
}

extension Responder {
    /// What stands in a recording for this responder.
    var recordedRef: ResponderRef? { (declared as? WitnessedAnswers)?.ref }
}

/// An object of the chain of which a recording says whether it takes text and scrolls.
final class RecordedResponder: Responder {
    override var textInput: (any TextInput)? {
        guard let answers = declared as? WitnessedAnswers, answers.witness.textInput(of: answers.ref) else {
            return nil
        }
        return RecordedTextInput(witness: answers.witness)
    }
    override var keyboardScrolling: (any KeyboardScrolling)? {
        (declared as? WitnessedAnswers).map { RecordedScrolling(ref: $0.ref, witness: $0.witness) }
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
    func offerText(_ text: String, isTyped: Bool) -> String? {
        witness.textChanges()
        return witness.insertedText(text)
    }
    func pressReturn() -> String? {
        guard !isSingleLine else { return nil }
        witness.textChanges()
        return witness.insertedText("\n")
    }
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
