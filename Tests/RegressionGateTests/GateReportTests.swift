import Foundation
import KeyModel
import Testing

@testable import RegressionGate

/// What a gate says, in the forms that services read.
@Suite struct GateReportTests {
    /// So many goldens that cannot be compared, for a reason of so many letters.
    private func report(_ count: Int, _ why: String = "torn") -> GateReport {
        GateReport(
            comparisons: (0..<count).map { place in
                GoldenComparison(GoldenCase(folder: "./goldens/g\(place)"), verdict: .notComparable(why))
            })
    }

    private func commands(_ text: String, _ kind: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("::\(kind) ") }
    }

    @Test(arguments: [(1, 1), (10, 10), (11, 10), (400, 10)])
    func gitHubShowsNoMoreThanTenAndSaysHowManyMore(_ count: Int, _ shown: Int) {
        let lines = commands(report(count).github, "error")
        #expect(lines.count == shown)
        let first = "::error file=goldens/g0/expected.txt,line=1,title=keyflight%3A not comparable::g0: torn. repair"
        #expect(lines.first?.hasPrefix(first) == true)
        let rest = "and \(count - 9) more findings in the summary"
        #expect(lines.last?.contains(rest) == (count > 10))
    }

    @Test func findingsAndTimeShareTheTen() {
        var report = report(9)
        report.failsOnTime = true
        report.time = TimeGate(TimeGate.Options()) { _ in
            let stages: [LatencyStage?] = [.collect, .match, .validate, .action, nil]
            return (
                .medians(Dictionary(uniqueKeysWithValues: stages.map { ($0, 1000.0) })),
                .medians(Dictionary(uniqueKeysWithValues: stages.map { ($0, 1500.0) }))
            )
        }
        let lines = commands(report.github, "error")
        #expect(lines.count == 10 && lines.last?.hasSuffix("::and 5 more findings in the summary") == true)
        // Told only, they are warnings.
        report.failsOnTime = false
        #expect(commands(report.github, "error").count == 9 && commands(report.github, "warning").count == 5)
    }

    @Test func whatIsIgnoredIsSaidInEveryForm() {
        var comparison = GoldenComparison(GoldenCase(folder: "./goldens/tabs"), verdict: .same)
        #expect(!GateReport(comparisons: [comparison]).text().contains("ignored"))
        comparison.ignored = [.action, .cacheHits]
        let report = GateReport(comparisons: [comparison])
        let forms = [
            report.text(), report.json, report.junit, report.github, report.codeQuality, report.summary(),
        ]
        for form in forms { #expect(form.contains("the same but for action, cache.hits, ignored"), "\(form)") }
        #expect(report.metrics.contains("keyflight_relaxed_goldens 1\n"))
        #expect(report.verdict == .passed && report.findings.isEmpty)
    }

    @Test func whatATraceSaysIsNoCommand() {
        let text = report(1, "100 %\r\n::error::gotcha\u{1B}[2J").github
        let lines = text.split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        #expect(lines.count == 2 && lines[0].contains("100 %25"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func aStepSummaryIsBelowItsLimitAndSaysWhatIsMissing() {
        let text = report(20_000, String(repeating: "torn ", count: 40)).summary()
        #expect(text.utf8.count <= 900 << 10 && text.utf8.count > 800 << 10)
        let described = text.split(separator: "\n").count { $0.hasPrefix("- ") }
        #expect(text.hasSuffix("\nand \(20_000 - described) more findings\n"))
        #expect(!report(3).summary().contains("more findings"))
    }

    @Test func gitLabGetsACodeQualityReport() throws {
        struct Issue: Decodable {
            struct Location: Decodable {
                struct Lines: Decodable { var begin: Int }
                var path: String
                var lines: Lines
            }
            var description: String
            var check_name: String
            var fingerprint: String
            var severity: String
            var location: Location
        }
        var report = report(2)
        report.orphans = ["goldens/old"]
        let issues = try JSONDecoder().decode([Issue].self, from: Data(report.codeQuality.utf8))
        #expect(issues.map(\.location.path) == ["goldens/g0/expected.txt", "goldens/g1/expected.txt", "goldens/old"])
        #expect(issues.map(\.severity) == ["blocker", "blocker", "minor"])
        #expect(Set(issues.map(\.fingerprint)).count == 3 && issues.allSatisfy { $0.location.lines.begin == 1 })
        #expect(issues[2].check_name == "keyflight.orphan" && issues[2].description == "old: no test names it")
        #expect(GateReport(comparisons: []).codeQuality == "[]")
    }

    @Test func jUnitHasACaseForEachFailure() {
        var report = report(2)
        report.orphans = ["goldens/old"]
        report.instructions = GateReport.InstructionCounts(base: 1000, head: 1040)
        let text = report.junit
        #expect(text.contains("tests=\"4\" failures=\"2\" errors=\"2\""))
        #expect(text.components(separatedBy: "<failure").count - 1 == 2)
        // What prevented a comparison is an error.
        #expect(text.components(separatedBy: "<error type=\"notComparable\" message=\"torn\"").count - 1 == 2)
    }

    @Test func whatWasRefusedIsInEveryFormAndNoPass() {
        var report = GateReport(comparisons: [GoldenComparison(GoldenCase(folder: "g"), verdict: .same)])
        report.refusals = [GateReport.Finding(refused: "", "head did not end", remedy: "keyflight help KF0401")]
        #expect(report.verdict == .notComparable)
        #expect(report.text().contains("✘ not comparable  gate\n    head did not end\n    keyflight help KF0401\n"))
        #expect(report.json.contains("\"kind\":\"notComparable\",\"golden\":\"gate\",\"file\":\"\",\"line\":1,"))
        #expect(report.junit.contains(
            "<testcase classname=\"gate\" name=\"gate\"><error type=\"notComparable\" message=\"head did not end\">"))
        #expect(report.github.hasPrefix("::error title=keyflight%3A not comparable::gate: head did not end. keyflight"))
        #expect(report.codeQuality.contains("\"description\":\"gate: head did not end\""))
        #expect(report.codeQuality.contains("\"path\":\".\""))
        #expect(report.summary().contains("not comparable: gate: head did not end"))
        #expect(report.metrics.contains("keyflight_findings 1\n"))
    }

    @Test func goldensThatOnlyTheirTestsCompareAreNoPass() {
        let golden = GoldenComparison(GoldenCase(folder: "goldens/a"), verdict: .checkedByTest)
        let report = GateReport(comparisons: [golden])
        #expect(report.verdict == .notComparable)
        let line = "✘ not comparable  goldens\n    nothing was compared here: the responders of every golden are a"
        #expect(report.text().contains(line), "\(report.text())")
        #expect(report.text().contains("    run swift test as well"))
    }

    @Test(arguments: [
        (1_000_000, 1_009_000, TimeGate.Verdict.notWorse, "✔ instructions  1,000,000 → 1,009,000 (+0.9 %)  not worse"),
        (1_000_000, 1_020_000, .notWorse, "(+2.0 %)  not worse by more than 3.0 %, reported"),
        (1_000_000, 1_031_000, .worse, "✘ instructions  1,000,000 → 1,031,000 (+3.1 %)  worse: more than 3.0 %"),
        (1_000_000, 900_000, .better, "better by more than 3.0 %"),
    ])
    func instructionsHaveAVerdictOfTheirOwn(
        _ base: UInt64, _ head: UInt64, _ verdict: TimeGate.Verdict, _ words: String
    ) {
        let same = GoldenComparison(GoldenCase(folder: "g"), verdict: .same)
        var report = GateReport(comparisons: [same])
        report.instructions = GateReport.InstructionCounts(base: base, head: head)
        #expect(report.instructions?.verdict == verdict)
        #expect((report.verdict == .failed) == (verdict == .worse))
        #expect(report.text().contains(words), "\(report.text())")
        #expect(report.json.contains("\"verdict\":\"\(verdict.rawValue)\"}"), "\(report.json)")
        #expect(report.github.contains("::warning") == words.hasSuffix("reported"))
        // Another margin, another verdict.
        report.instructions?.margin = 0.5
        #expect(report.verdict == .passed)
    }

    @Test func whatCannotBeJudgedComesBeforeWhatFailed() {
        var report = report(1)
        report.orphans = ["goldens/old"]
        #expect(report.verdict == .notComparable)
        report.comparisons = [GoldenComparison(GoldenCase(folder: "g"), verdict: .same)]
        #expect(report.verdict == .failed)
        #expect(GateReport(comparisons: []).verdict == .notComparable)
    }
}

