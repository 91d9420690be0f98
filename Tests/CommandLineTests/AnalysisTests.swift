import Foundation
import Testing

@testable import keyflight

/// `lint`, `top`, `tail` and the tables of `stats`: what people ask of a trace, as they type it.
@Suite struct AnalysisTests {
    static let viewer = story("pdf-viewer")

    static func story(_ name: String) -> [String] {
        let folder = Files.path("Traces/golden/\(name)")
        return [folder + "/input.keys", "--scene", folder + "/scene.yaml"]
    }

    @Test("Why did ⌘W close the wrong tab: lint names the window")
    func lintNamesTheWindow() {
        let run = CommandRun(["lint"] + Self.story("command-w-two-windows"))
        #expect(run.status == 1)
        GoldenFile.expect(run.withoutFolders, "reports/lint-two-windows.txt")
    }

    @Test func lintOfASceneAlonePressesWhatItOffers() {
        let run = CommandRun("lint", Files.path("Traces/golden/text-stolen-by-bare-letter/scene.yaml"))
        #expect(run.status == 1)
        GoldenFile.expect(run.withoutFolders, "reports/lint-scene.txt")
        #expect(CommandRun("lint", Files.path("Traces/golden/text-kept-with-command/scene.yaml")).status == 0)
    }

    @Test func lintHasJSONAndSARIF() {
        let json = CommandRun(["lint", "--format", "json"] + Self.story("held-close-closes-everything"))
        #expect(json.text.hasPrefix(#"{"schema":"keyflight.lint/1","presses":"#))
        #expect(json.text.contains(#""rule":"repeats-destructively","severity":"error","chord":"cmd+w""#))
        let sarif = CommandRun(["lint", "--format", "sarif"] + Self.story("held-close-closes-everything"))
        GoldenFile.expect(sarif.withoutFolders, "reports/lint-held-close.sarif")
    }

    @Test("Which keyCommands costs most, and what a cache would save")
    func top() {
        let run = CommandRun(["top"] + Self.viewer)
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/top-pdf-viewer.txt")
        let calls = CommandRun(["top", "--by", "calls", "--format", "json"] + Self.viewer)
        #expect(calls.text.hasPrefix(#"{"schema":"keyflight.top/1","by":"calls","presses":27,"#))
    }

    @Test("top names the presses at which a kept list would have been wrong")
    func topNamesStalePresses() {
        let folder = Files.path("Traces/scenes/lint/stale-answer")
        let run = CommandRun(
            "top", folder + "/input.keys", "--scene", folder + "/scene.yaml", "--format", "json")
        #expect(run.text.contains(#""policy":"responder","calls_saved":9,"time_saved_ns":9000000,"stale_answers":2,"#))
        #expect(run.text.contains(#""stale_presses":[3,4]"#))
    }

    @Test("Why is p99 so slow: the split of the slow presses, not the p99 of each stage")
    func tail() {
        let run = CommandRun(["tail", "--above", "p90"] + Self.viewer)
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/tail-pdf-viewer.txt")
        let few = CommandRun(["tail"] + Self.viewer)
        #expect(few.status == 3)
        #expect(few.text.contains("p99 of 27 presses would be the slowest one under another name"))
        #expect(CommandRun(["tail", "--above", "100"] + Self.viewer).status == 64)
    }

