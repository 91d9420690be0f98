import Foundation
import Testing

/// `gate --history`: a line for each gate, and the steps in what was measured.
@Suite struct GateHistoryTests {
    private func gate(_ folder: String, _ head: String, label: String) -> CommandRun {
        func copy(_ name: String) -> String { "cp '\(folder)/\(name).keyflight' \"$KEYFLIGHT_OUTPUT\"" }
        return CommandRun(
            "gate", "--base", copy("base"), "--head", copy(head), "--history", folder + "/history.jsonl", "--label",
            label, "--runs", "12")
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

    @Test func eachGateAddsALine() throws {
        try withBuilds { folder in
            for label in ["one", "two"] {
                let run = gate(folder, "base", label: label)
                #expect(run.status == 0 && run.notes.isEmpty, "\(run.text)\(run.notes)")
            }
            let lines = Files.text(folder + "/history.jsonl").split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix(
                "{\"schema\":\"keyflight.history/1\",\"label\":\"one\",\"verdict\":\"passed\",\"goldens\":0,"
                    + "\"findings\":0,\"head_ns\":{") == true)
            #expect(lines.last?.contains("\"action\":1000000") == true, "\(lines)")
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
            #expect(notes.first == "", "one value is no level")
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
    func aHistoryThatIsNoneIsAnErrorWithItsLineAndIsKept(_ torn: String) throws {
        try withBuilds { folder in
            let text = lines(2, action: 1_000_000) + torn
            try Files.write(Array(text.utf8), to: folder + "/history.jsonl")
            let run = gate(folder, "base", label: "now")
            #expect(run.status == 4 && run.noteLines.count == 1, "\(run.notes)")
            #expect(run.notes.contains("history.jsonl: line 3: history: expected a line of keyflight gate, found "))
            #expect(Files.text(folder + "/history.jsonl") == text)
        }
    }
}
