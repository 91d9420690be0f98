import Foundation
import Testing

/// The table of `Tests/README.md`: each rule of the specification with the tests that name it by its id.
@Suite struct RuleTests {
    /// Rule → the test files in which a test or suite is named after it, and the golden of a golden vector.
    private static let named: [String: Set<String>] = {
        var named: [String: Set<String>] = [:]
        for file in Repository.files(under: "Tests", ext: "swift") {
            for title in titles(in: Repository.text(file) ?? "") {
                for word in title.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }) {
                    guard Specification.isID(word) else { continue }
                    named[String(word), default: []].insert(String(file.dropFirst("Tests/".count).dropLast(6)))
                }
            }
        }
        for file in Repository.files where file.hasPrefix("Traces/golden/g") && file.hasSuffix("/input.keys") {
            let vector = file.dropFirst("Traces/golden/g".count).prefix { $0 != "-" }
            if let number = Int(vector) { named["G\(number)", default: []].insert("../\(file.dropLast(11))") }
        }
        return named
    }()

    /// Made from the pages of the specification and the names of the tests.
    private static let table: String = {
        var text = "| rule | about | tests |\n|---|---|---|\n"
        for family in Specification.families.dropLast() {
            let rules = Specification.rules.filter { $0.family == family }.sorted { $0.number < $1.number }
            for rule in rules {
                let isModelled = !rule.lines.contains { $0.hasPrefix("- Not yet modelled") }
                let tests = (named[rule.id] ?? []).sorted().map { "`\($0)`" }
                let none = isModelled ? "none" : "none: not yet modelled"
                text += "| \(rule.id) | \(rule.title) | \(tests.isEmpty ? none : tests.joined(separator: " ")) |\n"
            }
        }
        return text
    }()

    /// The names in `@Test("…` and `@Suite("…`.
    private static func titles(in text: String) -> [Substring] {
        (text.split(separator: "@Test(") + text.split(separator: "@Suite(")).compactMap { piece in
            let start = piece.drop { $0 == " " || $0 == "\n" }
            guard start.first == "\"" else { return nil }
            return start.dropFirst().prefix { $0 != "\"" }
        }
    }

    /// Each story of users names goldens that there are.
    @Test func storiesNameGoldens() {
        let text = Repository.text("Traces/golden/README.md") ?? ""
        let section = text.components(after: "## Stories\n", before: "\n## ")
        let names = section.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(names.count > 20)
        for name in names {
            let isThere = Repository.files.contains { $0 == "Traces/golden/\(name)/expected.txt" }
            #expect(isThere, "Traces/golden/README.md has a story of \(name), which is no golden")
        }
    }

    /// A README that differs is written beside the old one as `README.md.new` (never when `CI` is set).
    @Test func theTableOfTheReadmeIsTheOneOfThePages() throws {
        let readme = Repository.text("Tests/README.md") ?? ""
        let start = try #require(readme.firstRange(of: "| rule |")).lowerBound
        guard readme[start...] != Self.table else { return }
        if ProcessInfo.processInfo.environment["CI"] == nil {
            let pending = Repository.root.appending(path: "Tests/README.md.new")
            try (readme[..<start] + Self.table).write(to: pending, atomically: true, encoding: .utf8)
        }
        let lines = Self.table.split(separator: "\n")
        let old = readme[start...].split(separator: "\n")
        Issue.record("Tests/README.md: run without CI, then take Tests/README.md.new: \(lines.difference(from: old))")
    }
}

extension String {
    /// What stands between the first `start` and the next `end` after it.
    fileprivate func components(after start: String, before end: String) -> Substring {
        guard let first = firstRange(of: start) else { return "" }
        let rest = self[first.upperBound...]
        return rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)]
    }
}