    @Test("Each press in three lines: what came, who was asked and why not the others, what came of it")
    func stories() {
        let trace = CommandRun(["replay"] + Self.viewer + ["--show-keys", "-o", "-"]).output
        let run = CommandRun(["show", "-", "--story"], stdin: trace)
        #expect(run.status == 0, "\(run.notes)")
        GoldenFile.expect(run.text, "reports/show-story.txt")
        let some = CommandRun(["show", "-", "--story", "--where", #"chord == "cmd+w""#], stdin: trace)
        #expect(some.lines.filter { $0.hasPrefix("#") }.count == 2)
        #expect(CommandRun(["show", "-", "--story", "--where", "press > 99"], stdin: trace).status == 3)
        #expect(CommandRun(["show", "-", "--story", "--delta"], stdin: trace).status == 64)
    }

    @Test("What tail advises is what the what-if says, word for word as it can be typed")
    func theAdviceIsTrue() throws {
        let folder = Files.path("Traces/scenes/questions/slow-annotations")
        let run = CommandRun("tail", folder + "/input.keys", "--scene", folder + "/scene.yaml", "--format", "json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let advice = try #require(json["try"] as? [String: Any])
        let text = CommandRun("tail", folder + "/input.keys", "--scene", folder + "/scene.yaml").text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  try  ") })
        let command = try #require(line.split(separator: "keyflight ", maxSplits: 1).last?.split(separator: "  ").first)
        let whatIf = CommandRun(command.split(separator: " ").map(String.init) + ["--format", "jsonl"])
        #expect(whatIf.status == 0, "\(whatIf.notes)")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(whatIf.output)) as? [String: Any])
        let after = try #require(answer["after"] as? [String: Any])
        #expect(after["p99_ns"] as? Int == advice["after_ns"] as? Int, "\(answer)")
        #expect((answer["stale_presses"] as? [Int])?.count == advice["stale_presses"] as? Int)
    }

    @Test("Would keeping answers help, and when would they be wrong: the presses are named")
    func whatIf() {
        let folder = Files.path("Traces/scenes/lint/stale-answer")
        let trace = [folder + "/input.keys", "--scene", folder + "/scene.yaml"]
        let run = CommandRun(["replay"] + trace + ["--what-if", "cache=mail"])
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/what-if-cache.txt")
        let json = CommandRun(["replay"] + trace + ["--what-if", "cache=responder", "--format", "jsonl"])
        #expect(json.text.hasPrefix(#"{"schema":"keyflight.what-if/1","what_if":"cache=responder","compared":4,"#))
        #expect(json.text.contains(#""stale_presses":[3,4]"#))
    }

    @Test(arguments: [
        "cache=nobody", "cache=none", "cost=mail:2ms", "cost=mail.keyCommands:2", "repeat=250ms", "speed=2", "cache",
        "profile=ios99",
    ])
    func wrongWhatIfs(_ question: String) {
        let folder = Files.path("Traces/scenes/lint/stale-answer")
        let run = CommandRun(
            "replay", folder + "/input.keys", "--scene", folder + "/scene.yaml", "--what-if", question)
        #expect(run.status == 64)
        #expect(run.noteLines.count == 1, "\(run.notes)")
    }

    @Test("Why does holding overrun: repeats against their service time")
    func heldKeys() {
        let folder = Files.path("Traces/scenes/lint/repeat-overrun")
        let run = CommandRun("stats", folder + "/input.keys", "--scene", folder + "/scene.yaml", "--repeat")
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/stats-repeat.txt")
    }

    @Test func statsByResponderWithAHeatMap() {
        let run = CommandRun(["stats", "--by", "responder", "--heat-map", "--where", "not repeat"] + Self.viewer)
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/stats-by-responder.txt")
        let json = CommandRun(["stats", "--by", "stage", "--format", "json"] + Self.viewer)
        #expect(json.text.contains(#""by":"stage","groups":[{"name":"action","presses":"#))
        #expect(json.text.contains(#""presses":27,"partial":true"#))
    }

    @Test("Without a filter the tables say what stats says without them")
    func surveyAndStatisticsAgree() {
        let plain = CommandRun(["stats", "--format", "json"] + Self.viewer).text
        let survey = CommandRun(["stats", "--format", "json", "--where", "press > 0"] + Self.viewer).text
        #expect(survey.replacingOccurrences(of: #""where":"press > 0","#, with: "") == plain)
    }

    @Test(
        "A wrong filter is told with its column",
        arguments: [
            (#"chrd == "cmd+w""#, "column 1: expected one of press"),
            ("total > 8", "column 9: expected a duration such as 8ms"),
            ("total ~ 8ms", "column 7: expected == != < <= > or >= for a number, found ~"),
            (#"chord == "hyper+w""#, "column 10: expected a chord"),
            (#"(press > 3"#, "column 11: expected ), found the end"),
            (#"press > 3 xor repeat"#, "column 11: expected and, or, or the end, found x"),
            (#"responder == "tabs"#, "column 14: expected a closing \", found the end"),
        ])
    func filterErrors(_ text: String, _ message: String) {
        let run = CommandRun(["stats", "--where", text] + Self.viewer)
        #expect(run.status == 64)
        #expect(run.notes.contains(message), "\(run.notes)")
    }

    @Test(arguments: [
        (#"chord == "cmd+w""#, 2), (#"chord == "⌘W" and target ~ "t?b*""#, 2), (#"outcome == "consumedByText""#, 12),
        ("total > 4ms", 4),
        (#"not (outcome == "consumedByText" or total > 4ms)"#, 11), ("press <= 3 and time >= 0ns", 3),
        (#"responder != "page""#, 15), ("keyCommands == 8 and action !~ \"*Tab:\" ", 11), ("repeat", 0),
        (#"takenBy ~ "priority*""#, 6), (#"character == "i""#, 2),
    ])
    func filterChooses(_ text: String, _ presses: Int) {
        let run = CommandRun(["stats", "--where", text, "--format", "json"] + Self.viewer)
        #expect(run.status == (presses == 0 ? 3 : 0))
        #expect(run.text.hasPrefix(#"{"schema":"keyflight.stats/1","presses":\#(presses),"#), "\(run.text.prefix(60))")
    }
}
