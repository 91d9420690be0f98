import Foundation
import Testing
import TraceFormat

@testable import keyflight

/// The line that tells how far long work is.
@Suite struct ProgressLineTests {
    /// A clock that a test turns, and what was written.
    private final class Watched {
        var now = ContinuousClock.now
        var written = ""
        func progress(width: Int = 80, isWatched: Bool = true) -> ProgressLine {
            ProgressLine(isWatched: isWatched, width: width, now: { self.now }, write: { self.written += $0 })
        }
    }

    @Test func shortWorkSaysNothing() {
        let watched = Watched()
        let progress = watched.progress()
        watched.now += .milliseconds(299)
        progress.step("reading")
        progress.begin("asking")
        progress.end()
        #expect(watched.written == "")
    }

    @Test func longWorkSaysHowFarItIsTenTimesASecondAndLeavesNothing() {
        let watched = Watched()
        let progress = watched.progress()
        watched.now += .milliseconds(300)
        progress.step("a")
        watched.now += .milliseconds(99)
        progress.step("b")
        watched.now += .milliseconds(1)
        progress.step("c")
        progress.begin("d")
        progress.wipe()
        progress.wipe()
        #expect(watched.written == "\ra\u{1B}[K\rc\u{1B}[K\rd\u{1B}[K\r\u{1B}[K")
        progress.end()
        watched.now += .seconds(1)
        progress.step("e")
        #expect(!watched.written.contains("e"))
    }

    @Test func aFileIsFollowedBlockByBlockAndNamesAreHarmless() throws {
        let bytes = TraceBytes([UInt8](repeating: 0, count: 4_000_000), file: "a\u{1B}]0;b.keyflight")
        let watched = Watched()
        let progress = watched.progress()
        progress.follow([bytes])
        bytes.onBlock?(1_000_000)
        #expect(watched.written == "")
        watched.now += .seconds(1)
        bytes.onBlock?(1_000_000)
        #expect(watched.written == "\rreading a\\u{1b}]0;b.keyflight: 25 % of 4 MB\u{1B}[K")
        // Two files beside each other have one line.
        let other = TraceBytes([UInt8](repeating: 0, count: 4_000_000))
        progress.follow([bytes, other])
        watched.now += .seconds(1)
        bytes.onBlock?(4_000_000)
        watched.now += .seconds(1)
        other.onBlock?(2_000_000)
        let lines = [50, 75].map { "\rreading 2 files: \($0) % of 8 MB\u{1B}[K" }
        #expect(watched.written.hasSuffix(lines.joined()))
    }

    @Test func everyBlockOfATraceIsTold() throws {
        let trace = Files.bytes(Files.path("Traces/compatibility/v1/calls.keyflight"))
        let bytes = TraceBytes(trace, file: "calls")
        var ends: [Int] = []
        bytes.onBlock = { ends.append($0) }
        var reader = try TraceReader(bytes)
        while reader.next() != nil {}
        #expect(!ends.isEmpty && ends == ends.sorted() && (ends.last ?? 0) <= trace.count)
    }

    @Test func theLineFitsTheTerminal() {
        let watched = Watched()
        let progress = watched.progress(width: 10)
        watched.now += .seconds(1)
        progress.step("日本語日本語日本語")
        #expect(watched.written == "\r日本語日\u{1B}[K")
    }

    @Test func nobodyWhoDoesNotWatchIsTold() {
        let watched = Watched()
        let progress = watched.progress(isWatched: false)
        watched.now += .seconds(1)
        progress.step("a")
        progress.begin("b")
        progress.end()
        #expect(watched.written == "")
    }

    /// At a terminal of its own; the same line of shell without one, and where it is not wanted.
    @Test func aTerminalGetsTheLineAndItIsGoneInTheEnd() throws {
        try Files.withFolder { folder in
            try TabsApp.put("keys 1\npress cmd+t\npress cmd+w\npress cmd+t\n", folder + "/a.keys")
            let line = "cd '\(folder)' && rm -rf out && \"$keyflight\" minimise a.keys --test 'sleep 0.2' -o out"
            let shown = try TerminalRun(shell: line).shown
            #expect(shown.contains("\rrun 3 of the test: "), "\(shown)")
            let last = try #require(shown.components(separatedBy: "\r\u{1B}[K").last)
            #expect(last.hasPrefix("script 4 → ") && !last.contains("run "), "\(shown)")
            for quiet in [line + " --no-progress", "export CI=1; " + line, "export TERM=dumb; " + line,
                "export KEYFLIGHT_PROGRESS=0; " + line, line + " 2>notes; cat out/../notes"]
            {
                let shown = try TerminalRun(shell: quiet).shown
                #expect(!shown.contains("run "), "\(quiet): \(shown)")
                #expect(!shown.contains("\u{1B}"), "\(quiet): \(shown)")
            }
        }
    }
}
