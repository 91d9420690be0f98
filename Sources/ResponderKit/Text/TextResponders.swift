public import KeyModel
public import ResponderEngine

/// A line of editable text.
open class TextField: View, DocumentTextInput {
    public final let editor: TextEditor
    public final var traits = TextInputTraits() {
        didSet { editor.isSecure = traits.isSecureTextEntry }
    }
    public final var isEditable = true
    public final var isSingleLine = true
    public final var allowsEditingTextAttributes = false
    public final weak var delegate: (any TextEditingDelegate)?
    public final weak var inputDelegate: (any TextInputDelegate)?
    /// Replaces what text does with the keys that are bound in it (spec §10); `nil` leaves every key as it is.
    public final var keyBindings: KeyBindings? {
        didSet { keyBindingInterpreter = keyBindings.map(KeyBindingInterpreter.init) }
    }
    public final private(set) var keyBindingInterpreter: (any KeyBindingInterpreting)?

    public init(id: String? = nil, text: String = "") {
        editor = TextEditor(text)
        super.init(id: id)
        askBeforeChanges()
    }

    /// The document. Held in memory only; no trace, hash or effect contains it.
    public final var text: String! {
        get { editor.document.text }
        set { setWholeText(newValue ?? "") }
    }

    open override var canBecomeFirstResponder: Bool { isEditable }
    open override var canBecomeFocused: Bool { isEditable }
    open override var textInput: (any TextInput)? { self }

    open func shouldChangeText(in range: TextRange, replacementText text: String) -> Bool {
        delegate?.textInput(self, shouldChangeTextIn: range, replacementText: text) ?? true
    }

    /// A line of its own scrolls nothing.
    open func scroll(for command: TextCommand) {}

    open override func responds(to action: Selector) -> Bool {
        editCommand(for: action) != nil || super.responds(to: action)
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !performsEdit(action, sender) { super.perform(action, sender: sender, event: event) }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) { combineText(into: &hash) }
}

/// Several lines of text, which scroll.
open class TextView: ScrollView, DocumentTextInput {
    public final let editor: TextEditor
    public final var traits = TextInputTraits() {
        didSet { editor.isSecure = traits.isSecureTextEntry }
    }
    /// A text view that is not editable takes no keys (spec §2.3).
    public final var isEditable = true
    public final var isSingleLine = false
    public final var allowsEditingTextAttributes = false
    public final weak var delegate: (any TextEditingDelegate)?
    public final weak var inputDelegate: (any TextInputDelegate)?
    /// Replaces what text does with the keys that are bound in it (spec §10); `nil` leaves every key as it is.
    public final var keyBindings: KeyBindings? {
        didSet { keyBindingInterpreter = keyBindings.map(KeyBindingInterpreter.init) }
    }
    public final private(set) var keyBindingInterpreter: (any KeyBindingInterpreting)?

    /// Points from one line to the next.
    public static let lineHeight = 17

    public init(id: String? = nil, text: String = "") {
        editor = TextEditor(text)
        super.init(id: id)
        askBeforeChanges()
    }

    /// The document. Held in memory only; no trace, hash or effect contains it.
    public final var text: String! {
        get { editor.document.text }
        set { setWholeText(newValue ?? "") }
    }

    open override var canBecomeFirstResponder: Bool { true }
    open override var canBecomeFocused: Bool { isEditable }
    open override var textInput: (any TextInput)? { self }

    open func shouldChangeText(in range: TextRange, replacementText text: String) -> Bool {
        delegate?.textInput(self, shouldChangeTextIn: range, replacementText: text) ?? true
    }

    /// All lines but one of a viewport; twenty for a view without one.
    open var linesPerPage: Int {
        viewport.height > 0 ? max(1, viewport.height / TextView.lineHeight - 1) : 20
    }

    open func scroll(for command: TextCommand) {
        switch command {
        case .scroll(let step): _ = scroll(step)
        case .centerSelection: scrollToSelection(centered: true)
        default: break
        }
    }

