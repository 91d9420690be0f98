import ResponderEngine

/// A document with a selection, marked text, undo, a clipboard and a kill buffer: what text fields and text views
/// share. A text responder's own methods offer what an app needs of it.
///
/// Everything stays in memory. Clipboard and kill buffer are the editor's own, so that nothing leaks between
/// responders.
public final class TextEditor {
    public private(set) var document: TextDocument
    /// The end of the selection that moves, as an offset in characters.
    public private(set) var caret: Int
    /// The other end; equal to `caret` when nothing is selected.
    public private(set) var anchor: Int
    /// The range of marked text, which is part of the document.
    public private(set) var markedRange: Range<Int>?
    /// The unmarked part of the first and last character, where marked text joins the character before or after it.
    private var markedLead = ""
    private var markedTail = ""
    /// Goes up with every change of the text.
    private(set) var revision = 0
    private(set) var styles = TextStyles()
    /// The style of what is typed next, where it was chosen.
    var typingStyle: TextStyle?
    private var undo = TextUndo()
    var clipboard = ""
    var killed = ""
    /// Offset of the mark that `setMark:` leaves.
    private(set) var mark: Int?
    var placeholders = DictationPlaceholders()
    /// The column that moving up and down keeps to.
    var goalColumn: Int?
    /// The direction of paragraphs without a strong character, or, when it is forced, of all.
    var baseDirection = TextCommand.BaseDirection.natural
    /// The direction of the interface.
    var isRightToLeftInterface: () -> Bool = { false }
    var isSecure = false
    /// Asked before each change that a user makes (spec TX-9).
    var mayReplace: (Range<Int>, String) -> Bool = { _, _ in true }
    /// Lines that page commands go.
    var linesPerPage = 20

    init(_ text: String) {
        document = TextDocument(text)
        caret = document.count
        anchor = caret
    }

    public var selection: Range<Int> { min(anchor, caret)..<max(anchor, caret) }
    public var selectedText: String { document.text(in: selection) }
    public var markedText: String? {
        markedRange.map { range in
            let bytes = document.text(in: range).utf8
            let marked = bytes.dropFirst(markedLead.utf8.count).dropLast(markedTail.utf8.count)
            return String(decoding: marked, as: UTF8.self)
        }
    }
    public var canUndo: Bool { !undo.done.isEmpty }
    public var canRedo: Bool { !undo.undone.isEmpty }

    /// Another text; what was typed before cannot be undone.
    func setText(_ text: String) {
        document = TextDocument(text)
        caret = document.count
        anchor = caret
        forgetMarked()
        mark = nil
        styles = TextStyles()
        placeholders = DictationPlaceholders()
        typingStyle = nil
        undo = TextUndo()
        goalColumn = nil
        revision += 1
    }

    // MARK: Selection

    /// Moves the caret, clamped to the document; with `extending`, the other end of the selection stays.
    func moveCaret(to offset: Int, extending: Bool = false) {
        let target = max(0, min(document.count, offset))
        if target != caret || (!extending && anchor != target) {
            endTyping()
            typingStyle = nil
        }
        caret = target
        if !extending { anchor = target }
        // A selection lies inside marked text or ends it (spec TX-8).
        if let marked = markedRange, selection.clamped(to: marked) != selection { unmarkText() }
    }

