import Testing

/// The rules of the behaviour specification: each one has a line in `Tests/README.md` with the tests that name it by
/// its id, or the reason why none does.
@Suite struct RuleTests {
    /// How many rules of each kind there are. Detectors (T-…) have tables of their own, which the traps test.
    private static let counts = [
        "DT-": 8, "EV-": 18, "KC-": 8, "MM-": 9, "MT-": 13, "DS-": 10, "FR-": 9, "HUD-": 8, "KB-": 11, "G": 27,
        "TX-": 12, "KK-": 16,
    ]

    /// Rule → the last column of its line.
    private static let table: [String: String] = {
        let text = Repository.text("Tests/README.md") ?? ""
        var table: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let columns = line.split(separator: "|").map(String.init)
            guard columns.count == 3, let id = columns.first?.split(separator: " ").first else { continue }
            if RuleTests.isRule(String(id)) { table[String(id)] = columns[2] }
        }
        return table
    }()

    /// Rule → the test files in which a test or suite is named after it.
    private static let named: [String: Set<String>] = {
        var named: [String: Set<String>] = [:]
        for file in Repository.files(under: "Tests", ext: "swift") {
            for title in titles(in: Repository.text(file) ?? "") {
                for word in title.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }) {
                    if isRule(String(word)) { named[String(word), default: []].insert(file) }
                }
            }
        }
        return named
    }()

    private static func isRule(_ word: String) -> Bool {
        for (prefix, count) in counts where word.hasPrefix(prefix) {
            if let number = Int(word.dropFirst(prefix.count)), number >= 1, number <= count { return true }
        }
        return false
    }

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

    @Test(arguments: counts.keys.sorted()) func everyRuleHasALine(_ prefix: String) {
        for number in 1...(Self.counts[prefix] ?? 1) {
            #expect(Self.table["\(prefix)\(number)"] != nil, "Tests/README.md has no line for \(prefix)\(number)")
        }
    }

    @Test(arguments: table.keys.sorted()) func aLineNamesTheTestsThatNameItsRule(_ rule: String) {
        let line = Self.table[rule] ?? ""
        let files = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { "Tests/\($0.element).swift" }
        #expect(Set(files) == Self.named[rule] ?? [], "\(rule): the line names other tests than those there are")
        #expect(!files.isEmpty || line.split(separator: " ").count > 4, "\(rule): neither a test nor a reason")
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
