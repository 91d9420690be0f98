import ResponderEngine
import TraceFormat

/// Recorded answers of a responder.
final class ProvidedAnswers: DeclaredAnswers {
    let ref: ResponderRef
    unowned let provider: AnswerProvider

    init(_ ref: ResponderRef, _ provider: AnswerProvider) {
        self.ref = ref
        self.provider = provider
    }

    func keyCommands(of responder: Responder) -> [KeyCommand]? { provider.keyCommands(of: ref) }
    func offChainSuppliers(of responder: Responder) -> [Responder]? { provider.offChainSuppliers(of: ref) }
    func canPerform(_ action: Selector, sender: Any?) -> Bool? { provider.canPerform(action, ref, sender) }
    func perform(_ action: Selector, event: PressesEvent?) -> Bool {
        provider.perform(action, ref)
        return true
    }
    func validate(_ command: Command) { provider.validate(command) }
    func buildMenu(of responder: Responder, with builder: any MenuBuilder) {
        if responder is Application { provider.menuIsBuilt() }
    }
    func swallows(_ presses: Set<Press>) -> Bool { provider.swallows(ref) }
    func pressesEnded() { provider.ended() }
}

extension AnswerProvider {
    /// A responder of the recording's kind for it, with its recorded answers.
    func makeObject(_ ref: ResponderRef) -> Responder {
        let definition = definitions[ref]
        let id = definition?.id ?? ""
        let object: Responder =
            switch ref {
            case summary.application: Application(id: id)
            case summary.appDelegate: DeclaredApplicationDelegate(id: id)
            case _ where summary.windows.contains(ref) || ["window", "keyboardWindow"].contains(definition?.kind):
                Window(id: id)
            default: RecordedResponder(id: id)
            }
        object.declared = ProvidedAnswers(ref, self)
        return object
    }
}

extension Responder {
    /// Handle of this responder in a recording.
    var recordedRef: ResponderRef? { (declared as? ProvidedAnswers)?.ref }
}

/// An object of the chain for which a recording contains whether it takes text and scrolls.
final class RecordedResponder: Responder {
    override var textInput: (any TextInput)? {
        guard let answers = declared as? ProvidedAnswers, answers.provider.textInput(of: answers.ref) else {
            return nil
        }
        return RecordedTextInput(provider: answers.provider)
    }
    override var interpretsKeysAsPage: Bool {
        (declared as? ProvidedAnswers).map { $0.provider.definitions[$0.ref]?.kind == "webView" } ?? false
    }
    override func handlesKeyPress(_ press: Press, isRepeat: Bool) -> Bool {
        (declared as? ProvidedAnswers).map { $0.provider.handlesKeyPress($0.ref, isRepeat: isRepeat) } ?? false
    }
    override var keyboardScrolling: (any KeyboardScrolling)? {
        (declared as? ProvidedAnswers).map { RecordedScrolling(ref: $0.ref, provider: $0.provider) }
    }
}

/// Text of which nothing is known but that it has the keyboard.
private final class RecordedTextInput: TextInput {
    private let provider: AnswerProvider

    init(provider: AnswerProvider) { self.provider = provider }

    var hasText: Bool { true }
    var isEditable: Bool { provider.textIsEditable }
    var isSingleLine: Bool { provider.textIsSingleLine }
    var isKeyInputAlone: Bool { provider.textKind == "keyInputView" }
    var isSecureTextEntry: Bool { provider.textInput?.isSecure ?? false }
    var allowsEditingTextAttributes: Bool { provider.textHasAttributes }
    var markedText: String? { provider.isMarked ? "\u{FFFD}" : nil }
    /// The typed text is not known.
    var documentLength: Int { 0 }

    func insertText(_ text: String) { provider.textChanges() }
    func offerText(_ text: String, isTyped: Bool) -> String? {
        provider.textChanges()
        return provider.insertedText(text)
    }
    func pressReturn() -> String? {
        guard !isSingleLine else { return nil }
        provider.textChanges()
        return provider.insertedText("\n")
    }
    func deleteBackward() { provider.textChanges() }
    func setMarkedText(_ text: String?) { provider.textChanges() }
    func unmarkText() { provider.textChanges() }
    func perform(_ command: TextCommand) { provider.textChanges() }
}

/// Scrolling as it was recorded.
private final class RecordedScrolling: KeyboardScrolling {
    private let ref: ResponderRef
    private let provider: AnswerProvider

    init(ref: ResponderRef, provider: AnswerProvider) {
        self.ref = ref
        self.provider = provider
    }

    var allowsKeyboardScrolling: Bool { true }
    func scroll(_ step: ScrollStep) -> Bool { provider.scrolls(ref) }
}
