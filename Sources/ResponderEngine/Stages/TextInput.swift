/// A receiver of typed text (`UIKeyInput`).
public protocol KeyInput: AnyObject {
    var hasText: Bool { get }
    /// Replaces marked text, else the selection (spec TX-8).
    func insertText(_ text: String)
    /// Deletes the selection, else the character before the caret: a whole one (spec TX-5).
    func deleteBackward()
}

/// A responder that edits text with the keyboard (`UITextInput`, as far as keys need it).
public protocol TextInput: KeyInput {
    /// Text that is not editable takes no keys (spec §2.3).
    var isEditable: Bool { get }
    /// Return and Tab insert nothing.
    var isSingleLine: Bool { get }
    /// True when typed text must not be kept anywhere (spec TX-10).
    var isSecureTextEntry: Bool { get }
    /// ⌘B, ⌘I and ⌘U style the text (spec TX-11).
    var allowsEditingTextAttributes: Bool { get }
    /// Text of an input method that is not committed yet, or `nil`. Kept in memory only.
    var markedText: String? { get }
    /// `nil` or an empty text removes marked text.
    func setMarkedText(_ text: String?)
    /// Commits marked text in its place (spec TX-8).
    func unmarkText()
    /// The length in characters, marked text included.
    var documentLength: Int { get }
    /// Runs an editing command of spec §2.3. The key is consumed whether or not something changed.
    func perform(_ command: TextCommand)
    /// Performs a standard edit action, such as `cut:`, that no subclass has its own method for.
    func performEdit(_ action: Selector)
    /// Inserts text of a key, or of a paste or dictation. Returns the inserted text, which substitutions may have
    /// changed; `nil` where it was refused.
    func offerText(_ text: String, isTyped: Bool) -> String?
    /// Return (spec TX-9). What was inserted.
    func pressReturn() -> String?
    /// Looks keys up in the key bindings that are attached to this text; `nil` without any (spec §10).
    var keyBindingInterpreter: (any KeyBindingInterpreting)? { get }
    /// `UIKeyInput` alone: it takes what types, Return, Tab and Delete, and leaves every other key.
    var isKeyInputAlone: Bool { get }
}

extension TextInput {
    public func performEdit(_ action: Selector) {}
    public func offerText(_ text: String, isTyped: Bool) -> String? {
        insertText(text)
        return text
    }

    public func pressReturn() -> String? { isSingleLine ? nil : offerText("\n", isTyped: true) }
    public var keyBindingInterpreter: (any KeyBindingInterpreting)? { nil }
    public var isKeyInputAlone: Bool { false }
}

/// What a view that adopts `KeyInput` alone has for text.
final class KeyInputText: TextInput {
    private unowned let view: any KeyInput
    let isEditable = true
    let isSingleLine = false
    let isSecureTextEntry = false
    let allowsEditingTextAttributes = false
    let isKeyInputAlone = true
    let markedText: String? = nil
    /// Of what was typed and not deleted.
    private(set) var documentLength = 0

    init(_ view: any KeyInput) { self.view = view }

    var hasText: Bool { view.hasText }
    func insertText(_ text: String) {
        documentLength += text.count
        view.insertText(text)
    }
    func deleteBackward() {
        documentLength = max(0, documentLength - 1)
        view.deleteBackward()
    }
    func setMarkedText(_ text: String?) {}
    func unmarkText() {}
    func perform(_ command: TextCommand) {}
}

/// A responder that itself scrolls by keys (spec EV-15).
public protocol KeyboardScrolling: AnyObject {
    var allowsKeyboardScrolling: Bool { get }
    /// True when the offset changed; a key that scrolls nothing is not consumed.
    func scroll(_ step: ScrollStep) -> Bool
}

/// The step that a scrolling key asks for.
public enum ScrollStep: Hashable, Sendable {
    case lineUp, lineDown, lineLeft, lineRight, pageUp, pageDown, start, end
}
