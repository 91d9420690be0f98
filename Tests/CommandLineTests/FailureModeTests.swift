import Foundation
import TestRequirements
import Testing

/// Each way in which a gate could pass without having judged anything: it ends with another status than 0, and says
/// why in one sentence.
@Suite struct FailureModeTests {
    static let script = "keys 1\npress cmd+t\npress cmd+w\n"

    /// A trace of the script at `path`, in clear unless masked.
    static func record(
        _ folder: String, _ path: String, scene: String = TabsApp.scene(), isMasked: Bool = false
    ) throws {
        try TabsApp.put(scene, folder + "/record.yaml")
        try TabsApp.put(script, folder + "/record.keys")
        let run = CommandRun(
            ["replay", folder + "/record.keys", "--scene", folder + "/record.yaml", "-o", path]
                + (isMasked ? [] : ["--show-keys"]))
        #expect(run.status == 0, "\(run.notes)")
    }

    /// An accepted golden `tabs` in the folder `goldens`.
    static func withGolden(
        _ script: String = script, _ body: (_ folder: String, _ goldens: String) throws -> Void
    ) throws {
        try Files.withFolder { folder in
            let golden = folder + "/goldens/tabs"
            try TabsApp.put(TabsApp.scene(), golden + "/scene.yaml")
            try TabsApp.put(script, golden + "/input.keys")
            let run = CommandRun(
                "replay", golden + "/input.keys", "--scene", golden + "/scene.yaml", "--format", "text")
            try TabsApp.put(run.text, golden + "/expected.txt")
            #expect(CommandRun("gate", folder + "/goldens").status == 0)
            try body(folder, folder + "/goldens")
        }
    }

    /// The findings of a gate's table, or the notes where it got to none.
    private func sentences(_ run: CommandRun) -> [String] {
        run.noteLines + run.lines.filter { $0.hasPrefix("✘") }
    }

    /// A gate over a golden after something happened to it.
    @Test(arguments: [
        ("expected.txt is deleted", 4, "baseline missing"), ("input.keys is deleted", 4, "not comparable"),
        ("scene.yaml is deleted", 4, "not comparable"), ("expected.txt is torn", 4, "not comparable"),
        ("expected.txt is empty", 4, "not comparable"), ("expected.txt is no golden", 4, "not comparable"),
        ("scene.yaml is torn", 4, "not comparable"), ("another profile", 4, "not comparable"),
        ("a budget for nothing", 4, "not comparable"), ("findings.txt is torn", 4, "not comparable"),
        ("a change", 1, "resolutions"),
    ])
    func aGoldenThatCannotBeJudgedIsNoPass(_ what: String, _ status: Int, _ word: String) throws {
        try Self.withGolden { _, goldens in
            let golden = goldens + "/tabs"
            let expected = Files.text(golden + "/expected.txt")
            let file = what.split(separator: " ")[0]
            switch what {
            case _ where what.hasSuffix("deleted"): try FileManager.default.removeItem(atPath: "\(golden)/\(file)")
            case "expected.txt is torn": try TabsApp.put(String(expected.dropLast(9)), golden + "/expected.txt")
            case "expected.txt is empty": try TabsApp.put("", golden + "/expected.txt")
            case "expected.txt is no golden": try TabsApp.put("hello\n", golden + "/expected.txt")
            case "scene.yaml is torn": try TabsApp.put(String(TabsApp.scene().prefix(150)), golden + "/scene.yaml")
            case "another profile": try TabsApp.put(TabsApp.scene(profile: "ios26"), golden + "/scene.yaml")
            case "a budget for nothing": try TabsApp.put("keyCommand press 1\n", golden + "/budgets.txt")
            case "findings.txt is torn": try TabsApp.put("# findings\ntext-st", golden + "/findings.txt")
            default: try TabsApp.put(TabsApp.scene("close:"), golden + "/scene.yaml")
            }
            let run = CommandRun("gate", goldens)
            #expect(run.status == status, "\(run.text)\(run.notes)")
            #expect(sentences(run).count == 1, "\(run.text)\(run.notes)")
            #expect(run.lines.contains { $0.hasPrefix("✘ \(word)  tabs") })
            // With another one that failed, what could not be judged still decides.
            if status == 4 {
                try TabsApp.put(TabsApp.scene("close:"), goldens + "/other/scene.yaml")
                try TabsApp.put(Self.script, goldens + "/other/input.keys")
                try TabsApp.put(expected, goldens + "/other/expected.txt")
                #expect(CommandRun("gate", goldens).status == 4)
            }
        }
    }

