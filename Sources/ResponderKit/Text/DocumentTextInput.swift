public import ResponderEngine

/// A delegate that may refuse a user's changes (what `UITextFieldDelegate` and `UITextViewDelegate` have in common).
public protocol TextEditingDelegate: AnyObject {
    /// False keeps the text as it is (spec TX-9).
    func textInput(
        _ input: any DocumentTextInput, shouldChangeTextIn range: TextRange, replacementText text: String) -> Bool
    /// Return in a single line (spec TX-9). A field that implements `textFieldShouldReturn:` itself, as one of a scene
    /// may, performs that too. The answer changes nothing in a headless model.
    func textInputShouldReturn(_ input: any DocumentTextInput) -> Bool
    func textInputDidChange(_ input: any DocumentTextInput)
    func textInputDidChangeSelection(_ input: any DocumentTextInput)
}

extension TextEditingDelegate {
    public func textInput(
        _ input: any DocumentTextInput, shouldChangeTextIn range: TextRange, replacementText text: String
    ) -> Bool { true }
    public func textInputShouldReturn(_ input: any DocumentTextInput) -> Bool { true }
    public func textInputDidChange(_ input: any DocumentTextInput) {}
    public func textInputDidChangeSelection(_ input: any DocumentTextInput) {}
}

/// The delegate of a text field (`UITextFieldDelegate`).
public protocol TextFieldDelegate: TextEditingDelegate {
    func textFieldShouldReturn(_ textField: TextField) -> Bool
}

extension TextFieldDelegate {
    public func textFieldShouldReturn(_ textField: TextField) -> Bool { true }
    public func textInputShouldReturn(_ input: any DocumentTextInput) -> Bool {
        (input as? TextField).map(textFieldShouldReturn) ?? true
    }
}

/// The delegate of a text view (`UITextViewDelegate`).
public protocol TextViewDelegate: TextEditingDelegate {
    func textViewDidChange(_ textView: TextView)
}

extension TextViewDelegate {
    public func textViewDidChange(_ textView: TextView) {}
    public func textInputDidChange(_ input: any DocumentTextInput) {
        if let textView = input as? TextView { textViewDidChange(textView) }
    }
}

/// A delegate for changes that the keyboard did not make, such as an app's own (`UITextInputDelegate`; spec TX-6).
public protocol TextInputDelegate: AnyObject {
    func selectionWillChange(_ input: any DocumentTextInput)
    func selectionDidChange(_ input: any DocumentTextInput)
    func textWillChange(_ input: any DocumentTextInput)
    func textDidChange(_ input: any DocumentTextInput)
}

/// A text responder with a document (`UITextInput`): positions and ranges, marked text, and the tokenizer.
public protocol DocumentTextInput: Responder, TextInput {
    var editor: TextEditor { get }
    var traits: TextInputTraits { get set }
    var isEditable: Bool { get set }
    var isSingleLine: Bool { get set }
    var allowsEditingTextAttributes: Bool { get set }
    /// Replaces what text does with the keys that are bound in it (spec §10); `nil` leaves every key as it is.
    var keyBindings: KeyBindings? { get set }
    var delegate: (any TextEditingDelegate)? { get }
    var inputDelegate: (any TextInputDelegate)? { get }
    /// Asked before each change that a user makes, undo and redo excepted; by default the delegate is (spec TX-9).
    func shouldChangeText(in range: TextRange, replacementText text: String) -> Bool
    /// Lines that page commands move the caret.
    var linesPerPage: Int { get }
    /// A command of the view around the text: scrolling, and showing the selection.
    func scroll(for command: TextCommand)
}

// MARK: What keys do

extension DocumentTextInput {
    public var isSecureTextEntry: Bool {
        get { traits.isSecureTextEntry }
        set { traits.isSecureTextEntry = newValue }
    }
    public var linesPerPage: Int { 20 }
    public var document: TextDocument { editor.document }
    public var hasText: Bool { !editor.document.isEmpty }
    public var documentLength: Int { editor.document.count }
    public var markedText: String? { editor.markedText }
    /// The style that typed text gets (spec TX-11).
    public var typingStyle: TextStyle { editor.currentStyle }

    public func setMarkedText(_ text: String?) { change { editor.setMarkedText(text) } }

    /// `selectedRange` counts UTF-16 units of the marked text (spec TX-8).
    public func setMarkedText(_ text: String?, selectedRange: Range<Int>) {
        change { editor.setMarkedText(text, selected: selectedRange) }
    }

    public func unmarkText() { change { editor.unmarkText() } }
    public func insertText(_ text: String) { change { editor.insert(text) } }
    public func deleteBackward() { change { editor.delete(.backward, by: .character) } }

    public func offerText(_ text: String, isTyped: Bool) -> String? {
        var inserted: String?
        change { inserted = isTyped ? type(text) : editor.insert(text) ? text : nil }
        return inserted
    }

