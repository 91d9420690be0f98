import ResponderEngine

/// Where editing commands take the caret (spec §2.3). A line is a paragraph: there is no layout to wrap it.
extension TextDocument {
    func destination(_ direction: TextCommand.Direction, by unit: TextCommand.Unit) -> Int {
        switch (direction, unit) {
        case (.left, .character), (.backward, .character): caret - 1
        case (.right, .character), (.forward, .character): caret + 1
        case (.left, .word), (.backward, .word): wordStart(before: caret)
        case (.right, .word), (.forward, .word): wordEnd(after: caret)
        case (.left, _), (.backward, _), (.start, .line), (.start, .paragraph): paragraphStart(before: caret)
        case (.right, _), (.forward, _), (.end, .line), (.end, .paragraph): paragraphEnd(after: caret)
        case (.up, .character), (.up, .line): lineAbove
        case (.down, .character), (.down, .line): lineBelow
        // One character further first, so that pressing again goes on to the next paragraph.
        case (.up, .paragraph): paragraphStart(before: caret - 1)
        case (.down, .paragraph): paragraphEnd(after: caret + 1)
        case (.start, _), (.up, _): 0
        case (.end, _), (.down, _): count
        }
    }

    private func isWord(_ index: Int) -> Bool { self[index].map { $0.isLetter || $0.isNumber } ?? false }

    func wordStart(before offset: Int) -> Int {
        var index = min(offset, count)
        while index > 0, !isWord(index - 1) { index -= 1 }
        while index > 0, isWord(index - 1) { index -= 1 }
        return index
    }

    func wordEnd(after offset: Int) -> Int {
        var index = max(offset, 0)
        while index < count, !isWord(index) { index += 1 }
        while index < count, isWord(index) { index += 1 }
        return index
    }

    func paragraphStart(before offset: Int) -> Int {
        var index = max(0, min(offset, count))
        while index > 0, self[index - 1]?.isNewline == false { index -= 1 }
        return index
    }

    func paragraphEnd(after offset: Int) -> Int {
        var index = max(0, min(offset, count))
        while index < count, self[index]?.isNewline == false { index += 1 }
        return index
    }

    private var lineAbove: Int {
        let start = paragraphStart(before: caret)
        guard start > 0 else { return 0 }
        let above = paragraphStart(before: start - 1)
        return min(above + caret - start, start - 1)
    }

    private var lineBelow: Int {
        let end = paragraphEnd(after: caret)
        guard end < count else { return count }
        return min(end + 1 + caret - paragraphStart(before: caret), paragraphEnd(after: end + 1))
    }
}