    /// A golden whose input is a trace.
    @Test(arguments: ["torn", "of another version", "no trace", "whole"])
    func aTraceThatIsNotWholeIsNoInput(_ what: String) throws {
        try Self.withGolden { folder, goldens in
            let golden = goldens + "/tabs"
            try FileManager.default.removeItem(atPath: golden + "/input.keys")
            try Self.record(folder, golden + "/input.keyflight")
            var bytes = Files.bytes(golden + "/input.keyflight")
            switch what {
            case "torn": bytes.removeLast(bytes.count / 3)
            case "of another version": bytes[8] = 99
            case "no trace": bytes = Array("hello\n".utf8)
            default:
                // The accepted text is of the script, and so of the same presses.
                let run = CommandRun("gate", goldens)
                #expect(run.status != 4, "\(run.text)")
                return
            }
            try Files.write(bytes, to: golden + "/input.keyflight")
            let run = CommandRun("gate", goldens)
            #expect(run.status == 4 && sentences(run).count == 1, "\(run.text)\(run.notes)")
            #expect(run.text.contains("input.keyflight: "))
        }
    }

    @Test(arguments: [
        (["--filter", "tab?x"], 3, "--filter: expected a golden that matches tab?x, found none"),
        (["--filter", "tabs", "--filter", "tba*"], 3, "expected a golden that matches tba*, found none"),
    ])
    func aFilterThatMatchesNothingIsNoPass(_ arguments: [String], _ status: Int, _ sentence: String) throws {
        try Self.withGolden { _, goldens in
            let run = CommandRun(["gate", goldens] + arguments)
            #expect(run.status == status && run.noteLines.count == 1 && run.notes.contains(sentence), "\(run.notes)")
        }
    }

    @Test func aFolderOfNothingIsNoPass() throws {
        #expect(CommandRun("gate").status == 64)
        try Files.withFolder { folder in
            for path in [folder, folder + "/nowhere"] {
                let run = CommandRun("gate", path)
                #expect(run.status == 4 && run.noteLines.count == 1 && run.notes.contains("goldens: expected "))
            }
        }
    }

    // MARK: Harnesses

    @Test(arguments: [
        ("exit 3", "status: expected 0, found 3"), ("kill -SEGV $$", "status: expected 0, found 139"),
        ("true", "expected a trace in the file that KEYFLIGHT_OUTPUT names, found none"),
        ("echo hello >\"$KEYFLIGHT_OUTPUT\"", "expected a trace"), ("/no/such/program", "found 127"),
    ])
    func aHarnessThatFailsIsNoPass(_ command: String, _ sentence: String) {
        let run = CommandRun("gate", "--base", command, "--head", command)
        #expect(run.status == 4 && run.noteLines.count == 1 && run.notes.contains(sentence), "\(run.notes)")
    }

    @Test func harnessesThatCannotBeComparedAreNoPass() throws {
        try Files.withFolder { folder in
            try Self.record(folder, folder + "/clear.keyflight")
            try Self.record(folder, folder + "/masked.keyflight", isMasked: true)
            try Self.record(folder, folder + "/ios26.keyflight", scene: TabsApp.scene(profile: "ios26"))
            let whole = Files.bytes(folder + "/clear.keyflight")
            try Files.write(Array(whole.dropLast(whole.count / 3)), to: folder + "/torn.keyflight")
            func gate(_ base: String, _ head: String) -> CommandRun {
                func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
                return CommandRun("gate", "--base", copy(base), "--head", copy(head))
            }
            #expect(gate("clear", "clear").status == 0)
            for (other, what) in [
                ("masked", "typed text: expected in clear"), ("ios26", "profile: expected ios15"),
                ("torn", "expected a whole one, found a damaged one"),
            ] {
                let run = gate("clear", other)
                #expect(run.status == 4 && run.notes.contains(what), "\(other): \(run.notes)")
            }
        }
    }

