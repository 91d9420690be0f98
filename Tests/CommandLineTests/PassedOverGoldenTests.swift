import Foundation
import Testing

/// Goldens that a gate could pass over, and verdicts that could get lost.
extension GoldenExistenceTests {
    @Test func aLinkToAFolderOfGoldensIsNotPassedOver() throws {
        try withGoldens { place in
            try Files.link(place.goldens + "/suite", to: place.goldens)
            try expectRefused(place, "\(place.goldens)/suite: is a link to a folder of goldens, which is not followed")
        }
    }

    @Test func aGoldenThatATestNamesInAHiddenFolder() throws {
        try withGoldens { place in
            try place.move("a", to: ".a")
            let deep = "1/2/3/4/5/6/7/8/9"
            try FileManager.default.createDirectory(
                atPath: "\(place.goldens)/\(deep)", withIntermediateDirectories: true)
            try place.move("b", to: deep + "/b")
            try place.put("@Test(.golden(\".a\")) func hidden() {}", "../Tests/HiddenTests.swift")
            try expectRefused(place, "golden “.a”: expected it in \(place.goldens), found none")
            #expect(place.gate().text.contains("/1/2/3/4/5/6/7/8"))
        }
    }

    @Test func foldersThatOverlapCountEachGoldenOnce() throws {
        try withGoldens { place in
            let run = CommandRun(
                "gate", place.goldens + "/a", place.goldens, place.goldens + "/../Goldens/a", "--filter", "a",
                "--expect", "2")
            #expect(run.status == 4 && run.text.contains("expected 2 goldens, found 1"), "\(run.text)")
        }
    }

    @Test func aGoldenWhoseNameIsNoTextIsNotPassedOver() throws {
        try withGoldens { place in
            let run = try ProgramRun(
                shell: "cd '\(place.goldens)' && cp -r a \"$(printf 'x\\377')\" && \"$keyflight\" gate . ; echo $?")
            #expect(run.output.hasSuffix("4\n"), "\(run.output)")
            #expect((run.output + run.notes).contains("names: expected UTF-8"), "\(run.output)")
        }
    }

    @Test func whatIsNoGoldenIsNotAccepted() throws {
        try withGoldens { place in
            try place.put("no golden\n", "a/expected.txt.new")
            let run = CommandRun("accept", "a", "--goldens", place.goldens)
            #expect(run.status == 4, "\(run.notes)")
            #expect(run.notes.contains("expected.txt.new: is no golden: line 1: heading"), "\(run.notes)")
            // One that an earlier run left goes where this build finds what was accepted.
            #expect(place.gate("--propose", "--filter", "a").status == 0)
            #expect(CommandRun("accept", "a", "--goldens", place.goldens).status == 3)
        }
    }

    @Test func roomForCountsLeavesStatesOut() throws {
        try withGoldens { place in
            try place.put("calls.keyCommands press 99\n", "a/budgets.txt")
            let run = place.gate()
            #expect(run.status == 0 && run.text.contains("  the same but for stream, ignored  a"), "\(run.text)")
        }
    }

    @Test func aSelfTestNamesNoGoldens() throws {
        try withGoldens { place in
            #expect(CommandRun("gate", place.goldens, "--self-test").status == 64)
        }
    }

    @Test func aGateThatDoesNotBeginWritesItsReports() throws {
        try withGoldens { place in
            let report = place.folder + "/j.xml"
            let run = try ProgramRun(
                shell: "KEYFLIGHT_GATE_MARGIN=x \"$keyflight\" gate '\(place.goldens)' --junit '\(report)'; echo $?")
            #expect(run.output.hasSuffix("64\n"), "\(run.output)")
            #expect(Files.text(report).contains("<error type=\"notComparable\""), "\(Files.text(report))")
        }
    }

    @Test func aWrongCommandLineLeavesNoReportOfAnEarlierGate() throws {
        try withGoldens { place in
            let report = place.folder + "/j.xml"
            #expect(place.gate("--junit", report).status == 0 && Files.text(report).contains("errors=\"0\""))
            for wrong in [["--expect", "0"], ["--expct", "3"], ["--margin", "4"]] {
                #expect(CommandRun(["gate", place.goldens, "--junit", report] + wrong).status == 64)
                #expect(Files.text(report).contains("errors=\"1\""), "\(wrong): \(Files.text(report))")
            }
            // What is no report stays as it is.
            let golden = place.goldens + "/a/expected.txt"
            let text = Files.text(golden)
            #expect(CommandRun(["gate", place.goldens, "--expect", "0", "--junit=\(golden)"]).status == 64)
            #expect(Files.text(golden) == text)
            #expect(CommandRun("gate", place.goldens, "--history", place.folder).status == 4)
        }
    }

