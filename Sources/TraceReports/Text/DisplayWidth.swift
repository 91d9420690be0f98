/// Width of a text in terminal cells: one for most characters (⌘ and ⇧ among them), two for East Asian wide ones and
/// emoji, none for combining marks.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    package static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // A variation selector selects the emoji form, which is wide.
            if scalar.value == 0xFE0F { return max(2, width) }
            width = max(width, of(scalar))
        }
        return width
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: return 1
        case 0..<0x20, 0x7F..<0xA0: return 0
        // Regional indicators come in pairs, and a pair is one wide flag.
        case 0x1F1E6...0x1F1FF: return 2
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }

    /// Ranges of East Asian width W and F (Unicode Standard Annex 11) outside the emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        value >= 0x1100 && wide.contains { $0.contains(value) }
    }

    /// The longest beginning of `text` that fits into `cells`, with `…` where something was cut.
    package static func fit(_ text: String, into cells: Int) -> String {
        guard of(text) > cells else { return text }
        return cells > 0 ? text.prefix(fitting(text, cells)) + "…" : ""
    }

    /// The longest end of `text` that fits into `cells`, with `…` where something was cut: names are told apart by
    /// their ends.
    static func fitEnd(_ text: String, into cells: Int) -> String {
        guard of(text) > cells else { return text }
        return cells > 0 ? "…" + text.suffix(fitting(text.reversed(), cells)) : ""
    }

    /// The number of the first characters that leave a cell.
    private static func fitting(_ text: some Sequence<Character>, _ cells: Int) -> Int {
        var used = 0
        return text.prefix { character in
            used += of(character)
            return used < cells
        }.count
    }

    /// The text in lines of at most `cells`, broken at blanks where there are any; at least one line.
    package static func wrap(_ text: String, into cells: Int) -> [String] {
        guard of(text) > cells, cells > 1 else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let width = of(String(word))
            if used > 0, used + 1 + width > cells {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if used > 0 { line += " " }
            used += used > 0 ? 1 : 0
            for character in word {
                let width = of(character)
                if used + width > cells {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += width
            }
        }
        return lines + [line]
    }
}
