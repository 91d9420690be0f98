/// The line and columns of selected text: a line ends only at a line break, and every character is one column wide
/// (spec TX-6 without pixels).
public struct TextSelectionRect: Hashable, Sendable {
    /// The line's number, from 0.
    public var line: Int
    /// Columns from the left, for text that runs from right to left too.
    public var columns: Range<Int>
    public var writingDirection: TextWritingDirection
    /// True for exactly one of the rectangles of a range.
    public var containsStart: Bool
    /// True for exactly one of the rectangles of a range.
    public var containsEnd: Bool
}

/// Places on the screen. All characters of a paragraph run in its direction, also where it mixes directions.
extension TextEditor {
    /// The rectangles of a range, one a line.
    func selectionRects(for range: Range<Int>) -> [TextSelectionRect] {
        let range = range.clamped(to: 0..<document.count)
        let numbers = document.line(of: range.lowerBound)...document.line(of: range.upperBound)
        return numbers.compactMap { number in
            guard let line = document.range(ofLine: number) else { return nil }
            let runsBack = isRightToLeft(at: line.lowerBound)
            let part = range.clamped(to: line)
            let ends = [part.lowerBound, part.upperBound].map { column(of: $0, in: line, runsBack) }.sorted()
            return TextSelectionRect(
                line: number, columns: ends[0]..<ends[1], writingDirection: runsBack ? .rightToLeft : .leftToRight,
                containsStart: number == numbers.lowerBound, containsEnd: number == numbers.upperBound)
        }
    }

    /// Line and column of a caret.
    func caretPlace(at offset: Int) -> (line: Int, column: Int) {
        let line = document.lineRange(at: offset)
        let offset = min(offset, line.upperBound)
        return (document.line(of: offset), column(of: offset, in: line, isRightToLeft(at: offset)))
    }

    /// The caret of a line and a column; of places outside the text, the nearest one.
    func closestOffset(line: Int, column: Int) -> Int {
        guard let range = document.range(ofLine: max(0, min(document.lineCount - 1, line))) else { return 0 }
        let column = max(0, min(range.count, column))
        return isRightToLeft(at: range.lowerBound) ? range.upperBound - column : range.lowerBound + column
    }

    private func column(of offset: Int, in line: Range<Int>, _ runsBack: Bool) -> Int {
        runsBack ? line.upperBound - offset : offset - line.lowerBound
    }
}
