import Foundation
import KeyModel
import Scenes
import Testing
import TraceFormat

@testable import RegressionGate

/// Goldens of live apps. A shell script stands for `keyflight launch`: it puts a trace where it is told to.
@Suite struct LiveGoldenTests {
    private static let recorded = URL(filePath: GoldenTesting.repository).deletingLastPathComponent()
        .appending(path: "apps/textedit.keyflight").path

    /// A golden, and a launcher with this body; `$trace` is the file to write, `$runs` how often it ran before.
    private func withGolden(_ body: String, _ test: (GoldenCase, GoldenRules) throws -> Void) throws {
        try GoldenTesting.withFolder { folder in
            let golden = GoldenCase(folder: "\(folder)/goldens/edit")
            try GoldenTesting.write("TextEdit\na file.txt\n", "\(golden.folder)/launch.txt")
            try GoldenTesting.write("press cmd+w\n", "\(golden.folder)/input.keys")
            let launcher = "\(folder)/keyflight"
            try GoldenTesting.write(
                """
                #!/bin/sh
                echo "$*" >>'\(folder)/commands'
                runs=$(grep -c . '\(folder)/commands')
                trace=$3
                recorded='\(LiveGoldenTests.recorded)'
                \(body)

                """, launcher)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: launcher)
            try test(golden, GoldenRules(launcher: launcher))
        }
    }

    private func compare(_ golden: GoldenCase, _ rules: GoldenRules) -> GoldenComparison {
        GoldenComparison(golden, resources: GoldenTesting.resources, rules: rules)
    }

    private func commands(_ golden: GoldenCase) throws -> [Substring] {
        try String(contentsOfFile: golden.store + "/../commands", encoding: .utf8).split(separator: "\n")
    }

    @Test func anAppIsAcceptedAfterTwoRunsAndComparedByOne() throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            let first = compare(golden, rules)
            guard case .missing = first.verdict else { return #expect(Bool(false), "\(first.message)") }
            #expect(try commands(golden).count == 2)
            try first.propose()
            try golden.accept()
            let text = try #require(try golden.expected())
            #expect(text.hasPrefix("# profile gnustep · layout us · level calls · cache none · fields "))
            #expect(text.contains(" | cmd+w | performed | mainMenu | performClose: | mainMenu > "), "\(text)")
            let again = compare(golden, rules)
            guard case .same = again.verdict else { return #expect(Bool(false), "\(again.message)") }
            let commands = try commands(golden)
            #expect(commands.count == 3)
            #expect(commands.last?.hasPrefix("launch -o ") == true)
            let end = "--keys \(golden.folder)/input.keys --layout us -- TextEdit a file.txt"
            #expect(commands.last?.hasSuffix(end) == true)
            // Another answer of the app is found at its press.
            try GoldenTesting.write(text.replacing("performClose:", with: "close:"), golden.path)
            let changed = compare(golden, rules)
            guard case .changed(let diff, _) = changed.verdict else {
                return #expect(Bool(false), "\(changed.message)")
            }
            #expect(!diff.changes.isEmpty)
            #expect(changed.message.contains("performClose:"))
        }
    }

    /// Every second run gives another trace: what differs is named, and can be left out.
    @Test func whatDiffersBetweenTwoRunsIsNamedAndNoGolden() throws {
        try GoldenTesting.withFolder { folder in
            for (name, other) in [("odd", ""), ("even", "{input: w, modifiers: [command], action: \"newTab:\"}, ")] {
                let replayed = try GoldenTesting.make(
                    "\(folder)/scene", scene: GoldenTesting.scene(other + GoldenTesting.close),
                    script: "press cmd+w\npress cmd+t\n")
                let recording = try replayed.record(GoldenTesting.resources)
                try Data(recording.bytes(header: TraceHeader(level: .calls, isMasked: false)))
                    .write(to: URL(filePath: "\(folder)/\(name)"))
            }
            let body = "case $runs in *[13579]) cp '\(folder)/odd' $trace ;; *) cp '\(folder)/even' $trace ;; esac"
            try withGolden(body) { golden, rules in
                let comparison = compare(golden, rules)
                guard case .notDeterministic = comparison.verdict else {
                    return #expect(Bool(false), "\(comparison.message)")
                }
                #expect(comparison.unstable == [.action, .findings])
                let named = "golden “edit”: two runs of the app differ in action, findings, first at\n  #1 ⌘W"
                #expect(comparison.message.hasPrefix(named), "\(comparison.message)")
                let remedy = "“action ignore” and “findings ignore” in \(golden.folder)/budgets.txt"
                #expect(comparison.message.hasSuffix("\nTo leave it out: " + remedy), "\(comparison.message)")
                let finding = try #require(GateReport(comparisons: [comparison]).findings.first)
                #expect(finding.line.hasPrefix("two runs of the app differ in action, findings: 1 changed"))
                #expect(finding.remedy.hasSuffix("; or " + remedy))
                // One that is left out by half is named by the other half.
                try GoldenTesting.write("action ignore\n", "\(golden.folder)/budgets.txt")
                #expect(compare(golden, rules).unstable == [.findings])
                try GoldenTesting.write("action ignore\nfindings ignore\n", "\(golden.folder)/budgets.txt")
                let missing = compare(golden, rules)
                guard case .missing = missing.verdict else { return #expect(Bool(false), "\(missing.message)") }
                try missing.propose()
                try golden.accept()
                for _ in 0..<2 {
                    let same = compare(golden, rules)
                    guard case .same = same.verdict else { return #expect(Bool(false), "\(same.message)") }
                }
            }
        }
    }

    /// Allocations of a press of two stages, one of which may vary.
    @discardableResult
    private func trace(_ folder: String, _ name: String, _ match: UInt64, _ action: UInt64?) throws -> Recording {
        let replayed = try GoldenTesting.make(
            "\(folder)/scene-\(name)", scene: GoldenTesting.scene(GoldenTesting.close), script: "press cmd+w\n")
        var recording = try replayed.record(GoldenTesting.resources)
        let end = try #require(recording.records.last?.time)
        let at = PressTick(press: 1, tick: 0)
        for (stage, count) in [(LatencyStage.match, match), (.action, action)] {
            guard let count else { continue }
            let waits: UInt64? = match == 1 ? 2 : nil
            let cost = CostRecord(at: at, stage: stage, allocations: count, bytes: 1, switches: waits)
            recording.append(.cost(cost), at: end)
        }
        try Data(recording.bytes(header: TraceHeader(level: .calls, isMasked: false)))
            .write(to: URL(filePath: "\(folder)/\(name)"))
        return recording
    }

    @Test func aDiffNamesTheStagesThatAllocateOtherwise() throws {
        try GoldenTesting.withFolder { folder in
            let sides = try [498, 499 as UInt64].map { action in
                let recording = try trace(folder, "\(action)", 30, action)
                var results = PressResults()
                results.consume(recording)
                results.finish(recording.definitions)
                return results
            }
            let diff = TraceDiff(base: sides[0], named: "a", head: sides[1], named: "b", comparesCounts: true)
            #expect(diff.isIdentical)
            #expect(diff.text().contains("Allocations   action 498 → 499 (+0.2 %) in 1 press: #1\n"), "\(diff.text())")
            #expect(diff.json.contains(#""allocations":[{"stage":"action","base":498,"head":499}]"#), "\(diff.json)")
        }
    }

    @Test func allocationsAreComparedByStageWhereTheGoldenHasThem() throws {
        try GoldenTesting.withFolder { folder in
            func record(_ odd: (UInt64, UInt64?), _ even: (UInt64, UInt64?)) throws {
                try trace(folder, "odd", odd.0, odd.1)
                try trace(folder, "even", even.0, even.1)
            }
            let body = "case $runs in *[13579]) cp '\(folder)/odd' $trace ;; *) cp '\(folder)/even' $trace ;; esac"
            try withGolden(body) { golden, rules in
                func isSame() -> Bool { if case .same = compare(golden, rules).verdict { true } else { false } }
                try record((29_714, 498), (29_750, 498))
                try compare(golden, rules).propose()
                try golden.accept()
                let text = try #require(try golden.expected())
                let line = "\n# allocations 1 | match ~29714 · action 498\n"
                #expect(text.contains(line), "\(text)")
                #expect(isSame() && isSame())
                // 1 % more of what varies is the same, and what one run of two keeps.
                try record((30_011, 498), (30_011, 498))
                #expect(isSame())
                try record((29_714, 498), (29_714, 499))
                #expect(isSame() && isSame() && isSame())
                for (match, action) in [(29_714, 499), (30_012, 498), (29_714, nil)] as [(UInt64, UInt64?)] {
                    try record((match, action), (match, action))
                    let changed = compare(golden, rules)
                    guard case .linesChanged(let line, _, let found) = changed.verdict else {
                        return #expect(Bool(false), "\(changed.message)")
                    }
                    let rest = action.map { " · action \($0)" } ?? ""
                    #expect(line == 2 && found == "# allocations 1 | match \(match)" + rest)
                    #expect(changed.found?.contains("\n\(found)\n") == true)
                }
                try GoldenTesting.write("allocations ignore\n", "\(golden.folder)/budgets.txt")
                #expect(isSame())
                try FileManager.default.removeItem(atPath: "\(golden.folder)/budgets.txt")
                // A press that waited has its action alone.
                try record((1, 498), (1, 498))
                try compare(golden, rules).propose()
                try golden.accept()
                #expect(try golden.expected()?.contains("\n# allocations 1 | action ~498\n") == true)
                // Budgets stay where they are, and what is accepted later has its own counts.
                try GoldenTesting.write(text.replacing(line, with: "\n"), golden.path)
                #expect(isSame())
            }
        }
    }

    @Test(arguments: [
        "x | action 1", "1 | action", "1 action 1", "1 | action 1 · action 2", "1 | other 1", "1 | action -1", "1 | ",
        "1 | action 18446744073709551616", "4294967296 | action 1",
    ])
    func aDamagedLineOfAllocationsIsRefused(_ line: String) {
        #expect(throws: VerdictError.self) { try BudgetedText("# profile\n# allocations \(line)\n1 | x\n", file: "f") }
        #expect(throws: VerdictError.self) {
            try BudgetedText("# profile\n# allocations 1 | action 1\n# allocations 1 | action 1\n", file: "f")
        }
    }

    @Test(arguments: [
        ("echo 'App: it died' >&2; exit 2", "expected status 0, found 2 (App: it died)"),
        ("exit 0", "run.keyflight"),
    ])
    func anAppThatCannotBeRecordedIsNotCompared(_ body: String, _ words: String) throws {
        try withGolden(body) { golden, rules in
            let comparison = compare(golden, rules)
            guard case .notComparable(let why) = comparison.verdict else {
                return #expect(Bool(false), "\(comparison.message)")
            }
            #expect(why.contains(words), "\(why)")
        }
    }

    @Test func anAppThatTakesTooLongIsEnded() throws {
        try withGolden("exec sleep 1000") { golden, rules in
            var rules = rules
            rules.seconds = 1
            guard case .notComparable(let why) = compare(golden, rules).verdict else {
                return #expect(Bool(false), "an app that does not end")
            }
            let words = "end: expected within 1 s, found it running; gate --timeout gives it longer"
            #expect(why == "\(golden.launchPath): \(words)")
        }
    }

    @Test func aLauncherThatIsNotThereIsNamedWithARemedy() throws {
        try withGolden("exit 0") { golden, _ in
            guard case .notComparable(let why) = compare(golden, GoldenRules(launcher: "/none/keyflight")).verdict
            else { return #expect(Bool(false), "a launcher that is not there") }
            #expect(why.hasPrefix("/none/keyflight: run: expected a program, found "), "\(why)")
            #expect(why.hasSuffix("; install keyflight, or name it in KEYFLIGHT"), "\(why)")
        }
    }

    /// Nothing is started for any of them.
    @Test(arguments: [
        ("", "app: expected a program in the first line, found none"),
        ("\nTextEdit\n", "app: expected a program in the first line, found none"),
        ("TextEdit\na\u{0}b\n", "line 2: expected text, found a NUL character"),
        ("TextEdit\n" + String(repeating: "x", count: 1 << 16), "size: expected at most 65536 bytes, found 65545"),
        ("\u{FFFF}", "text: expected UTF-8, found other bytes"),
    ])
    func aCommandThatIsNoneIsRefused(_ command: String, _ words: String) throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            // Written as one byte that no UTF-8 has.
            let bytes = command == "\u{FFFF}" ? Data([0xFF]) : Data(command.utf8)
            try bytes.write(to: URL(filePath: golden.launchPath))
            guard case .notComparable(let why) = compare(golden, rules).verdict else {
                return #expect(Bool(false), "it is run")
            }
            #expect(why == "\(golden.launchPath): \(words)")
            #expect(throws: (any Error).self) { try commands(golden) }
        }
    }

    @Test func linesMayEndAsOnWindowsAndTheLastNotAtAll() throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            try Data("TextEdit\r\n\r\n--letter=ä \"x\"".utf8).write(to: URL(filePath: golden.launchPath))
            guard case .missing = compare(golden, rules).verdict else { return #expect(Bool(false), "it is not run") }
            #expect(try commands(golden).first?.hasSuffix("-- TextEdit  --letter=ä \"x\"") == true)
        }
    }

    @Test(arguments: [
        ("scene.yaml", "# x\n", "responders: expected launch.txt or scene.yaml, found both"),
        ("budgets.txt", "bytes total 4096\n", "budget of bytes: expected none of a live app, whose trace has its"),
        ("input.keys", nil, "input: expected input.keys beside launch.txt, found none"),
    ])
    func whatOnlyAReplayHasIsRefused(_ file: String, _ text: String?, _ words: String) throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            let path = "\(golden.folder)/\(file)"
            if let text {
                try GoldenTesting.write(text, path)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            // A folder that has no more than the command is a golden that cannot be compared, not one to pass over.
            #expect(try GoldenStore(golden.store).cases().map(\.folder) == [golden.folder])
            guard case .notComparable(let why) = compare(golden, rules).verdict else {
                return #expect(Bool(false), "\(file)")
            }
            #expect(why.contains("\(golden.folder): \(words)"), "\(why)")
        }
    }

    @Test func aProfileAndALatencyBudgetAreOfAReplay() throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            let other = compare(GoldenCase(folder: golden.folder, profile: "ios15"), rules)
            let words = "profile: expected expected.txt, since an app has one profile, found expected.ios15.txt"
            #expect(other.message.contains(words), "\(other.message)")
            try compare(golden, rules).propose()
            try golden.accept()
            let text = try #require(try golden.expected())
            let lines = text.split(separator: "\n", maxSplits: 1)
            try GoldenTesting.write("\(lines[0])\n# latency total 16ms\n\(lines[1])", golden.path)
            let story = compare(golden, rules).message
            let refusal = "latency budget: expected none of a live app, found one; gate --base and --head"
            #expect(story.contains(refusal), "\(story)")
        }
    }
}
