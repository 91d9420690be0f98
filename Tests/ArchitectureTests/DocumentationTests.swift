import Testing

/// What the documents say must be so.
@Suite struct DocumentationTests {
    @Test func theReadmeNamesEveryVerb() {
        let readme = Repository.text("README.md") ?? ""
        for verb in Self.verbs {
            let isNamed = readme.contains("`\(verb)`") || readme.contains("keyflight \(verb)")
            #expect(isNamed, "README.md never names \(verb)")
        }
        #expect(Self.verbs.count > 30)
    }

    @Test func theReadmeNamesNoVerbThatDoesNotExist() {
        let known = Set(Self.verbs + ["help"])
        let shown = Repository.lines("README.md").filter { $0.hasPrefix("$ keyflight ") }
        #expect(shown.count > 5)
        for line in shown {
            let words = line.drop { $0 == "$" || $0 == " " }.split(separator: " ")
            guard words.count > 1, !words[1].hasPrefix("-") else { continue }
            #expect(known.contains(String(words[1])), "README.md shows \(line)")
        }
    }

    /// It sells and orients; the rest is where its reader is.
    @Test func thePagesOfOrientationStayShort() {
        #expect(Repository.lines("README.md").count <= 251)
        #expect(Repository.lines("Traces/README.md").count <= 41)
    }

    @Test func theReadmeEndsWithTheLicence() {
        let headings = Repository.lines("README.md").filter { $0.hasPrefix("## ") }
        #expect(headings.last == "## Licence")
    }

    /// The packages and system libraries of the manifest, and what the package for Python installs.
    @Test func theReadmeGivesAReasonForEveryDependency() {
        let readme = Repository.lines("README.md")
        let table = readme.drop { $0 != "| dependency | for |" }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        let dependencies = ModuleBoundaryTests.manifest.dependencies
        #expect(dependencies.count > 6 && dependencies.contains("swift-argument-parser"))
        for name in dependencies {
            let isNamed = table.contains { $0.hasPrefix("| \(name)") || $0.hasPrefix("| lib\(name)") }
            #expect(isNamed, "README.md has no line for \(name)")
        }
        #expect(table.count == dependencies.count + 1, "README.md explains a dependency that the manifest has not")
    }

    /// The Swift of the README and of the documentation is that of programs which tests and proofs run.
    @Test(arguments: ["README.md"] + Repository.files.filter { $0.contains(".docc/") && $0.hasSuffix(".md") })
    func theCodeThatIsShownIsThatOfAFixture(_ document: String) {
        let sources = ["Tests/Fixtures", "Tests/ExampleTests"].flatMap { Repository.files(under: $0, ext: "swift") }
        let fixtures = sources.map { Self.withoutIndentation(Repository.text($0) ?? "") }
        let blocks = (Repository.text(document) ?? "").split(separator: "```swift\n").dropFirst()
        for block in blocks {
            let code = block[..<(block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex)]
            let shown = Self.withoutIndentation(code)
            #expect(fixtures.contains { $0.contains(shown) }, "\(document) shows code that no fixture has: \(code)")
        }
    }

    /// The scene and the script that the README shows are those of its package.
    @Test func theGoldenThatIsShownIsThatOfTheFixture() {
        let readme = Repository.text("README.md") ?? ""
        let golden = "Tests/Fixtures/GoldenApp/Tests/TabsTests/Goldens/close-tab"
        for file in ["scene.yaml", "input.keys"] {
            let text = Repository.text("\(golden)/\(file)") ?? ""
            #expect(!text.isEmpty && readme.contains("\n\(text)```\n"), "README.md shows another \(file)")
        }
    }

    /// A page that stands for a concept shows how it is used.
    @Test func everyArticleHasAnExample() {
        let articles = Repository.files.filter { file in
            let parts = file.split(separator: "/")
            return parts.count == 4 && file.contains(".docc/") && parts[3] != "\(parts[1]).md"
        }
        #expect(articles.count >= 13)
        for article in articles {
            #expect(Repository.text(article)?.contains("```swift\n") == true, "\(article) has no example")
        }
    }

