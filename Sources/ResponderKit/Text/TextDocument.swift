/// Editable text as a sequence of whole characters (spec TX-5). Offsets count characters; what is recorded counts
/// UTF-16 units.
///
/// Reading and changing any place costs the same however long the text is (see `TextRope`).
public struct TextDocument {
    private var rope: TextRope

    public init(_ text: String = "") { rope = TextRope(text) }

    /// The length in characters.
    public var count: Int { rope.count }
    public var utf16Count: Int { rope.metrics.utf16 }
    public var isEmpty: Bool { rope.count == 0 }
    public var work: TextWork { rope.work }

    public var text: String { text(in: 0..<count) }

    public subscript(index: Int) -> Character? {
        guard let place = rope.place(of: index, .characters) else { return nil }
        return place.chunk.text[rope.index(index - place.before.characters, in: place.chunk)]
    }

    /// The characters of a range, clamped to the document.
    public func text(in range: Range<Int>) -> String {
        let range = range.clamped(to: 0..<count)
        var text = ""
        var at = range.lowerBound
        while at < range.upperBound, let place = rope.place(of: at, .characters) {
            let end = min(range.upperBound, place.characters.upperBound)
            if at == place.characters.lowerBound, end == place.characters.upperBound {
                text += place.chunk.text
            } else {
                let from = rope.index(at - place.before.characters, in: place.chunk)
                text += place.chunk.text[from..<rope.index(end - place.before.characters, in: place.chunk)]
            }
            at = end
        }
        return text
    }

    /// The characters around an offset that are cheap to read together, and the offset of the first.
    func neighbourhood(of index: Int) -> (start: Int, characters: [Character])? {
        guard let place = rope.place(of: index, .characters) else { return nil }
        work.charactersScanned += place.chunk.metrics.characters
        return (place.before.characters, Array(place.chunk.text))
    }

    // MARK: UTF-16

    /// The UTF-16 units before a character; of an offset outside the document, of its nearest end.
    public func utf16Offset(of offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        guard let place = rope.place(of: offset, .characters) else { return utf16Count }
        let text = place.chunk.text
        let end = rope.index(offset - place.before.characters, in: place.chunk)
        return place.before.utf16 + text.utf16.distance(from: text.startIndex, to: end)
    }

    /// The character that holds a UTF-16 unit; `nil` outside the document.
    public func offset(ofUTF16 unit: Int) -> Int? {
        guard unit != utf16Count else { return count }
        guard let place = rope.place(of: unit, .utf16) else { return nil }
        var offset = place.before.characters
        var units = place.before.utf16
        if place.chunk.metrics.utf16 == place.chunk.metrics.characters { return offset + unit - units }
        for character in place.chunk.text {
            work.charactersScanned += 1
            units += character.utf16.count
            if unit < units { return offset }
            offset += 1
        }
        return nil
    }

    // MARK: Lines and paragraphs

    /// The counts of the text before a character.
    private func metrics(before offset: Int) -> TextMetrics {
        guard offset > 0 else { return TextMetrics() }
        guard let place = rope.place(of: offset, .characters) else { return rope.metrics }
        var metrics = place.before
        work.charactersScanned += offset - place.before.characters
        metrics += TextMetrics(place.chunk.text[..<rope.index(offset - place.before.characters, in: place.chunk)])
        return metrics
    }

    /// The offset of the unit number `target` of a measure, such as the fifth end of a line.
    private func offset(of target: Int, _ measure: TextMetrics.Measure, _ counts: (Character) -> Bool) -> Int? {
        guard let place = rope.place(of: target, measure) else { return nil }
        var offset = place.before.characters
        var left = target - place.before[measure]
        for character in place.chunk.text {
            work.charactersScanned += 1
            if counts(character) {
                if left == 0 { return offset }
                left -= 1
            }
            offset += 1
        }
        return nil
    }

    public var lineCount: Int { rope.metrics.lines + 1 }

