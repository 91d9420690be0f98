/// Text from a trace, which is not to be trusted, in Markdown, HTML and XML.
package enum Markup {
    /// Text longer than this is cut.
    private static let limit = 2000

    package static func html(_ text: String) -> String {
        escaped(text, limit) { scalar in
            switch scalar {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }

    /// In one line, without markup and mentions; `breaksLinks`: an address becomes no link either.
    package static func markdown(_ text: String, limit: Int = Markup.limit, breaksLinks: Bool = false) -> String {
        escaped(text, limit) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "@": "&#64;"
            case ":" where breaksLinks: "&#58;"
            case "(" where breaksLinks, ")" where breaksLinks: "\\\(scalar)"
            case "\\", "`", "*", "_", "|", "[", "]", "#", "!", "~": "\\\(scalar)"
            default: nil
            }
        }
    }

    private static func escaped(
        _ text: String, _ limit: Int, _ replacement: (Unicode.Scalar) -> String?
    ) -> String {
        var safe = ""
        for scalar in SafeText.escaped(text, limit: limit).unicodeScalars {
            if let replacement = replacement(scalar) { safe += replacement } else { safe.unicodeScalars.append(scalar) }
        }
        return safe
    }
}
