import TraceFormat

/// Text from a trace, which is not to be trusted, made safe to print.
///
/// Control characters, invisible ones and those that turn the direction of text become visible escapes such as
/// `\u{1b}`, so that a name can neither move the cursor nor pretend to be something else; line breaks become `\n`.
package enum SafeText {
    /// Names longer than this are cut. Longer than any real selector; short enough for a line.
    package static let limit = 120

    package static func escaped(_ text: String, limit: Int = SafeText.limit) -> String {
        // Enough scalars for any text of `limit` cells, and an end for towers of combining marks.
        let most = limit * 4
        var safe = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < most else {
                safe += "…"
                break
            }
            count += 1
            append(scalar, to: &safe)
        }
        return DisplayWidth.fit(safe, into: limit)
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            if JSONText.isHidden(scalar) {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