    func select(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<document.count)
        moveCaret(to: range.lowerBound)
        moveCaret(to: range.upperBound, extending: true)
        goalColumn = nil
    }

    /// Ends the typing that is undone at once: what is typed next can be undone by itself.
    func endTyping() { undo.isTyping = false }

    func setMarkToCaret() { mark = caret }

    func swapWithMark() {
        guard let old = mark else { return }
        mark = caret
        moveCaret(to: old)
    }

    // MARK: Changes

    /// Puts text in the place of a range and the caret behind it. False when that was refused or changes nothing.
    @discardableResult
    func replace(_ range: Range<Int>, with text: String, isTyped: Bool = false, asking: Bool = true) -> Bool {
        guard !range.isEmpty || !text.isEmpty else { return false }
        guard !asking || mayReplace(range, text) else { return false }
        undo.note(moment, isTyped: isTyped)
        let oldCount = document.count
        let style = typingStyle ?? (styles.isPlain ? [] : styles.style(at: max(0, range.lowerBound - 1)))
        let splice = document.splice(range, with: text)
        restyle(splice, style, leftIncluded: splice.start < range.lowerBound, oldCount)
        placeholders.shift(splice.start, splice.replacedCount, splice.count)
        mark?.shift(splice.start, splice.replacedCount, splice.count)
        caret = splice.end
        anchor = caret
        goalColumn = nil
        revision += 1
        return true
    }

    private func restyle(_ splice: TextDocument.Splice, _ style: TextStyle, leftIncluded: Bool, _ oldCount: Int) {
        guard !styles.isPlain || !style.isEmpty else { return }
        var runs: [TextStyleRun] = []
        var rest = splice.count
        if leftIncluded, rest > 0 {
            runs.append(TextStyleRun(count: 1, style: styles.style(at: splice.start)))
            rest -= 1
        }
        runs.append(TextStyleRun(count: rest, style: style))
        styles.replace(splice.start, splice.replacedCount, with: runs, documentCount: oldCount)
    }

    /// Inserts text: in the place of marked text, else of the selection (spec TX-8).
    @discardableResult
    func insert(_ text: String, isTyped: Bool = false) -> Bool {
        guard let marked = markedRange else { return replace(selection, with: text, isTyped: isTyped) }
        endTyping()
        guard replace(marked, with: markedLead + text + markedTail, isTyped: isTyped) else { return false }
        forgetMarked()
        return true
    }

    func applyStyle(_ style: TextStyle, in range: Range<Int>, adding: Bool) {
        undo.note(moment, isTyped: false)
        let old = styles.runs(in: range)
        let runs = old.isEmpty ? [TextStyleRun(count: range.count, style: [])] : old
        let new = runs.map { run in
            TextStyleRun(count: run.count, style: adding ? run.style.union(style) : run.style.subtracting(style))
        }
        styles.replace(range.lowerBound, range.count, with: new, documentCount: document.count)
    }

    // MARK: Undo

    private var moment: TextUndo.Moment {
        TextUndo.Moment(document: document, styles: styles, anchor: anchor, caret: caret)
    }

    func undoChange() {
        unmarkText()
        guard let before = undo.done.popLast() else { return }
        undo.undone.append(moment)
        restore(before)
    }

    func redoChange() {
        unmarkText()
        guard let after = undo.undone.popLast() else { return }
        undo.done.append(moment)
        restore(after)
    }

    private func restore(_ other: TextUndo.Moment) {
        // A style that comes or goes changes no text.
        if !other.document.text.utf8.elementsEqual(document.text.utf8) { revision += 1 }
        let removed = max(0, document.count - other.document.count)
        (document, styles, anchor, caret) = (other.document, other.styles, other.anchor, other.caret)
        placeholders.shift(document.count, removed, 0)
        mark?.shift(document.count, removed, 0)
        endTyping()
        typingStyle = nil
        goalColumn = nil
    }

    // MARK: Marked text

    /// Replaces marked text, else the selection. `selected` counts UTF-16 units of the marked text; without it the
    /// caret is at its end. No text removes marked text.
    func setMarkedText(_ text: String?, selected: Range<Int>? = nil) {
        let text = text ?? ""
        guard let range = markedRange ?? (text.isEmpty ? nil : selection) else { return }
        // A composition is a change of its own, not a part of what was typed before it.
        if markedRange == nil { endTyping() }
        let (lead, tail) = (markedLead, markedTail)
        let before = lead.isEmpty && range.lowerBound > 0 ? document[range.lowerBound - 1].map(String.init) : nil
        forgetMarked()
        replace(range, with: lead + text + tail, isTyped: true, asking: false)
        guard !text.isEmpty else { return endTyping() }
        var start = min(range.lowerBound, caret)
        markedLead = lead
        if let before, start > 0, let joined = document[start - 1], joined.utf8.count != before.utf8.count {
            start -= 1
            markedLead = before
        }
        let marked = start..<caret
        let rest = document.text(in: marked).utf8.count - markedLead.utf8.count - text.utf8.count
        markedTail = String(decoding: document.text(in: marked).utf8.suffix(max(0, rest)), as: UTF8.self)
        markedRange = marked
        if let selected { selectMarked(selected, text.utf16.count) }
    }

    /// Selects inside marked text, by its UTF-16 units.
    private func selectMarked(_ selected: Range<Int>, _ count: Int) {
        guard let marked = markedRange else { return }
        let bounds = selected.clamped(to: 0..<count)
        let base = document.utf16Offset(of: marked.lowerBound) + markedLead.utf16.count
        func offset(_ unit: Int) -> Int {
            max(marked.lowerBound, min(marked.upperBound, document.offset(ofUTF16: base + unit) ?? marked.upperBound))
        }
        (anchor, caret) = (offset(bounds.lowerBound), offset(bounds.upperBound))
    }

    /// Commits marked text in its place.
    func unmarkText() {
        guard markedRange != nil else { return }
        forgetMarked()
        endTyping()
    }

    private func forgetMarked() {
        markedRange = nil
        markedLead = ""
        markedTail = ""
    }
}