    @Test func aHarnessThatIsNoFunctionOfItsInputFails() throws {
        try Files.withFolder { folder in
            try Self.record(folder, folder + "/a.keyflight")
            try Self.record(folder, folder + "/b.keyflight", scene: TabsApp.scene("close:"))
            let fickle = """
                if [ -e '\(folder)/once' ]; then cp '\(folder)/b.keyflight' "$KEYFLIGHT_OUTPUT"
                else touch '\(folder)/once'; cp '\(folder)/a.keyflight' "$KEYFLIGHT_OUTPUT"; fi
                """
            let run = CommandRun(
                "gate", "--base", "cp '\(folder)/a.keyflight' \"$KEYFLIGHT_OUTPUT\"", "--head", fickle)
            #expect(run.status == 1 && run.notes.contains("it is not a function of its input"), "\(run.notes)")
        }
    }

    // MARK: Two builds

    /// Base and head copy these traces, head as often as said.
    private func builds(_ base: String, _ head: String, times: Int = 1, _ more: [String] = []) -> CommandRun {
        let copy = "cp '\(head)' \"$KEYFLIGHT_OUTPUT\""
        return CommandRun(
            ["gate", "--base", "cp '\(base)' \"$KEYFLIGHT_OUTPUT\"", "--head",
                Array(repeating: copy, count: times).joined(separator: " && ")] + more)
    }

