/// How a report for people is printed.
public struct ReportStyle: Hashable, Sendable {
    /// Cells of a line; `nil`: as wide as it gets (no terminal).
    public var width: Int?
    /// Escape sequences for colour. Whatever colour says, a word says as well.
    public var usesColour: Bool

    /// Glyphs become words and signs, so that every terminal shows them.
    public var isASCII: Bool

    public init(width: Int? = nil, usesColour: Bool = false, isASCII: Bool = false) {
        self.width = width
        self.usesColour = usesColour
        self.isASCII = isASCII
    }

    /// A piece of text as it is printed.
    package func spelled(_ text: String) -> String { isASCII ? ASCIIText.of(text) : text }

    /// For files, pipes and goldens.
    public static let plain = ReportStyle()

    /// What a piece of text is, where colour helps to see it.
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
