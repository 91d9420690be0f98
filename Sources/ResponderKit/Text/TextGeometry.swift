/// The lines and columns of selected text: a line ends only at a line break, and every character is one column wide
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

extension TextEditor {
    /// The rectangles of a range, as few as there can be: one a line, more where directions mix.
    func selectionRects(for range: Range<Int>) -> [TextSelectionRect] {
        let range = range.clamped(to: 0..<document.count)
        let first = document.line(of: range.lowerBound)
        let last = document.line(of: range.upperBound)
        var rects: [TextSelectionRect] = []
        for number in first...last {
            guard let line = document.range(ofLine: number) else { continue }
            let part = range.clamped(to: line)
            rects += lineRects(of: part, in: line, number, isFirst: number == first, isLast: number == last)
        }
        return rects
    }

    private func lineRects(
        of part: Range<Int>, in line: Range<Int>, _ number: Int, isFirst: Bool, isLast: Bool
    ) -> [TextSelectionRect] {
        let runsBack = isRightToLeft(at: line.lowerBound)
        let direction = runsBack ? TextWritingDirection.rightToLeft : .leftToRight
        func rect(_ columns: Range<Int>, _ hasStart: Bool, _ hasEnd: Bool) -> TextSelectionRect {
            TextSelectionRect(
                line: number, columns: columns, writingDirection: direction, containsStart: hasStart,
                containsEnd: hasEnd)
        }
        let inLine = part.lowerBound - line.lowerBound..<part.upperBound - line.lowerBound
        guard let order = visualOrder(of: line, runsBack) else { return [rect(inLine, isFirst, isLast)] }
        guard !inLine.isEmpty else {
            let slot = order.slot(of: inLine.lowerBound)
            return [rect(slot..<slot, isFirst, isLast)]
        }
        let (start, end) = (order.positions[inLine.lowerBound], order.positions[inLine.upperBound - 1])
        return order.spans(of: inLine).map { span in
            rect(span, isFirst && span.contains(start), isLast && span.contains(end))
        }
    }

    /// Line and column of a caret.
    func caretPlace(at offset: Int) -> (line: Int, column: Int) {
        let number = document.line(of: offset)
        guard let line = document.range(ofLine: number) else { return (0, 0) }
        let column = offset - line.lowerBound
        return (number, visualOrder(of: line, isRightToLeft(at: offset))?.slot(of: column) ?? column)
    }

    /// `nil` for a line that is shown in the text's own order, and for one that is too long to be laid out.
    private func visualOrder(of line: Range<Int>, _ runsBack: Bool) -> VisualOrder? {
        guard line.count <= TextEditor.longestVisualLine, runsBack || document.runsRightToLeft(in: line) else {
            return nil
        }
        return VisualOrder(Array(document.text(in: line)), isRightToLeft: runsBack)
    }

    /// The caret of a line and a column; of places outside the text, the nearest one.
    func closestOffset(line: Int, column: Int) -> Int {
        let number = max(0, min(document.lineCount - 1, line))
        guard let range = document.range(ofLine: number) else { return 0 }
        let column = max(0, min(range.count, column))
        guard let order = visualOrder(of: range, isRightToLeft(at: range.lowerBound)) else {
            return range.lowerBound + column
        }
        let offsets = 0...range.count
        let best = offsets.min { abs(order.slot(of: $0) - column) < abs(order.slot(of: $1) - column) }
        return range.lowerBound + (best ?? 0)
    }
}