    /// Types a text: carriage returns become newlines (spec TX-9), smart punctuation is put in (spec TX-10). What it
    /// inserted, `nil` where that was refused.
    private func type(_ text: String) -> String? {
        let plain = text.utf8.contains(0xD) ? String(text.map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }) : text
        guard !isSecureTextEntry, editor.selection.isEmpty, editor.markedRange == nil else {
            return editor.insert(plain, isTyped: true) ? plain : nil
        }
        let caret = editor.caret
        let before = caret > 0 ? editor.document[caret - 1] : nil
        let smart = SmartPunctuation.substitution(for: plain, after: before, traits)
        guard editor.replace(caret - smart.replacing..<caret, with: smart.text, isTyped: true) else {
            return nil
        }
        if plain == "\n" { editor.endTyping() }
        return smart.text
    }

    public func pressReturn() -> String? {
        if traits.enablesReturnKeyAutomatically, !hasText { return nil }
        if isSingleLine {
            _ = delegate?.textInputShouldReturn(self)
            let question: Selector = "textFieldShouldReturn:"
            if canPerformAction(question, withSender: self) { perform(question, sender: self, event: nil) }
            return nil
        }
        return offerText("\n", isTyped: true)
    }

    /// Runs an editing command.
    public func perform(_ command: TextCommand) {
        editor.linesPerPage = linesPerPage
        switch command {
        case .insert(.newline): _ = pressReturn()
        case .insert(.tab): if !isSingleLine { _ = offerText("\t", isTyped: true) }
        case .newlineAfterCaret where isSingleLine: break
        case .scroll, .centerSelection: scroll(for: command)
        case .paste: change { paste() }
        case .cut where traits.smartInsertDeleteType == .yes: change { cutSmartly() }
        case .toggleBold, .toggleItalics, .toggleUnderline:
            if allowsEditingTextAttributes { change { editor.perform(command) } }
        default: change { editor.perform(command) }
        }
    }

    /// Runs the editing command of a selector (`doCommandBySelector:`). False for a selector that is none, and for a
    /// change of text that cannot be edited.
    @discardableResult
    public func doCommand(by selector: Selector) -> Bool {
        guard let command = TextEditingCommands.command(for: selector), isEditable || !command.changesText else {
            return false
        }
        perform(command)
        return true
    }

    /// A single line takes lines as words.
    private func paste() {
        var text = editor.clipboard
        guard !text.isEmpty else { return }
        if isSingleLine { text = String(text.map { $0.isNewline ? " " : $0 }) }
        if traits.smartInsertDeleteType == .yes {
            let range = editor.selection
            text = SmartPunctuation.inserted(
                text, between: editor.document[range.lowerBound - 1], editor.document[range.upperBound])
        }
        editor.insert(text)
    }

    /// Cuts one of the blanks around the cut text with it.
    private func cutSmartly() {
        let range = editor.selection
        guard !range.isEmpty, !isSecureTextEntry else { return }
        let text = editor.selectedText
        let before = range.lowerBound == 0 ? nil : editor.document[range.lowerBound - 1]
        let after = editor.document[range.upperBound]
        var cut = range
        if after == " ", before == nil || before == " " {
            cut = range.lowerBound..<range.upperBound + 1
        } else if before == " ", after == nil {
            cut = range.lowerBound - 1..<range.upperBound
        }
        if editor.replace(cut, with: "") { editor.clipboard = text }
    }

    /// Runs a change and reports it: the keyboard's changes to the delegate, an app's own to the input delegate.
    func change(byApp: Bool = false, changesText: Bool = true, _ body: () -> Void) {
        let (revision, selection, wasMarked) = (editor.revision, editor.selection, editor.markedRange != nil)
        if byApp, changesText { inputDelegate?.textWillChange(self) }
        if byApp, !changesText { inputDelegate?.selectionWillChange(self) }
        body()
        if byApp, changesText { inputDelegate?.textDidChange(self) }
        if byApp, !changesText { inputDelegate?.selectionDidChange(self) }
        let isMarked = editor.markedRange != nil
        // Of a secure field not even the length is reported (spec TX-10).
        if !isSecureTextEntry {
            if editor.revision != revision { report(.text, .number(documentLength)) }
            if isMarked != wasMarked { report(.marked, .flag(isMarked)) }
        }
        guard !byApp else { return }
        if editor.revision != revision { delegate?.textInputDidChange(self) }
        if editor.selection != selection { delegate?.textInputDidChangeSelection(self) }
    }
}

// MARK: Positions and ranges

extension DocumentTextInput {
    public var beginningOfDocument: TextPosition { TextPosition(offset: 0) }
    public var endOfDocument: TextPosition { TextPosition(offset: editor.document.count) }
    public var tokenizer: TextTokenizer { TextTokenizer(editor) }
    public var markedTextRange: TextRange? { editor.markedRange.map(TextRange.init) }

    /// `nil` selects nothing: the caret stays where the selection ended.
    public var selectedTextRange: TextRange? {
        get { TextRange(editor.selection) }
        set {
            change(byApp: true, changesText: false) {
                if let newValue { editor.select(newValue.offsets) } else { editor.moveCaret(to: editor.caret) }
            }
        }
    }

    public func text(in range: TextRange) -> String { editor.document.text(in: range.offsets) }

