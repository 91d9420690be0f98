import Foundation
import Testing

@testable import keyflight

/// `diff`, `gate`, `bisect-run`, `review`, `accept` and `minimise` as a shell sees them.
@Suite struct VerdictTests {
    private static let script = "keys 1\npress cmd+t\npress cmd+w\npress cmd+t\n"

    /// A folder of one golden, `tabs`, that is accepted.
    private func withGoldens(_ body: (_ folder: String) throws -> Void) throws {
        try FailureModeTests.withGolden(VerdictTests.script) { try body($1) }
    }

    /// The text that a replay of a golden's folder gives now.
    private func golden(of folder: String) throws -> String {
        let run = CommandRun(
            "replay", "\(folder)/input.keys", "--scene", "\(folder)/scene.yaml", "--format", "text")
        #expect(run.status == 0, "\(run.notes)")
        return run.text
    }

    @Test func aGoldenWithoutPressesCannotBeCompared() throws {
        try withGoldens { goldens in
            try TabsApp.put("keys 1\nwait 1s\n", "\(goldens)/tabs/input.keys")
            try TabsApp.put(try golden(of: "\(goldens)/tabs"), "\(goldens)/tabs/expected.txt")
            let run = CommandRun("gate", goldens)
            #expect(run.status == 4 && run.text.contains("presses: expected at least one, found none"), "\(run.text)")
        }
    }

    @Test func whatAGoldenIgnoresIsSaid() throws {
        try withGoldens { goldens in
            try TabsApp.put("action ignore\n", "\(goldens)/tabs/budgets.txt")
            for format in ["text", "json", "github"] {
                let run = CommandRun("gate", goldens, "--format", format)
                #expect(run.status == 0 && run.text.contains("the same but for action, ignored"), "\(run.text)")
            }
        }
    }

    // MARK: diff

    /// Which of two presses that overlap is resolved first is no difference.
    @Test func diffPairsOverlappingPressesByTheirDowns() throws {
        try Files.withFolder { folder in
            try TabsApp.put(TabsApp.scene(), folder + "/a.yaml")
            try TabsApp.put(
                "keys 1\ndown LeftGUI\ndown T\ndown W\nup T\nup W\nup LeftGUI\n", folder + "/s.keys")
            let replay = CommandRun(
                "replay", folder + "/s.keys", "--scene", folder + "/a.yaml", "-o", folder + "/a.keyflight")
            try #require(replay.status == 0, "\(replay.notes)")
            var bodies = CommandRun("show", folder + "/a.keyflight").lines
            let header = bodies.removeFirst()
            func resolution(_ press: Int) throws -> Int {
                try #require(bodies.firstIndex { $0.contains(" resolution press=\(press) ") })
            }
            let moved = bodies.remove(at: try resolution(1))
            bodies.insert(moved, at: try resolution(2) + 1)
            var time = 0
            let lines = bodies.enumerated().map { place, line in
                let parts = line.split(separator: " ", maxSplits: 2)
                guard parts.count == 3, Int(parts[0]) != nil else { return line }
                time = max(time, Int(parts[1]) ?? 0)
                return "\(place) \(time) \(parts[2])"
            }
            let text = Array(([header] + lines).map { $0 + "\n" }.joined().utf8)
            let assembled = CommandRun(["assemble", "-", "-o", folder + "/b.keyflight"], stdin: text)
            try #require(assembled.status == 0, "\(assembled.notes)")
            let diff = CommandRun("diff", folder + "/a.keyflight", folder + "/b.keyflight")
            #expect(diff.status == 0, "\(diff.text)")
            #expect(diff.lines.first == "Resolutions   0 changed · 0 added · 0 removed · 2 unchanged")
        }
    }

