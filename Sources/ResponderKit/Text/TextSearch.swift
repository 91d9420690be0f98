/// Finding text without regard to case and accents, by Unicode's own folding and no locale.
enum TextSearch {
    /// Letters of Latin, Greek and Cyrillic with one or two marks, by the letter without them. Characters that Unicode
    /// holds for the same are equal, so that a letter with its mark in one scalar is found by the same in two.
    private static let unaccented: [Character: Character] = {
        var table: [Character: Character] = [:]
        let ranges: [ClosedRange<UInt32>] = [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x44F]
        let second = "\u{301}\u{300}\u{309}\u{303}\u{323}\u{304}\u{308}\u{307}".unicodeScalars
        let marks: [ClosedRange<UInt32>] = [0x300...0x314, 0x31B...0x31B, 0x323...0x32E, 0x331...0x331, 0x342...0x345]
        for base in ranges.joined().compactMap(Unicode.Scalar.init) {
            for mark in marks.joined().compactMap(Unicode.Scalar.init) {
                let accented = String(Character(base)) + String(Character(mark))
                guard accented.count == 1 else { continue }
                table[Character(accented)] = Character(base)
                for other in second where mark.value == 0x302 || mark.value == 0x306 || mark.value == 0x31B {
                    let twice = accented + String(Character(other))
                    if twice.count == 1 { table[Character(twice)] = Character(base) }
                }
            }
        }
        return table
    }()

    /// Characters that count as the same have the same folding.
    static func fold(_ character: Character) -> [Character] {
        if let ascii = character.asciiValue {
            return [Character(Unicode.Scalar(ascii >= 65 && ascii <= 90 ? ascii | 32 : ascii))]
        }
        return character.lowercased().map { letter in
            if let plain = unaccented[letter] { return plain }
            var scalars = letter.unicodeScalars
            while scalars.count > 1, let last = scalars.last, (0x300...0x36F).contains(last.value) {
                scalars.removeLast()
            }
            let base = String(scalars).first ?? letter
            return unaccented[base] ?? base
        }
    }

    /// The nearest place of a text after an offset, or before it when going backwards; from the other end where there
    /// is none (spec §8.3).
    static func find(_ text: String, in document: TextDocument, from offset: Int, backwards: Bool) -> Range<Int>? {
        let needle = text.flatMap(fold)
        guard !needle.isEmpty else { return nil }
        // Each character of the document's folding, and its offset.
        var folded: [Character] = []
        var places: [Int] = []
        for (index, character) in document.text.enumerated() {
            for letter in fold(character) {
                folded.append(letter)
                places.append(index)
            }
        }
        guard folded.count >= needle.count else { return nil }
        var found: [Range<Int>] = []
        for start in 0...folded.count - needle.count where folded[start] == needle[0] {
            guard folded[start..<start + needle.count].elementsEqual(needle) else { continue }
            let range = places[start]..<places[start + needle.count - 1] + 1
            if !backwards, range.lowerBound >= offset { return range }
            found.append(range)
        }
        return backwards ? found.last { $0.upperBound <= offset } ?? found.last : found.first
    }
}