    @Test func aCommandsPropertyListIsCompared() throws {
        try withGoldens { place in
            let command = "{input: t, modifiers: [command], action: \"newTab:\""
            let scene = place.text("a/scene.yaml")
            try place.put(scene.replacing(command, with: command + ", propertyList: one"), "a/scene.yaml")
            #expect(place.gate("--filter", "a").status == 1)
            #expect(place.gate("--filter", "a", "--propose").status == 1)
            #expect(CommandRun("accept", "a", "--goldens", place.goldens).status == 0)
            #expect(place.gate("--filter", "a").status == 0)
            try place.put(scene.replacing(command, with: command + ", propertyList: all"), "a/scene.yaml")
            let run = place.gate("--filter", "a")
            #expect(run.status == 1 && run.text.contains("(stream)"), "\(run.text)")
        }
    }

    @Test func aGoldenThatIsCalledAsAPatternIsAcceptedAlone() throws {
        try withGoldens { place in
            try place.move("b", to: "*")
            for name in ["a", "*"] { try place.put(place.text("a/expected.txt"), "\(name)/expected.txt.new") }
            #expect(CommandRun("accept", "*", "--goldens", place.goldens).text == "accepted *\n")
            #expect(CommandRun("accept", "*", "--goldens", place.goldens).status == 3)
            #expect(CommandRun("accept", "?", "--goldens", place.goldens).text == "accepted a\n")
        }
    }

    /// Its golden may be gone: as gate ends with 4, this commit cannot be tested.
    @Test func bisectTakesNoCommitForGoodWhoseTestsNameNoGolden() throws {
        try withGoldens { place in
            func bisect() -> CommandRun { CommandRun("bisect-run", place.goldens, "--tests", place.tests) }
            #expect(bisect().status == 0)
            try TabsApp.put(
                "func check(_ n: String) { expectGolden(n, plan) }\n@Test func a() { check(\"gone\") }\n",
                place.tests + "/B.swift")
            #expect(place.gate().status == 4)
            let run = bisect()
            let words = "B.swift: expectGolden(…): expected the name"
            #expect(run.status == 125 && run.notes.contains(words), "\(run.notes)")
        }
    }

    /// A sentence is no command.
    @Test func onlyCommandsAreCodeInASummary() throws {
        try withGoldens { place in
            try place.put("", "a/expected.txt")
            try place.put("/bin/true\n", "b/launch.txt")
            try place.remove("b/scene.yaml")
            let summary = place.folder + "/s.md"
            let run = place.gate("--summary", summary)
            let start = "keyflight gate \(place.goldens) --filter b --run-apps"
            #expect(run.status == 4 && run.lines.contains("    " + start), "\(run.text)")
            let lines = Files.text(summary).split(separator: "\n")
            #expect(lines.contains("  repair it or record again") && lines.contains("  `\(start)`"), "\(lines)")
        }
    }

    @Test func bisectTakesAFolderThatIsNotThereForNoBadCommit() throws {
        #expect(CommandRun("bisect-run", "/nowhere").status == 125)
    }

    @Test func eachNameOfAcceptMatches() throws {
        try withGoldens { place in
            try place.put(place.text("a/expected.txt"), "a/expected.txt.new")
            let run = CommandRun("accept", "a", "tow", "--goldens", place.goldens)
            #expect(run.status == 3 && run.notes.contains("expected one that matches tow, found none"), "\(run.notes)")
        }
    }

    @Test func aFolderOfWhichAFilterLeavesNothing() throws {
        try withGoldens { place in
            try TabsApp.put(place.text("a/input.keys"), place.folder + "/Other/z/input.keys")
            let run = CommandRun("gate", place.goldens, place.folder + "/Other", "--filter", "a")
            #expect(run.status == 3 && run.notes.contains("/Other: --filter: expected a golden"), "\(run.notes)")
        }
    }

    @Test func oneGoldenBesideItsFolderHidesNoneThatIsGone() throws {
        try withGoldens { place in
            try place.remove("a")
            let run = CommandRun("gate", place.goldens, place.goldens + "/b", "--tests", place.tests)
            #expect(run.status == 4 && run.text.contains("golden “a”: expected it in "), "\(run.text)")
        }
    }

