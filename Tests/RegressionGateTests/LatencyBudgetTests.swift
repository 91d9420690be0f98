import FlightReplay
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@testable import RegressionGate

/// Latency budgets in virtual time, in lines of the golden's own text.
@Suite struct LatencyBudgetTests {
    /// A press that closes a tab takes 2 ms and a read of 100 µs; one that opens one takes the read alone.
    private let scene = GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)")
        .replacing("next: win\n", with: "next: win\n    cost: {keyCommands: 100us, \"closeTab:\": 2ms}\n")
    private let script = "press cmd+t\npress cmd+w\npress cmd+w\n"

    private func withGolden(_ lines: String, _ body: (GoldenCase) throws -> Void) throws {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make("\(folder)/tabs", scene: scene, script: script)
            try add(lines, to: golden)
            try body(golden)
        }
    }

    /// Puts lines below the first.
    private func add(_ lines: String, to golden: GoldenCase) throws {
        let text = try #require(try golden.expected())
        let end = try #require(text.firstIndex(of: "\n"))
        try GoldenTesting.write(text[...end] + lines + text[text.index(after: end)...], golden.path)
    }

    private func compare(_ golden: GoldenCase, _ rules: GoldenRules = GoldenRules()) -> GoldenComparison {
        GoldenComparison(golden, resources: GoldenTesting.resources, rules: rules)
    }

    @Test(arguments: [
        "# latency total 3ms\n", "# latency total 2100us · action 2ms\n", "# latency total 3ms\n# latency action 2ms\n",
        "# latency collect 100us·presses 1s\n",
    ])
    func aGoldenWhosePressesKeepToItIsTheSame(_ lines: String) throws {
        // Nothing declares what `presses` take: a budget of it cannot be exceeded.
        let isJudged = !lines.contains("presses")
        try withGolden(lines) { golden in
            let comparison = compare(golden)
            if isJudged {
                guard case .same = comparison.verdict else { throw Unexpected(comparison) }
                #expect(comparison.presses == 3 && comparison.slow.isEmpty)
            } else {
                #expect(comparison.message.hasSuffix(
                    "expected.txt: latency budget of presses: expected a press with time in it, found none; declare "
                        + "what calls take (cost: in scene.yaml), or take the budget out"))
            }
        }
    }

    @Test func aPressThatTakesLongerFailsAndSaysWhatToTypeNext() throws {
        try withGolden("# latency total 16ms · action 1500us\n") { golden in
            let comparison = compare(golden)
            guard case .tooSlow = comparison.verdict else { throw Unexpected(comparison) }
            let folder = golden.folder
            #expect(comparison.message == """
                golden “tabs” is too slow:
                press 2 (cmd+w): action: expected at most 1500us, found 2ms
                and 1 more press
                Its budget: “# latency action 1500us” in \(folder)/expected.txt
                Where it goes: keyflight explain \(folder)/input.keys --scene \(folder)/scene.yaml --press 2
                """)
            let report = GateReport(comparisons: [comparison])
            #expect(report.verdict == .failed && report.findings.first?.kind == .latency)
            #expect(report.text().contains(
                "✘ latency  tabs\n    press 2 (cmd+w): action: expected at most 1500us, found 2ms (and 1 more)\n"))
            let explain = "keyflight explain \(folder)/input.keys --scene \(folder)/scene.yaml --press 2"
            #expect(report.text().contains("    \(explain)\ngate: FAILED"), "never a way to accept it")
            // There is nothing to accept: the text is the same.
            try comparison.propose()
            #expect(try golden.pending() == nil)
        }
    }

    @Test func presetsOfATestCountBesideThoseOfTheText() throws {
        try withGolden("# latency total 16ms\n") { golden in
            let strict = LatencyBudgets(total: TraceDuration(nanoseconds: 1_000_000))
            let slow = compare(golden, GoldenRules(latency: strict))
            #expect(slow.slow.map(\.press.press) == [2, 3])
            // The line of the text is not what is in the way.
            #expect(slow.message.contains("\nIts budget: GoldenTest.budgets of the test\n"))
            let loose = LatencyBudgets(total: TraceDuration(nanoseconds: 1_000_000_000))
            #expect(compare(golden, GoldenRules(latency: loose)).slow.isEmpty)
        }
        try withGolden("# latency total 1ms\n") { golden in
            let loose = LatencyBudgets(total: TraceDuration(nanoseconds: 1_000_000_000))
            #expect(compare(golden, GoldenRules(latency: loose)).slow.count == 2)
        }
    }

    @Test func whatElseChangedIsToldFirst() throws {
        try withGolden("# latency total 1ms\n") { golden in
            try GoldenTesting.write(scene.replacing("input: t,", with: "input: n,"), "\(golden.folder)/scene.yaml")
            let comparison = compare(golden)
            guard case .changed(let diff, _) = comparison.verdict else { throw Unexpected(comparison) }
            #expect(diff.changed == 1)
            #expect(comparison.message.contains("press 2 (cmd+w): total: expected at most 1ms, found 2"))
            let line = try #require(GateReport(comparisons: [comparison]).findings.first?.line)
            #expect(line.contains("1 changed") && line.contains("expected at most 1ms"))
        }
    }

    @Test func theLinesStayWhenTheGoldenIsRecordedAnew() throws {
        let lines = "# latency total 16ms\n# latency action 2ms\n"
        try withGolden(lines) { golden in
            try GoldenTesting.write(scene.replacing("input: t,", with: "input: n,"), "\(golden.folder)/scene.yaml")
            try compare(golden).propose()
            let pending = try #require(try golden.pending())
            #expect(pending.split(separator: "\n")[1...2].joined(separator: "\n") + "\n" == lines)
            let shown = GoldenComparison(golden, found: pending)
            guard case .changed(let diff, _) = shown.verdict else { throw Unexpected(shown) }
            #expect(diff.changed == 1 && diff.added == 0)
            // One that was written meanwhile wins over the pending one.
            let text = try #require(try golden.expected())
            try GoldenTesting.write(text.replacing("total 16ms", with: "total 20ms"), golden.path)
            try golden.accept()
            #expect(try golden.expected()?.contains("# latency total 20ms\n# latency action 2ms\n1 | cmd+t |") == true)
            guard case .same = compare(golden).verdict else { throw Unexpected(compare(golden)) }
        }
    }

    @Test(arguments: [
        ("# latency\n", "line 2: latency budget: expected a stage and a duration, found nothing"),
        ("# latency total\n", "line 2: latency budget: expected a stage and a duration, found “ total”"),
        ("# latency total 16\n", "latency budget of total: expected an integer and ns, us, ms or s, found “16”"),
        ("# latency total -1ms\n", "expected an integer and ns, us, ms or s, found “-1ms”"),
        ("# latency total 1.5ms\n", "found “1.5ms”"), ("# latency total 99999999999999999999s\n", "found “99999999"),
        ("# latency total 1ms ·\n", "expected a stage and a duration, found nothing"),
        ("# latency actoin 1ms\n", "line 2: latency budget: expected one of total, hid, "),
        ("# latency total 1ms · total 2ms\n", "latency budget: expected one of total, found “# latency total"),
        ("# latency action 1ms\n# latency action 2ms\n", "line 3: latency budget: expected one of action, found"),
        ("# latencies total 1ms\n", "line 2: heading: expected “# latency …”, or a press, found “# latencies"),
        ("# a note\n", "line 2: heading: expected “# latency …”, or a press, found “# a note”"),
        ("#\n", "line 2: heading: expected"),
    ])
    func aMalformedLineIsNeverAPass(_ lines: String, _ message: String) throws {
        try withGolden(lines) { golden in
            let comparison = compare(golden)
            guard case .notComparable(let line) = comparison.verdict else { throw Unexpected(comparison) }
            #expect(line.hasPrefix("\(golden.path): line ") && line.contains(message), "\(line)")
            #expect(line.hasSuffix("; write it as “# latency total 16ms · action 10ms”"))
            #expect(GateReport(comparisons: [comparison]).verdict == .notComparable)
            // Nor is it dropped by what is accepted.
            try golden.propose(try golden.replay(GoldenTesting.resources).text)
            #expect(throws: VerdictError.self) { try golden.accept() }
        }
    }

    /// Below the presses nothing is a budget, and a text that ends in one is torn.
    @Test func aLineInAnotherPlaceIsNoBudget() throws {
        try withGolden("") { golden in
            let text = try #require(try golden.expected())
            try GoldenTesting.write(text + "# latency total 16ms\n", golden.path)
            guard case .notComparable(let line) = compare(golden).verdict else { throw Unexpected(compare(golden)) }
            #expect(line.contains("expected.txt: line 5: columns: expected 8 or more, found 1"))
            let first = text.prefix { $0 != "\n" }
            try GoldenTesting.write(first + "\n# latency total 16ms", golden.path)
            guard case .changed(let diff, _) = compare(golden).verdict else { throw Unexpected(compare(golden)) }
            #expect(diff.added == 3)
        }
    }

    struct Unexpected: Error {
        init(_ comparison: GoldenComparison) { Issue.record("unexpected: \(comparison.message)") }
    }
}
