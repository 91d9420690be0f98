/// Text for terminals without glyphs: every character that is not ASCII becomes a word, a sign or an escape.
package enum ASCIIText {
    /// The same in ASCII: `⇧⌘W` as `Shift+Cmd+W`, `→` as `->`, and what has no word as `\u{e9}`. Tables are laid out
    /// with it before, so that their columns stay.
    package static func of(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var result = ""
        /// Behind a modifier an arrow is a key, elsewhere it is a sign.
        var isChord = false
        for scalar in text.unicodeScalars {
            let isModifier = modifiers.contains(scalar)
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if isChord, let key = keys[scalar] {
                result += key
            } else if let word = words[scalar] ?? keys[scalar] {
                result += word
            } else if scalar.value != 0xFE0F {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            isChord = isModifier
        }
        return result
    }

    private static let modifiers: Set<Unicode.Scalar> = ["⌘", "⇧", "⌥", "⌃", "⇪"]

    private static let keys: [Unicode.Scalar: String] = [
        "←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "⏎": "Return", "↩": "Return", "⎋": "Esc", "⇥": "Tab",
        "⌫": "Delete", "⌦": "ForwardDelete", "␣": "Space", "⌤": "Enter", "↖": "Home", "↘": "End", "⇞": "PageUp",
        "⇟": "PageDown",
    ]

    private static let words: [Unicode.Scalar: String] = [
        "⌘": "Cmd+", "⇧": "Shift+", "⌥": "Opt+", "⌃": "Ctrl+", "⇪": "Caps+", "→": "->", "…": "...", "·": "|", "–": "-",
        "—": "--", "−": "-", "×": "x", "µ": "u", "μ": "u", "±": "+-", "≥": ">=", "≤": "<=", "≠": "!=", "∞": "inf",
        "Δ": "d", "✔": "ok", "✘": "no", "●": "*", "○": "o", "◻": "[]", "◀": "<", "▶": ">", "’": "'", "‘": "'",
        "“": "\"", "”": "\"", "✓": "ok", "▁": ".", "▂": ":", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%",
        "█": "#", "▏": "", "▎": "", "▍": "", "▌": "", "▋": "#", "▊": "#", "▉": "#", "\u{A0}": " ", "›": ">", "»": ">>",
        "«": "<<", "°": "deg", "§": "S",
    ]
}
