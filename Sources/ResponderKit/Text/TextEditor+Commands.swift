import ResponderEngine

/// The editing commands (spec §2.3, KB-10).
extension TextEditor {
    /// Runs what changes or selects text. Commands that are not the document's, such as scrolling and Return, are left
    /// to the responder.
    func perform(_ command: TextCommand) {
        switch command {
        case .move(let direction, let unit, let extending): move(direction, by: unit, extending: extending)
        case .delete(let direction, let unit): delete(direction, by: unit)
        case .deleteByDecomposing: deleteByDecomposing()
        case .select(let unit): select(unit)
        case .insert(let insertion): insert(insertion.text)
        case .transpose: transpose()
        case .transposeWords: transposeWords()
        case .newlineAfterCaret: if insert("\n") { moveCaret(to: caret - 1) }
        case .changeCase(let letterCase): changeCase(letterCase)
        case .yank: if !killed.isEmpty { insert(killed) }
        case .setMark: setMarkToCaret()
        case .swapWithMark: swapWithMark()
        case .selectToMark: if let mark { select(min(mark, caret)..<max(mark, caret)) }
        case .deleteToMark: if let mark { kill(min(mark, caret)..<max(mark, caret)) }
        case .toggleBold: toggle(.bold)
        case .toggleItalics: toggle(.italics)
        case .toggleUnderline: toggle(.underline)
        case .baseDirection(let direction): baseDirection = direction
        case .cut, .copy:
            guard !isSecure, !selection.isEmpty else { return }
            clipboard = selectedText
            if command == .cut { insert("") }
        case .paste: if !clipboard.isEmpty { insert(clipboard) }
        case .selectAll: select(0..<document.count)
        case .undo: undoChange()
        case .redo: redoChange()
        case .scroll, .centerSelection, .complete, .cancel, .nothing: break
        }
    }

    // MARK: Deleting

    func delete(_ direction: TextCommand.Direction, by unit: TextCommand.Unit) {
        unmarkText()
        var range = selection
        if range.isEmpty {
            let target = max(0, min(document.count, destination(direction, by: unit)))
            range = min(target, caret)..<max(target, caret)
            // ⌃K at the end of a paragraph takes the end.
            if range.isEmpty, direction == .end, unit == .paragraph, caret < document.count {
                range = caret..<caret + 1
            }
            if unit == .paragraph || unit == .line { return kill(range) }
        }
        replace(range, with: "")
    }

    /// Deletes into the kill buffer. Of a secure field nothing is kept.
    private func kill(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let text = document.text(in: range)
        if replace(range, with: ""), !isSecure { killed = text }
    }

    private func deleteByDecomposing() {
        guard selection.isEmpty, caret > 0, let character = document[caret - 1] else {
            return delete(.backward, by: .character)
        }
        var scalars = character.unicodeScalars
        guard scalars.count > 1, character != "\r\n" else { return delete(.backward, by: .character) }
        unmarkText()
        scalars.removeLast()
        replace(caret - 1..<caret, with: String(scalars))
    }

    // MARK: Selecting

    private func select(_ unit: TextCommand.Unit) {
        switch unit {
        case .character: select(caret..<min(document.count, caret + 1))
        case .word:
            // The word at the caret, else the one before it.
            select(document.word(around: caret) ?? document.word(around: caret - 1) ?? caret..<caret)
        case .line: select(document.lineRange(at: caret))
        case .paragraph: select(document.paragraphRange(at: caret))
        case .document, .page: select(0..<document.count)
        }
    }

    // MARK: Transposing

    /// Exchanges the characters around the caret and moves past them; at the end of a paragraph, the two before it.
    private func transpose() {
        let paragraph = document.paragraphRange(at: caret)
        let middle = caret == paragraph.upperBound ? caret - 1 : caret
        guard middle > paragraph.lowerBound, let left = document[middle - 1], let right = document[middle] else {
            return
        }
        unmarkText()
        replace(middle - 1..<middle + 1, with: String(right) + String(left))
    }

    /// Exchanges the word at or before the caret with the next one.
    private func transposeWords() {
        guard let first = document.word(around: caret) ?? document.word(around: caret - 1) else { return }
        let end = document.wordEnd(after: first.upperBound)
        guard end > first.upperBound, let second = document.word(around: end - 1), second.lowerBound >= first.upperBound
        else { return }
        let between = document.text(in: first.upperBound..<second.lowerBound)
        unmarkText()
        replace(
            first.lowerBound..<second.upperBound,
            with: document.text(in: second) + between + document.text(in: first))
    }

    // MARK: Case

    private func changeCase(_ letterCase: TextCommand.LetterCase) {
        unmarkText()
        var range = selection
        if range.isEmpty {
            if letterCase == .toggled {
                range = caret..<min(document.count, caret + 1)
            } else {
                range = caret..<document.wordEnd(after: caret)
            }
        }
        let text = document.text(in: range)
        let changed: String
        switch letterCase {
        case .upper: changed = text.uppercased()
        case .lower: changed = text.lowercased()
        case .capitalized: changed = TextEditor.capitalized(text)
        case .toggled: changed = String(text.flatMap { $0.isUppercase ? $0.lowercased() : $0.uppercased() })
        }
        replace(range, with: changed)
    }

    private static func capitalized(_ text: String) -> String {
        var result = ""
        var isInside = false
        for character in text {
            result += isInside ? character.lowercased() : character.uppercased()
            isInside = character.isLetter || (isInside && character == "'")
        }
        return result
    }

    // MARK: Styles

    /// The style of what is typed next.
    var currentStyle: TextStyle {
        typingStyle ?? (styles.isPlain || caret == 0 ? [] : styles.style(at: caret - 1))
    }

    /// Toggles a style of a selection: removed where all of it has the style, else added. At a caret: for what is typed
    /// next.
    private func toggle(_ style: TextStyle) {
        let range = selection
        guard !range.isEmpty else {
            typingStyle = currentStyle.symmetricDifference(style)
            return
        }
        let runs = styles.runs(in: range)
        let hasAll = !runs.isEmpty && runs.allSatisfy { $0.style.isSuperset(of: style) }
        applyStyle(style, in: range, adding: !hasAll)
    }
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
