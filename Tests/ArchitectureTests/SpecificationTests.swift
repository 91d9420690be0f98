import Testing

/// What cites the specification finds what it cites, and every rule has the form that `keyflight help` prints.
@Suite struct SpecificationTests {
    private static let citing = Repository.files.filter { file in
        [".swift", ".c", ".h", ".m", ".md", ".profile"].contains { file.hasSuffix($0) } && !file.hasSuffix(".pb.swift")
    }

    @Test func everyCitationResolves() {
        var count = 0
        for file in Self.citing {
            let cited = Specification.citations(in: file)
            let known = Specification.sections[Specification.document(of: file)] ?? []
            for id in cited.ids.subtracting(Specification.ids).sorted() {
                Issue.record("\(file) cites \(id), a rule that no page of the specification states")
            }
            for section in cited.sections.subtracting(known).sorted() {
                Issue.record("\(file) cites spec §\(section), a section that its specification lacks")
            }
            count += cited.ids.count + cited.sections.count
        }
        #expect(count > 500)
    }

    @Test func whatIsNoCitationIsNone() {
        let own = Specification.citations(in: "Tests/ArchitectureTests/SpecificationTests.swift")
        // UTF-8, CVE-2020 and a § of another document are none; there are three in: spec §2.3, EV-8, §12.
        #expect(own.ids == ["EV-8"])
        #expect(own.sections == ["2.3", "12"])
    }

    @Test func everyRuleIsStatedOnceAndNumberedInOrder() {
        #expect(Specification.ids.count == Specification.rules.count)
        for family in Specification.families {
            let numbers = Specification.rules.filter { $0.family == family }.map(\.number)
            #expect(!numbers.isEmpty && numbers.sorted() == Array(1...numbers.count), "\(family)")
        }
    }

    /// A rule of a heading has a text, and at least one source, by confidence.
    @Test(arguments: Specification.rules.filter { !$0.lines.isEmpty }.map(\.id))
    func everyRuleHasATextAndASource(_ id: String) throws {
        let rule = try #require(Specification.rules.first { $0.id == id })
        let confidences = ["Documented", "Observed", "Measured", "Known", "Inferred"]
        let sources = rule.lines.filter { line in confidences.contains { line.hasPrefix("- \($0): ") } }
        #expect(!sources.isEmpty, "\(rule.page): \(id) has no source")
        let text = rule.lines.first { !$0.isEmpty }
        #expect(text?.hasPrefix("- \(confidences[0])") == false, "\(rule.page): \(id) has no text")
        for line in rule.lines where ["- Not", "- Turned", "- Profile"].contains(where: { line.hasPrefix($0) }) {
            let isKnown = ["- Not yet modelled: ", "- Turned by: `", "- Profiles: "].contains { line.hasPrefix($0) }
            #expect(isKnown, "\(rule.page): \(id): \(line)")
        }
    }

    /// The manifest embeds each page with rules, and no other.
    @Test func everyPageWithRulesIsEmbedded() {
        let manifest = Repository.text("Package.swift") ?? ""
        for page in Specification.pages {
            let name = page.split(separator: "/").last?.dropLast("Rules.md".count) ?? ""
            let isNamed = manifest.contains("\"\(name)\"") || manifest.contains("/\(name)Rules\"")
            #expect(isNamed == Specification.rules.contains { $0.page == page }, "\(page)")
        }
    }
}
