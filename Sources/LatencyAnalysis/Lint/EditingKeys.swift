import KeyModel
import TraceFormat

/// Keys that text needs (spec §2.3).
enum EditingKeys {
    /// Returns true if the chord types a character.
    static func types(_ chord: PressChord) -> Bool {
        guard let key = chord.key, chord.modifiers.isDisjoint(with: [.command, .control]) else { return false }
        switch key {
        case .masked: return true
        case .clear(let usage): return TextKeyClass(usage) != nil
        }
    }

    private static let arrows: Set<KeyUsage> = [.leftArrow, .rightArrow, .upArrow, .downArrow]
    private static let deletes: Set<KeyUsage> = [.deleteOrBackspace, .deleteForward]
    private static let ends: Set<KeyUsage> = [.returnOrEnter, .keypadEnter, .tab, .escape]
    private static let composing: Set<KeyUsage> = [.returnOrEnter, .escape, .tab, .spacebar]

    private static let editing = arrows.union(deletes)
    private static let wanted = editing.union(ends)

    /// Returns true if the chord moves the caret or deletes.
    static func edits(_ chord: PressChord) -> Bool {
        guard let usage = chord.key?.usage else { return false }
        return editing.contains(usage)
    }

    /// An input method uses it to choose, to end or to give up.
    static func compose(_ chord: PressChord) -> Bool {
        guard let usage = chord.key?.usage else { return chord.key != nil }
        return edits(chord) || composing.contains(usage) || types(chord)
    }

    /// Return, Tab, Escape, arrows and Delete, which text and focus take from commands (T-15). With Command they move
    /// and delete by lines: an app that has them leaves them to text on purpose.
    static func areTaken(_ chord: PressChord) -> Bool {
        guard let usage = chord.key?.usage, !chord.modifiers.contains(.command) else { return false }
        return wanted.contains(usage)
    }

    /// Of Basic Latin to Latin Extended-B, or of Latin Extended Additional.
    static func isLatinLetter(_ text: String) -> Bool {
        guard let letter = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return false }
        return letter.properties.isAlphabetic && (letter.value < 0x250 || (0x1E00..<0x1F00).contains(letter.value))
    }
}
