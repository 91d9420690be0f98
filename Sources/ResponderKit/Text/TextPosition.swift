/// A place between two characters (`UITextPosition`): opaque, compared through its text responder or with `<`.
public struct TextPosition: Hashable, Comparable, Sendable {
    /// The offset in characters.
    let offset: Int

    public static func < (a: TextPosition, b: TextPosition) -> Bool { a.offset < b.offset }
}

/// The text between two positions, empty for a caret (`UITextRange`). It is contiguous in the text, whatever the
/// directions of what it holds (spec TX-6).
public struct TextRange: Hashable, Sendable {
    public let start: TextPosition
    public let end: TextPosition
    public var isEmpty: Bool { start == end }

    init(_ range: Range<Int>) {
        start = TextPosition(offset: range.lowerBound)
        end = TextPosition(offset: range.upperBound)
    }

    /// The offsets in characters.
    var offsets: Range<Int> { start.offset..<max(start.offset, end.offset) }
}

/// Units of text (spec TX-7).
public enum TextGranularity: Int, CaseIterable, Sendable {
    case character = 0, word, sentence, paragraph, line, document
}

/// Directions in the text's own order (spec TX-7).
public enum TextStorageDirection: Int, CaseIterable, Sendable {
    case forward = 0, backward
}

/// Directions on the screen (spec TX-7).
public enum TextLayoutDirection: Int, CaseIterable, Sendable {
    case right = 2, left, up, down
}

/// A direction of either kind; the raw values of the two do not overlap.
public struct TextDirection: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
    public static func storage(_ direction: TextStorageDirection) -> TextDirection {
        TextDirection(rawValue: direction.rawValue)
    }
    public static func layout(_ direction: TextLayoutDirection) -> TextDirection {
        TextDirection(rawValue: direction.rawValue)
    }
}

/// The direction of text.
public enum TextWritingDirection: Int, Sendable {
    case natural = -1, leftToRight, rightToLeft
}