extension GoldenComparison {
    init(_ golden: GoldenCase, verdict: Verdict) {
        self.init(golden, found: "")
        self.verdict = verdict
    }
}

/// Goldens that no test asks for.
@Suite struct GoldenReferencesTests {
    @Test func aGoldenOfADeletedTestFileIsAnOrphan() throws {
        try GoldenTesting.withFolder { folder in
            for name in ["close-tab", "new-tab", "in-a-comment"] {
                try GoldenTesting.write("press cmd+w\n", "\(folder)/Goldens/\(name)/input.keys")
            }
            let tests = folder + "/Tests"
            try GoldenTesting.write(
                "@Test(.golden(\"close-tab\")) func a() {}\n  // \"in-a-comment\"\n", tests + "/A.swift")
            try GoldenTesting.write("func b() { expectGolden(\"new-tab\") }\n", tests + "/Deep/B.swift")
            let store = GoldenStore(folder + "/Goldens")
            let orphan = "\(folder)/Goldens/in-a-comment"
            #expect(try store.orphans([GoldenReferences(tests: tests)]) == [orphan])
            try FileManager.default.removeItem(atPath: tests + "/Deep/B.swift")
            #expect(try store.orphans([GoldenReferences(tests: tests)]) == [orphan, "\(folder)/Goldens/new-tab"])
            // Nothing to read is no proof that nothing asks.
            try FileManager.default.removeItem(atPath: tests + "/A.swift")
            #expect(throws: VerdictError.self) { try GoldenReferences(tests: tests) }
        }
    }

    @Test func anAcceptedTextWithoutItsInputCannotBeCompared() throws {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make(
                "\(folder)/tabs", scene: GoldenTesting.scene(GoldenTesting.close), script: "press cmd+w\n")
            try FileManager.default.removeItem(atPath: "\(golden.folder)/input.keys")
            #expect(try GoldenStore(folder).cases() == [golden])
            let comparison = GoldenComparison(golden, resources: GoldenTesting.resources)
            guard case .notComparable(let line) = comparison.verdict else {
                throw GoldenFindingsTests.Unexpected(comparison)
            }
            #expect(line.contains("expected input.keys or input.keyflight, found neither"))
        }
    }
}
