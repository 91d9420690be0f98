/// The counts that a piece of text adds to those of a document.
struct TextMetrics: Equatable {
    var utf8 = 0
    var utf16 = 0
    var characters = 0
    /// Characters that end a line.
    var lines = 0
    /// Characters that end a paragraph.
    var paragraphs = 0
    /// Characters of a strong direction, and of those the ones that run from right to left.
    var strong = 0
    var rightToLeft = 0

    init() {}

    /// Counts a text from its beginning.
    init(_ text: some StringProtocol) {
        utf8 = text.utf8.count
        utf16 = text.utf16.count
        for character in text {
            characters += 1
            if character.endsLine {
                lines += 1
                if character.endsParagraph { paragraphs += 1 }
            }
            switch character.directionality {
            case .leftToRight: strong += 1
            case .rightToLeft:
                strong += 1
                rightToLeft += 1
            case .number, .neutral: break
            }
        }
    }

    static func += (a: inout TextMetrics, b: TextMetrics) {
        a.utf8 += b.utf8
        a.utf16 += b.utf16
        a.characters += b.characters
        a.lines += b.lines
        a.paragraphs += b.paragraphs
        a.strong += b.strong
        a.rightToLeft += b.rightToLeft
    }

    static func - (a: TextMetrics, b: TextMetrics) -> TextMetrics {
        var difference = a
        difference.utf8 -= b.utf8
        difference.utf16 -= b.utf16
        difference.characters -= b.characters
        difference.lines -= b.lines
        difference.paragraphs -= b.paragraphs
        difference.strong -= b.strong
        difference.rightToLeft -= b.rightToLeft
        return difference
    }

    /// A count by which a document can be searched.
    enum Measure { case utf16, characters, lines, paragraphs, strong }

    subscript(measure: Measure) -> Int {
        switch measure {
        case .utf16: utf16
        case .characters: characters
        case .lines: lines
        case .paragraphs: paragraphs
        case .strong: strong
        }
    }
}

/// The direction of a character, as far as a headless model needs it.
enum Directionality { case leftToRight, rightToLeft, number, neutral }

extension Character {
    /// Line feed, carriage return, both, and U+000B, U+000C, U+0085, U+2028, U+2029.
    var endsLine: Bool { isNewline }

    /// True for all characters that end a line but the line separator and the vertical tab.
    var endsParagraph: Bool { isNewline && self != "\u{2028}" && self != "\u{B}" }

    var directionality: Directionality {
        guard let scalar = unicodeScalars.first else { return .neutral }
        let value = scalar.value
        if value < 0x80 {
            if value | 0x20 >= 0x61, value | 0x20 <= 0x7A { return .leftToRight }
            return value >= 0x30 && value <= 0x39 ? .number : .neutral
        }
        switch value {
        case 0x200E: return .leftToRight
        case 0x200F: return .rightToLeft
        case 0x660...0x669, 0x6F0...0x6F9: return .number
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
            return scalar.properties.isAlphabetic ? .rightToLeft : .neutral
        default: return scalar.properties.isAlphabetic ? .leftToRight : .neutral
        }
    }
}
