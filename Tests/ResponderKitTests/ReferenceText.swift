import ResponderKit

/// A document as slow and plain as can be: an array of characters, formed anew from the whole text after each change,
/// and every question answered by looking at all of it.
struct ReferenceText {
    private(set) var characters: [Character]

    init(_ text: String) { characters = Array(text) }

    var text: String { String(characters) }
    var count: Int { characters.count }

    mutating func replace(_ range: Range<Int>, with text: String) {
        characters = Array(String(characters[..<range.lowerBound]) + text + String(characters[range.upperBound...]))
    }

    func utf16Offset(of offset: Int) -> Int { String(characters.prefix(max(0, offset))).utf16.count }

    func offset(ofUTF16 unit: Int) -> Int? {
        guard unit >= 0, unit <= text.utf16.count else { return nil }
        guard unit < text.utf16.count else { return count }
        return (0..<count).last { utf16Offset(of: $0) <= unit }
    }

    // MARK: Units

    /// All units of a granularity, in order.
    func units(_ granularity: TextGranularity) -> [Range<Int>] {
        switch granularity {
        case .character: (0..<count).map { $0..<$0 + 1 }
        case .word: words
        case .sentence: parts(separatedBy: endsParagraph).flatMap(sentences)
        case .paragraph: parts(separatedBy: endsParagraph)
        case .line: parts(separatedBy: { characters[$0].isNewline })
        case .document: [0..<count]
        }
    }

    private func endsParagraph(_ index: Int) -> Bool {
        characters[index].isNewline && !["\u{2028}", "\u{B}"].contains(characters[index])
    }

    private func parts(separatedBy isSeparator: (Int) -> Bool) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        for index in 0..<count where isSeparator(index) {
            parts.append(start..<index)
            start = index + 1
        }
        return parts + [start..<count]
    }

    /// 0 for what is in no word, else a number for the kind.
    private func kind(_ index: Int) -> Int {
        guard characters.indices.contains(index), let scalar = characters[index].unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x3041...0x309F: return 2
        case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: return 3
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: return 4
        default: break
        }
        if characters[index].isLetter || characters[index].isNumber { return 1 }
        guard ["'", "\u{2019}"].contains(characters[index]), index > 0, index + 1 < count else { return 0 }
        let sides = [characters[index - 1], characters[index + 1]]
        return sides.allSatisfy(\.isLetter) && kindOfLetter(index - 1) == 1 && kindOfLetter(index + 1) == 1 ? 1 : 0
    }

    private func kindOfLetter(_ index: Int) -> Int { ReferenceText(String(characters[index])).kind(0) }

    private var words: [Range<Int>] {
        var words: [Range<Int>] = []
        var index = 0
        while index < count {
            let here = kind(index)
            var end = index + 1
            while end < count, kind(end) == here { end += 1 }
            if here != 0 { words.append(index..<end) }
            index = end
        }
        return words
    }

    private func sentences(_ paragraph: Range<Int>) -> [Range<Int>] {
        let stops: Set<Character> = [".", "!", "?", "…", "。", "！", "？"]
        let closings = stops.union([")", "]", "}", "\"", "'", "”", "’", "»", "」", "』"])
        var sentences: [Range<Int>] = []
        var start = paragraph.lowerBound
        var index = start
        while index < paragraph.upperBound {
            guard stops.contains(characters[index]) else {
                index += 1
                continue
            }
            let ideographic = ["。", "！", "？"].contains(characters[index])
            index += 1
            while index < paragraph.upperBound, closings.contains(characters[index]) { index += 1 }
            let closed = index
            while index < paragraph.upperBound, characters[index].isWhitespace { index += 1 }
            if ideographic || index > closed || index == paragraph.upperBound {
                sentences.append(start..<index)
                start = index
            }
        }
        return start < paragraph.upperBound ? sentences + [start..<paragraph.upperBound] : sentences
    }

    // MARK: What a tokenizer answers

    func enclosing(_ offset: Int, _ granularity: TextGranularity, forward: Bool) -> Range<Int>? {
        units(granularity).first { unit in
            forward ? unit.contains(offset) : offset > unit.lowerBound && offset <= unit.upperBound
        }
    }

    func isBoundary(_ offset: Int, _ granularity: TextGranularity, forward: Bool) -> Bool {
        units(granularity).contains { (forward ? $0.upperBound : $0.lowerBound) == offset }
    }

    func boundary(from offset: Int, _ granularity: TextGranularity, forward: Bool) -> Int? {
        forward
            ? units(granularity).map(\.upperBound).first { $0 > offset }
            : units(granularity).map(\.lowerBound).last { $0 < offset }
    }
}
