import FlightReplay
import Foundation
import LatencyAnalysis
import Testing
import TraceFormat
import TraceReports

@testable import RegressionGate

@Suite struct GoldenComparisonTests {
    private let script = (1...200).map { $0.isMultiple(of: 2) ? "press cmd+w" : "press cmd+t" }.joined(separator: "\n")

    private func compare(
        _ scene: String, _ script: String, after change: (String) throws -> Void
    ) throws -> GoldenComparison.Verdict {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make("\(folder)/tabs", scene: scene, script: script)
            try change(golden.folder)
            return GoldenComparison(golden, resources: GoldenTesting.resources).verdict
        }
    }

    private var scene: String { GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)") }

    @Test func anUnchangedGoldenIsTheSame() throws {
        let verdict = try compare(scene, script) { _ in }
        guard case .same = verdict else { throw Unexpected(verdict) }
    }

    @Test func aCommandThatIsGoneIsAChangeOfItsPresses() throws {
        let verdict = try compare(scene, script) { folder in
            try GoldenTesting.write(GoldenTesting.scene(GoldenTesting.new), "\(folder)/scene.yaml")
        }
        guard case .changed(let diff, _) = verdict else { throw Unexpected(verdict) }
        #expect(diff.changed == 100 && diff.added == 0 && diff.removed == 0 && diff.unchanged == 100)
        guard case .changed(_, _, let fields, _) = diff.changes.first else { throw Unexpected(verdict) }
        #expect(fields.first == TraceDiff.FieldChange(field: "outcome", base: "performed", head: "unhandled"))
    }

    /// It still returns its commands: nothing asks for them.
    @Test func aSupplierThatLeftTheChainIsTheReason() throws {
        let verdict = try compare(scene, script) { folder in
            let without = GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)")
                .replacing("next: tabs", with: "next: win")
            try GoldenTesting.write(without, "\(folder)/scene.yaml")
        }
        guard case .changed(let diff, _) = verdict, case .changed(_, _, _, let why) = diff.changes.first else {
            throw Unexpected(verdict)
        }
        #expect(why == "tabs is no longer on the chain, which begins at view")
    }

    @Test func aRenamedResponderIsOneRenameAndNoChange() throws {
        let verdict = try compare(scene, script) { folder in
            try GoldenTesting.write(
                GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)", controller: "tabsController"),
                "\(folder)/scene.yaml")
        }
        guard case .changed(let diff, _) = verdict else { throw Unexpected(verdict) }
        #expect(diff.renames == [TraceDiff.Rename(base: "tabs", head: "tabsController", presses: 200)])
        #expect(diff.changes.isEmpty && diff.changed == 0 && diff.unchanged == 200)
        #expect(diff.text().contains("tabs → tabsController (200 presses)"))
        // The one line that a person reads.
        let comparison = GoldenComparison(GoldenCase(folder: "tabs"), verdict: verdict)
        let findings = GateReport(comparisons: [comparison]).findings
        #expect(findings.count == 1 && findings.first?.kind == .renamed)
        #expect(findings.first?.line == "renamed tabs → tabsController (200 presses)")
        #expect(comparison.message == "golden “tabs” differs\nrenamed tabs → tabsController (200 presses)")
    }

    @Test func theFirstPressLeftOutIsOneRemoval() throws {
        let verdict = try compare(scene, script) { folder in
            let rest = script.split(separator: "\n").dropFirst().joined(separator: "\n")
            try GoldenTesting.write(rest, "\(folder)/input.keys")
        }
        guard case .changed(let diff, _) = verdict else { throw Unexpected(verdict) }
        #expect(diff.removed == 1 && diff.added == 0 && diff.changed == 0 && diff.unchanged == 199)
        #expect(diff.changes.count == 1 && diff.renames.isEmpty)
        guard case .removed(let press) = diff.changes.first else { throw Unexpected(verdict) }
        #expect(press.at.press == 1 && press.input.name == "cmd+t")
        let story = GoldenComparison(GoldenCase(folder: "tabs"), verdict: verdict).message
        #expect(!story.contains("more press"), "\(story)")
    }

    @Test func oneQuestionMoreIsAChangeOfCountsAlone() throws {
        let verdict = try compare(scene, script) { folder in
            let more = GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)")
                .replacing("next: win\n", with: "next: extra\n")
                .replacing("  - {id: win,", with: "  - {id: extra, kind: responder, next: win}\n  - {id: win,")
            try GoldenTesting.write(more, "\(folder)/scene.yaml")
        }
        guard case .changed(let diff, _) = verdict else { throw Unexpected(verdict) }
        #expect(diff.counts?.map(\.name).contains("calls.keyCommands") == true)
        #expect(diff.counts?.first { $0.name == "calls.keyCommands" }?.affected == 200)
    }

    @Test func aBudgetLeavesRoomForCounts() throws {
        let verdict = try compare(scene, script) { folder in
            let budgets = "# room\ncalls.keyCommands press 9\ncache.misses total 1000\n"
            try GoldenTesting.write(budgets, "\(folder)/budgets.txt")
        }
        guard case .same = verdict else { throw Unexpected(verdict) }
        let exceeded = try compare(scene, script) { folder in
            try GoldenTesting.write("calls.keyCommands press 2\n", "\(folder)/budgets.txt")
        }
        guard case .changed(_, let excesses) = exceeded else { throw Unexpected(exceeded) }
        #expect(excesses.map(\.found) == [3] && excesses.first?.press == 1)
    }

    @Test func aBudgetOfAnUnknownCountIsAnErrorWithItsLine() throws {
        let verdict = try compare(scene, script) { folder in
            try GoldenTesting.write("\nkeyCommand press 2\n", "\(folder)/budgets.txt")
        }
        guard case .notComparable(let line) = verdict else { throw Unexpected(verdict) }
        #expect(line.contains("budgets.txt: line 2: count: expected calls.keyCommands,"))
    }

    @Test func anotherProfileIsNotComparable() throws {
        let verdict = try compare(scene, script) { folder in
            try GoldenTesting.write(scene.replacing("ios15", with: "ios26"), "\(folder)/scene.yaml")
        }
        guard case .notComparable(let line) = verdict else { throw Unexpected(verdict) }
        #expect(line.hasSuffix("profile: expected ios15, as accepted, found ios26"))
    }

    @Test func aTornTextIsNoBaseline() throws {
        let verdict = try compare(scene, script) { folder in
            let text = try #require(try TextFile.read("\(folder)/expected.txt"))
            try GoldenTesting.write(String(text.dropLast(30)), "\(folder)/expected.txt")
        }
        guard case .notComparable(let line) = verdict else { throw Unexpected(verdict) }
        #expect(line.contains("expected.txt: line"))
    }

    /// Every accepted text of the repository can be read back: each of its lines is a press.
    @Test func everyAcceptedTextIsRead() throws {
        let cases = try GoldenStore(GoldenTesting.repository).cases()
        #expect(cases.count > 40)
        for golden in cases {
            let text = try #require(try golden.expected())
            let rows = try GoldenRows(text)
            #expect(rows.results.count == text.split(separator: "\n").count - 1, "\(golden.path)")
            #expect(rows.results.allSatisfy { $0.input.key != .unknown }, "\(golden.path)")
        }
    }

    /// A link of somebody's repository may name any file of the user: an error would quote it.
    @Test(arguments: [("scene.yaml", "elsewhere"), ("input.keys", "elsewhere"), ("expected.txt", "/dev/zero")])
    func aFileOfAGoldenThatIsLedElsewhereIsNotRead(name: String, target: String) throws {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make("\(folder)/goldens/tabs", scene: scene, script: script)
            try GoldenTesting.write("a secret\n", "\(folder)/elsewhere")
            let path = "\(golden.folder)/\(name)"
            try FileManager.default.removeItem(atPath: path)
            let whole = target.hasPrefix("/") ? target : "\(folder)/\(target)"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: whole)
            let error = try #require(throws: VerdictError.self) { try TextFile.read(path) }
            #expect(error.kind == .notPermitted && !error.description.contains("secret"))
            #expect(throws: VerdictError.self) { try golden.prepare(GoldenTesting.resources) }
        }
    }

    @Test func goldensShareASceneByALink() throws {
        try GoldenTesting.withFolder { folder in
            let golden = try GoldenTesting.make("\(folder)/goldens/tabs", scene: scene, script: script)
            try GoldenTesting.write(scene, "\(folder)/goldens/common.yaml")
            let path = "\(golden.folder)/scene.yaml"
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../common.yaml")
            #expect(try golden.replay(GoldenTesting.resources).text == golden.expected())
        }
    }

    struct Unexpected: Error {
        init(_ verdict: GoldenComparison.Verdict) { Issue.record("unexpected verdict \(verdict)") }
    }
}

@Suite struct GlobPatternTests {
    @Test(arguments: [
        ("*", "", true), ("a*c", "abbbc", true), ("a*c", "abbb", false), ("?b*", "ab", true), ("", "a", false),
        ("*a*b*a", "xxaxxbxxa", true), ("g0?-*", "g01-three-passes", true), ("g0?-*", "g10-three-passes", false),
    ])
    func starAndQuestionMark(_ pattern: String, _ text: String, _ matches: Bool) {
        #expect(GlobPattern(pattern).matches(text) == matches)
    }
}
