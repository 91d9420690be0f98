public import KeyModel
public import ResponderEngine

/// A line of editable text.
open class TextField: View, TextInput {
    private final var editor: TextEditor
    public final var isSecureTextEntry = false
    public final var isEditable = true
    public final var isSingleLine = true
    public final var allowsEditingTextAttributes = false

    public init(id: String? = nil, text: String = "") {
        editor = TextEditor(text)
        super.init(id: id)
    }

    /// The document. Held in memory only; no trace, hash or effect contains it.
    public final var text: String {
        get { editor.document.text }
        set { editor.setText(newValue) }
    }

    open override var canBecomeFirstResponder: Bool { isEditable }
    open override var canBecomeFocused: Bool { isEditable }
    open override var textInput: (any TextInput)? { self }
    public final var document: TextDocument { editor.document }
    public final var hasText: Bool { !editor.document.isEmpty }
    public final var documentLength: Int { editor.document.count }
    public final var markedText: String? { editor.markedText }

    public final func setMarkedText(_ text: String?) { change { $0.setMarkedText(text) } }
    public final func unmarkText() { change { $0.unmarkText() } }
    public final func insertText(_ text: String) { change { $0.insert(text) } }
    public final func deleteBackward() { change { $0.deleteBackward() } }
    public final func perform(_ command: TextCommand) {
        change { $0.perform(command, isSecure: isSecureTextEntry) }
    }

    private func change(_ body: (inout TextEditor) -> Void) {
        TextChange.report(on: self, before: { editor }, change: { body(&editor) }, after: { editor })
    }

    open override func responds(to action: Selector) -> Bool {
        TextChange.command(for: action, on: self) != nil || super.responds(to: action)
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if let command = TextChange.command(for: action, on: self) {
            perform(command)
        } else {
            super.perform(action, sender: sender, event: event)
        }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        TextChange.combine(editor, isSecure: isSecureTextEntry, into: &hash)
    }
}

/// Several lines of text, which scroll.
open class TextView: ScrollView, TextInput {
    private final var editor: TextEditor
    public final var isSecureTextEntry = false
    /// A text view that is not editable takes no keys (spec §2.3).
    public final var isEditable = true
    public final var isSingleLine = false
    public final var allowsEditingTextAttributes = false

    public init(id: String? = nil, text: String = "") {
        editor = TextEditor(text)
        super.init(id: id)
    }

    /// The document. Held in memory only; no trace, hash or effect contains it.
    public final var text: String {
        get { editor.document.text }
        set { editor.setText(newValue) }
    }

    open override var canBecomeFirstResponder: Bool { true }
    open override var canBecomeFocused: Bool { isEditable }
    open override var textInput: (any TextInput)? { self }
    public final var document: TextDocument { editor.document }
    public final var hasText: Bool { !editor.document.isEmpty }
    public final var documentLength: Int { editor.document.count }
    public final var markedText: String? { editor.markedText }

    public final func setMarkedText(_ text: String?) { change { $0.setMarkedText(text) } }
    public final func unmarkText() { change { $0.unmarkText() } }
    public final func insertText(_ text: String) { change { $0.insert(text) } }
    public final func deleteBackward() { change { $0.deleteBackward() } }
    public final func perform(_ command: TextCommand) {
        change { $0.perform(command, isSecure: isSecureTextEntry) }
    }

    private func change(_ body: (inout TextEditor) -> Void) {
        TextChange.report(on: self, before: { editor }, change: { body(&editor) }, after: { editor })
    }

    open override func responds(to action: Selector) -> Bool {
        TextChange.command(for: action, on: self) != nil || super.responds(to: action)
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if let command = TextChange.command(for: action, on: self) {
            perform(command)
        } else {
            super.perform(action, sender: sender, event: event)
        }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        super.combineState(into: &hash)
        TextChange.combine(editor, isSecure: isSecureTextEntry, into: &hash)
    }
}

/// What text fields and text views do alike.
enum TextChange {
    static func report(
        on responder: Responder, before: () -> TextEditor, change: () -> Void, after: () -> TextEditor
    ) {
        let (oldCount, wasMarked) = { ($0.document.count, $0.markedRange != nil) }(before())
        change()
        let (newCount, isMarked) = { ($0.document.count, $0.markedRange != nil) }(after())
        // Of a secure field not even the length is told (spec TX-10).
        guard responder.textInput?.isSecureTextEntry != true else { return }
        if newCount != oldCount { responder.report(.text, .number(newCount)) }
        if isMarked != wasMarked { responder.report(.marked, .flag(isMarked)) }
    }

    /// Standard edit actions that text implements (spec §1.6). A secure field gives nothing to the clipboard; text
    /// that is not editable can only be copied and selected.
    static func command(for action: Selector, on input: any TextInput) -> TextCommand? {
        switch action.name {
        case "copy:": input.isSecureTextEntry ? nil : .copy
        case "selectAll:": .selectAll
        case "cut:": input.isEditable && !input.isSecureTextEntry ? .cut : nil
        case "paste:", "pasteAndMatchStyle:": input.isEditable ? .paste : nil
        case "delete:": input.isEditable ? .delete(.backward, by: .character) : nil
        case "toggleBoldface:": input.allowsEditingTextAttributes ? .toggleBold : nil
        case "toggleItalics:": input.allowsEditingTextAttributes ? .toggleItalics : nil
        case "toggleUnderline:": input.allowsEditingTextAttributes ? .toggleUnderline : nil
        default: nil
        }
    }

    static func combine(_ editor: TextEditor, isSecure: Bool, into hash: inout StableHash) {
        hash.combine(editor.markedRange != nil)
        guard !isSecure else { return }
        hash.combine(editor.document.count)
        hash.combine(editor.document.caret)
        hash.combine(editor.document.anchor)
    }
}
