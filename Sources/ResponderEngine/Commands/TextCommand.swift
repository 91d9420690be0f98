/// The commands behind editing keys (spec §2.3), and those that key bindings name (spec KB-10).
public enum TextCommand: Hashable, Sendable {
    public enum Unit: Sendable { case character, word, paragraph, line, document, page }

    /// `left` and `right` are visual: in a paragraph that runs from right to left, `left` goes forward. `forward` and
    /// `backward` follow the text's own order, as `start` and `end` do.
    public enum Direction: Sendable { case left, right, up, down, start, end, forward, backward }

    /// Text that a command inserts without being given one.
    public enum Insertion: Sendable {
        /// Return: a single line asks its delegate instead (spec TX-9).
        case newline
        /// Tab: a single line inserts nothing.
        case tab
        case backtab
        /// The same in any text, single lines included.
        case newlineIgnoringFieldEditor, tabIgnoringFieldEditor
        /// U+2028 and a form feed.
        case lineBreak, containerBreak
        /// Straight quotes, whatever smart quotes would make of them.
        case singleQuote, doubleQuote
    }

    public enum LetterCase: Sendable {
        case upper, lower, capitalized
        /// The other case of the letters selected, or of the one after the caret.
        case toggled
    }

    public enum BaseDirection: Sendable { case natural, leftToRight, rightToLeft }

    /// Moves the caret; with `extending`, one end of the selection.
    case move(Direction, by: Unit, extending: Bool)
    /// Deletes the selection, or from the caret to the unit's boundary in the direction.
    case delete(Direction, by: Unit)
    /// Takes the last mark off the character before the caret; where it has none, deletes it.
    case deleteByDecomposing
    /// Selects the word, line or paragraph of the caret.
    case select(Unit)
    case insert(Insertion)
    case transpose, transposeWords
    case newlineAfterCaret
    case changeCase(LetterCase)
    /// Inserts what ⌃K and its like deleted last.
    case yank
    case setMark, deleteToMark, selectToMark, swapWithMark
    case toggleBold, toggleItalics, toggleUnderline
    case baseDirection(BaseDirection)
    case undo, redo
    case cut, copy, paste, selectAll
    /// Scrolls without moving the caret.
    case scroll(ScrollStep)
    case centerSelection
    /// Taken without an effect: completion and cancelling, which ask for windows that no model has, and keys that are
    /// bound to nothing.
    case complete, cancel, nothing
}
