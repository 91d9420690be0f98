import Foundation
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
            guard case .missing = first.verdict else { return #expect(Bool(false), "\(first.story)") }
            #expect(try commands(golden).count == 2)
            try first.propose()
            try golden.accept()
            let text = try #require(try golden.expected())
            #expect(text.hasPrefix("# profile gnustep · layout us · level calls · cache none · fields "))
            #expect(text.contains(" | cmd+w | performed | mainMenu | performClose: | mainMenu > "), "\(text)")
            let again = compare(golden, rules)
            guard case .same = again.verdict else { return #expect(Bool(false), "\(again.story)") }
            let commands = try commands(golden)
            #expect(commands.count == 3)
            #expect(commands.last?.hasPrefix("launch -o ") == true)
            let end = "--keys \(golden.folder)/input.keys --layout us -- TextEdit a file.txt"
            #expect(commands.last?.hasSuffix(end) == true)
            // Another answer of the app is found at its press.
            try GoldenTesting.write(text.replacing("performClose:", with: "close:"), golden.path)
            let changed = compare(golden, rules)
            guard case .changed(let diff, _) = changed.verdict else { return #expect(Bool(false), "\(changed.story)") }
            #expect(!diff.changes.isEmpty)
            #expect(changed.story.contains("performClose:"))
        }
    }

    /// The second run gives another trace.
    @Test func whatDiffersBetweenTwoRunsIsNoGolden() throws {
        try GoldenTesting.withFolder { folder in
            let other = "\(folder)/other.keyflight"
            let replayed = try GoldenTesting.make(
                "\(folder)/scene", scene: GoldenTesting.scene(GoldenTesting.close), script: "press cmd+w\n")
            let bytes = try replayed.record(GoldenTesting.resources)
                .bytes(header: TraceHeader(level: .calls, isMasked: false))
            try Data(bytes).write(to: URL(filePath: other))
            let body = "if [ $runs = 1 ]; then cp \"$recorded\" \"$trace\"; else cp '\(other)' \"$trace\"; fi"
            try withGolden(body) { golden, rules in
                let comparison = compare(golden, rules)
                guard case .notDeterministic = comparison.verdict else {
                    return #expect(Bool(false), "\(comparison.story)")
                }
            }
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
                return #expect(Bool(false), "\(comparison.story)")
            }
            #expect(why.contains(words), "\(why)")
        }
    }

    @Test func whatOnlyAReplayHasIsRefused() throws {
        try withGolden("cp \"$recorded\" \"$trace\"") { golden, rules in
            try GoldenTesting.write("# x\n", "\(golden.folder)/scene.yaml")
            guard case .notComparable(let why) = compare(golden, rules).verdict else {
                return #expect(Bool(false), "a scene beside launch.txt")
            }
            #expect(why.contains("launch.txt"))
            try GoldenTesting.write("\n", "\(golden.folder)/launch.txt")
            guard case .notComparable(let none) = compare(golden, rules).verdict else {
                return #expect(Bool(false), "launch.txt without an app")
            }
            #expect(none.contains("expected a program in the first line"))
        }
    }
}
