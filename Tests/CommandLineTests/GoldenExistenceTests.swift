import Foundation
import Testing

@testable import keyflight

/// Status 0 of a gate over goldens says that each of them is there and was compared.
@Suite struct GoldenExistenceTests {
    /// Three goldens with a scene, one whose responders a Swift test makes, and the tests of all.
    struct Place {
        var folder: String
        var goldens: String { folder + "/Goldens" }
        var tests: String { folder + "/Tests" }

        func gate(_ options: String...) -> CommandRun { CommandRun(["gate", goldens, "--tests", tests] + options) }
        func text(_ file: String) -> String { Files.text("\(goldens)/\(file)") }
        func put(_ text: String, _ file: String) throws { try TabsApp.put(text, "\(goldens)/\(file)") }
        func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(goldens)/\(file)") }
        func move(_ file: String, to other: String) throws {
            try FileManager.default.moveItem(atPath: "\(goldens)/\(file)", toPath: "\(goldens)/\(other)")
        }
    }

    func withGoldens(_ body: (Place) throws -> Void) throws {
        try FailureModeTests.withGolden { folder, goldens in
            let place = Place(folder: folder)
            try FileManager.default.moveItem(atPath: goldens, toPath: place.goldens)
            try place.move("tabs", to: "a")
            for name in ["b", "c"] {
                try FileManager.default.copyItem(atPath: place.goldens + "/a", toPath: "\(place.goldens)/\(name)")
            }
            try place.put(FailureModeTests.script, "swift/input.keys")
            let text = place.text("a/expected.txt").replacing(" · stream ", with: " · responders swift · stream ")
            try place.put(text, "swift/expected.txt")
            try TabsApp.put(
                """
                @Test(.golden("a")) func a() {}
                @Test(arguments: ["b", "c"]) func others(name: String) { expectGolden(name) }
                final class AppTests: XCTestCase { func testApp() { XCTAssertGolden("swift", app) } }

                """, place.tests + "/A.swift")
            let run = place.gate("--expect", "4")
            #expect(run.status == 0 && run.text.contains("4 goldens · 8 presses · 3 the same"), "\(run.text)")
            try body(place)
        }
    }