    @Test func diffTellsResolutionsFirst() throws {
        try Files.withFolder { folder in
            try TabsApp.put(TabsApp.scene(), folder + "/a.yaml")
            try TabsApp.put(TabsApp.scene("close:"), folder + "/b.yaml")
            try TabsApp.put(VerdictTests.script, folder + "/s.keys")
            for side in ["a", "b"] {
                let run = CommandRun(
                    "replay", "\(folder)/s.keys", "--scene", "\(folder)/\(side).yaml", "--show-keys", "-o",
                    "\(folder)/\(side).keyflight")
                #expect(run.status == 0, "\(run.notes)")
            }
            let same = CommandRun("diff", folder + "/a.keyflight", folder + "/a.keyflight")
            #expect(same.status == 0)
            #expect(same.lines.first == "Resolutions   0 changed · 0 added · 0 removed · 3 unchanged")
            let run = CommandRun("diff", folder + "/a.keyflight", folder + "/b.keyflight")
            #expect(run.status == 1)
            #expect(run.lines.first == "Resolutions   1 changed · 0 added · 0 removed · 2 unchanged")
            #expect(run.lines[1] == "  #2 ⌘W - tabs.closeTab:")
            #expect(run.lines[2].hasPrefix("        + tabs.close:"))
            for format in ["json", "markdown", "html"] {
                let other = CommandRun("diff", folder + "/a.keyflight", folder + "/b.keyflight", "--format", format)
                #expect(other.status == 1 && other.text.contains("closeTab:"))
            }
        }
    }

    @Test func tracesOfTwoProfilesAreNotComparable() throws {
        try Files.withFolder { folder in
            try TabsApp.put(VerdictTests.script, folder + "/s.keys")
            for profile in ["ios15", "ios26"] {
                try TabsApp.put(TabsApp.scene(profile: profile), "\(folder)/\(profile).yaml")
                _ = CommandRun(
                    "replay", "\(folder)/s.keys", "--scene", "\(folder)/\(profile).yaml", "-o",
                    "\(folder)/\(profile).keyflight")
            }
            let run = CommandRun("diff", folder + "/ios15.keyflight", folder + "/ios26.keyflight")
            #expect(run.status == 4)
            #expect(run.noteLines.count == 1 && run.notes.contains("profile: expected ios15, as in"))
            for format in ["json", "markdown", "html"] {
                let other = CommandRun(
                    "diff", folder + "/ios15.keyflight", folder + "/ios26.keyflight", "--format", format)
                #expect(other.status == 4 && other.text.contains("profile: expected ios15"), "\(format): \(other.text)")
            }
        }
    }

    // MARK: gate

    @Test func aChangedResolutionFailsInEveryForm() throws {
        try withGoldens { goldens in
            try TabsApp.put(TabsApp.scene("close:"), "\(goldens)/tabs/scene.yaml")
            let run = CommandRun(
                "gate", goldens, "--junit", goldens + "/j.xml", "--summary", goldens + "/s.md", "--metrics",
                goldens + "/m.txt")
            #expect(run.status == 1)
            #expect(run.text.contains("✘ resolutions  tabs"))
            #expect(Files.text(goldens + "/j.xml").contains("failures=\"1\""))
            #expect(Files.text(goldens + "/s.md").contains("gate: FAILED"))
            #expect(Files.text(goldens + "/m.txt").contains("keyflight_findings 1"))
            let github = CommandRun("gate", goldens, "--format", "github")
            #expect(github.status == 1 && github.lines.first?.hasPrefix("::error file=") == true)
            let json = CommandRun("gate", goldens, "--format", "json")
            #expect(json.text.hasPrefix("{\"schema\":\"keyflight.gate/1\",\"verdict\":\"failed\""))
        }
    }

