/// An error in a setting, and its place. The description is one line.
struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, the environment variable or the flag that contains it.
    var source: String
    /// 1-based, of a file.
    var line: Int?
    /// 1-based, in characters.
    var column: Int?
    /// The subject: the name of a setting, or `syntax`.
    var subject: String
    var expected: String
    var found: String
    var remedy: String?

    init(
        _ source: String, line: Int? = nil, column: Int? = nil, _ subject: String, expected: String, found: String,
        remedy: String? = nil
    ) {
        self.source = source
        self.line = line
        self.column = column
        self.subject = SettingsError.shortened(subject)
        self.expected = expected
        self.found = SettingsError.shortened(found)
        self.remedy = remedy
    }

    /// The words come from the author of the file: they stay short.
    private static func shortened(_ text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }

    /// `FILE: line N, column N: SUBJECT: expected …, found …`, and the remedy after `; `.
    var description: String {
        let place = line.map { line in "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " } ?? ""
        let help = remedy.map { "; \($0)" } ?? ""
        return "\(source): \(place)\(subject): expected \(expected), found \(found)\(help)"
    }
}
