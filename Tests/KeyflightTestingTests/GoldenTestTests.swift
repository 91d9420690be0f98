import FlightReplay
import Foundation
import KeyLayout
import KeyModel
import RegressionGate
import ResponderEngine
import Testing
import XCTest

@testable import KeyflightTesting

private let scene = """
    scene: 1
    name: tabs
    profile: ios15
    responders:
      - {id: view, kind: view, next: tabs, canBecomeFirstResponder: true}
      - id: tabs
        kind: viewController
        next: win
        actions: ["closeTab:"]
        keyCommands: [{input: w, modifiers: [command], action: "closeTab:"}]
        cost: {"closeTab:": 2ms}
      - {id: win, kind: window, keyWindow: true}
    firstResponder: view

    """

/// A folder of goldens of a test's own.
private func withGoldens<R>(_ script: String, _ body: (_ folder: String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "keyflight-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: "\(folder)/tabs", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(scene.utf8).write(to: URL(filePath: "\(folder)/tabs/scene.yaml"))
    try Data(script.utf8).write(to: URL(filePath: "\(folder)/tabs/input.keys"))
    return try body(folder)
}

@Suite struct GoldenTestTests {
    private func run(_ folder: String, _ mode: RecordMode, allowsText: Bool = false) -> String? {
        GoldenTest(folder: folder, mode: mode, allowsText: allowsText).run("tabs", plan: nil, file: #filePath)?.message
    }

    @Test func recordFailReviewAcceptPass() throws {
        try withGoldens("press cmd+w\n") { folder in
            let golden = GoldenCase(folder: "\(folder)/tabs")
            // Missing: fails, and leaves something to review.
            let missing = try #require(run(folder, .missing))
            #expect(missing.contains("no text was accepted yet"))
            #expect(missing.contains("Accept: keyflight accept --goldens \(folder) tabs"))
            #expect(try golden.pending() != nil)
            try golden.accept()
            #expect(run(folder, .missing) == nil)
            // A difference: fails at the first press with a count of the rest; `missing` writes nothing.
            let longer = scene.replacing("closeTab:", with: "close:")
            try Data(longer.utf8).write(to: URL(filePath: "\(folder)/tabs/scene.yaml"))
            let changed = try #require(run(folder, .missing))
            #expect(changed.contains("#1 ⌘W - tabs.closeTab:"))
            #expect(try golden.pending() == nil)
            #expect(run(folder, .failed)?.contains("Pending: ") == true)
            try golden.accept()
            #expect(run(folder, .never) == nil)
        }
    }

    @Test func neverWritesNothing() throws {
        try withGoldens("press cmd+w\n") { folder in
            #expect(run(folder, .never)?.contains("KEYFLIGHT_RECORD=failed swift test") == true)
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tabs").sorted()
            #expect(files == ["input.keys", "scene.yaml"])
        }
    }

    @Test func inCINothingElseCounts() {
        #expect(RecordMode.named(by: ["CI": "true", "KEYFLIGHT_RECORD": "all"]) == .never)
        #expect(RecordMode.named(by: ["CI": "0", "KEYFLIGHT_RECORD": "all"]) == .all)
        for variable in ["TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "JENKINS_URL", "BUILDKITE"] {
            #expect(RecordMode.named(by: [variable: "True", "KEYFLIGHT_RECORD": "all"]) == .never)
        }
        #expect(RecordMode.named(by: [:]) == .missing)
        #expect(RecordMode.named(by: ["KEYFLIGHT_RECORD": "sometimes"]) == nil)
    }

    @Test func aVariableThatIsNearlyTheRightOneIsNamed() {
        for name in ["RECORDS", "RECROD", "record"] {
            #expect(RecordMode.misspelt(in: ["KEYFLIGHT" + "_\(name)": "1", "CI": "1"]) == "KEYFLIGHT" + "_\(name)")
        }
        let others = ["KEYFLIGHT_RECORD", "KEYFLIGHT", "KEYFLIGHT_TRACE", "RECORDS", "KEYFLIGHT_GOLDENS"]
        #expect(RecordMode.misspelt(in: Dictionary(uniqueKeysWithValues: others.map { ($0, "1") })) == nil)
    }

    @Test func keyCommandsHaveABudgetOfRealTime() throws {
        final class Slow: ViewController {
            var busy = Duration.zero
            override var keyCommands: [KeyCommand]? {
                let end = ContinuousClock.now + busy
                while ContinuousClock.now < end {}
                return [KeyCommand(input: "w", modifierFlags: .command, action: "closeTab:")]
            }
        }
        func plan(_ busy: Duration) -> AppReplay {
            AppReplay("tabs") { profile, layout in
                let slow = Slow(id: "slow")
                slow.busy = busy
                let engine = KeyboardEngine(
                    rootViewController: slow, profile: profile ?? Profile(), layout: try layout ?? Layout.named("us"))
                slow.becomeFirstResponder()
                return AppReplay.App(engine, responders: [slow])
            }
        }
        try withGoldens("press cmd+w\npress cmd+w\n") { folder in
            try FileManager.default.removeItem(atPath: "\(folder)/tabs/scene.yaml")
            var test = GoldenTest(folder: folder, mode: .missing)
            _ = test.run("tabs", plan: plan(.zero), file: #filePath)
            try GoldenCase(folder: "\(folder)/tabs").accept()
            test.keyCommands = KeyCommandsBudget(TraceDuration(nanoseconds: 1_000_000), runs: 12)
            let slow = try #require(test.run("tabs", plan: plan(.milliseconds(3)), file: #filePath)?.message)
            #expect(slow.hasPrefix("golden “tabs” is too slow:\npress 1: keyCommands of the chain took "), "\(slow)")
            #expect(slow.hasSuffix(" in 12 runs): expected at most 1ms"), "\(slow)")
            test.keyCommands = KeyCommandsBudget(TraceDuration(nanoseconds: 1_000_000_000))
            #expect(test.run("tabs", plan: plan(.zero), file: #filePath) == nil)
            let ofScene = test.run("tabs", plan: nil, file: #filePath)?.message
            #expect(ofScene != nil, "the golden is that of a test")
        }
    }

    /// A run that was disturbed decides nothing, nor do times on both sides of the budget.
    @Test func aBudgetOfRealTimeIsDecidedByItsInterval() {
        let budget = KeyCommandsBudget(TraceDuration(nanoseconds: 100), runs: 24)
        func runs(_ times: [Double]) -> (excess: KeyCommandsBudget.Excess?, count: Int) {
            var count = 0
            let excess = budget.excess { () -> [Double] in
                count += 1
                return [10, times[(count - 1) % times.count]]
            }
            return (excess, count)
        }
        let slow = runs([120, 130, 125])
        #expect(slow.excess?.press == 2 && slow.excess?.median == 125 && slow.count == 12)
        #expect(slow.excess.map { $0.low >= 120 && $0.high <= 130 } == true)
        #expect(runs([90, 95, 80, 5_000]).excess == nil)
        let open = runs([90, 120])
        #expect(open.excess == nil && open.count == 24)
    }

    @Test func typedTextIsRefusedUnlessAllowed() throws {
        try withGoldens("type hi\n") { folder in
            let field = scene.replacing("kind: view,", with: "kind: textField,")
            try Data(field.utf8).write(to: URL(filePath: "\(folder)/tabs/scene.yaml"))
            #expect(run(folder, .missing)?.contains("refused; GoldenTest(allowsText: true)") == true)
            #expect(try GoldenCase(folder: "\(folder)/tabs").pending() == nil)
            #expect(run(folder, .missing, allowsText: true)?.contains("Pending: ") == true)
        }
    }

    @Test func aLatencyBudgetInVirtualTimeIsKept() throws {
        try withGoldens("press cmd+w\n") { folder in
            let golden = GoldenCase(folder: "\(folder)/tabs")
            _ = run(folder, .missing)
            try golden.accept()
            var test = GoldenTest(folder: folder, mode: .never)
            test.budgets.total = TraceDuration(nanoseconds: 3_000_000)
            #expect(test.run("tabs", plan: nil, file: #filePath) == nil)
            test.budgets.stages[.action] = TraceDuration(nanoseconds: 1_000_000)
            let message = try #require(test.run("tabs", plan: nil, file: #filePath)?.message)
            #expect(message.contains("press 1 (cmd+w): action: expected at most 1ms, found 2ms"))
        }
    }

    /// An app that keeps something between two replays is no function of its input: nothing can be said about it.
    @Test func respondersThatDifferFromReplayToReplayFail() throws {
        try withGoldens("press cmd+w\npress cmd+w\n") { folder in
            final class Counter: @unchecked Sendable { var apps = 0 }
            final class Fickle: ViewController {
                var offers = true
                override var canBecomeFirstResponder: Bool { true }
                override var keyCommands: [KeyCommand]? {
                    offers ? [KeyCommand(input: "w", modifierFlags: .command, action: "closeTab:")] : []
                }
                override class var actions: [Action] { [Action("closeTab:", closeTab)] }
                func closeTab(_ sender: Any?) {}
            }
            let counter = Counter()
            let app = AppReplay("fickle") { profile, layout in
                let tabs = Fickle(id: "tabs")
                counter.apps += 1
                tabs.offers = counter.apps.isMultiple(of: 2)
                let engine = KeyboardEngine(
                    rootViewController: tabs, profile: profile ?? Profile(), layout: try layout ?? Layout.named("us"))
                tabs.becomeFirstResponder()
                return AppReplay.App(engine, responders: [tabs])
            }
            let failure = try #require(
                GoldenTest(folder: folder, mode: .never).run("tabs", plan: app, file: #filePath))
            #expect(failure.message.contains("golden “tabs”: two replays of the same input differ in outcome"))
            let golden = GoldenCase(folder: "\(folder)/tabs")
            let comparison = GoldenComparison(
                golden, plan: app, resources: GoldenTest.resources, rules: GoldenRules())
            let report = GateReport(comparisons: [comparison])
            #expect(report.verdict == .failed && report.findings.map(\.kind) == [.notDeterministic])
            let text = "✘ not deterministic  tabs\n    two replays of the same input differ in outcome, takenBy, action"
            #expect(report.text().contains(text))
            #expect(report.text().contains("find what is not a function of its input: time, hash order, threads"))
        }
    }

    @Test func respondersWrittenInSwiftAreReplayed() throws {
        try withGoldens("press cmd+w\npress cmd+x\n") { folder in
            final class Tabs: ViewController {
                override var canBecomeFirstResponder: Bool { true }
                override var keyCommands: [KeyCommand]? {
                    [KeyCommand(input: "w", modifierFlags: .command, action: "closeTab:")]
                }
                override class var actions: [Action] { [Action("closeTab:", closeTab)] }
                func closeTab(_ sender: Any?) {}
            }
            let app = AppReplay("tabs") { profile, layout in
                let tabs = Tabs(id: "tabs")
                let engine = KeyboardEngine(
                    rootViewController: tabs, profile: profile ?? Profile(), layout: try layout ?? Layout.named("us"))
                tabs.becomeFirstResponder()
                return AppReplay.App(engine, responders: [tabs])
            }
            let test = GoldenTest(folder: folder, mode: .missing)
            _ = test.run("tabs", plan: app, file: #filePath)
            let golden = GoldenCase(folder: "\(folder)/tabs")
            let pending = try #require(try golden.pending())
            #expect(pending.contains("1 | cmd+w | performed | keyCommands | closeTab: | tabs > tabs"))
            #expect(pending.hasPrefix("# profile ") && pending.contains(" · cache none · responders swift · stream "))
            try golden.accept()
            #expect(test.run("tabs", plan: app, file: #filePath) == nil)
            // A text of an earlier version says nothing of them: what is found is for review at once.
            try golden.propose(pending.replacing(" · responders swift", with: ""))
            try golden.accept()
            let older = try #require(test.run("tabs", plan: app, file: #filePath)?.message)
            #expect(older.contains("accept again: the heading does not say that responders are Swift's"), "\(older)")
            #expect(older.contains("Accept: keyflight accept --goldens \(folder) tabs"), "\(older)")
            try golden.accept()
            #expect(test.run("tabs", plan: app, file: #filePath) == nil)
            // The scene beside it has other responders.
            let scene = GoldenComparison(golden, resources: GoldenTest.resources)
            #expect(scene.message.contains("responders: expected swift, as accepted, found scene"), "\(scene.message)")
        }
    }

    /// Steps of a script do at responders in Swift what they do in a scene, and the test brings its own.
    @Test func stepsAreThoseOfAScene() throws {
        let script = """
            do present sheet
            do focus sheet
            press cmd+w
            do dismiss sheet
            do focus root
            do call rename
            press cmd+w
            do layout fr
            press cmd+z
            do resign
            do profile ios7
            press cmd+z
            do deactivate
            do detach
            do attach

            """
        try withGoldens(script) { folder in
            final class Closing: ViewController {
                var offered = "close:"
                override var canBecomeFirstResponder: Bool { true }
                override var keyCommands: [KeyCommand]? {
                    [KeyCommand(input: "w", modifierFlags: .command, action: Selector(offered))]
                }
                override class var actions: [Action] { [Action("close:", close), Action("rename:", close)] }
                func close(_ sender: Any?) {}
            }
            func app(_ steps: Bool) -> AppReplay {
                AppReplay("steps") { profile, layout in
                    let (root, sheet) = (Closing(id: "root"), Closing(id: "sheet"))
                    let engine = KeyboardEngine(
                        rootViewController: root, profile: profile ?? Profile(),
                        layout: try layout ?? Layout.named("us"))
                    let own = ["rename": { root.offered = "rename:" }]
                    return AppReplay.App(engine, responders: [root, sheet], steps: steps ? own : [:])
                }
            }
            let test = GoldenTest(folder: folder, mode: .missing)
            let wrong = try #require(test.run("tabs", plan: app(false), file: #filePath)?.message)
            let expected = "expected a step of AppReplay.App(steps:), which has none, found rename"
            #expect(wrong.contains(expected), "\(wrong)")
            _ = test.run("tabs", plan: app(true), file: #filePath)
            let pending = try #require(try GoldenCase(folder: "\(folder)/tabs").pending())
            #expect(pending.contains("1 | cmd+w | performed | keyCommands | close: | sheet > sheet"), "\(pending)")
            #expect(pending.contains("2 | cmd+w | performed | keyCommands | rename: | root > root"), "\(pending)")
            #expect(pending.contains("3 | cmd+z | performed | keyCommands | rename: | root > root"), "\(pending)")
            #expect(pending.contains("4 | cmd+z | noStart"), "\(pending)")
        }
    }

    @Test func whatWasFoundAndTheWholeDifferenceAreAttached() throws {
        try withGoldens("press cmd+w\npress cmd+w\n") { folder in
            let golden = GoldenCase(folder: "\(folder)/tabs")
            let test = GoldenTest(folder: folder, mode: .missing)
            let missing = try #require(test.run("tabs", plan: nil, file: #filePath))
            #expect(missing.attachments.map(\.name) == ["tabs.txt"])
            #expect(missing.attachments.first?.text == (try golden.pending()))
            try golden.accept()
            try Data(scene.replacing("closeTab:", with: "close:").utf8)
                .write(to: URL(filePath: "\(folder)/tabs/scene.yaml"))
            let changed = try #require(test.run("tabs", plan: nil, file: #filePath))
            #expect(changed.attachments.map(\.name) == ["tabs.txt", "tabs.diff.txt"])
            #expect(changed.attachments.last?.text.contains("#2 ⌘W - tabs.closeTab:") == true)
        }
    }

    @Test func whatIsPendingAndNoLongerFoundIsForgotten() throws {
        try withGoldens("press cmd+w\n") { folder in
            let golden = GoldenCase(folder: "\(folder)/tabs")
            _ = run(folder, .missing)
            try golden.accept()
            try golden.propose("another text\n")
            // With `never` nothing is touched.
            #expect(run(folder, .never) == nil)
            #expect(try golden.pending() != nil)
            #expect(run(folder, .missing) == nil)
            #expect(try golden.pending() == nil)
        }
    }

    @Test func classesAndRedactionsOfATestCount() throws {
        try withGoldens("press cmd+w\n") { folder in
            var test = GoldenTest(folder: folder, mode: .failed, redactions: [.text("closeTab:", as: "close:")])
            _ = test.run("tabs", plan: nil, file: #filePath)
            let golden = GoldenCase(folder: "\(folder)/tabs")
            try golden.accept()
            #expect(try golden.expected()?.contains("closeTab:") == false)
            #expect(test.run("tabs", plan: nil, file: #filePath) == nil)
            test.redactions = []
            #expect(test.run("tabs", plan: nil, file: #filePath) != nil)
            test.classes = [.action: .ignore]
            #expect(test.run("tabs", plan: nil, file: #filePath) == nil)
            test.classes = [.action: .ignore, .keyCommandsCalls: .budget(press: 1)]
            #expect(test.run("tabs", plan: nil, file: #filePath)?.message.contains(
                "calls.keyCommands press: 3, budget 1") == true)
        }
    }

    @Test func goldensThatNoTestNamesAreTold() throws {
        try withGoldens("press cmd+w\n") { folder in
            let tests = folder + "/Tests"
            try FileManager.default.createDirectory(atPath: tests, withIntermediateDirectories: true)
            let test = GoldenTest(folder: folder)
            #expect(test.orphans(tests: tests, file: #filePath)?.contains("expected Swift files in it") == true)
            try Data("expectGolden(\"tabs\")\n".utf8).write(to: URL(filePath: tests + "/A.swift"))
            #expect(test.orphans(tests: tests, file: #filePath) == nil)
            try Data("expectGolden(\"other\")\n".utf8).write(to: URL(filePath: tests + "/A.swift"))
            #expect(test.orphans(tests: tests, file: #filePath)?.hasSuffix("\n\(folder)/tabs") == true)
            withKnownIssue {
                expectNoOrphanGoldens(test, tests: tests)
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("orphan goldens: no test names them") }
            }
            #expect(GoldenTest.tests(near: "/a/Tests/B/C.swift") == "/a/Tests")
        }
    }

    @Test func aDifferenceBecomesAnIssueOfTheTest() throws {
        try withGoldens("press cmd+w\n") { folder in
            withKnownIssue {
                expectGolden("tabs", nil, GoldenTest(folder: folder, mode: .never))
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("golden “tabs”: no text was accepted yet") }
            }
        }
    }

    /// The repository's own goldens stand where a test finds them by itself.
    @Test(.golden("pdf-viewer", GoldenTest(mode: .never))) func theFolderIsFoundByTheTestsFile() {
        #expect(GoldenTest.folder(near: #filePath)?.hasSuffix("Traces/golden") == true)
        #expect(GoldenTest.folder(near: "/nonexistent/Goldens/../Tests/A.swift") == nil)
        #expect(GoldenTest.tests(near: "/nonexistent/../Sources/A.swift") == "/Sources")
    }
}

final class XCTestGoldenTests: XCTestCase {
    func testAGoldenOfTheRepositoryIsTheSame() {
        XCTAssertGolden("pdf-viewer", nil, GoldenTest(mode: .never))
    }
}
