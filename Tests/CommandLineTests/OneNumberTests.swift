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

    /// Of presses 3 to 6 the down is lost, of 5 and 6 the resolution too, and all of 7 and 8.
    @Test func aPressWithoutItsDownIsOneByItsResolutionEverywhere() throws {
        try recorded(Self.viewer) { trace, folder in
            let text = CommandRun("show", trace, "--format", "text").lines.filter { line in
                func isOf(_ presses: ClosedRange<Int>) -> Bool {
                    presses.contains { line.contains(" press=\($0) ") }
                }
                let isDown = line.contains(" key ") && line.contains(" phase=down ")
                return !(isOf(3...6) && isDown || isOf(5...6) && line.contains(" resolution ") || isOf(7...8))
            }
            let lost = folder + "/lost.keyflight"
            assemble(text, lost)
            #expect(CommandRun("info", lost).text.contains("presses   23 ("))
            for verb in ["info", "lint"] {
                let json = CommandRun(verb, lost, "--format", "json").text
                #expect(json.contains("\"numbered_presses\":23,"), "\(verb) \(json)")
            }
            #expect(CommandRun("stats", lost).text.contains("\n23 presses · "))
            let sql = "SELECT presses, (SELECT count(*) FROM presses) FROM trace"
            let counts = CommandRun("query", lost, sql).lines.last?.split(separator: " ")
            #expect(counts == ["23", "23"])
            let metrics = CommandRun("export", lost, "--format", "openmetrics", "-o", "-").text
            #expect(metrics.contains("\nkeyflight_presses_total 23\n"), "\(metrics)")
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
            let piped = CommandRun(["tail", "-"], stdin: Files.bytes(trace)).text
            #expect(piped.contains("keyflight replay - --what-if cache=nav"), "\(piped)")
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
            let calls = CommandRun("export", keys, "--format", "csv", "--table", "calls", "-o", folder + "/x.csv")
            #expect(calls.status == 3)
            #expect(!FileManager.default.fileExists(atPath: folder + "/x.csv"))
        }
    }

    private func json(_ arguments: [String]) throws -> [String: Any] {
        let run = CommandRun(arguments + ["--format", "json"])
        #expect(run.status == 0, "\(arguments): \(run.notes)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    }

    /// A table more takes nothing from the other numbers, and neither does a filter that every press passes.
    @Test(arguments: [
        [Files.path("Traces/apps/reader.keyflight")], [Files.path("Traces/apps/textedit.keyflight")],
        [
            Files.path("Traces/golden/about-window-closes-document/input.keys"), "--scene",
            Files.path("Traces/golden/about-window-closes-document/scene.yaml"),
        ],
        viewer + ["--profile", "ios9"],
    ])
    func statisticsAreTheSameBesideAnyTable(_ input: [String]) throws {
        func numbers(_ options: [String]) throws -> [String: NSObject] {
            let found = try json(["stats"] + input + options)
            return Dictionary(
                uniqueKeysWithValues: ["presses", "repeats", "calls", "responders", "cache", "stages"].map {
                    ($0, found[$0] as? NSObject ?? NSNull())
                })
        }
        let plain = try numbers([])
        for options in [["--by", "chord"], ["--heat-map"], ["--repeat"], ["--stages", "collect..settle"]] {
            #expect(try numbers(options) == plain, "\(options)")
        }
        // Calls at no press pass no filter.
        func atPresses(_ numbers: [String: NSObject]) -> [String: [Int?]] {
            let calls = numbers["calls"] as? [String: [String: Int]] ?? [:]
            return calls.mapValues { kind in
                [(kind["total"] ?? 0) - (kind["without_press"] ?? 0), kind["on_repeat"], kind["per_press_max"]]
            }
        }
        let filtered = try numbers(["--where", "press > 0"])
        #expect(atPresses(filtered) == atPresses(plain))
        #expect(filtered["cache"] == plain["cache"] && filtered["presses"] == plain["presses"])
    }

    /// What a release asks comes after the next press was decided; a held key's repeats come in between.
    @Test func whatReleasesAskedIsOfTheirPresses() throws {
        let story = Files.path("Traces/golden/g15-held-command-repeats-on-ios9")
        try Files.withFolder { folder in
            let rollover = "keys 1\ndown a\nwait 20ms\ndown b\nwait 2s\nup a\nup b\n"
            try TabsApp.put(rollover, folder + "/rollover.keys")
            for (input, some, others) in [
                (folder + "/rollover.keys", "press == 1", "press > 1"),
                (story + "/input.keys", "repeat == false", "repeat == true"),
            ] {
                let base = ["stats", input, "--scene", story + "/scene.yaml"]
                let (plain, filtered) = (try json(base), try json(base + ["--where", "press > 0"]))
                let calls = plain["calls"] as? [String: [String: Int]]
                #expect(calls?["keyCommands"]?["on_release"] ?? 0 > 0)
                #expect(filtered["calls"] as? [String: [String: Int]] == calls, "\(input)")
                #expect(filtered["cache"] as? NSObject == plain["cache"] as? NSObject, "\(input)")
                let cached = base + ["--cache", "chain", "--shadow-check"]
                let (all, chosen) = (try json(cached)["cache"], try json(cached + ["--where", "press > 0"])["cache"])
                #expect(all as? NSObject == chosen as? NSObject, "\(input)")
                // Of what the filter refuses nothing counts.
                let one = try json(base + ["--where", some])["calls"] as? [String: [String: Int]]
                let rest = try json(base + ["--where", others])["calls"] as? [String: [String: Int]]
                let sum = (one?["keyCommands"]?["on_release"] ?? 0) + (rest?["keyCommands"]?["on_release"] ?? 0)
                #expect(sum == calls?["keyCommands"]?["on_release"], "\(input)")
            }
        }
    }

    /// The depth of a message counts messages, that of a call counts calls.
    @Test func timesOfCallsAreThoseOfTheTablesBesideMessages() throws {
        let trace = Files.path("Traces/apps/reader.keyflight")
        let rows = CommandRun(
            "query", trace, "--format", "csv",
            "SELECT responder, sum(self_ns), sum(duration_ns) FROM calls WHERE kind = 'keyCommands' GROUP BY responder")
        #expect(rows.status == 0, "\(rows.notes)")
        let table = rows.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        let responders = try #require(try json(["stats", trace])["responders"] as? [[String: Any]])
        let found = responders.compactMap { responder -> String? in
            guard let id = responder["id"] as? String, let own = responder["self_ns"] as? Int,
                let total = responder["total_ns"] as? Int
            else { return nil }
            return "\(id),\(own),\(total)"
        }
        #expect(found.sorted() == table.sorted() && found.count > 10)
    }

    /// Press 0 is the number of all calls that belong to none.
    @Test func callsAtNoPressAreOfNoPress() throws {
        let trace = Files.path("Traces/apps/reader.keyflight")
        let most = CommandRun("query", trace, "SELECT max(key_commands_calls) FROM presses").lines.last
        let calls = try #require(try json(["stats", trace])["calls"] as? [String: [String: Int]])
        #expect(calls["keyCommands"]?["per_press_max"] == most.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) })
        #expect(calls["keyCommands"]?["without_press"] ?? 0 > 0)
        let sent = CommandRun(
            "query", trace,
            "SELECT sum(count) FROM invocations WHERE kind = 'sendAction' AND press > 0 AND occasion <> 'release'")
        let count = sent.lines.last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        #expect(calls["sendAction"]?["total"] == count)
        let asked = CommandRun(
            "query", trace,
            "SELECT count(DISTINCT press * 1000 + tick) FROM calls WHERE kind = 'keyCommands' AND press > 0")
        let words = try #require(asked.lines.last).trimmingCharacters(in: .whitespaces) + " presses and repeats asked"
        let top = CommandRun("top", trace).lines
        #expect(top.contains { $0.hasPrefix(words) })
        // Asked 20 times at 20 presses, and at none.
        let tabs = try #require(top.first { $0.contains("  TabsController  ") }).split(separator: " ")
        #expect(tabs[2] == "26" && tabs[3] == "1.0", "\(tabs)")
    }

    /// A keyboard's recordings alone have stages and no resolution.
    @Test func pressesWithoutAnAppArePressesInEveryTable() throws {
        try Files.withFolder { folder in
            let (bus, evdev) = try AlignAndExportTests.traces(folder)
            let joined = "\(folder)/joined.keyflight"
            #expect(CommandRun("merge", "--align", evdev, bus, "-o", joined).status == 0)
            let presses = try #require(try json(["stats", joined])["presses"] as? Int)
            #expect(presses > 20)
            let groups = try json(["stats", joined, "--by", "chord"])["groups"] as? [[String: Any]] ?? []
            let grouped = groups.reduce(0) { $0 + ($1["presses"] as? Int ?? 0) }
            #expect(grouped >= presses - 2 && grouped <= presses)
            let stages = CommandRun("stats", joined, "--stages", "hid..app").text
            #expect(stages.contains("of \(grouped) presses"), "\(stages)")
            #expect(try json(["stats", joined, "--where", "transport >= 0ns"])["presses"] as? Int == grouped)
            #expect(CommandRun("tail", joined, "--above", "p50").status == 0)
        }
    }

    @Test func aCostOfAnyLengthIsAnswered() throws {
        try recorded(Self.viewer) { trace, _ in
            for cost in ["9223372036s", "0ns"] {
                let run = CommandRun("replay", trace, "--what-if", "cost=tabs.keyCommands:\(cost)")
                #expect(run.status == 0 && run.text.contains("would be"), "\(cost): \(run.notes)")
            }
            let twice = ["cache=press", "cost=tabs.keyCommands:1ms", "role=LeftAlt:option", "profile=ios9"]
            let others = ["cache=chain", "cost=tabs.keyCommands:2ms", "role=leftalt:shift", "profile=ios13"]
            for (first, second) in zip(twice, others) {
                let run = CommandRun("replay", trace, "--what-if", first, "--what-if", second)
                #expect(run.status == 64 && run.notes.contains("each change once"), "\(run.notes)")
            }
            let two = CommandRun("replay", trace, "--what-if", "cache=tabs", "--what-if", "cache=nav")
            #expect(two.status == 0, "\(two.notes)")
        }
    }

    /// The rules that a step changes at the very beginning are not those that the recording began with.
    @Test func aReplayWhoseFirstStepChangesTheRulesIsVerified() throws {
        try Files.withFolder { folder in
            try TabsApp.put("keys 1\ndo profile ios7\npress cmd+w\n", folder + "/p.keys")
            let trace = folder + "/p.keyflight"
            #expect(CommandRun(["replay", folder + "/p.keys", "-o", trace] + Self.viewer.dropFirst()).status == 0)
            for scene in [[], Array(Self.viewer.dropFirst())] {
                let run = CommandRun(["verify", trace] + scene)
                #expect(run.status == 0 && run.text.contains("twice as recorded"), "\(run.text)\(run.notes)")
            }
        }
    }

    /// A held arrow whose repeats take longer than their interval.
    private static let held = [
        Files.path("Traces/scenes/questions/held-arrow/input.keys"), "--scene",
        Files.path("Traces/scenes/questions/held-arrow/scene.yaml"),
    ]

    @Test func aHeldKeyRunsOnByTheSameIntervalEverywhere() {
        let stats = CommandRun(["stats"] + Self.held + ["--repeat"]).text
        #expect(stats.contains("comes every 33.0 ms: the backlog grows by 8.00 ms"), "\(stats)")
        let lint = CommandRun(["lint"] + Self.held).text
        #expect(lint.contains("one comes every 33.0 ms: the backlog grows by 8.0 ms"), "\(lint)")
    }

    @Test func aPolicyThatIsTriedSavesWhatItSavesInAReplay() throws {
        let policies = try json(["top"] + Self.held)["policies"] as? [[String: Any]] ?? []
        for name in ["press", "responder", "chain"] {
            let replayed = try json(["stats"] + Self.held + ["--cache", name])["cache"] as? [String: Any]
            let tried = policies.first { $0["policy"] as? String == name }
            #expect(tried?["calls_saved"] as? Int == replayed?["calls_saved"] as? Int, "\(name)")
            #expect((tried?["calls_saved"] as? Int ?? 0) > 0, "\(name)")
        }
    }

    /// What an action or a component invalidates is in the trace: a replay of it caches as the recording did.
    @Test(arguments: ["scroll-view", "collection", "table", "navigation"])
    func whatAnActionInvalidatesIsRecorded(_ name: String) throws {
        let folder = Files.path("Traces/scenes/gallery/\(name)")
        let input = [folder + "/input.keys", "--scene", folder + "/scene.yaml"]
        try recorded(input + ["--cache", "responder", "--show-keys"]) { trace, _ in
            let run = CommandRun("verify", trace)
            #expect(run.status == 0 && run.text.contains("twice as recorded"), "\(run.text)\(run.notes)")
        }
        try recorded(input + ["--show-keys"]) { trace, _ in
            let policies = try json(["top", trace])["policies"] as? [[String: Any]] ?? []
            let tried = policies.first { $0["policy"] as? String == "responder" }
            let replayed = try json(["stats"] + input + ["--cache", "responder", "--shadow-check"])["cache"]
            #expect(tried?["calls_saved"] as? Int == (replayed as? [String: Any])?["calls_saved"] as? Int)
            #expect(tried?["stale_answers"] as? Int == 0)
        }
    }

    @Test func messagesOfAnAppAreCountedInItsMetrics() throws {
        let trace = Files.path("Traces/apps/textedit.keyflight")
        let calls = try json(["stats", trace])["calls"] as? [String: Any]
        let asked = (calls?["keyEquivalents"] as? [String: Any])?["total"] as? Int
        let metrics = CommandRun("export", trace, "--format", "openmetrics", "-o", "-").text
        let line = "keyflight_messages_total{kind=\"keyEquivalents\",at=\"press\"} \(asked ?? -1)\n"
        #expect(metrics.contains(line) && !metrics.contains("key_commands"), "\(metrics)")
    }
}
