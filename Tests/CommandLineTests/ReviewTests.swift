import Foundation
import Testing

/// The keys of `review` at a terminal of its own.
@Suite struct ReviewTests {
    /// Goldens `a` to `e`, of which each has a pending text: its ⌘W does something else now.
    private func withPending(_ body: (_ goldens: String) throws -> Void) throws {
        try FailureModeTests.withGolden { folder, goldens in
            let accepted = Files.text(goldens + "/tabs/expected.txt")
            try TabsApp.put(TabsApp.scene("close:"), goldens + "/tabs/scene.yaml")
            let replay = CommandRun(
                "replay", goldens + "/tabs/input.keys", "--scene", goldens + "/tabs/scene.yaml", "--format", "text")
            try FileManager.default.removeItem(atPath: goldens + "/tabs")
            for name in ["a", "b", "c", "d", "e"] {
                let golden = "\(goldens)/\(name)"
                try TabsApp.put(FailureModeTests.script, golden + "/input.keys")
                try TabsApp.put(TabsApp.scene("close:"), golden + "/scene.yaml")
                try TabsApp.put(accepted, golden + "/expected.txt")
                try TabsApp.put(replay.text, golden + "/expected.txt.new")
            }
            try body(goldens)
        }
    }

    private func review(_ goldens: String, typing: String) throws -> TerminalRun {
        try TerminalRun(
            shell: "\"$keyflight\" review '\(goldens)'; echo \"status $?\"; stty -a | grep -o ' -*echo '",
            environment: ["NO_COLOR": "1"], typing: typing)
    }

    private func isAccepted(_ golden: String) -> Bool { Files.text(golden + "/expected.txt").contains("| close: |") }
    private func isPending(_ golden: String) -> Bool { Files.names(golden).contains("expected.txt.new") }

    @Test func keysAcceptRejectSkipAndQuit() throws {
        try withPending { goldens in
            let run = try review(goldens, typing: "arsq")
            #expect(run.shown.hasSuffix("status 1\n echo \n"), "\(run.shown)")
            let first = "[1 of 5] golden “a” differs first at\n  #2 ⌘W - tabs.closeTab:"
            #expect(run.shown.contains(first), "\(run.shown)")
            #expect(run.shown.contains("[4 of 5] ") && !run.shown.contains("[5 of 5] "))
            #expect(isAccepted(goldens + "/a") && !isPending(goldens + "/a"))
            #expect(!isAccepted(goldens + "/b") && !isPending(goldens + "/b"))
            for name in ["c", "d", "e"] {
                #expect(!isAccepted("\(goldens)/\(name)") && isPending("\(goldens)/\(name)"))
            }
        }
    }

    @Test func allAcceptedIsNothingPending() throws {
        try withPending { goldens in
            let run = try review(goldens, typing: "aaaaa")
            #expect(run.shown.hasSuffix("nothing is pending any more\nstatus 0\n echo \n"), "\(run.shown)")
            #expect(["a", "b", "c", "d", "e"].allSatisfy { isAccepted("\(goldens)/\($0)") })
            let gate = CommandRun("gate", goldens)
            #expect(gate.status == 0, "\(gate.text)")
        }
    }

    @Test func skippedOnesAreCounted() throws {
        try withPending { goldens in
            let run = try review(goldens, typing: "sssrs")
            #expect(run.shown.hasSuffix("4 still pending\nstatus 1\n echo \n"), "\(run.shown)")
        }
    }

    @Test func explainTellsEverythingAndThePageIsWritten() throws {
        try withPending { goldens in
            // What no key is for is told; the page of one that is rejected goes with what was pending.
            let run = try review(goldens, typing: "exvrvq")
            #expect(run.shown.contains("\n  #2 ⌘W - tabs.closeTab:\n        + tabs.close:"), "\(run.shown)")
            #expect(run.shown.contains("Resolutions   1 changed · 0 added · 0 removed · 1 unchanged"), "\(run.shown)")
            #expect(run.shown.contains("> x\na, r, s, e, v or q\n"), "\(run.shown)")
            let page = "/expected.txt.new.html"
            for name in ["a", "b"] { #expect(run.shown.contains("open \(goldens)/\(name)\(page)\n")) }
            #expect(Files.text("\(goldens)/b\(page)").contains("closeTab:"))
            #expect(Files.names(goldens + "/a") == ["expected.txt", "input.keys", "scene.yaml"])
        }
    }

    /// Nothing was accepted before, so that there are no two texts: the pending one is shown whole.
    @Test func explainShowsTheWholeTextOfANewGolden() throws {
        try withPending { goldens in
            try FileManager.default.removeItem(atPath: goldens + "/a/expected.txt")
            let run = try review(goldens, typing: "evq")
            #expect(run.shown.contains("[1 of 5] golden “a”: no text was accepted yet"))
            #expect(run.shown.contains("\n2 | cmd+w | performed | keyCommands | close: |"), "\(run.shown)")
            #expect(run.shown.contains("no page: there are no two texts that differ"))
        }
    }

    /// The terminal echoes again after each of them.
    @Test(arguments: [("\u{3}", 130), ("\u{4}", 1)])
    func controlKeysEndIt(_ key: String, _ status: Int) throws {
        try withPending { goldens in
            let run = try review(goldens, typing: "a" + key)
            #expect(run.shown.hasSuffix("\nstatus \(status)\n echo \n"), "\(run.shown)")
            #expect(isAccepted(goldens + "/a") && isPending(goldens + "/b"))
        }
    }

    /// Where CI is set nobody is asked, and nothing is written.
    @Test func inCITheListIsPrinted() throws {
        try withPending { goldens in
            let run = try TerminalRun(
                shell: "\"$keyflight\" review '\(goldens)'; echo \"status $?\"", environment: ["CI": "true"],
                typing: "a")
            #expect(run.shown.contains("Accept: keyflight accept --goldens"), "\(run.shown)")
            #expect(run.shown.contains("status 1\n") && !isAccepted(goldens + "/a"))
        }
    }
}