    /// What is there is added to or replaced, and never lost because it could not be read.
    @Test(arguments: ["--summary", "--history", "--junit", "--metrics", "--code-quality"])
    func aReportReplacesNothingButAFileThatItCanRead(option: String) throws {
        try withGoldens { goldens in
            let (long, link, pipe) = (goldens + "/long", goldens + "/link", goldens + "/pipe")
            let limit = 256 << 20
            try Files.write([], to: goldens + "/small")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: goldens + "/small")
            try Files.write([], to: long)
            #expect(truncate(long, limit + 1) == 0)
            #expect(mkfifo(pipe, 0o600) == 0)
            for path in [link, pipe] {
                let run = CommandRun("gate", goldens, option, path)
                #expect(run.status != 0 && run.notes.contains("expected a regular file"), "\(run.notes)")
            }
            if ["--summary", "--history"].contains(option) {
                let run = CommandRun("gate", goldens, option, long)
                // A gate that cannot read something has no verdict.
                #expect(run.status == 4 && run.notes.contains("expected at most"), "\(run.notes)")
                var status = stat()
                #expect(stat(long, &status) == 0 && status.st_size == off_t(limit + 1))
            }
        }
    }

    /// Each of three links to the folder that has them would triple what there is to read, at each depth.
    @Test func linksBetweenFoldersOfTestsAreReadOnce() throws {
        try withGoldens { goldens in
            let tests = goldens + "/../Tests"
            try TabsApp.put("@Test(.golden(\"tabs\")) func tabs() {}\n", tests + "/A.swift")
            for name in ["a", "b", "c"] {
                try FileManager.default.createSymbolicLink(atPath: "\(tests)/\(name)", withDestinationPath: ".")
            }
            let run = CommandRun("gate", goldens, "--tests", tests)
            #expect(run.status == 0, "\(run.text)\(run.notes)")
        }
    }

    /// Only a test can make responders that are written in Swift.
    @Test func aGoldenOfATestsOwnRespondersIsLeftToItsTest() throws {
        try withGoldens { goldens in
            let text = Files.text("\(goldens)/tabs/expected.txt")
            let tests = goldens + "/../Tests"
            try TabsApp.put(
                "func app() { expectGolden(\"tabs\"); expectGolden(\"in-swift\", app) }\n", tests + "/A.swift")
            try TabsApp.put(VerdictTests.script, "\(goldens)/in-swift/input.keys")
            let missing = CommandRun("gate", goldens, "--tests", tests)
            #expect(missing.status == 4 && missing.text.contains("make its responders: swift test\n"))
            // Whose the responders are is in the heading, as the test writes it.
            try TabsApp.put(text, "\(goldens)/in-swift/expected.txt")
            let older = CommandRun("gate", goldens, "--tests", tests)
            #expect(older.status == 4)
            #expect(older.text.contains("accept again: the heading does not say that responders are Swift's"))
            try TabsApp.put(
                text.replacing(" · cache none ·", with: " · cache none · responders swift ·"),
                "\(goldens)/in-swift/expected.txt")
            let run = CommandRun("gate", goldens, "--tests", tests, "--junit", goldens + "/j.xml")
            #expect(run.status == 0, "\(run.text)\(run.notes)")
            #expect(run.lines.contains("  checked by its test, not here  in-swift"))
            #expect(Files.text(goldens + "/j.xml").contains("<skipped message=\"checked by its test\"/>"))
            let bisect = CommandRun("bisect-run", goldens, "--tests", tests)
            #expect(bisect.lines == ["good: the golden as accepted; 1 checked by tests alone"])
            // Without them nothing says that it is compared at all.
            let alone = CommandRun("gate", goldens)
            #expect(alone.status == 4 && alone.text.contains("run it, and name it by --tests"), "\(alone.text)")
            let skipped = CommandRun("bisect-run", goldens)
            #expect(skipped.status == 125 && skipped.notes.contains("name it by --tests"), "\(skipped.notes)")
            #expect(CommandRun("bisect-run", goldens + "/in-swift").status == 125)
            // It is the test that makes it no orphan.
            try TabsApp.put("@Test(.golden(\"tabs\")) func tabs() {}\n", tests + "/A.swift")
            let orphan = CommandRun("gate", goldens, "--tests", tests)
            #expect(orphan.status == 4 && orphan.text.contains("and no test names it"), "\(orphan.text)")
            #expect(CommandRun("bisect-run", goldens, "--tests", tests).status == 125)
        }
    }

    /// The second press changed, whose row is the third line below the heading.
    @Test func hintsRunAsTheyStandAndAnnotationsHaveTheLine() throws {
        try withGoldens { goldens in
            try TabsApp.put(TabsApp.scene("close:"), "\(goldens)/tabs/scene.yaml")
            let run = CommandRun("gate", goldens)
            let accept = "keyflight accept --goldens \(goldens) tabs"
            let propose = "keyflight gate \(goldens) --filter tabs --propose"
            let input = "\(goldens)/tabs/input.keys --scene \(goldens)/tabs/scene.yaml"
            let explain = "keyflight explain \(input) --press 2"
            // First to look, then the next step towards accepting.
            #expect(run.text.contains("\n    \(explain)\n    \(propose)\n"), "\(run.text)")
            let look = CommandRun(explain.split(separator: " ").dropFirst().map(String.init))
            #expect(look.status == 0 && look.text.contains("⌘W  →  tabs.close:"), "\(look.text)\(look.notes)")
            let json = CommandRun("gate", goldens, "--format", "json")
            #expect(json.text.contains("\"remedy\":\"\(explain)\",\"accept\":\"\(propose)\""))
            let github = CommandRun("gate", goldens, "--format", "github")
            #expect(github.lines.first?.contains("expected.txt,line=3,") == true, "\(github.text)")
            #expect(CommandRun("bisect-run", goldens).lines.last == "bad: 1 press of the golden changed")
            #expect(CommandRun("gate", goldens, "--filter", "tabs", "--propose").status == 1)
            #expect(CommandRun("gate", goldens).lines.contains("    \(accept)"))
            #expect(CommandRun("accept", "--goldens", goldens, "tabs").status == 0)
            #expect(CommandRun("gate", goldens).status == 0)
        }
    }

    /// `review` shows what a new golden would say.
    @Test func reviewShowsTheTextOfANewGolden() throws {
        try withGoldens { goldens in
            let text = Files.text("\(goldens)/tabs/expected.txt")
            try TabsApp.put(text, "\(goldens)/tabs/expected.txt.new")
            try FileManager.default.removeItem(atPath: "\(goldens)/tabs/expected.txt")
            let run = CommandRun("review", goldens)
            #expect(run.status == 1 && run.text.contains(text))
            #expect(run.text.contains("Accept: keyflight accept --goldens \(goldens) tabs"))
        }
    }

    @Test func keepLeavesBothTracesAndAPage() throws {
        try withGoldens { goldens in
            let input = "\(goldens)/tabs/input.keys"
            for (side, scene) in [("a", TabsApp.scene()), ("b", TabsApp.scene("close:"))] {
                try TabsApp.put(scene, "\(goldens)/\(side).yaml")
                let run = CommandRun(
                    "replay", input, "--scene", "\(goldens)/\(side).yaml", "-o", "\(goldens)/\(side).keyflight")
                #expect(run.status == 0)
            }
            let copies = ["a", "b"].map { "cp \(goldens)/\($0).keyflight \"$KEYFLIGHT_OUTPUT\"" }
            let (base, head) = (copies[0], copies[1])
            let kept = goldens + "/of this run"
            for _ in 1...2 {
                let run = CommandRun("gate", "--base", base, "--head", head, "--keep", kept)
                #expect(run.status == 1, "\(run.notes)")
                #expect(run.lines.contains("    keyflight diff '\(kept)/base.keyflight' '\(kept)/head.keyflight'"))
            }
            #expect(CommandRun("diff", kept + "/base.keyflight", kept + "/head.keyflight").status == 1)
            #expect(Files.text(kept + "/diff.html").contains("<html"))
            let mode = try FileManager.default.attributesOfItem(atPath: kept + "/diff.html")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(CommandRun("gate", goldens, "--keep", kept).status == 64)
            let crash = CommandRun("gate", "--base", base, "--head", "kill -SEGV $$")
            let words = "head, run 1: kill -SEGV $$: status: expected 0, found 139, signal 11"
            #expect(crash.status == 4 && crash.notes.contains(words), "\(crash.notes)")
        }
    }

    @Test func theGateProvesThatItCanFail() throws {
        let run = try ProgramRun(shell: #""$keyflight" gate --self-test; echo "status $?""#)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(5) == [
            "✔ nothing changed: the gate passes", "✔ a wrong resolution: the gate fails with status 1",
            "✔ an extra keyCommands call: the gate fails with status 1", "✔ a slow stage: the gate fails with status 1",
            "✔ 13 of 40 presses that take 14 ms instead of 7: the gate fails with status 1",
        ], "\(run.output)\(run.notes)")
        let alarms = "✔ 100 gates of a build that is slower by the margin alone: "
        #expect(lines.count == 7 && lines[5].hasPrefix(alarms))
        #expect(lines[5].hasSuffix(" called worse, at most 1 allowed"))
        #expect(lines.last == "status 0", "\(run.output)")
    }

    // MARK: accept and review

    @Test func reviewListsWhatAcceptThenAccepts() throws {
        try withGoldens { goldens in
            #expect(CommandRun("review", goldens).status == 0)
            try TabsApp.put(TabsApp.scene("close:"), "\(goldens)/tabs/scene.yaml")
            try TabsApp.put(try golden(of: "\(goldens)/tabs"), "\(goldens)/tabs/expected.txt.new")
            let list = CommandRun("review", goldens)
            #expect(list.status == 1 && list.text.contains("+ tabs.close:"))
            let json = CommandRun("review", goldens, "--format", "json")
            #expect(json.status == 1 && json.text.contains("\"golden\":\"tabs\""))
            for variable in ["CI", "TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "JENKINS_URL", "BUILDKITE"] {
                let job = ProcessEnvironment([variable: "1"])
                let accept = CommandRun(["accept", "tabs", "--goldens", goldens], environment: job)
                #expect(accept.status == 64 && accept.notes.hasPrefix("accept is disabled when \(variable) is set: "))
                let propose = CommandRun(["gate", goldens, "--propose"], environment: job)
                #expect(propose.status == 64)
                #expect(propose.notes.hasPrefix("gate --propose is disabled when \(variable) is set: "))
            }
            let off = ProcessEnvironment(["CI": "0", "BUILDKITE": ""])
            #expect(CommandRun(["accept", "nobody", "--goldens", goldens], environment: off).status == 3)
            #expect(CommandRun("accept", "nobody", "--goldens", goldens).status == 3)
            #expect(CommandRun("accept", "tabs", "--goldens", goldens).lines == ["accepted tabs"])
            #expect(CommandRun("gate", goldens).status == 0)
        }
    }

    // MARK: bisect-run and minimise

    @Test func bisectRunSaysGoodBadOrSkip() throws {
        try withGoldens { goldens in
            #expect(CommandRun("bisect-run", goldens + "/tabs").status == 0)
            #expect(CommandRun("bisect-run", goldens, "--build", "false").status == 125)
            try TabsApp.put(TabsApp.scene("close:"), "\(goldens)/tabs/scene.yaml")
            #expect(CommandRun("bisect-run", goldens).status == 1)
            try TabsApp.put("nonsense", "\(goldens)/tabs/scene.yaml")
            #expect(CommandRun("bisect-run", goldens).status == 125)
        }
    }

    @Test func minimiseLeavesWhatIsWrong() throws {
        try Files.withFolder { folder in
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            try TabsApp.put("keys 1\npress a\npress cmd+t\npress b\npress cmd+w\npress c\n", folder + "/input.keys")
            let run = CommandRun(
                "minimise", folder + "/input.keys", "--scene", folder + "/scene.yaml", "-o", folder + "/small",
                "--test",
                "grep -q cmd+w \"$KEYFLIGHT_INPUT\" && grep -q closeTab \"$KEYFLIGHT_SCENE\"")
            #expect(run.status == 0, "\(run.notes)")
            #expect(Files.text(folder + "/small/input.keys") == "press cmd+w\n")
            #expect(Files.text(folder + "/small/scene.yaml").split(separator: "\n").count <= 5)
            let not = CommandRun("minimise", folder + "/input.keys", "-o", folder + "/x", "--test", "false")
            #expect(not.status == 4 && not.noteLines.count == 1)
        }
    }
}
