import ResponderEngine

/// A document with marked text, undo and a clipboard: what text fields and text views share.
///
/// Everything stays in memory. The clipboard is the editor's own, so that nothing leaks between responders.
struct TextEditor {
    private(set) var document: TextDocument
    /// Where marked text stands, which is part of the document.
    private(set) var markedRange: Range<Int>?
    private var undone: [Change] = []
    private var done: [Change] = []
    private var clipboard = ""

    /// What stood where an edit happened, one character to each side included, since a mark may join those.
    private struct Change {
        var start: Int
        var length: Int
        var replaced: String
        var selection: Range<Int>
    }

    init(_ text: String) { document = TextDocument(text) }

    var markedText: String? { markedRange.map { document.text(in: $0) } }

    mutating func setText(_ text: String) { self = TextEditor(text) }

    mutating func setMarkedText(_ text: String?) {
        if let range = markedRange { document.select(range) }
        let start = document.selection.lowerBound
        guard let text, !text.isEmpty else {
            if !document.selection.isEmpty, markedRange != nil { document.insert("") }
            markedRange = nil
            return
        }
        document.insert(text)
        markedRange = start..<max(start, document.caret)
    }

    mutating func unmarkText() { markedRange = nil }

    mutating func insert(_ text: String) {
        if let range = markedRange { document.select(range) }
        markedRange = nil
        edit(document.selection) { $0.insert(text) }
    }

    mutating func deleteBackward() { delete(.backward, by: .character) }

    mutating func perform(_ command: TextCommand, isSecure: Bool) {
        switch command {
        case .move(let direction, let unit, let extending): move(direction, by: unit, extending: extending)
        case .delete(let direction, let unit): delete(direction, by: unit)
        case .transpose: transpose()
        case .newlineAfterCaret:
            insert("\n")
            document.moveCaret(to: document.caret - 1, extending: false)
        case .undo: if let change = done.popLast() { undone.append(revert(change)) }
        case .redo: if let change = undone.popLast() { done.append(revert(change)) }
        case .cut, .copy:
            guard !isSecure, !document.selection.isEmpty else { return }
            clipboard = document.text(in: document.selection)
            if command == .cut { insert("") }
        case .paste: if !clipboard.isEmpty { insert(clipboard) }
        case .selectAll: document.select(0..<document.count)
        case .insert(let insertion): insert(insertion.text)
        case .select(let unit): select(unit)
        default: break
        }
    }

    private mutating func select(_ unit: TextCommand.Unit) {
        let caret = document.caret
        switch unit {
        case .word: document.select(document.wordStart(before: caret)..<document.wordEnd(after: caret))
        default: document.select(document.paragraphStart(before: caret)..<document.paragraphEnd(after: caret))
        }
    }

    private mutating func move(_ direction: TextCommand.Direction, by unit: TextCommand.Unit, extending: Bool) {
        let selection = document.selection
        // A plain arrow leaves a selection at its edge.
        if !extending, !selection.isEmpty, unit == .character, direction == .left || direction == .right {
            let edge = direction == .left ? selection.lowerBound : selection.upperBound
            return document.moveCaret(to: edge, extending: false)
        }
        document.moveCaret(to: document.destination(direction, by: unit), extending: extending)
    }

    private mutating func delete(_ direction: TextCommand.Direction, by unit: TextCommand.Unit) {
        markedRange = nil
        var range = document.selection
        if range.isEmpty {
            let target = max(0, min(document.count, document.destination(direction, by: unit)))
            range = min(target, document.caret)..<max(target, document.caret)
        }
        guard !range.isEmpty else { return }
        edit(range) { $0.delete(range) }
    }

    /// Exchanges the characters around the caret and moves past them; at the end of a line, the two before it.
    private mutating func transpose() {
        let caret = document.caret
        let middle = caret == document.paragraphEnd(after: caret) ? caret - 1 : caret
        guard middle > 0, let left = document[middle - 1], let right = document[middle] else { return }
        edit(middle - 1..<middle + 1) {
            $0.select(middle - 1..<middle + 1)
            $0.insert(String(right) + String(left))
        }
    }

    /// Changes the document inside a range, and remembers how to take that back.
    private mutating func edit(_ range: Range<Int>, _ body: (inout TextDocument) -> Void) {
        let (start, end) = (max(0, range.lowerBound - 1), min(document.count, range.upperBound + 1))
        let (count, replaced, selection) = (document.count, document.text(in: start..<end), document.selection)
        body(&document)
        done.append(
            Change(
                start: start, length: end + document.count - count - start, replaced: replaced,
                selection: selection))
        if done.count > TextEditor.undoDepth { done.removeFirst(done.count - TextEditor.undoDepth) }
        undone.removeAll()
    }

    /// Takes a change back and gives the change that brings it again.
    private mutating func revert(_ change: Change) -> Change {
        let range = change.start..<change.start + max(0, change.length)
        let (count, replaced, selection) = (document.count, document.text(in: range), document.selection)
        markedRange = nil
        document.select(range)
        document.insert(change.replaced)
        document.select(change.selection)
        return Change(
            start: change.start, length: range.count + document.count - count, replaced: replaced, selection: selection)
    }

    /// Changes that can be undone.
    static let undoDepth = 100
}

extension TextCommand.Insertion {
    var text: String {
        switch self {
        case .newline, .newlineIgnoringFieldEditor: "\n"
        case .tab, .tabIgnoringFieldEditor: "\t"
        case .backtab: ""
        case .lineBreak: "\u{2028}"
        case .containerBreak: "\u{C}"
        case .singleQuote: "'"
        case .doubleQuote: "\""
        }
    }
}
