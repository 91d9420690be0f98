import Foundation
import Testing

/// `gate --history`: a line for each gate, and the steps in what was measured.
@Suite struct GateHistoryTests {
    private func gate(_ folder: String, _ head: String, label: String, _ more: String...) -> CommandRun {
        func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
        return CommandRun(
            ["gate", "--base", copy("base"), "--head", copy(head), "--history", folder + "/history.jsonl", "--label",
                label, "--runs", "12"] + more)
    }

    private func withBuilds(_ body: (_ folder: String) throws -> Void) throws {
        try Files.withFolder { folder in
            try FailureModeTests.record(folder, folder + "/base.keyflight")
            let slow = TabsApp.scene().replacing("closeTab:\": 2ms", with: "closeTab:\": 3ms")
            try FailureModeTests.record(folder, folder + "/slow.keyflight", scene: slow)
            try body(folder)
        }
    }

    /// Lines as gates before left them, all with the same median of `action`.
    private func lines(_ count: Int, action: Int) -> String {
        (1...count).map { number in
            "{\"schema\":\"keyflight.history/1\",\"label\":\"c\(number)\",\"verdict\":\"passed\",\"goldens\":0,"
                + "\"findings\":0,\"head_ns\":{\"action\":\(action)}}\n"
        }.joined()
    }

    private struct Line: Decodable {
        var schema, label, date, machine, verdict: String
        var presses: Int
        var counts: [String: Int]
        var base_ns, head_ns: [String: Int]
        var ratio: [String: Double]
        var ratio_interval: [String: [Double]]
        var pairs: Int
    }

    @Test func eachGateAddsALine() throws {
        try withBuilds { folder in
            for label in ["one", "two"] {
                let run = gate(folder, "base", label: label)
                #expect(run.status == 0 && run.notes.isEmpty, "\(run.text)\(run.notes)")
            }
            let lines = Files.text(folder + "/history.jsonl").split(separator: "\n")
            #expect(lines.count == 2)
            let line = try JSONDecoder().decode(Line.self, from: Data((lines.first ?? "").utf8))
            #expect(line.schema == "keyflight.history/1" && line.label == "one" && line.verdict == "passed")
            #expect(line.date.hasSuffix("Z") && line.date.count == 20 && !line.machine.isEmpty)
            #expect(line.presses == 2 && line.counts["calls.keyCommands"] == 6, "\(lines)")
            #expect(line.base_ns == line.head_ns && line.ratio["total"] == 1 && line.head_ns["action"] == 1_000_000)
            #expect(line.ratio_interval["total"] == [1, 1] && line.pairs == 12, "\(lines)")
            #expect(lines.last?.contains("\"action\":1000000") == true, "\(lines)")
        }
    }