    /// The line of an offset, from 0.
    public func line(of offset: Int) -> Int { metrics(before: offset).lines }

    /// The range from a line's first character to its end, without what ends it; `nil` for a line that does not exist.
    public func range(ofLine line: Int) -> Range<Int>? {
        guard line >= 0, line < lineCount else { return nil }
        let start = line == 0 ? 0 : (offset(of: line - 1, .lines, \.endsLine) ?? 0) + 1
        return start..<max(start, offset(of: line, .lines, \.endsLine) ?? count)
    }

    /// The line of an offset, without what ends it.
    public func lineRange(at offset: Int) -> Range<Int> { range(ofLine: line(of: offset)) ?? 0..<count }

    /// The paragraph of an offset, without what ends it.
    public func paragraphRange(at offset: Int) -> Range<Int> {
        let number = metrics(before: offset).paragraphs
        let start = number == 0 ? 0 : (self.offset(of: number - 1, .paragraphs, \.endsParagraph) ?? 0) + 1
        return start..<max(start, self.offset(of: number, .paragraphs, \.endsParagraph) ?? count)
    }

    /// The direction of a paragraph: that of its first strong character; `nil` where it has none.
    func baseDirection(ofParagraphAt offset: Int) -> Directionality? {
        guard rope.metrics.rightToLeft > 0 else { return rope.metrics.strong > 0 ? .leftToRight : nil }
        let range = paragraphRange(at: offset)
        let strong = metrics(before: range.lowerBound).strong
        let isStrong = { (character: Character) in
            character.directionality == .leftToRight || character.directionality == .rightToLeft
        }
        guard let first = self.offset(of: strong, .strong, isStrong), first < range.upperBound else { return nil }
        return self[first]?.directionality
    }

    /// True when anything in a range runs from right to left.
    func runsRightToLeft(in range: Range<Int>) -> Bool {
        guard rope.metrics.rightToLeft > 0 else { return false }
        return metrics(before: range.upperBound).rightToLeft > metrics(before: range.lowerBound).rightToLeft
    }

    // MARK: Changes

    /// The effect of a change: the characters it replaced, which may begin one before and end after the ones it was
    /// asked for, since characters that meet may join.
    struct Splice {
        /// The offset of its beginning.
        var start: Int
        /// The text before the change.
        var replaced: String
        var replacedCount: Int
        /// Characters in its place now.
        var count: Int
        /// After the inserted text.
        var end: Int
    }

    /// Puts text in the place of a range, clamped to the document. Where it meets the text before and after it,
    /// characters are formed anew: a combining mark joins the letter before it, regional indicators pair up again.
    public mutating func replace(_ range: Range<Int>, with text: String) { _ = splice(range, with: text) }

    mutating func splice(_ range: Range<Int>, with text: String) -> Splice {
        let range = range.clamped(to: 0..<count)
        // Only the character before can change by what follows it.
        let start = max(0, range.lowerBound - 1)
        let left = start < range.lowerBound ? self[start].map(String.init) ?? "" : ""
        var piece = left + text
        let inserted = piece.count
        var end = range.upperBound
        var pieces = inserted
        // From the first boundary that stays where it was, all others stay too.
        while let last = piece.last, let right = self[end] {
            let joined = Array(String(last) + String(right))
            if joined.count == 2, joined[0].utf8.count == last.utf8.count { break }
            piece.removeLast()
            piece += String(joined)
            pieces += joined.count - 1
            end += 1
        }
        let splice = Splice(
            start: start, replaced: self.text(in: start..<end), replacedCount: end - start, count: pieces,
            end: start + min(inserted, pieces))
        rope.splice(start..<end, with: piece)
        return splice
    }

    /// Puts back what a splice replaced: its ends were ends of characters.
    mutating func revert(_ start: Int, _ count: Int, to text: String) {
        rope.splice(start..<start + max(0, count), with: text)
    }
}
