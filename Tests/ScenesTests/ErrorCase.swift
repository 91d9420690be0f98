import Testing

/// A wrong text and what its message says, from a file of `Tests/Cases`.
struct ErrorCase: CustomTestStringConvertible, Sendable {
    var text: String
    var message: String

    var testDescription: String { message }

    /// The cases of a group, in the order of the file; at least one.
    static func read(_ file: String, group: String) -> [ErrorCase] {
        let lines = String(decoding: RepositoryFiles.bytes("Tests/Cases/\(file)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var cases: [ErrorCase] = []
        var current = ""
        var text: [Substring]?
        for line in lines {
            if line.hasPrefix("## ") {
                current = String(line.dropFirst(3))
            } else if line == "%%%" {
                text = []
            } else if line.hasPrefix("=> "), let written = text {
                if current == group {
                    cases.append(
                        ErrorCase(text: written.joined(separator: "\n"), message: String(line.dropFirst(3))))
                }
                text = nil
            } else {
                text?.append(line)
            }
        }
        if cases.isEmpty { Issue.record("Tests/Cases/\(file) has no cases of the group \(group)") }
        return cases
    }
}