    /// Each gate adds its own line, and none writes again what it has read.
    @Test func gatesAtOnceLoseNoLine() throws {
        try withBuilds { folder in
            try Files.write(Array(lines(1, action: 1_000_000).dropLast().utf8), to: folder + "/history.jsonl")
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)'; trace='cp base.keyflight "$KEYFLIGHT_OUTPUT"'
                    seq 8 | xargs -P 8 -I LABEL "$keyflight" gate --base "$trace" --head "$trace" --runs 12 \\
                    --history history.jsonl --label LABEL >/dev/null
                    sed 's/.*"label":"\\([^"]*\\)".*/\\1/' history.jsonl | sort
                    """)
            // Two that find the torn line both end it.
            let labels = run.output.split(separator: "\n")
            #expect(labels == ["1", "2", "3", "4", "5", "6", "7", "8", "c1"], "\(run.notes)")
        }
    }

    /// The median action took 1 ms in all gates before, and takes 1.5 ms in these: after some of them the first is
    /// named.
    @Test func aStepIsToldWithTheGateThatBeganIt() throws {
        try withBuilds { folder in
            try Files.write(Array(lines(24, action: 1_000_000).utf8), to: folder + "/history.jsonl")
            var notes: [String] = []
            for number in 1...10 {
                let run = gate(folder, "slow", label: "s\(number)")
                #expect(run.status == 0, "\(run.text)\(run.notes)")
                notes.append(run.notes)
            }
            let single = "history.jsonl: action is off in s1 alone (+50.0 %): one run is no level\n"
            #expect(notes[0].hasSuffix(single), "\(notes[0])")
            let few = "history.jsonl: action may have stepped at s1 (+50.0 %): 3 runs are no level yet\n"
            #expect(notes[2].hasSuffix(few), "\(notes[2])")
            let last = try #require(notes.last)
            #expect(last.hasPrefix("\(folder)/history.jsonl: action stepped at s1 (+50.0 %), p < 0.001"), "\(notes)")
            #expect(last.split(separator: "\n").count == 1, "\(last)")
        }
    }

    @Test func aSteadySeriesIsSilent() throws {
        try withBuilds { folder in
            try Files.write(Array(lines(40, action: 1_000_000).utf8), to: folder + "/history.jsonl")
            #expect(gate(folder, "base", label: "now").notes == "")
        }
    }

    @Test(arguments: ["hello\n", "{\"schema\":\"keyflight.gate/1\"}\n", "{\"schema\":\"keyflight.history/1\",\"la"])
    func aTornLineIsNamedAndLeftOutAndTheOthersStillJudge(_ torn: String) throws {
        try withBuilds { folder in
            let history = folder + "/history.jsonl"
            try Files.write(Array((lines(24, action: 1_000_000) + torn).utf8), to: history)
            let run = gate(folder, "slow", label: "now", "--format", "json")
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.noteLines.count == 2, "\(run.notes)")
            let line = "history.jsonl: line 25 is left out: expected a line of keyflight gate, found "
            #expect(run.notes.contains(line), "\(run.notes)")
            #expect(run.notes.contains("action is off in now alone (+50.0 %)"), "\(run.notes)")
            #expect(run.text.contains("\"left_out\":[{\"line\":25,\"found\":"), "\(run.text)")
            let step = "\"steps\":[{\"stage\":\"action\",\"kind\":\"singleRun\",\"label\":\"now\""
            #expect(run.text.contains(step), "\(run.text)")
            // It stays where it is, and the gate has a line of its own.
            let kept = Files.text(history).split(separator: "\n")
            #expect(kept.count == 26 && kept[24] == torn.split(separator: "\n")[0])
        }
    }

    /// Another file was named.
    @Test func aFileWithoutALineOfAGateIsRefusedAndKept() throws {
        try withBuilds { folder in
            let text = "# Notes\n\nNothing of a gate.\n"
            try Files.write(Array(text.utf8), to: folder + "/history.jsonl")
            let run = gate(folder, "base", label: "now", "--junit", folder + "/j.xml")
            #expect(run.status == 4 && run.noteLines.count == 1, "\(run.notes)")
            #expect(run.notes.contains("line 1: history: expected a line of keyflight gate, found # Notes"))
            #expect(Files.text(folder + "/history.jsonl") == text)
            #expect(Files.text(folder + "/j.xml").contains("<testsuite"))
        }
    }

    /// Times of another machine are no level of this one.
    @Test func linesOfOtherMachinesAreLeftOut() throws {
        try withBuilds { folder in
            let others = lines(24, action: 9_000_000)
                .replacing("\"verdict\"", with: "\"machine\":\"other\",\"verdict\"")
            try Files.write(Array((lines(24, action: 1_000_000) + others).utf8), to: folder + "/history.jsonl")
            let run = gate(folder, "base", label: "now")
            #expect(run.status == 0 && run.noteLines.count == 1, "\(run.notes)")
            let line = "history.jsonl: 24 lines of other machines: left out of the steps\n"
            #expect(run.notes.hasSuffix(line), "\(run.notes)")
        }
    }

    // MARK: Charts

    /// Lines of gates, each with a median of action in milliseconds and a number of calls.
    private func file(_ gates: [(label: String, milliseconds: Int, calls: Int)], machine: String = "m × 2") -> String {
        gates.map { gate in
            "{\"schema\":\"keyflight.history/1\",\"label\":\"\(gate.label)\",\"date\":\"2026-11-29T10:00:00Z\","
                + "\"machine\":\"\(machine)\",\"verdict\":\"\(gate.milliseconds > 1 ? "failed" : "passed")\","
                + "\"counts\":{\"calls.keyCommands\":\(gate.calls),\"cache.hits\":7},"
                + "\"base_ns\":{\"action\":1000000},\"head_ns\":{\"action\":\(gate.milliseconds * 1_000_000)}}\n"
        }.joined()
    }

    @Test func aPageHasAChartForEachSeriesWithItsStepsMarked() throws {
        try Files.withFolder { folder in
            let gates = (1...40).map { (label: "c\($0)", milliseconds: $0 > 24 ? 2 : 1, calls: $0 > 30 ? 9 : 6) }
            let history = folder + "/history.jsonl"
            try Files.write(Array((file(gates) + file(gates.suffix(2), machine: "other × 8")).utf8), to: history)
            let run = CommandRun("report", "--history", history, "-o", "-")
            #expect(run.status == 0 && run.notes == "", "\(run.notes)")
            #expect(run.text.hasPrefix("<!doctype html>") && run.text.contains("default-src 'none'"))
            #expect(!run.text.contains("<script"))
            #expect(run.text.components(separatedBy: "<h3>action</h3>").count == 3, "one for each machine")
            #expect(run.text.contains(">c25 (+100.0 %)</text>"))
            #expect(run.text.contains("action stepped at c25 (+100.0 %)"))
            #expect(run.text.contains(">c31 (6 → 9)</text>") && run.text.contains("last changed at c31 (6 → 9)"))
            #expect(run.text.contains("Without a change: cache.hits 7"))
            let point = "<title>c40 · 2026-11-29T10:00:00Z · 2.00 ms · base 1.00 ms · failed</title>"
            #expect(run.text.contains(point))
            let other = try #require(run.text.firstRange(of: "<h2>other × 8</h2>")).lowerBound
            #expect(try #require(run.text.firstRange(of: "<h2>m × 2</h2>")).lowerBound > other, "the last one first")
            #expect(CommandRun("report", "--history", history, "-o", folder + "/page.html").status == 0)
            #expect(Files.text(folder + "/page.html") == run.text)
        }
    }

    @Test func namesInAHistoryAreNoMarkup() throws {
        try Files.withFolder { folder in
            let text = file([("<b>&x", 1, 6)], machine: "</h2><script>") + "{torn"
            try Files.write(Array(text.utf8), to: folder + "/h.jsonl")
            let page = CommandRun("report", "--history", folder + "/h.jsonl", "-o", "-").text
            #expect(page.contains("&lt;b&gt;&amp;x") && !page.contains("<b>") && !page.contains("<script"))
        }
    }

    @Test func aPageNeedsAHistoryAndNothingElse() throws {
        try Files.withFolder { folder in
            let history = folder + "/h.jsonl"
            try Files.write(Array(file([("a", 1, 6)]).utf8), to: history)
            for more in [[history], ["--above", "8ms"], ["--profile", "ios15"], ["--layout", "fr"], ["--show-keys"]] {
                #expect(CommandRun(["report", "--history", history, "-o", "-"] + more).status == 64, "\(more)")
            }
            #expect(CommandRun("report", "-o", "-").status == 64)
            #expect(CommandRun("report", "--history", folder + "/none", "-o", "-").status == 2)
            #expect(CommandRun("report", "--history", history, "-o", history).status == 64, "the input is kept")
            try Files.write(Array("# Notes\n".utf8), to: folder + "/notes")
            let run = CommandRun("report", "--history", folder + "/notes", "-o", "-")
            #expect(run.status == 4 && run.notes.contains("expected a line of keyflight gate"), "\(run.notes)")
            try Files.write([], to: folder + "/empty")
            #expect(CommandRun("report", "--history", folder + "/empty", "-o", "-").text.contains("No gate"))
        }
    }
}
