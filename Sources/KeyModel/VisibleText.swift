/// Characters without a picture of their own, made visible for a line of a file or of a terminal. A name can then
/// neither move the cursor nor pretend to be something else.
package enum VisibleText {
    /// The text with all of them escaped.
    package static func escaped(_ text: String) -> String { replacing(text, by: escape) }

    /// The same with the codes of all, line breaks and tabs too: the form that accepted goldens have.
    package static func escapedByCode(_ text: String) -> String { replacing(text, by: code) }

    private static func replacing(_ text: String, by escape: (Unicode.Scalar) -> String) -> String {
        // Nearly all texts: nothing to look up in tables.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.unicodeScalars.reduce(into: "") { visible, scalar in
            if isHidden(scalar) { visible += escape(scalar) } else { visible.unicodeScalars.append(scalar) }
        }
    }

    /// The text with all of them escaped but line feeds.
    package static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// `\n`, `\r`, `\t`, or `\u{1b}`.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: code(scalar)
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String { "\\u{" + String(scalar.value, radix: 16) + "}" }

    /// Control characters, invisible ones and those that turn the direction of text. The joiner and the variation
    /// selectors inside an emoji are none.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200D
        default: false
        }
    }
}
