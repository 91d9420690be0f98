/// An error in a setting, and its place. The description is one line.
struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, the environment variable or the flag that contains it.
    var source: String
    /// `nil` where the source is no file, or the whole of it is meant.
    var place: SettingsText.Place?
    /// The subject: the name of a setting, or `syntax`.
    var subject: String
    var reason: Setting.Refusal

    init(_ source: String, at place: SettingsText.Place? = nil, _ subject: String, _ reason: Setting.Refusal) {
        (self.source, self.place, self.reason) = (source, place, reason)
        self.subject = SettingsError.shortened(subject)
        self.reason.found = SettingsError.shortened(reason.found)
    }

    /// The words come from the author of the file: they stay short.
    private static func shortened(_ text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }

    /// `FILE: line N, column N: SUBJECT: expected …, found …`, and the remedy after `; `.
    var description: String {
        let place = place.map { "line \($0.line), column \($0.column): " } ?? ""
        let help = reason.remedy.map { "; \($0)" } ?? ""
        return "\(source): \(place)\(subject): expected \(reason.expected), found \(reason.found)\(help)"
    }
}
