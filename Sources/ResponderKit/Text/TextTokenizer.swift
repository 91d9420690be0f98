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
        let offset = position.offset
        if isForward(direction, at: offset) {
            return ends(granularity, at: offset)
        }
        return starts(granularity, at: offset)
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
        let offset = position.offset
        let found = isForward(direction, at: offset) ? nextEnd(granularity, offset) : nextStart(granularity, offset)
        return found.map { TextPosition(offset: $0) }
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

    /// Empty lines and paragraphs begin and end at the same place.
    private func starts(_ granularity: TextGranularity, at offset: Int) -> Bool {
        switch granularity {
        case .line: document.lineRange(at: offset).lowerBound == offset
        case .paragraph: document.paragraphRange(at: offset).lowerBound == offset
        case .document: offset == 0
        default: unit(at: offset, granularity, forward: true)?.lowerBound == offset
        }
    }

    private func ends(_ granularity: TextGranularity, at offset: Int) -> Bool {
        switch granularity {
        case .line: document.lineRange(at: offset).upperBound == offset
        case .paragraph: document.paragraphRange(at: offset).upperBound == offset
        case .document: offset == document.count
        default: unit(at: offset, granularity, forward: false)?.upperBound == offset
        }
    }

    private func nextEnd(_ granularity: TextGranularity, _ offset: Int) -> Int? {
        guard offset < document.count else { return nil }
        switch granularity {
        case .character: return offset + 1
        case .document: return document.count
        case .line: return following(offset) { document.lineRange(at: $0).upperBound }
        case .paragraph: return following(offset) { document.paragraphRange(at: $0).upperBound }
        case .word:
            let end = document.wordEnd(after: offset)
            return document.word(around: end - 1) == nil ? nil : end
        case .sentence:
            var at = offset
            while at <= document.count {
                let paragraph = document.paragraphRange(at: at)
                if let found = document.sentences(in: paragraph).first(where: { $0.upperBound > offset }) {
                    return found.upperBound
                }
                at = paragraph.upperBound + 1
            }
            return nil
        }
    }

    /// The end of the unit here, or when the offset is that end, of the next one.
    private func following(_ offset: Int, _ end: (Int) -> Int) -> Int {
        let here = end(offset)
        return here > offset ? here : end(offset + 1)
    }

    private func nextStart(_ granularity: TextGranularity, _ offset: Int) -> Int? {
        guard offset > 0 else { return nil }
        switch granularity {
        case .character: return offset - 1
        case .document: return 0
        case .line: return preceding(offset) { document.lineRange(at: $0).lowerBound }
        case .paragraph: return preceding(offset) { document.paragraphRange(at: $0).lowerBound }
        case .word:
            let start = document.wordStart(before: offset)
            return document.word(around: start) == nil ? nil : start
        case .sentence:
            var at = offset
            while at >= 0 {
                let paragraph = document.paragraphRange(at: at)
                if let found = document.sentences(in: paragraph).last(where: { $0.lowerBound < offset }) {
                    return found.lowerBound
                }
                at = paragraph.lowerBound - 1
            }
            return nil
        }
    }

    private func preceding(_ offset: Int, _ start: (Int) -> Int) -> Int {
        let here = start(offset)
        return here < offset ? here : start(offset - 1)
    }
}
