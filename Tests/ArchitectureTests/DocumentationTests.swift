import Testing

/// What the documents say must be so.
@Suite struct DocumentationTests {
    @Test func theReadmeNamesEveryVerb() {
        let readme = Repository.text("README.md") ?? ""
        for verb in Self.verbs {
            let isNamed = readme.contains("`\(verb)`") || readme.contains("keyflight \(verb)")
            #expect(isNamed, "README.md never names \(verb)")
        }
        #expect(!Self.verbs.isEmpty)
    }

    @Test func theReadmeNamesNoVerbThatDoesNotExist() {
        let known = Set(Self.verbs + ["help"])
        for line in Repository.lines("README.md") where line.hasPrefix("$ keyflight ") {
            let words = line.drop { $0 == "$" || $0 == " " }.split(separator: " ")
            guard words.count > 1, !words[1].hasPrefix("-") else { continue }
            #expect(known.contains(String(words[1])), "README.md shows \(line)")
        }
    }

    @Test func theReadmeEndsWithTheLicence() {
        let headings = Repository.lines("README.md").filter { $0.hasPrefix("## ") }
        #expect(headings.last == "## Licence")
    }

    @Test func theReadmeGivesAReasonForEveryDependency() {
        let readme = Repository.text("README.md") ?? ""
        for name in ["libpcap", "libxkbcommon", "swift-argument-parser", "swift-system", "swift-atomics", "Yams"] {
            #expect(readme.contains("| \(name)") || readme.contains("| [\(name)]"), "README.md has no line for \(name)")
        }
    }

    /// The README's Swift is that of programs which tests and proofs run.
    @Test func theReadmesCodeIsThatOfAFixture() {
        let fixtures = Repository.files(under: "Tests/Fixtures", ext: "swift").compactMap { Repository.text($0) }
        let blocks = (Repository.text("README.md") ?? "").split(separator: "```swift\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks {
            let code = block[..<(block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex)]
            #expect(fixtures.contains { $0.contains(code) }, "README.md shows code that no fixture has: \(code)")
        }
    }

    /// Every file under `Traces` has its line in `Traces/README.md`: what it shows and how it was made. A folder's
    /// line, written with a final slash, stands for the files in it.
    @Test func everyTraceIsExplained() {
        let text = Repository.text("Traces/README.md") ?? ""
        let named = Set(text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) })
        for file in Repository.files where file.hasPrefix("Traces/") && file != "Traces/README.md" {
            let path = file.dropFirst("Traces/".count)
            var isNamed = named.contains(String(path))
            for (index, character) in zip(path.indices, path) where character == "/" {
                isNamed = isNamed || named.contains(String(path[...index]))
            }
            #expect(isNamed, "Traces/README.md has no line for \(path)")
        }
    }

    /// The verbs that the command line declares.
    static let verbs: [String] = Repository.files(under: "Sources/keyflight", ext: "swift").flatMap { file in
        Repository.lines(file).compactMap { line -> String? in
            guard let range = line.firstRange(of: "commandName: \"") else { return nil }
            let name = line[range.upperBound...].prefix { $0 != "\"" }
            return name == "keyflight" ? nil : String(name)
        }
    }.sorted()
}