    @Test func goldensBelowALinkedGoldenAndLinksToNothing() throws {
        try withGoldens { place in
            try place.put(place.text("a/input.keys"), "../Outside/inner/input.keys")
            for file in ["input.keys", "expected.txt", "scene.yaml"] {
                try place.put(place.text("a/\(file)"), "../Outside/\(file)")
            }
            try Files.link(place.goldens + "/linked", to: "../Outside")
            try Files.link(place.folder + "/Outside/back", to: ".")
            #expect(place.gate().text.contains("linked/inner"), "\(place.gate().text)")
            try place.remove("linked")
            #expect(place.gate().status == 0)
            try Files.link(place.goldens + "/a/suite", to: "gone")
            try expectRefused(place, "\(place.goldens)/a/suite: is a link that leads nowhere")
        }
    }

    @Test func aTornFileOfBudgets() throws {
        try withGoldens { place in
            try place.put("calls.keyCommands press 99\ncalls.keyCommands total 10", "a/budgets.txt")
            try expectRefused(place, "budgets.txt: end: expected a line break after the last line, found none")
        }
    }

    /// é in one code point and in two are two names, also where a budget leaves room.
    @Test(arguments: [false, true]) func aNameOfOtherBytesIsNotTheSame(_ hasBudget: Bool) throws {
        try withGoldens { place in
            let scene = place.text("a/scene.yaml").replacing("tabs", with: "caf\u{E9}")
            try place.put(scene, "a/scene.yaml")
            if hasBudget { try place.put("calls.keyCommands press 99\n", "a/budgets.txt") }
            #expect(place.gate("--propose").status == 1)
            #expect(CommandRun("accept", "a", "--goldens", place.goldens).status == 0)
            #expect(place.gate().status == 0)
            try place.put(scene.replacing("caf\u{E9}", with: "cafe\u{301}"), "a/scene.yaml")
            #expect(place.gate().status == 1, "\(place.gate().text)")
        }
    }

    @Test(arguments: [["--expect", "4"], ["--format", "json"], ["--timeout", "9"]])
    func anOptionThatIsGivenTwice(_ option: [String]) throws {
        try withGoldens { place in
            let run = CommandRun(["gate", place.goldens] + option + option)
            #expect(run.status == 64 && run.notes.contains("\(option[0]) is given twice; name it once"), "\(run.notes)")
        }
        #expect(CommandRun("bisect-run", "goldens", "--build", " ").status == 64)
    }

    @Test func aWrongCommandLineInEveryForm() throws {
        try withGoldens { place in
            let patch = place.folder + "/p.patch"
            try place.put(TabsApp.scene("close:"), "a/scene.yaml")
            #expect(place.gate("--patch", patch).status == 1 && Files.text(patch).hasPrefix("--- a/"))
            for (format, start) in [("json", "{\"schema\":\"keyflight.gate/1\""), ("github", "::error ")] {
                for wrong in [["--expct", "3"], ["--expect", "0"]] {
                    let run = CommandRun(["gate", place.goldens, "--format", format, "--patch", patch] + wrong)
                    #expect(run.status == 64 && run.text.hasPrefix(start), "\(run.text)")
                    #expect(run.lines.count == 1 || format == "github", "\(run.text)")
                }
            }
            #expect(Files.text(patch) == "")
            let twice = place.gate("--junit", place.folder + "/j.xml", "--metrics", place.folder + "/./j.xml")
            #expect(twice.status == 64 && twice.notes.contains("two reports have this name"), "\(twice.notes)")
        }
    }

    @Test func aTextOfAProfileThatNoTestCompares() throws {
        try withGoldens { place in
            try place.put(place.text("swift/expected.txt"), "swift/expected.ios26.txt")
            try expectRefused(place, "which compares expected.txt alone")
        }
    }

    /// The name that its test has begins at the folder Goldens, whatever folder the gate is given.
    @Test func aNestedGoldenThatIsGivenByItsFolder() throws {
        try withGoldens { place in
            try FileManager.default.createDirectory(
                atPath: place.goldens + "/tabs", withIntermediateDirectories: true)
            try place.move("a", to: "tabs/a")
            let text = Files.text(place.tests + "/A.swift").replacing("\"a\"", with: "\"tabs/a\"")
            try TabsApp.put(text, place.tests + "/A.swift")
            let run = CommandRun("gate", place.goldens + "/tabs", "--tests", place.tests)
            #expect(!run.text.contains("orphan"), "\(run.text)")
            #expect(CommandRun("gate", place.goldens, "--tests", place.tests).status == 0)
        }
    }
}
