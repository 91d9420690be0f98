import ResponderEngine

/// Destinations of the caret under editing commands (spec §2.3).
extension TextEditor {
    func isRightToLeft(at offset: Int) -> Bool {
        switch baseDirection {
        case .leftToRight: false
        case .rightToLeft: true
        case .natural:
            document.runsRightToLeft(inParagraphAt: offset) ?? isRightToLeftInterface()
        }
    }

    func move(_ direction: TextCommand.Direction, by unit: TextCommand.Unit, extending: Bool) {
        let selected = selection
        // A plain arrow leaves a selection at its edge.
        if !extending, !selected.isEmpty, unit == .character, let edge = edge(of: selected, direction) {
            goalColumn = nil
            return moveCaret(to: edge)
        }
        let isVertical = (direction == .up || direction == .down) && [.character, .line, .page].contains(unit)
        let column = goalColumn ?? caret - document.lineRange(at: caret).lowerBound
        moveCaret(to: destination(direction, by: unit), extending: extending)
        goalColumn = isVertical ? column : nil
    }

    private func edge(of selected: Range<Int>, _ direction: TextCommand.Direction) -> Int? {
        switch direction {
        case .backward: selected.lowerBound
        case .forward: selected.upperBound
        case .left: isRightToLeft(at: caret) ? selected.upperBound : selected.lowerBound
        case .right: isRightToLeft(at: caret) ? selected.lowerBound : selected.upperBound
        default: nil
        }
    }

    /// `left` and `right` in the text's own order, by the paragraph's direction.
    private func logical(_ direction: TextCommand.Direction) -> TextCommand.Direction {
        switch direction {
        case .left: isRightToLeft(at: caret) ? .forward : .backward
        case .right: isRightToLeft(at: caret) ? .backward : .forward
        default: direction
        }
    }

    func destination(_ direction: TextCommand.Direction, by unit: TextCommand.Unit) -> Int {
        switch (logical(direction), unit) {
        case (.backward, .character): return caret - 1
        case (.forward, .character): return caret + 1
        case (.backward, .word): return document.wordStart(before: caret)
        case (.forward, .word): return document.wordEnd(after: caret)
        case (.backward, .line), (.start, .line): return document.lineRange(at: caret).lowerBound
        case (.forward, .line), (.end, .line): return document.lineRange(at: caret).upperBound
        case (.backward, .paragraph), (.start, .paragraph): return document.paragraphRange(at: caret).lowerBound
        case (.forward, .paragraph), (.end, .paragraph): return document.paragraphRange(at: caret).upperBound
        case (.up, .character), (.up, .line): return vertical(-1)
        case (.down, .character), (.down, .line): return vertical(1)
        case (.up, .page): return vertical(-linesPerPage)
        case (.down, .page): return vertical(linesPerPage)
        // One character further first, so that pressing again goes on to the next paragraph.
        case (.up, .paragraph): return document.paragraphRange(at: max(0, caret - 1)).lowerBound
        case (.down, .paragraph): return document.paragraphRange(at: min(document.count, caret + 1)).upperBound
        case (.forward, _), (.end, _), (.down, _): return document.count
        case (.backward, _), (.start, _), (.up, _), (.left, _), (.right, _): return 0
        }
    }

    /// The caret some lines away, in the column where the movement began.
    private func vertical(_ lines: Int) -> Int {
        let line = document.line(of: caret)
        guard let here = document.range(ofLine: line) else { return caret }
        let column = goalColumn ?? caret - here.lowerBound
        // Beyond the first and the last line, to the ends of the text; a page stops at them.
        let isPage = abs(lines) > 1
        let target = line + lines
        guard let there = document.range(ofLine: isPage ? max(0, min(document.lineCount - 1, target)) : target)
        else { return lines < 0 ? 0 : document.count }
        return min(there.lowerBound + column, there.upperBound)
    }
}
