import KeyModel

/// Text from a trace, which is not to be trusted, made safe to print: with `VisibleText`, and cut.
package enum SafeText {
    /// Names longer than this are cut. Longer than any real selector; short enough for a line.
    package static let limit = 120

    package static func escaped(_ text: String, limit: Int = SafeText.limit) -> String {
        // Enough scalars for any text of `limit` cells, and an end for towers of combining marks.
        let most = text.unicodeScalars.prefix(limit * 4)
        let safe = VisibleText.escaped(String(most)) + (most.endIndex < text.endIndex ? "…" : "")
        return DisplayWidth.fit(safe, into: limit)
    }
}
