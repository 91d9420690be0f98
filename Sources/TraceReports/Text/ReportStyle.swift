/// Output settings of a report for people.
package struct ReportStyle: Hashable, Sendable {
    /// Cells of a line; `nil`: as wide as it gets (no terminal).
    package var width: Int?
    /// Escape sequences for colour. Colour never has information that the words lack.
    package var usesColour: Bool

    /// Glyphs become words and signs, so that every terminal shows them.
    package var isASCII: Bool

    package init(width: Int? = nil, usesColour: Bool = false, isASCII: Bool = false) {
        self.width = width
        self.usesColour = usesColour
        self.isASCII = isASCII
    }

    /// A piece of text as it is printed.
    package func spelled(_ text: String) -> String { isASCII ? ASCIIText.of(text) : text }

    /// A report whose tables fit, with its other lines broken at blanks to be as wide as the terminal. A word stays
    /// whole, such as the name of a file.
    func fitted(_ text: String) -> String {
        guard let width else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let line = spelled(String(line))
            return ReportStyle.width(of: line) > width ? ReportStyle.broken(line, width) : line
        }
        return lines.joined(separator: "\n")
    }

    private static func broken(_ line: String, _ width: Int) -> String {
        let indent = String(line.prefix { $0 == " " })
        var text = ""
        var used = 0
        for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
            let cells = self.width(of: String(word))
            if used > 0, used + 1 + cells <= width {
                text += " " + word
                used += 1 + cells
            } else if used == 0 || cells > 0 {
                text += (used > 0 ? "\n" : "") + indent + word
                used = indent.count + cells
            }
        }
        return text
    }

    /// Without its escape sequences.
    private static func width(of line: String) -> Int {
        DisplayWidth.of(line.contains("\u{1B}") ? line.replacing(/\u{1B}\[[0-9]*m/, with: "") : line)
    }

    /// For files, pipes and goldens.
    package static let plain = ReportStyle()

    /// The role of a piece of text, for its colour.
    package enum Role { case plain, heading, good, bad, faint }

    package func paint(_ text: String, _ role: Role) -> String {
        guard usesColour, !text.isEmpty else { return text }
        let code =
            switch role {
            case .plain: ""
            case .heading: "1"
            case .good: "32"
            case .bad: "31"
            case .faint: "2"
            }
        return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// A report of a verb, for people.
package protocol FittedReport {
    /// The whole report, whose lines may be wider than the terminal. Ends with a line break.
    func body(_ style: ReportStyle) -> String
}

extension FittedReport {
    /// For people. Ends with a line break.
    package func text(_ style: ReportStyle = .plain) -> String { style.fitted(body(style)) }
}
