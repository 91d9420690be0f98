/// Settings of the keyboard for a text responder, with the defaults of UIKit (`UITextInputTraits`; spec TX-10). Raw
/// values are UIKit's.
///
/// A hardware keyboard is concerned by three: `isSecureTextEntry`, `enablesReturnKeyAutomatically`, and the smart
/// substitutions, which change what is inserted where they are `yes`; `default` leaves them to a user's setting, which
/// no recording contains, and changes nothing. The others are data.
public struct TextInputTraits: Hashable, Sendable {
    public enum Autocapitalization: Int, Sendable { case none = 0, words, sentences, allCharacters }
    /// The setting of autocorrection, spell checking and the smart substitutions.
    public enum Choice: Int, Sendable { case `default` = 0, no, yes }

    public var autocapitalizationType = Autocapitalization.sentences
    public var autocorrectionType = Choice.default
    public var spellCheckingType = Choice.default
    public var smartQuotesType = Choice.default
    public var smartDashesType = Choice.default
    public var smartInsertDeleteType = Choice.default
    public var keyboardType = 0
    public var keyboardAppearance = 0
    public var returnKeyType = 0
    /// Return does nothing while there is no text.
    public var enablesReturnKeyAutomatically = false
    /// True: typed text is kept nowhere.
    public var isSecureTextEntry = false
    public var textContentType: String?

    public init() {}
}

/// Typed punctuation as a smart keyboard inserts it.
enum SmartPunctuation {
    /// The text inserted for a typed one after the character before it, and how many characters before it that
    /// replaces.
    static func substitution(
        for text: String, after before: Character?, _ traits: TextInputTraits
    ) -> (text: String, replacing: Int) {
        if traits.smartDashesType == .yes, text == "-" {
            if before == "-" { return ("\u{2014}", 1) }
            return (text, 0)
        }
        guard traits.smartQuotesType == .yes, text == "\"" || text == "'" else { return (text, 0) }
        let opens = before.map { $0.isWhitespace || "([{<\u{2014}\u{2013}-\u{201C}\u{2018}".contains($0) } ?? true
        if text == "\"" { return (opens ? "\u{201C}" : "\u{201D}", 0) }
        return (opens ? "\u{2018}" : "\u{2019}", 0)
    }

    /// Pasted text with a blank where it would touch a word.
    static func inserted(_ text: String, between before: Character?, _ after: Character?) -> String {
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        let leads = isWord(before) && isWord(text.first)
        let trails = isWord(after) && isWord(text.last)
        return (leads ? " " : "") + text + (trails ? " " : "")
    }
}
