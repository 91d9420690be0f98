/// Answers about units of text (`UITextInputTokenizer`; spec TX-7).
///
/// Words are letters and numbers in a row; sentences end at their full stop and the blanks after it; lines and
/// paragraphs are without what ends them. A unit has its start as boundary backwards and its end as boundary forwards.
public struct TextTokenizer {
    private let editor: TextEditor

    init(_ editor: TextEditor) { self.editor = editor }

    private var document: TextDocument { editor.document }

    /// The unit that holds the position; at a boundary, the unit that the direction goes into. `nil` where there is
    /// none, such as between two words.
    public func rangeEnclosingPosition(
        _ position: TextPosition, with granularity: TextGranularity, inDirection direction: TextDirection
    ) -> TextRange? {
        unit(at: position.offset, granularity, forward: isForward(direction, at: position.offset)).map(TextRange.init)
    }

    /// True at the end of a unit for a direction that goes forward, at the start of one for the other.
    public func isPosition(
        _ position: TextPosition, atBoundary granularity: TextGranularity, inDirection direction: TextDirection
    ) -> Bool {
        isBoundary(granularity, position.offset, forward: isForward(direction, at: position.offset))
    }

    public func isPosition(
        _ position: TextPosition, withinTextUnit granularity: TextGranularity, inDirection direction: TextDirection
    ) -> Bool {
        rangeEnclosingPosition(position, with: granularity, inDirection: direction) != nil
    }

    /// The next end of a unit, or going backwards the next start of one; `nil` where there is none.
    public func position(
        from position: TextPosition, toBoundary granularity: TextGranularity, inDirection direction: TextDirection
    ) -> TextPosition? {
        nextBoundary(granularity, position.offset, forward: isForward(direction, at: position.offset))
            .map { TextPosition(offset: $0) }
    }

    // MARK: Units

    /// Up and left of a text that runs from left to right are backward.
    private func isForward(_ direction: TextDirection, at offset: Int) -> Bool {
        switch direction.rawValue {
        case TextStorageDirection.forward.rawValue, TextLayoutDirection.down.rawValue: true
        case TextLayoutDirection.right.rawValue: !editor.isRightToLeft(at: offset)
        case TextLayoutDirection.left.rawValue: editor.isRightToLeft(at: offset)
        default: false
        }
    }

    /// The unit with `start <= offset < end`, or going backwards `start < offset <= end`.
    private func unit(at offset: Int, _ granularity: TextGranularity, forward: Bool) -> Range<Int>? {
        let inside = forward ? offset : offset - 1
        guard inside >= 0, inside < document.count else { return nil }
        let unit: Range<Int>?
        switch granularity {
        case .character: unit = inside..<inside + 1
        case .word: unit = document.word(around: inside)
        case .sentence: unit = sentences(around: inside).first { $0.contains(inside) }
        case .paragraph: unit = document.paragraphRange(at: inside)
        case .line: unit = document.lineRange(at: inside)
        case .document: unit = 0..<document.count
        }
        return unit.flatMap { $0.contains(inside) ? $0 : nil }
    }

    private func sentences(around offset: Int) -> [Range<Int>] {
        document.sentences(in: document.paragraphRange(at: offset))
    }

    /// Going forward a unit ends here, else one begins. Empty lines and paragraphs begin and end at the same place.
    private func isBoundary(_ granularity: TextGranularity, _ offset: Int, forward: Bool) -> Bool {
        let here: Range<Int>? =
            switch granularity {
            case .line: document.lineRange(at: offset)
            case .paragraph: document.paragraphRange(at: offset)
            case .document: 0..<document.count
            default: unit(at: offset, granularity, forward: !forward)
            }
        return here.map { edge(of: $0, forward) } == offset
    }

    private func edge(of unit: Range<Int>, _ forward: Bool) -> Int { forward ? unit.upperBound : unit.lowerBound }

    private func nextBoundary(_ granularity: TextGranularity, _ offset: Int, forward: Bool) -> Int? {
        guard forward ? offset < document.count : offset > 0 else { return nil }
        switch granularity {
        case .character: return forward ? offset + 1 : offset - 1
        case .document: return edge(of: 0..<document.count, forward)
        case .line: return nextEdge(offset, forward) { document.lineRange(at: $0) }
        case .paragraph: return nextEdge(offset, forward) { document.paragraphRange(at: $0) }
        case .word:
            let found = forward ? document.wordEnd(after: offset) : document.wordStart(before: offset)
            return document.word(around: forward ? found - 1 : found) == nil ? nil : found
        case .sentence: return nextSentence(offset, forward)
        }
    }

    /// The edge of the unit here, or when the offset is that edge, of the next one.
    private func nextEdge(_ offset: Int, _ forward: Bool, _ unit: (Int) -> Range<Int>) -> Int {
        let here = edge(of: unit(offset), forward)
        let isAhead = forward ? here > offset : here < offset
        return isAhead ? here : edge(of: unit(forward ? offset + 1 : offset - 1), forward)
    }

    private func nextSentence(_ offset: Int, _ forward: Bool) -> Int? {
        var at = offset
        while forward ? at <= document.count : at >= 0 {
            let paragraph = document.paragraphRange(at: at)
            let edges = document.sentences(in: paragraph).map { edge(of: $0, forward) }
            if let found = forward ? edges.first(where: { $0 > offset }) : edges.last(where: { $0 < offset }) {
                return found
            }
            at = forward ? paragraph.upperBound + 1 : paragraph.lowerBound - 1
        }
        return nil
    }
}