    @Test(.needs("valgrind")) func moreInstructionsFail() throws {
        try Files.withFolder { folder in
            let trace = folder + "/a.keyflight"
            try Self.record(folder, trace)
            let same = builds(trace, trace, times: 1, ["--instructions"])
            #expect(same.status == 0, "\(same.text)\(same.notes)")
            let words = "not worse by more than 3.0 %"
            #expect(
                same.lines.contains { $0.hasPrefix("✔ instructions  ") && $0.hasSuffix(words) }, "\(same.text)")
            // The second and the third copy count, though a shell's word stands between.
            let more = builds(trace, trace, times: 3, ["--instructions", "--junit", folder + "/j.xml"])
            #expect(more.status == 1, "\(more.text)\(more.notes)")
            #expect(more.lines.contains { $0.hasPrefix("✘ instructions  ") && $0.hasSuffix("worse: more than 3.0 %") })
            #expect(Files.text(folder + "/j.xml").contains("<failure type=\"instructions\""))
            // Wherever the build sends its errors.
            let copy = "cp '\(trace)' \"$KEYFLIGHT_OUTPUT\""
            let quiet = Array(repeating: copy, count: 3).joined(separator: " && ")
            let silent = CommandRun(
                "gate", "--base", "{ \(copy); } 2>/dev/null", "--head", "{ \(quiet); } 2>/dev/null", "--instructions")
            #expect(silent.status == 1 && silent.text.contains("✘ instructions"), "\(silent.text)\(silent.notes)")
            let loose = builds(trace, trace, times: 3, ["--instructions", "--instruction-margin", "900"])
            #expect(loose.status == 0 && loose.text.contains("not worse by more than 900.0 %"), "\(loose.text)")
            #expect(builds(trace, trace, times: 1, ["--instruction-margin", "5"]).status == 64)
        }
    }

    /// Valgrind ends where a program's debug information is newer than it reads.
    @Test func unreadDebugInformationIsNamed() throws {
        try Files.withFolder { folder in
            try Self.record(folder, folder + "/a.keyflight")
            let valgrind = """
                #!/bin/sh
                for word; do case $word in --log-file=*) log=${word#*=} ;; esac; done
                echo '==7== Valgrind: debuginfo reader: ensure_valid failed:' >"${log%/*}/7"
                exit 1

                """
            try Files.write(Array(valgrind.utf8), to: folder + "/valgrind")
            try Files.setPermissions(0o755, of: folder + "/valgrind")
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && export PATH="$PWD:$PATH" copy='cp a.keyflight "$KEYFLIGHT_OUTPUT"'
                    "$keyflight" gate --base "$copy" --head "$copy" --instructions
                    """)
            #expect(run.status == 4 && run.output.contains("strip --strip-debug PROGRAM"), "\(run.output)\(run.notes)")
        }
    }

    /// Head offers one more command, which no press meets and which no press can reach: nothing but lint tells them
    /// apart. What both have, and what is gone in head, fails nothing.
    @Test func whatLintFindsInHeadAloneFails() throws {
        try Files.withFolder { folder in
            let (base, head) = (folder + "/a.keyflight", folder + "/b.keyflight")
            try Self.record(folder, base)
            try Self.record(
                folder, head,
                scene: TabsApp.scene().replacing(
                    "      - {input: t,", with: "      - {input: \".\", modifiers: [command], action: \"close:\"}\n"
                        + "      - {input: t,"))
            #expect(CommandRun("lint", base).status == 0 && CommandRun("lint", head).status == 1)
            #expect(CommandRun("diff", base, head).status == 0)
            let run = builds(base, head, times: 1, ["--junit", folder + "/j.xml", "--code-quality", folder + "/q.json"])
            #expect(run.status == 1, "\(run.text)\(run.notes)")
            let found = run.lines.filter { $0.hasPrefix("✘") }
            #expect(found == ["✘ lint  base and head"], "\(run.text)")
            #expect(run.text.contains("lint finds in head alone: reserved-chord | "), "\(run.text)")
            #expect(run.lines.last == "gate: FAILED")
            #expect(Files.text(folder + "/j.xml").contains("<failure type=\"lint\""))
            #expect(Files.text(folder + "/q.json").contains("\"check_name\":\"keyflight.lint\""))
            let json = builds(base, head, times: 1, ["--format", "json"])
            #expect(json.status == 1 && json.text.contains("\"kind\":\"lint\",\"golden\":\"base and head\""))
            for (old, new) in [(base, base), (head, head), (head, base)] {
                let other = builds(old, new)
                #expect(other.status == 0 && !other.text.contains("lint"), "\(other.text)\(other.notes)")
            }
        }
    }

    // MARK: Goldens that nobody asks for, and pending ones

    @Test func orphansAreToldByGateAndReview() throws {
        try Self.withGolden { folder, goldens in
            try TabsApp.put("let name = \"tabs\"\n", folder + "/Tests/A.swift")
            #expect(CommandRun("gate", goldens, "--tests", folder + "/Tests").status == 0)
            #expect(CommandRun("review", goldens, "--tests", folder + "/Tests").status == 0)
            try TabsApp.put("let name = \"other\"\n", folder + "/Tests/A.swift")
            let gate = CommandRun("gate", goldens, "--tests", folder + "/Tests", "--code-quality", folder + "/q.json")
            #expect(gate.status == 1 && gate.text.contains("✘ orphan  tabs\n    no test names it"))
            #expect(Files.text(folder + "/q.json").contains("\"check_name\":\"keyflight.orphan\""))
            let review = CommandRun("review", goldens, "--tests", folder + "/Tests")
            #expect(review.status == 1 && review.lines.first == "orphan: \(goldens)/tabs: no test names it")
            let json = CommandRun("review", goldens, "--tests", folder + "/Tests", "--format", "json")
            #expect(json.status == 1 && json.text.contains("\"orphans\":[\"\(goldens)/tabs\"]"))
            try FileManager.default.removeItem(atPath: folder + "/Tests/A.swift")
            let nothing = CommandRun("gate", goldens, "--tests", folder + "/Tests")
            #expect(nothing.status == 4 && nothing.notes.contains("expected Swift files in it, found none"))
        }
    }

    // MARK: minimise

    @Test func minimiseLeavesThePressOfATraceThatIsWrong() throws {
        try Files.withFolder { folder in
            try TabsApp.put(
                "keys 1\n" + String(repeating: "press cmd+t\n", count: 8) + "press cmd+w\npress cmd+t\npress cmd+t\n",
                folder + "/long.keys")
            try TabsApp.put(TabsApp.scene("close:"), folder + "/scene.yaml")
            let recorded = CommandRun(
                "replay", folder + "/long.keys", "--scene", folder + "/scene.yaml", "-o", folder + "/long.keyflight")
            #expect(recorded.status == 0)
            let test = "'\(ProgramRun.path)' show --format jsonl \"$KEYFLIGHT_INPUT\" | grep '\"resolution\"'"
                + " | grep -q '\"action\":\"close:\"'"
            let arguments = ["minimise", folder + "/long.keyflight", "-o", folder + "/small", "--test", test]
            let run = CommandRun(arguments)
            #expect(run.status == 0 && run.notes.contains("trace "), "\(run.notes)")
            let info = CommandRun("info", folder + "/small/input.keyflight", "--format", "json")
            #expect(info.status == 0 && info.text.contains("\"presses\":1,"), "\(info.text)")
            let again = CommandRun(arguments)
            #expect(again.status != 0 && again.noteLines.count == 1)
            #expect(CommandRun(arguments + ["--force"]).status == 0)
        }
    }

    @Test func minimiseRefusesATraceThatHasNoRoomForItsLoss() throws {
        try Files.withFolder { folder in
            try TabsApp.put(
                "keyflight-text 1 form=canonical level=calls first_sequence=18446744073709551615\nend\n",
                folder + "/last.txt")
            #expect(CommandRun("assemble", folder + "/last.txt", "-o", folder + "/last.keyflight").status == 0)
            // The header alone: what is missing behind it is a record of its own, for which no number is left.
            let header = Array(Files.bytes(folder + "/last.keyflight").prefix(28))
            try Files.write(header, to: folder + "/torn.keyflight")
            let run = CommandRun("minimise", folder + "/torn.keyflight", "-o", folder + "/out", "--test", "true")
            #expect(run.status == 2 && run.notes.hasSuffix("[KF0203]\n"), "\(run.notes)")
        }
    }

    // MARK: what-if

    @Test(arguments: ["bogus", "set a b c", "activate nobody"])
    func whatIfRefusesARecordedStepAsReplayDoes(_ step: String) throws {
        try Files.withFolder { folder in
            try TabsApp.put("keys 1\npress cmd+w\ndo focus view\npress cmd+t\n", folder + "/a.keys")
            try TabsApp.put(TabsApp.scene("close:"), folder + "/scene.yaml")
            let recorded = CommandRun(
                "replay", folder + "/a.keys", "--scene", folder + "/scene.yaml", "-o", folder + "/a.keyflight",
                "--show-keys")
            let text = CommandRun("show", folder + "/a.keyflight", "--show-keys").text
            #expect(recorded.status == 0 && text.contains("step=\"focus view\""), "\(recorded.notes)")
            let changed = text.split(separator: "\n").map {
                $0.hasSuffix("step=\"focus view\"") ? $0.dropLast(12) + "\"\(step)\"" : $0
            }
            try TabsApp.put(changed.joined(separator: "\n") + "\n", folder + "/b.txt")
            #expect(CommandRun("assemble", folder + "/b.txt", "-o", folder + "/b.keyflight").status == 0)
            let plain = CommandRun("replay", folder + "/b.keyflight")
            for question in ["cache=press", "profile=ios13", "repeat=100ms/10ms"] {
                let run = CommandRun("replay", folder + "/b.keyflight", "--what-if", question)
                #expect(run.status == plain.status && run.notes == plain.notes, "\(question): \(run.notes)")
            }
        }
    }
}