    /// In every form: a person reads one of them.
    func expectRefused(_ place: Place, _ words: String, options: [String] = []) throws {
        let files = ["--junit": "j.xml", "--summary": "s.md", "--code-quality": "q.json"]
            .mapValues { "\(place.folder)/\($0)" }
        for path in files.values { try? FileManager.default.removeItem(atPath: path) }
        for form in ["text", "json", "github"] {
            let line = ["gate", place.goldens, "--tests", place.tests, "--format", form] + options
            let run = CommandRun(line + files.flatMap { [$0.key, $0.value] })
            #expect(run.status == 4, "\(run.text)\(run.notes)")
            #expect(run.text.contains(words), "\(run.text)")
            if form == "github" { #expect(run.text.contains("::error ")) }
        }
        for path in files.values { #expect(Files.text(path).contains(words), "\(path): \(Files.text(path))") }
        #expect(Files.text(files["--junit"] ?? "").contains("<error type=\"notComparable\""))
    }

    // MARK: Scenes

    @Test func aSceneThatIsGoneIsNotCheckedByItsTest() throws {
        try withGoldens { place in
            try place.remove("a/scene.yaml")
            try expectRefused(place, "/Goldens/a/input.keys: responders: expected scene.yaml beside it, found none")
        }
    }

    @Test func scenesThatAreAllGone() throws {
        try withGoldens { place in
            for name in ["a", "b", "c"] { try place.remove("\(name)/scene.yaml") }
            let run = place.gate()
            #expect(run.status == 4 && run.lines.count { $0.hasPrefix("✘ not comparable") } == 3, "\(run.text)")
        }
    }

    @Test(arguments: ["scene.yml", "Scene.yaml", "scene.YAML"])
    func aSceneOfAnotherName(_ name: String) throws {
        try withGoldens { place in
            try place.move("a/scene.yaml", to: "a/\(name)")
            try expectRefused(place, "\(place.goldens)/a/\(name): name: expected scene.yaml, found \(name)")
        }
    }

    /// The trace has calls of its own to be replayed by.
    @Test func aSceneThatIsGoneBesideATraceWithCalls() throws {
        try withGoldens { place in
            try place.remove("a/input.keys")
            let record = CommandRun(
                "replay", place.goldens + "/b/input.keys", "--scene", place.goldens + "/b/scene.yaml", "--show-keys",
                "-o", place.goldens + "/a/input.keyflight")
            #expect(record.status == 0)
            #expect(place.gate().status == 0, "\(place.gate().text)")
            try place.remove("a/scene.yaml")
            try expectRefused(place, "scene.yaml: expected it beside the trace, found none")
            // Meant so, it is accepted as that.
            #expect(place.gate("--propose", "--filter", "a", "--filter", "b").status == 4)
            #expect(CommandRun("accept", "a", "--goldens", place.goldens).status == 0)
            #expect(place.text("a/expected.txt").contains(" · responders recorded · "))
            #expect(place.gate().status == 0, "\(place.gate().text)")
        }
    }

    // MARK: Tests and folders

    @Test func goldensThatOnlyTestsCompareAreNoVerdict() throws {
        try withGoldens { place in
            let run = place.gate("--filter", "swift")
            #expect(run.status == 4, "\(run.text)")
            #expect(run.text.contains("    run swift test as well, which compares them"), "\(run.text)")
        }
    }

    @Test func aGoldenThatATestNamesAndThatIsGone() throws {
        try withGoldens { place in
            try place.remove("a")
            try expectRefused(place, "golden “a”: expected it in \(place.goldens), found none")
        }
    }

    @Test func aGoldenThatIsALinkToNothing() throws {
        try withGoldens { place in
            try place.remove("a")
            try Files.link(place.goldens + "/a", to: place.folder + "/gone")
            try expectRefused(place, "\(place.goldens)/a: is a link that leads nowhere")
            #expect(CommandRun("gate", place.goldens).status == 4)
        }
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything"))
    func aGoldenThatCannotBeRead() throws {
        try withGoldens { place in
            try Files.setPermissions(0, of: place.goldens + "/a")
            defer { try? Files.setPermissions(0o700, of: place.goldens + "/a") }
            try expectRefused(place, "\(place.goldens)/a: cannot be read: Permission denied")
            #expect(CommandRun("gate", place.goldens).status == 4)
        }
    }

    @Test func aGoldenThatLiesOneFolderDeeper() throws {
        try withGoldens { place in
            try place.put("", "deeper/notes.txt")
            try place.move("a", to: "deeper/a")
            try expectRefused(
                place, "golden “a”: expected it in \(place.goldens), found it at \(place.goldens)/deeper/a")
            // A test may name it there.
            try TabsApp.put(
                Files.text(place.tests + "/A.swift").replacing("\"a\"", with: "\"deeper/a\""), place.tests + "/A.swift")
            let run = place.gate("--expect", "4")
            #expect(run.status == 0 && run.text.contains("3 the same"), "\(run.text)")
            try place.put(TabsApp.scene("close:"), "deeper/a/scene.yaml")
            let changed = place.gate()
            #expect(changed.status == 1 && changed.text.contains("✘ resolutions  deeper/a"), "\(changed.text)")
            #expect(place.gate("--propose").status == 1)
            let accept = "keyflight accept --goldens \(place.goldens) deeper/a"
            #expect(place.gate().text.contains(accept))
            #expect(CommandRun("accept", "--goldens", place.goldens, "deeper/a").status == 0)
            #expect(place.gate().status == 0)
        }
    }

    @Test(arguments: [
        "// @Test(.golden(\"a\")) func a() {}", "@Test(.golden(\"a\"), .disabled(\"later\")) func a() {}",
        "#if false\n@Test(.golden(\"a\")) func a() {}\n#endif",
    ])
    func aGoldenThatNothingThatRunsNamesIsAnOrphan(_ source: String) throws {
        try withGoldens { place in
            let text = Files.text(place.tests + "/A.swift")
            try TabsApp.put(
                text.replacing("@Test(.golden(\"a\")) func a() {}", with: source), place.tests + "/A.swift")
            let run = place.gate()
            #expect(run.status == 1 && run.text.contains("✘ orphan  a\n    no test names it"), "\(run.text)")
        }
    }

    @Test func anotherNumberOfGoldensThanExpected() throws {
        try withGoldens { place in
            for count in ["3", "5"] {
                try expectRefused(
                    place, "--expect: expected \(count) goldens, found 4", options: ["--expect", count])
            }
            #expect(place.gate("--expect", "0").status == 64)
        }
    }

    // MARK: Files

    @Test(arguments: [
        ("budget.txt", "budgets.txt"), ("Budgets.txt", "budgets.txt"), ("budgets.text", "budgets.txt"),
        ("expected.TXT", "expected.txt"), ("expected-ios26.txt", "expected.PROFILE.txt"),
        ("findings", "findings.txt"), ("finding.txt", "findings.txt"), ("inputs.keys", "input.keys"),
        ("ios99.Profile", "ios99.profile"), ("launch.text", "launch.txt"), ("budgets.txt.bak", "budgets.txt"),
        ("budgets.txt.old", "budgets.txt"), ("findings.txt.orig", "findings.txt"),
        ("expected.ios26.txt.off", "expected.ios26.txt"),
    ])
    func aFileWhoseNameIsNearlyAKnownOne(_ name: String, _ known: String) throws {
        try withGoldens { place in
            try place.put("bytes total 1\n", "a/\(name)")
            try expectRefused(place, "\(place.goldens)/a/\(name): name: expected \(known), found \(name)")
        }
    }

    @Test(arguments: ["README.md", "frames.txt", "scene.png", "input.pcap", "notes.txt", "expected.txt~", ".DS_Store"])
    func aFileOfAnotherNameIsNoneOfTheGolden(_ name: String) throws {
        try withGoldens { place in
            try place.put("hello\n", "a/\(name)")
            #expect(place.gate().status == 0, "\(place.gate().text)")
        }
    }

    @Test func findingsOfAProfileWithoutItsTextAndTwoInputs() throws {
        try withGoldens { place in
            try place.put("# findings\n", "a/findings.ios26.txt")
            try expectRefused(place, "findings.ios26.txt: text: expected expected.ios26.txt beside it, found none")
            try place.remove("a/findings.ios26.txt")
            try place.put("", "a/input.keyflight")
            try expectRefused(place, "input: expected input.keys or input.keyflight, found both")
        }
    }

    @Test func aProfileWithoutItsText() throws {
        try withGoldens { place in
            let profile = Files.text(Files.path("Sources/ResponderEngine/Profiles/ios15.profile"))
            try place.put(profile.replacing("profile: ios15", with: "profile: mine"), "a/mine.profile")
            try expectRefused(place, "a/mine.profile: text: expected expected.mine.txt beside it, found none")
            // The scene may name it, and so may a Swift test.
            try place.put(place.text("a/scene.yaml") + "# profile: ./mine.profile\n", "a/scene.yaml")
            try place.put(profile, "swift/mine.profile")
            #expect(place.gate().status == 0, "\(place.gate().text)")
        }
    }

    @Test(arguments: ["budgets.txt", "findings.txt", "expected.txt", "scene.yaml", "input.keys", "launch.txt"])
    func aFileThatIsALinkToNothing(_ name: String) throws {
        try withGoldens { place in
            try? place.remove("a/\(name)")
            try Files.link("\(place.goldens)/a/\(name)", to: "gone")
            try expectRefused(place, "\(place.goldens)/a/\(name): is a link that leads nowhere")
        }
    }

    // MARK: Lines

    @Test func aCostThatSelectsNothing() throws {
        try withGoldens { place in
            let scene = TabsApp.scene().replacing("100us, \"closeTab:\": 2ms", with: "100us, \"clsoeTab:\": 2ms")
            try place.put(scene, "a/scene.yaml")
            try expectRefused(place, "cost of tabs: expected one of its actions, found clsoeTab:, which")
        }
    }

    @Test(arguments: [
        ("text ignore", "text"), ("shadowed ignore", "shadowed"), ("calls.validate press 3", "calls.validate"),
        ("receivers ignore\ncache.hits total 100", "cache.hits"),
    ])
    func aBudgetThatSelectsNothing(_ line: String, _ name: String) throws {
        try withGoldens { place in
            try place.put("# room\n\(line)\n", "a/budgets.txt")
            try expectRefused(
                place, "budgets.txt: \(name): expected a press that has some, found none; take the line out")
        }
    }

    @Test(arguments: [
        ("cache.hits total min 0", "line 1: budget: expected a number that some count breaks, found cache.hits"),
        ("findings total \(UInt64.max)", "line 1: budget: expected a number that some count breaks, found findings"),
        ("bytes total 9000\nbytes total 90000", "line 2: budget: expected one budget of bytes total, found bytes"),
        ("cache.misses press min 1\ncache.misses press min 1", "line 2: budget: expected one budget of cache."),
    ])
    func aBudgetThatCannotFailAndOneThatIsGivenTwice(_ lines: String, _ words: String) throws {
        try withGoldens { place in
            try place.put(lines + "\n", "a/budgets.txt")
            try expectRefused(place, "budgets.txt: " + words)
        }
    }

    @Test func budgetsThatLeaveNothingToCompare() throws {
        try withGoldens { place in
            let fields = [
                "outcome", "takenBy", "action", "supplier", "target", "receivers", "calls.keyCommands",
                "calls.canPerformAction", "cache.misses", "findings",
            ]
            func lines(_ fields: some Sequence<String>) -> String { fields.map { "\($0) ignore\n" }.joined() }
            try place.put(lines(fields), "a/budgets.txt")
            try expectRefused(place, "/a: every field is ignored: nothing is compared")
            #expect(CommandRun("bisect-run", place.goldens + "/a").status == 125)
            // What is left to be compared is.
            for number in fields.indices {
                try place.put(lines(fields[..<number] + fields[(number + 1)...]), "a/budgets.txt")
                #expect(place.gate().status == 0, "\(fields[number]): \(place.gate().text)")
            }
        }
    }

    @Test func aLatencyBudgetThatSelectsNothing() throws {
        try withGoldens { place in
            let text = place.text("a/expected.txt").replacing("\n1 |", with: "\n# latency validate 1ms\n1 |")
            try place.put(text, "a/expected.txt")
            try expectRefused(place, "latency budget of validate: expected a press with time in it, found none")
        }
    }

    @Test func aHeadingThatStandsTwice() throws {
        try withGoldens { place in
            let text = place.text("a/expected.txt")
            let heading = text.prefix { $0 != "\n" } + "\n"
            try place.put(heading + text, "a/expected.txt")
            try expectRefused(place, "expected.txt: line 2: heading: expected “")
            try place.put(text.replacing("# profile ", with: "# profile ios15 · profile "), "a/expected.txt")
            try expectRefused(place, "line 1: heading: expected each name once, found ")
            try place.put(text, "a/expected.txt")
            try place.put("# findings\n# findings\n", "a/findings.txt")
            try expectRefused(place, "findings.txt: line 2: heading: expected one, in the first line, found another")
        }
    }

    @Test(arguments: ["", "receivers ignore\n"])
    func twoLinesThatAreExchanged(_ budgets: String) throws {
        try withGoldens { place in
            if !budgets.isEmpty { try place.put(budgets, "a/budgets.txt") }
            var lines = place.text("a/expected.txt").components(separatedBy: "\n")
            lines.swapAt(1, 2)
            try place.put(lines.joined(separator: "\n"), "a/expected.txt")
            let run = place.gate("--format", "github")
            #expect(run.status == 1, "\(run.text)")
            let words = "line=2,title=keyflight%3A states::a: every press is the same, but line 2 is not: expected “2 |"
            #expect(run.text.contains(words), "\(run.text)")
            #expect(CommandRun("bisect-run", place.goldens + "/a").status == 1)
        }
    }

    /// Parts of a text that belong to no press.
    @Test(arguments: [
        ("\n1 |", "\n\n1 |", 4), (" | receivers ", " | receivers  ", 1), (" · fields press", " · fields x", 1),
    ])
    func aTextThatWasEdited(_ old: String, _ new: String, _ status: Int) throws {
        try withGoldens { place in
            try place.put(place.text("a/expected.txt").replacing(old, with: new), "a/expected.txt")
            #expect(Int(place.gate().status) == status, "\(place.gate().text)")
        }
    }

    @Test(arguments: ["expected.txt", "findings.txt", "budgets.txt"])
    func whatAnEditorMadeOfATextIsNamed(_ name: String) throws {
        try withGoldens { place in
            let others = ["findings.txt": "# findings\n", "budgets.txt": "receivers ignore\n"]
            let text = others[name] ?? place.text("a/\(name)")
            let forms = [
                (text.replacing("\n", with: "\r\n"), "line 1 ends in CR LF; save with LF"),
                ("\u{FEFF}" + text, "begins with a byte order mark; save it without"),
                ("#\n\u{0}" + text, "line 2 has a NUL character; save it as UTF-8"),
            ]
            for (form, words) in forms {
                try place.put(form, "a/\(name)")
                try expectRefused(place, "\(place.goldens)/a/\(name): \(words)")
            }
            let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let wide: [UInt8] = [0xFF, 0xFE] + units
            try Files.write(wide, to: "\(place.goldens)/a/\(name)")
            #expect(place.gate().status == 4)
        }
    }

    /// The id of a file that cannot be read is another one than that of a file that cannot be written.
    @Test func aFileThatCannotBeReadHasAnIdOfItsOwn() throws {
        try withGoldens { place in
            try FileManager.default.createDirectory(
                atPath: place.goldens + "/a/expected.txt.new", withIntermediateDirectories: true)
            for verb in [["review", place.goldens], ["accept", "a", "--goldens", place.goldens]] {
                let run = CommandRun(verb)
                #expect(run.status == 5, "\(run.notes)")
                #expect(run.notes.hasSuffix("expected a file, found a folder [KF0501]\n"), "\(run.notes)")
            }
            try expectRefused(place, "expected.txt.new: open: expected a file, found a folder")
        }
    }

    @Test func reviewComparesNamesInBothDirections() throws {
        try withGoldens { place in
            #expect(CommandRun("review", place.goldens, "--tests", place.tests).status == 0)
            try place.remove("a")
            let run = CommandRun("review", place.goldens, "--tests", place.tests)
            #expect(run.status == 4 && run.text.hasPrefix("missing: golden “a”: expected it in "), "\(run.text)")
            let json = CommandRun("review", place.goldens, "--tests", place.tests, "--format", "json")
            #expect(json.status == 4 && json.text.contains("\"missing\":[\"a\"]"), "\(json.text)")
        }
    }
}
