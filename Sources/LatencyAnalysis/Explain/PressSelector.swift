package import KeyModel

/// The press to be explained.
package enum PressSelector: Hashable, Sendable {
    /// By its ordinal.
    case press(UInt32)
    /// The first press of a chord, or the last.
    case chord(ChordQuery, isLast: Bool)
}

/// A chord as a person writes it. It is matched by the character first, that is by the character of the key, and
/// else by the position that has this name on a US keyboard.
package struct ChordQuery: Hashable, Sendable {
    /// The text as written.
    package var text: String
    package var modifiers: KeyModifiers
    /// Character of the key without modifiers; `nil` for keys named by a word.
    package var character: String?
    /// `nil` where only a character was given.
    package var usage: KeyUsage?

    package init(_ text: String) throws(ChordError) {
        let (modifiers, key) = try Chord.parse(text)
        self.text = text
        self.modifiers = modifiers.intersection(.matchMask)
        switch key {
        case .character(let character):
            self.character = ChordQuery.folded(String(character))
        case .usage(let usage):
            self.usage = usage
            // A key that was written as the one character that it has.
            if let last = text.last, KeyUsage(name: String(last)) == usage {
                character = ChordQuery.folded(String(last))
            }
        }
    }

    /// Letters match in either case (spec MT-2).
    static func folded(_ text: String) -> String { text.lowercased() }

    package enum Match: Hashable, Sendable { case character, position }

    /// Returns true if a press with these modifiers can be the selected one.
    func admits(_ pressed: KeyModifiers) -> Bool { pressed.intersection(.matchMask) == modifiers }

    func matchesPosition(_ key: KeyIdentity) -> Bool { usage != nil && key.usage == usage }

    func matchesCharacter(_ typed: String?) -> Bool {
        guard let typed, let character else { return false }
        return ChordQuery.folded(typed) == character
    }
}