    /// Scrolls as little as shows the selection's beginning, or so that it is in the middle.
    @discardableResult
    public final func scrollToSelection(centered: Bool) -> Bool {
        let top = editor.caretPlace(at: editor.selection.lowerBound).line * TextView.lineHeight
        var offset = contentOffset
        if centered {
            offset.height = top + TextView.lineHeight / 2 - viewport.height / 2
        } else if top < offset.height {
            offset.height = top
        } else if top + TextView.lineHeight > offset.height + viewport.height {
            offset.height = top + TextView.lineHeight - viewport.height
        }
        return setContentOffset(offset)
    }

    open override func responds(to action: Selector) -> Bool {
        editCommand(for: action) != nil || super.responds(to: action)
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if !performsEdit(action, sender) { super.perform(action, sender: sender, event: event) }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        super.combineState(into: &hash)
        combineText(into: &hash)
    }
}

/// Behaviour that text fields and text views share.
extension DocumentTextInput {
    /// Sets the editor's questions that only the responder can answer.
    func askBeforeChanges() {
        editor.mayReplace = { [weak self] range, text in
            self?.shouldChangeText(in: TextRange(range), replacementText: text) ?? true
        }
        editor.isRightToLeftInterface = { [weak self] in self?.keyboardEnvironment.isRightToLeft ?? false }
    }

    func setWholeText(_ text: String) {
        inputDelegate?.textWillChange(self)
        editor.setText(text)
        inputDelegate?.textDidChange(self)
    }

    /// Standard edit actions that text implements (spec §1.6). A secure field gives nothing to the clipboard; text
    /// that is not editable can only be copied and selected.
    func editCommand(for action: Selector) -> TextCommand? {
        switch action.name {
        case "copy:": isSecureTextEntry ? nil : .copy
        case "selectAll:": .selectAll
        case "cut:": isEditable && !isSecureTextEntry ? .cut : nil
        case "paste:", "pasteAndMatchStyle:": isEditable ? .paste : nil
        case "delete:": isEditable ? .delete(.backward, by: .character) : nil
        case "toggleBoldface:": allowsEditingTextAttributes ? .toggleBold : nil
        case "toggleItalics:": allowsEditingTextAttributes ? .toggleItalics : nil
        case "toggleUnderline:": allowsEditingTextAttributes ? .toggleUnderline : nil
        default: nil
        }
    }

    /// False for what is no standard edit action of text. What a subclass may override goes through its method.
    func performsEdit(_ action: Selector, _ sender: Any?) -> Bool {
        guard editCommand(for: action) != nil else { return false }
        switch action.name {
        case "cut:": cut(sender)
        case "copy:": copy(sender)
        case "paste:": paste(sender)
        case "selectAll:": selectAll(sender)
        case "delete:": delete(sender)
        default: performEdit(action)
        }
        return true
    }

    public func performEdit(_ action: Selector) {
        if let command = editCommand(for: action) { perform(command) }
    }

    /// Length and places in UTF-16 units, which recorded data counts (spec TX-5). Never text.
    func combineText(into hash: inout StableHash) {
        hash.combine(editor.markedRange != nil)
        guard !isSecureTextEntry else { return }
        hash.combine(editor.document.utf16Count)
        hash.combine(editor.document.utf16Offset(of: editor.caret))
        hash.combine(editor.document.utf16Offset(of: editor.anchor))
    }
}

/// A view that takes typed keys and no others, such as a terminal's: it adopts `UIKeyInput` and not `UITextInput`.
open class KeyInputView: View, KeyInput {
    open override var canBecomeFirstResponder: Bool { true }
    public final var hasText: Bool { length > 0 }
    /// What is typed is counted, and not kept.
    private var length: Int { textInput?.documentLength ?? 0 }

    open func insertText(_ text: String) {}
    open func deleteBackward() {}

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) { hash.combine(length) }
}
