import KeyModel
import Testing

@testable import keyflight

/// What holds for the program whatever the verb.
@Suite struct ProgramFrameTests {
    @Test func aloneItPrintsAFiveLineTour() {
        let run = CommandRun()
        #expect(run.status == 0)
        #expect(run.lines.count == 5)
        #expect(run.notes == "")
        for line in run.lines { #expect(line.hasPrefix("keyflight ")) }
    }

    @Test func versionAndHelpEndWith0() {
        #expect(CommandRun("--version").status == 0)
        let version = CommandRun("--version").lines
        #expect(version.first == Keyflight.version && version.count == 3)
        #expect(version[1].hasPrefix("commit: ") && version[2].hasSuffix("reads and writes versions 1 and 2"))
        #expect(CommandRun("--help").status == 0)
        #expect(CommandRun("help", "import").status == 0)
        #expect(CommandRun("help", "import").notes == "")
    }

    @Test(arguments: [
        ["bogus"], ["import"], ["import", "x"], ["info"], ["info", "a", "b"], ["info", "--format", "xml", "a"],
        ["show", "--kind"], ["replay"], ["explain"], ["explain", "x"], ["stats", "--cache", "big", "x"], ["--bogus"],
        ["record", "-o", "x"], ["record", "--tty"], ["record", "--tty", "-o", "x", "--for", "5"],
        ["record", "--tty", "-o", "x", "--ring", "5MiB", "--rotate", "1MiB"], ["explain", "x", "--press", "zero"],
        ["explain", "x", "--press", "0"], ["import", "x", "-o", ""],
    ])
    func wrongUsageEndsWith64InOneLine(_ arguments: [String]) {
        let run = CommandRun(arguments)
        #expect(run.status == 64, "\(arguments)")
        #expect(run.noteLines.count == 1, "\(run.notes)")
        #expect(run.text == "")
    }

    /// Several statuses at once: 130 > 70 > 64 > 5 > 2 > 4 > 1 > 6 > 3 > 0.
    @Test func theGraverStatusStands() {
        let order: [Int32] = [130, 70, 64, 5, 2, 4, 1, 6, 3, 0]
        for (index, graver) in order.enumerated() {
            for lighter in order[index...] {
                guard let a = ExitStatus(rawValue: graver), let b = ExitStatus(rawValue: lighter) else {
                    Issue.record("no such status")
                    continue
                }
                #expect(a.joined(with: b) == a)
                #expect(b.joined(with: a) == a)
            }
        }
    }

    @Test func aNoteStaysOneLineWithoutEscapes() {
        #expect(VisibleText.escaped("a\u{1B}[31m\nb\u{202E}c") == "a\\u{1b}[31m\\nb\\u{202e}c")
        #expect(VisibleText.escapedLines("a\u{1B}\nb\u{2066}\n") == "a\\u{1b}\nb\\u{2066}\n")
        #expect(VisibleText.escapedByCode("a\tb\n\u{1B}é") == "a\\u{9}b\\u{a}\\u{1b}é", "as in accepted goldens")
        #expect(VisibleText.escaped("naïve ⌘W 👩‍👩‍👧") == "naïve ⌘W 👩‍👩‍👧")
    }

    @Test("a verb of the table has the name that its parser knows")
    func verbTable() throws {
        let known = try CommandDescription.ofProgram().subcommands?.map(\.commandName) ?? []
        #expect(Set(known) == Set(Keyflight.verbs))
    }

    @Test func helpTextsAreTheGolden() {
        var text = CommandRun("--help").text
        for verb in Keyflight.verbs {
            text += "\n---- keyflight \(verb) --help\n\n" + CommandRun(verb, "--help").text
        }
        GoldenFile.expect(text, "reports/help.txt")
    }
}
