import Foundation
import Testing

@testable import keyflight

/// The verbs that make one trace of another, and the strict check.
@Suite struct TraceToolTests {
    static let capture = Files.path("Traces/captures/usb-keyboard-typed-secret.pcap")
    static let viewer = Files.path("Traces/captures/usb-keyboard-viewer.pcap")

    /// A masked trace, and one in clear, of the same capture.
    private static func traces(_ folder: String) -> (masked: String, clear: String) {
        let (masked, clear) = (folder + "/masked.keyflight", folder + "/clear.keyflight")
        #expect(CommandRun("import", capture, "-o", masked).status == 0)
        #expect(CommandRun("import", capture, "--show-keys", "-o", clear).status == 0)
        return (masked, clear)
    }

    @Test func partsByTimeAndByPressesMergeToTheSameBytes() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let ways = [[["--to", "1s"], ["--from", "1s"]], [["--presses", "-3"], ["--presses", "4-"]]]
            for (number, ranges) in ways.enumerated() {
                let parts = ranges.indices.map { "\(folder)/part-\(number)-\($0).keyflight" }
                for (range, part) in zip(ranges, parts) {
                    let run = CommandRun(["cut", trace, "-o", part] + range)
                    #expect(run.status == 0 && run.notes == "", "\(run.notes)")
                    #expect(CommandRun("verify-format", part).status == 0)
                }
                let merged = "\(folder)/merged-\(number).keyflight"
                #expect(CommandRun(["merge"] + parts.reversed() + ["-o", merged]).status == 0)
                #expect(Files.bytes(merged) == Files.bytes(trace))
            }
        }
    }

    @Test func onePressKeepsItsNumber() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let part = folder + "/part.keyflight"
            #expect(CommandRun("cut", trace, "--press", "3", "-o", part).status == 0)
            let presses = CommandRun("show", part, "--kind", "key").lines.filter { $0.contains("press=") }
            #expect(!presses.isEmpty && presses.allSatisfy { $0.contains("press=3 ") }, "\(presses)")
        }
    }

    @Test func anEmptyPartWritesNothingAndEndsWith3() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let run = CommandRun("cut", trace, "--from", "1000s", "-o", folder + "/none.keyflight")
            #expect(run.status == 3)
            #expect(run.noteLines.count == 1)
            #expect(!Files.names(folder).contains("none.keyflight"))
        }
    }

    @Test func whatIsInClearIsMaskedUnlessAsked() throws {
        try Files.withFolder { folder in
            let (masked, clear) = Self.traces(folder)
            let out = folder + "/out.keyflight"
            let run = CommandRun("repair", clear, "-o", out)
            #expect(run.status == 0 && run.notes.contains("usages; --show-keys keeps them"), "\(run.notes)")
            #expect(Files.bytes(out) == Files.bytes(masked))
            #expect(CommandRun("repair", clear, "--show-keys", "--force", "-o", out).notes == "")
            #expect(Files.bytes(out) == Files.bytes(clear))
        }
    }

    @Test func aTornTraceIsRepairedAndEveryOtherToolSaysWhatIsMissing() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let torn = folder + "/torn.keyflight"
            try Files.write(Array(Files.bytes(trace).dropLast(5)), to: torn)
            for verb in ["cut", "redact", "repair"] {
                let out = "\(folder)/\(verb).keyflight"
                let run = CommandRun([verb, torn, "-o", out] + (verb == "cut" ? ["--from", "0s"] : []))
                #expect(run.status == (verb == "repair" ? 0 : 2), "\(verb)")
                #expect(run.notes.contains("no end marker"), "\(verb): \(run.notes)")
                #expect(CommandRun("verify-format", out).status == 0)
                #expect(CommandRun("info", out).status == 0)
                #expect(CommandRun("show", out, "--kind", "loss").text.contains("cause=truncated"))
            }
            let check = CommandRun("verify-format", torn)
            #expect(check.status == 2)
            #expect(check.lines.count == 1 && check.text.hasPrefix("\(torn): byte "), "\(check.text)")
            #expect(check.text.contains("expected") && check.text.contains("found"))
        }
    }

    @Test func redactionLeavesNothingToFind() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let before = CommandRun("redact", trace, "--check")
            #expect(before.status == 1)
            #expect(before.lines.contains { $0.hasPrefix("inter-key times: ") && $0.hasSuffix("(--timing)") })
            let out = folder + "/out.keyflight"
            let run = CommandRun("redact", trace, "-o", out)
            #expect(run.status == 0 && run.notes.contains("taken out:"))
            let after = CommandRun("redact", out, "--check")
            #expect(after.status == 0 && after.text == "", "\(after.text)")
            #expect(CommandRun("redact", out, "-o", folder + "/again.keyflight").status == 0)
            #expect(Files.bytes(folder + "/again.keyflight") == Files.bytes(out))
        }
    }

    @Test(arguments: [
        ["cut", "x", "-o", "y"], ["cut", "x", "--press", "1", "--from", "1s", "-o", "y"],
        ["cut", "x", "--press", "0", "-o", "y"], ["cut", "x", "--presses", "5-2", "-o", "y"],
        ["cut", "x", "--from", "2s", "--to", "1s", "-o", "y"],
        ["merge", "x", "-o", "y"], ["merge", "-", "-", "-o", "y"], ["redact", "x"],
        ["redact", "x", "--check", "-o", "y"], ["repair", "x"], ["verify-format"],
    ])
    func wrongUsageEndsWith64(_ arguments: [String]) {
        let run = CommandRun(arguments)
        #expect(run.status == 64, "\(arguments)")
        #expect(run.noteLines.count == 1, "\(run.notes)")
    }

    @Test func whatIsToldOfTheWholeTraceIsToldOfItsParts() throws {
        try Files.withFolder { folder in
            let (trace, part) = (folder + "/whole.keyflight", folder + "/part.keyflight")
            #expect(CommandRun("import", Self.viewer, "-o", trace).status == 0)
            #expect(CommandRun("cut", trace, "--presses", "3-", "-o", part).status == 0)
            for member in [#""devices":["#, #""clocks":["#] {
                let described = [trace, part].map { input in
                    let text = CommandRun("info", input, "--format", "json").text
                    return text.components(separatedBy: member).last.map { String($0.prefix { $0 != "]" }) }
                }
                #expect(described[0]?.contains("{") == true)
                #expect(described[0] == described[1])
            }
            let (flight, end) = (folder + "/flight.keyflight", folder + "/end.keyflight")
            let made = CommandRun(
                ["replay", "-", "--scene", ReplayTests.scene, "--cache", "chain", "-o", flight],
                stdin: Array("keys 1\npress cmd+w\nwait 1s\npress cmd+w\n".utf8))
            #expect(made.status == 0, "\(made.notes)")
            #expect(CommandRun("cut", flight, "--from", "500ms", "-o", end).status == 0)
            #expect(CommandRun("info", end).text.contains("ios15"))
            let stats = [[], ["--by", "outcome"]].map { CommandRun(["stats", end] + $0).text }
            #expect(stats.allSatisfy { $0.contains("ios15") && $0.contains("policy chain") }, "\(stats)")
            #expect(CommandRun("explain", end, "--press", "2").text.contains("ios15"))
        }
    }

    @Test func aTextThatCameWithoutAKeyIsVerifiedInAPartAsInTheWhole() throws {
        try Files.withFolder { folder in
            let (trace, part) = (folder + "/whole.keyflight", folder + "/part.keyflight")
            let script = "keys 1\ndo focus search\ninsert \"one\"\ninsert \"two\"\ninsert \"three\"\npress cmd+w\n"
            let made = CommandRun(
                ["replay", "-", "--scene", ReplayTests.scene, "--show-keys", "-o", trace], stdin: Array(script.utf8))
            #expect(made.status == 0, "\(made.notes)")
            #expect(CommandRun("cut", trace, "--from", "20ms", "--show-keys", "-o", part).status == 0)
            #expect(CommandRun("show", part, "--kind", "resolution").text.contains("press=0 tick=1"))
            for input in [trace, part] {
                let run = CommandRun("verify", input)
                #expect(run.status == 0 && run.text.hasSuffix("twice as recorded\n"), "\(run.text)\(run.notes)")
            }
        }
    }

    @Test func theTextFormatInPlaceOfATraceNamesTheVerbThatMakesOne() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let (text, marked) = (folder + "/trace.txt", folder + "/marked.txt")
            try Files.write(CommandRun("show", trace, "--format", "text").output, to: text)
            try Files.write([0xEF, 0xBB, 0xBF] + Files.bytes(text), to: marked)
            let out = ["-o", folder + "/out.keyflight"]
            for arguments in [
                ["info", text], ["stats", text], ["show", text], ["info", marked], ["repair", text] + out,
                ["cut", text, "--press", "1"] + out, ["merge", trace, text] + out, ["redact", text] + out,
                ["verify-format", text],
            ] {
                let run = CommandRun(arguments)
                #expect(run.status == 2, "\(arguments)")
                #expect(run.notes.contains("found the text format of one; keyflight assemble"), "\(run.notes)")
                #expect(run.noteLines.count == 1 && run.notes.hasSuffix("[KF0209]\n"), "\(run.notes)")
            }
            let run = CommandRun(["assemble", marked] + out)
            #expect(run.status == 2 && run.notes.contains("byte order mark (EF BB BF)"), "\(run.notes)")
            #expect(CommandRun(["assemble", text] + out).status == 0)
            #expect(Files.bytes(folder + "/out.keyflight") == Files.bytes(trace))
        }
    }

    @Test func anOutputThatCannotBeIsNamedAsItWasAskedFor() throws {
        try Files.withFolder { folder in
            let (trace, _) = Self.traces(folder)
            let run = CommandRun("repair", trace, "-o", trace + "/")
            #expect(run.status == 5)
            #expect(run.notes.hasPrefix("\(trace)/: ") && !run.notes.contains(".tmp"), "\(run.notes)")
        }
    }

    @Test func oneLostRecordIsOne() throws {
        try Files.withFolder { folder in
            let trace = Files.path("Traces/hostile/trace-block-length-huge.keyflight")
            for arguments in [["info", trace], ["repair", trace, "-o", folder + "/b.keyflight"]] {
                let run = CommandRun(arguments)
                #expect(run.notes.contains("; 1 record lost; "), "\(run.notes)")
            }
        }
    }
}
