import Foundation
import Testing

@testable import keyflight

/// What several verbs say of one trace is the same in all of them.
@Suite struct OneNumberTests {
    private static let viewer = [
        Files.path("Traces/golden/pdf-viewer/input.keys"), "--scene", Files.path("Traces/golden/pdf-viewer/scene.yaml"),
    ]
    private static let slow = [
        Files.path("Traces/scenes/questions/slow-annotations/input.keys"), "--scene",
        Files.path("Traces/scenes/questions/slow-annotations/scene.yaml"),
    ]

    private func recorded(_ input: [String], _ body: (_ trace: String, _ folder: String) throws -> Void) throws {
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            #expect(CommandRun(["replay"] + input + ["-o", trace]).status == 0)
            try body(trace, folder)
        }
    }

    private func assemble(_ lines: [String], _ path: String) {
        let run = CommandRun(["assemble", "-", "-o", path], stdin: Array((lines.joined(separator: "\n") + "\n").utf8))
        #expect(run.status == 0, "\(run.notes)")
    }

    /// 27 keys go down, and ten modifiers with them.
    @Test func aPressIsTheSameEverywhere() throws {
        try recorded(Self.viewer) { trace, folder in
            let info = CommandRun("info", trace, "--format", "json").text
            #expect(info.contains("\"key_events\":74,\"presses\":37,\"numbered_presses\":27,"))
            let words = "presses   27 (37 key downs and 74 key events, modifier keys included)"
            #expect(CommandRun("info", trace).text.contains(words))
            #expect(CommandRun("stats", trace).text.contains("\n27 presses · "))
            #expect(CommandRun("query", trace, "SELECT count(*) FROM presses").lines.last?.hasSuffix(" 27") == true)
            // Without its index a trace is read from front to back.
            let bytes = Files.bytes(trace)
            let cut = folder + "/cut.keyflight"
            try Files.write(Array(bytes.dropLast(8)), to: cut)
            #expect(CommandRun("info", cut, "--format", "json").text.contains("\"numbered_presses\":27,"))
            // Seven presses of which nothing was recorded but the keys are presses all the same.
            let text = CommandRun("show", trace, "--format", "text").lines.filter { line in
                !(3...9).contains { line.contains(" press=\($0) ") && !line.contains(" key ") }
            }
            assemble(text, folder + "/thin.keyflight")
            let stats = CommandRun("stats", folder + "/thin.keyflight").text
            #expect(stats.contains("\n27 presses · ") && stats.contains("never decided: 7 presses"), "\(stats)")
        }
    }

    @Test func theAdviceOfAPageIsThatOfTailAndRunsAsItStands() throws {
        try recorded(Self.slow) { trace, folder in
            let tail = CommandRun("tail", trace).lines
            let advice = try #require(tail.first { $0.contains("keyflight replay ") })
            let page = folder + "/page.html"
            #expect(CommandRun("report", trace, "-o", page).status == 0)
            let result = try #require(advice.range(of: "--what-if cache=nav").map { advice[$0.lowerBound...] })
            #expect(Files.text(page).contains("keyflight replay t.keyflight \(result)"), "\(advice)")
            let whatIf = CommandRun("replay", trace, "--what-if", "cache=nav").text
            #expect(whatIf.contains("14.1 ms") && result.contains("→ 14.1 ms"), "\(whatIf)")
            // Of an input that needs a scene the command names it.
            #expect(CommandRun(["report"] + Self.slow + ["-o", page, "--force"]).status == 0)
            #expect(Files.text(page).contains("keyflight replay input.keys --scene scene.yaml --what-if cache=nav"))
        }
    }

    @Test func twoPressesAreNoGroundForAdvice() throws {
        try Files.withFolder { folder in
            let two = "keys 1\ndo focus annotationList\npress j\npress k\n"
            for (name, script, isAdvised) in [("few", two, false), ("more", two + "type jjjjjjjjjj\n", true)] {
                try TabsApp.put(script, "\(folder)/\(name).keys")
                let run = CommandRun("tail", "\(folder)/\(name).keys", "--scene", Self.slow[2], "--above", "p50")
                #expect(run.status == 0 && run.text.contains("--what-if") == isAdvised, "\(run.text)\(run.notes)")
            }
        }
    }

    /// Its table is not in the trace: the one that is known by this name is used.
    @Test(arguments: [("fr", "replayed on fr, as it is known here"), ("zz", "replayed on us, since none of that name")])
    func aLayoutKnownByItsNameOnlyIsSaidEverywhere(_ name: String, _ used: String) throws {
        try recorded(Self.viewer) { trace, folder in
            let text = CommandRun("show", trace, "--format", "text").lines.map { line -> String in
                let words = line.split(separator: " ", maxSplits: 3)
                guard words.count == 4, words[2] == "layout" else { return line }
                return "\(words[0]) 0 layout name=\"\(name)\" hash=503102c2bff6a589"
            }
            let named = folder + "/named.keyflight"
            assemble(text, named)
            for verb in [["info", named], ["stats", named], ["explain", named, "--press", "1"]] {
                #expect(CommandRun(verb).text.contains("\(name) (name only)"), "\(verb)")
            }
            let replay = CommandRun("replay", named)
            #expect(replay.notes.contains("layout \(name) is recorded by its name only; \(used)"), "\(replay.notes)")
        }
    }

    @Test func aBlankMayStandBeforeAUnit() throws {
        try recorded(Self.viewer) { trace, _ in
            let spaced = CommandRun("show", trace, "--where", "total > 5 ms and not repeat")
            let plain = CommandRun("show", trace, "--where", "total > 5ms and not repeat")
            #expect(spaced.status == 0 && spaced.text == plain.text && !plain.text.isEmpty)
        }
    }

    /// A replay of recorded responders comes from no scene.
    @Test func nothingIsWrittenForWhatIsNotThere() throws {
        try recorded(Self.viewer) { trace, folder in
            let text = CommandRun("show", trace, "--format", "text").lines.filter { !$0.contains("name=\"scene\"") }
            let bare = folder + "/bare.keyflight"
            assemble(text, bare)
            #expect(CommandRun("replay", bare, "-o", folder + "/again.keyflight").status == 0)
            #expect(!CommandRun("info", folder + "/again.keyflight").text.contains("scene"))
            let keys = folder + "/keys.keyflight"
            let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
            #expect(CommandRun("import", capture, "-o", keys).status == 0)
            #expect(CommandRun("export", keys, "--format", "hdr", "-o", folder + "/x.hdr").status == 3)
            #expect(!FileManager.default.fileExists(atPath: folder + "/x.hdr"))
        }
    }
}