    /// Makes an app's own change: no delegate is asked, and the input delegate is notified.
    public func replace(_ range: TextRange, withText text: String) {
        change(byApp: true) {
            editor.unmarkText()
            editor.replace(range.offsets.clamped(to: 0..<documentLength), with: text, asking: false)
        }
    }

    public func textRange(from start: TextPosition, to end: TextPosition) -> TextRange {
        TextRange(min(start, end).offset..<max(start, end).offset)
    }

    /// Some characters further; `nil` outside the text.
    public func position(from position: TextPosition, offset: Int) -> TextPosition? {
        let (target, overflow) = position.offset.addingReportingOverflow(offset)
        guard !overflow, target >= 0, target <= documentLength else { return nil }
        return TextPosition(offset: target)
    }

    /// Some characters, or for up and down lines, further on the screen; `nil` outside the text.
    public func position(
        from position: TextPosition, in direction: TextLayoutDirection, offset: Int
    ) -> TextPosition? {
        let isBack = editor.isRightToLeft(at: position.offset)
        // No text is as long as a distance that has no opposite.
        guard offset > Int.min, position.offset <= documentLength else { return nil }
        switch direction {
        case .right: return self.position(from: position, offset: isBack ? -offset : offset)
        case .left: return self.position(from: position, offset: isBack ? offset : -offset)
        case .up, .down:
            let place = editor.document.lineRange(at: position.offset)
            let (line, overflow) = editor.document.line(of: position.offset)
                .addingReportingOverflow(direction == .up ? -offset : offset)
            guard !overflow, let range = editor.document.range(ofLine: line) else { return nil }
            return TextPosition(offset: min(range.upperBound, range.lowerBound + position.offset - place.lowerBound))
        }
    }

    /// Characters from one position to another, negative backwards.
    public func offset(from start: TextPosition, to end: TextPosition) -> Int { end.offset - start.offset }

    /// UTF-16 units before a position: how recorded data counts (spec TX-5).
    public func utf16Offset(of position: TextPosition) -> Int { editor.document.utf16Offset(of: position.offset) }

    /// Before the character that holds a UTF-16 unit; `nil` outside the text.
    public func position(utf16Offset: Int) -> TextPosition? {
        editor.document.offset(ofUTF16: utf16Offset).map { TextPosition(offset: $0) }
    }

    /// The end of a range that lies farthest in a direction.
    public func position(within range: TextRange, farthestIn direction: TextLayoutDirection) -> TextPosition {
        switch direction {
        case .up: range.start
        case .down: range.end
        case .left: editor.isRightToLeft(at: range.start.offset) ? range.end : range.start
        case .right: editor.isRightToLeft(at: range.start.offset) ? range.start : range.end
        }
    }

    /// The range from a position to the end of the text, or to its beginning, in a direction.
    public func characterRange(byExtending position: TextPosition, in direction: TextLayoutDirection) -> TextRange {
        let whole = textRange(from: beginningOfDocument, to: endOfDocument)
        return textRange(from: position, to: self.position(within: whole, farthestIn: direction))
    }

    public func baseWritingDirection(for position: TextPosition) -> TextWritingDirection {
        editor.isRightToLeft(at: position.offset) ? .rightToLeft : .leftToRight
    }

    /// The lines and columns that a range covers (spec TX-6).
    public func selectionRects(for range: TextRange) -> [TextSelectionRect] {
        editor.selectionRects(for: range.offsets)
    }

    /// Line and column of a caret, from 0.
    public func caretPlace(for position: TextPosition) -> (line: Int, column: Int) {
        editor.caretPlace(at: position.offset)
    }

    /// The position nearest to a line and column.
    public func closestPosition(toLine line: Int, column: Int) -> TextPosition {
        TextPosition(offset: editor.closestOffset(line: line, column: column))
    }

    /// The style of the character after a position.
    public func style(at position: TextPosition) -> TextStyle { editor.styles.style(at: position.offset) }

    // MARK: Dictation

    /// One insertion of the likeliest text (spec TX-12).
    public func insertDictationResult(_ phrases: [DictationPhrase]) { insertText(phrases.map(\.text).joined()) }

    /// Keeps a place at the caret for a result that is still to come.
    public func insertDictationResultPlaceholder() -> DictationPlaceholder {
        editor.placeholders.insert(at: editor.caret)
    }

    /// Line and column of a placeholder; `nil` for one that was removed.
    public func frame(for placeholder: DictationPlaceholder) -> (line: Int, column: Int)? {
        editor.placeholders.offset(of: placeholder).map { editor.caretPlace(at: $0) }
    }

    /// Gives a placeholder up. With a result to come, the caret goes there; after a failure it stays.
    public func remove(_ placeholder: DictationPlaceholder, willInsertResult: Bool) {
        guard let offset = editor.placeholders.remove(placeholder), willInsertResult else { return }
        change { editor.moveCaret(to: offset) }
    }
}

extension TextCommand {
    /// Needs text that can be edited.
    var changesText: Bool {
        switch self {
        case .move, .select, .selectAll, .copy, .setMark, .selectToMark, .swapWithMark, .scroll, .centerSelection,
            .complete, .cancel, .nothing: false
        default: true
        }
    }
}