    private static func withoutIndentation(_ text: some StringProtocol) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed($0) }.joined(separator: "\n")
    }

    /// Written with these names, a controller is as short as with UIKit's, but for the list of its actions.
    @Test func aControllerIsAsShortAsWithUIKit() throws {
        let ours = try #require(Repository.text("Tests/ExampleTests/DocumentTabs.swift"))
        let theirs = try #require(Repository.text("Tests/Cases/document-tabs-uikit.txt"))
        let count = { (text: String) in text.filter { !$0.isWhitespace }.count }
        #expect(count(ours) * 20 <= count(theirs) * 21, "more than a twentieth longer")
        let list = try #require(ours.firstRange(of: "    override class var actions"))
        let end = try #require(ours[list.lowerBound...].firstRange(of: "\n    }\n")).upperBound
        #expect(count(String(ours[..<list.lowerBound] + ours[end...])) <= count(theirs))
    }

    /// Every file under `Traces` has its line in the README of its folder, or of the nearest folder above that has
    /// one: what it shows and how it was made. A line for a folder, written with a final slash, covers the files in it.
    @Test func everyTraceIsExplained() {
        let readmes = Repository.files.filter { $0.hasPrefix("Traces/") && $0.hasSuffix("/README.md") }
        let folders = readmes.map { String($0.dropLast("README.md".count)) }.sorted { $0.count > $1.count }
        #expect(folders.count > 5 && folders.contains("Traces/hostile/"))
        let named = Dictionary(uniqueKeysWithValues: folders.map { ($0, Self.names(in: $0 + "README.md")) })
        for file in Repository.files where file.hasPrefix("Traces/") && file != "Traces/README.md" {
            // A README is named by the next one above it.
            let above = folders.first { file.hasPrefix($0) && file != $0 + "README.md" }
            guard let folder = above else { continue }
            let path = file.dropFirst(folder.count)
            var isNamed = named[folder]?.contains(String(path)) == true
            for (index, character) in zip(path.indices, path) where character == "/" {
                isNamed = isNamed || named[folder]?.contains(String(path[...index])) == true
            }
            #expect(isNamed, "\(folder)README.md has no line for \(path)")
        }
    }

    /// What a document has between backticks, and where its links lead.
    private static func names(in document: String) -> Set<String> {
        let text = Repository.text(document) ?? ""
        let code = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        return Set(code + links(in: text))
    }

    private static func links(in text: String) -> [String] {
        text.split(separator: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
    }

    /// A link of a document of the repository leads to a file or folder that is there.
    @Test(arguments: Repository.files.filter { $0.hasSuffix(".md") && !$0.contains(".docc/") })
    func linksLeadSomewhere(_ document: String) {
        let folder = document.split(separator: "/").dropLast()
        for link in Self.links(in: Repository.text(document) ?? "") where !link.contains("://") {
            var path = folder.map(String.init)
            for part in link.prefix(while: { $0 != "#" }).split(separator: "/") {
                if part == ".." { _ = path.popLast() } else { path.append(String(part)) }
            }
            let target = path.joined(separator: "/")
            let isThere = Repository.files.contains { $0 == target || $0.hasPrefix(target + "/") }
            #expect(isThere || link.hasPrefix("#"), "\(document) links to \(link)")
        }
    }

    /// The verbs that the command line declares.
    static let verbs: [String] = Repository.files(under: "Sources/keyflight", ext: "swift").flatMap { file in
        Repository.lines(file).compactMap { line -> String? in
            guard let range = line.firstRange(of: "CommandConfiguration(verb: \"") else { return nil }
            let name = line[range.upperBound...].prefix { $0 != "\"" }
            return String(name)
        }
    }.sorted()
}
