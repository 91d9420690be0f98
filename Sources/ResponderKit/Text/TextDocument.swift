/// Editable text as a sequence of whole characters (spec TX-5). Offsets count characters; what is recorded counts
/// UTF-16 units.
public struct TextDocument {
    private var characters: [Character]
    public private(set) var utf16Count: Int

    public init(_ text: String = "") {
        characters = Array(text)
        utf16Count = text.utf16.count
    }

    /// The length in characters.
    public var count: Int { characters.count }
    public var isEmpty: Bool { characters.isEmpty }
    public var text: String { String(characters) }

    public subscript(index: Int) -> Character? { characters.indices.contains(index) ? characters[index] : nil }

    /// The characters of a range, clamped to the document.
    public func text(in range: Range<Int>) -> String { String(characters[range.clamped(to: 0..<count)]) }

    // MARK: UTF-16

    /// The UTF-16 units before a character; of an offset outside the document, of its nearest end.
    public func utf16Offset(of offset: Int) -> Int {
        let offset = max(0, min(count, offset))
        // Text is typed at its end, as a rule.
        guard offset > count / 2 else { return TextDocument.utf16Count(characters[..<offset]) }
        return utf16Count - TextDocument.utf16Count(characters[offset...])
    }

    /// The character that holds a UTF-16 unit; `nil` outside the document.
    public func offset(ofUTF16 unit: Int) -> Int? {
        guard unit >= 0, unit <= utf16Count else { return nil }
        var units = 0
        return characters.firstIndex { character in
            units += character.utf16.count
            return unit < units
        } ?? count
    }

    private static func utf16Count(_ characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + $1.utf16.count }
    }

    // MARK: Lines and paragraphs

    public var lineCount: Int { line(of: count) + 1 }

    /// The line of an offset, from 0.
    public func line(of offset: Int) -> Int { characters[..<max(0, min(count, offset))].count { $0.isNewline } }

    /// The range from a line's first character to its end, without what ends it; `nil` for a line that does not exist.
    public func range(ofLine line: Int) -> Range<Int>? {
        guard line >= 0 else { return nil }
        var range = lineRange(at: 0)
        for _ in 0..<line {
            guard range.upperBound < count else { return nil }
            range = lineRange(at: range.upperBound + 1)
        }
        return range
    }

    /// The line of an offset, without what ends it.
    public func lineRange(at offset: Int) -> Range<Int> { range(around: offset, endedBy: \.isNewline) }

    /// The paragraph of an offset, without what ends it. Line separator and vertical tab end a line only.
    public func paragraphRange(at offset: Int) -> Range<Int> {
        range(around: offset) { $0.isNewline && $0 != "\u{2028}" && $0 != "\u{B}" }
    }

    private func range(around offset: Int, endedBy ends: (Character) -> Bool) -> Range<Int> {
        let offset = max(0, min(count, offset))
        let start = characters[..<offset].lastIndex(where: ends).map { $0 + 1 } ?? 0
        return start..<(characters[offset...].firstIndex(where: ends) ?? count)
    }

    /// The direction of a paragraph: that of its first strong character; `nil` where it has none.
    func runsRightToLeft(inParagraphAt offset: Int) -> Bool? {
        for character in characters[paragraphRange(at: offset)] {
            if let direction = character.runsRightToLeft { return direction }
        }
        return nil
    }

    // MARK: Changes

    /// The effect of a change: the characters it replaced, which may begin one before and end after the ones it was
    /// asked for, since characters that meet may join.
    struct Splice {
        /// The offset of its beginning.
        var start: Int
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
        var pieces = Array(String(characters[start..<range.lowerBound]) + text)
        let inserted = pieces.count
        var end = range.upperBound
        // From the first boundary that stays where it was, all others stay too.
        while let last = pieces.last, end < count {
            let joined = Array(String(last) + String(characters[end]))
            if joined.count == 2, joined[0].utf8.count == last.utf8.count { break }
            pieces.removeLast()
            pieces += joined
            end += 1
        }
        utf16Count += TextDocument.utf16Count(pieces[...]) - TextDocument.utf16Count(characters[start..<end])
        characters.replaceSubrange(start..<end, with: pieces)
        return Splice(
            start: start, replacedCount: end - start, count: pieces.count, end: start + min(inserted, pieces.count))
    }
}

extension Character {
    /// The direction of a strong character; `nil` for numbers and neutral ones.
    fileprivate var runsRightToLeft: Bool? {
        guard let scalar = unicodeScalars.first else { return nil }
        switch scalar.value {
        case 0x200E: return false
        case 0x200F: return true
        case 0x660...0x669, 0x6F0...0x6F9: return nil
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
            return scalar.properties.isAlphabetic ? true : nil
        default: return scalar.properties.isAlphabetic ? false : nil
        }
    }
}
