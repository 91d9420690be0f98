/// Words and sentences, as far as they can be found without a dictionary.
extension TextDocument {
    /// Characters in a row of one kind make a word.
    private enum WordKind { case none, word, han, hiragana, katakana }

    private static func kind(_ character: Character) -> WordKind {
        guard let scalar = character.unicodeScalars.first else { return .none }
        switch scalar.value {
        case 0x3041...0x309F: return .hiragana
        case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: return .katakana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: return .han
        default: return character.isLetter || character.isNumber ? .word : .none
        }
    }

    /// An apostrophe between two letters belongs to their word.
    private func kind(_ index: Int) -> WordKind {
        guard let here = self[index] else { return .none }
        let kind = TextDocument.kind(here)
        guard kind == .none, here == "'" || here == "\u{2019}" else { return kind }
        guard let before = self[index - 1], let after = self[index + 1], before.isLetter, after.isLetter
        else { return .none }
        return TextDocument.kind(before) == .word && TextDocument.kind(after) == .word ? .word : .none
    }

    func wordStart(before offset: Int) -> Int {
        var index = min(offset, count)
        while index > 0, kind(index - 1) == .none { index -= 1 }
        guard index > 0 else { return 0 }
        let last = kind(index - 1)
        while index > 0, kind(index - 1) == last { index -= 1 }
        return index
    }

    func wordEnd(after offset: Int) -> Int {
        var index = max(offset, 0)
        while index < count, kind(index) == .none { index += 1 }
        let first = kind(index)
        while index < count, kind(index) == first { index += 1 }
        return index
    }

    /// The word that holds the character at an offset.
    func word(around offset: Int) -> Range<Int>? {
        let own = kind(offset)
        guard own != .none else { return nil }
        var (start, end) = (offset, offset + 1)
        while start > 0, kind(start - 1) == own { start -= 1 }
        while end < count, kind(end) == own { end += 1 }
        return start..<end
    }

    // MARK: Sentences

    /// The sentences of a paragraph, each with the blanks after it: they end after `.`, `!`, `?` and the like, closing
    /// quotes and brackets, and a blank; those of Chinese and Japanese need no blank.
    func sentences(in paragraph: Range<Int>) -> [Range<Int>] {
        var sentences: [Range<Int>] = []
        var start = paragraph.lowerBound
        var index = start
        while index < paragraph.upperBound {
            guard let character = self[index], "\u{2E}!?\u{2026}。！？".contains(character) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < paragraph.upperBound, let closing = self[end],
                "\u{2E}!?\u{2026}。！？)]}\"'\u{201D}\u{2019}»」』".contains(closing)
            {
                end += 1
            }
            let needsBlank = !"。！？".contains(character)
            let closed = end
            while end < paragraph.upperBound, self[end]?.isWhitespace == true { end += 1 }
            index = end
            guard !needsBlank || end > closed || end == paragraph.upperBound else { continue }
            sentences.append(start..<end)
            start = end
        }
        if start < paragraph.upperBound { sentences.append(start..<paragraph.upperBound) }
        return sentences
    }
}
