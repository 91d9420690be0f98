/// Editable text as a sequence of whole characters with a caret (spec TX-5).
///
/// The text is kept in two halves that meet at the caret, so that typing costs the same however long the
/// document is. Where an insertion meets what stands before and after it, characters are formed anew: a combining
/// mark joins the letter before it.
public struct TextDocument {
    private var before: [Character] = []
    /// The half after the caret, last character first.
    private var after: [Character] = []
    /// The other end of the selection, as an offset; equal to `caret` when nothing is selected.
    public private(set) var anchor = 0

    public init(_ text: String = "") {
        before = Array(text)
        anchor = before.count
    }

    /// In characters.
    public var count: Int { before.count + after.count }
    public var isEmpty: Bool { before.isEmpty && after.isEmpty }
    public var text: String { String(before) + String(after.reversed()) }
    public var caret: Int { before.count }
    public var selection: Range<Int> { min(anchor, caret)..<max(anchor, caret) }

    public subscript(index: Int) -> Character? {
        guard index >= 0, index < count else { return nil }
        return index < before.count ? before[index] : after[count - 1 - index]
    }

    /// The characters of a range, clamped to the document.
    public func text(in range: Range<Int>) -> String {
        String(range.clamped(to: 0..<count).compactMap { self[$0] })
    }

    public mutating func moveCaret(to offset: Int, extending: Bool) {
        let target = max(0, min(count, offset))
        while before.count > target, let last = before.popLast() { after.append(last) }
        while before.count < target, let last = after.popLast() { before.append(last) }
        if !extending { anchor = target }
    }

    public mutating func select(_ range: Range<Int>) {
        moveCaret(to: range.lowerBound, extending: false)
        moveCaret(to: range.upperBound, extending: true)
    }

    /// Removes a range, clamped to the document; the caret stands where it was.
    public mutating func delete(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<count)
        moveCaret(to: range.upperBound, extending: false)
        before.removeLast(range.count)
        anchor = before.count
        rejoin()
    }

    /// Replaces the selection; the caret stands after the inserted text.
    public mutating func insert(_ text: String) {
        if !selection.isEmpty { delete(selection) }
        guard !text.isEmpty else { return }
        // Only the character before can change by what follows it.
        let left = before.popLast().map(String.init) ?? ""
        before.append(contentsOf: left + text)
        anchor = before.count
        rejoin()
    }

    /// Forms characters anew where the halves meet: a mark joins the letter before it, and regional indicators
    /// pair up again, as far as that goes on.
    private mutating func rejoin() {
        let caret = before.count
        while let left = before.last, let right = after.popLast() {
            let joined = Array(String(left) + String(right))
            if joined.count == 2, joined[0].utf8.count == left.utf8.count {
                after.append(right)
                break
            }
            before.removeLast()
            before.append(contentsOf: joined)
        }
        moveCaret(to: caret, extending: false)
    }
}
