import Foundation
import GeneratedTraces
import Testing

/// Random scripts replayed in the scenes of goldens: every verb says the same of the trace, of parts of it and of its
/// replay. `KEYFLIGHT_VERB_SCRIPTS` is their number, and `KEYFLIGHT_VERB_SEED` where they begin.
@Suite struct VerbAgreementTests {
    private static func setting(_ name: String, _ preset: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? preset
    }

    /// One script in the scene of a golden.
    private struct Story {
        var scene: String
        var script: String
        var options: [String]
        var name: String
    }

    private static func story(_ seed: Int) throws -> Story {
        var random = SeededGenerator(seed: UInt64(seed))
        let folders = try FileManager.default.contentsOfDirectory(atPath: Files.path("Traces/golden")).sorted()
            .map { Files.path("Traces/golden/\($0)") }
            .filter { FileManager.default.fileExists(atPath: $0 + "/scene.yaml") }
        let folder = folders[seed % folders.count]
        let lines = Files.text(folder + "/input.keys").split(separator: "\n").filter { !$0.hasPrefix("#") }
        let steps = lines.dropFirst().filter { $0.hasPrefix("do ") }.map(String.init)
        let own = lines.filter { $0.hasPrefix("press ") }.map { String($0.dropFirst(6)) }
        let chords = own + [
            "a", "b", "shift+a", "cmd+w", "cmd+left", "tab", "esc", "left", "space", "return", "cmd+z", "cmd+s",
        ]
        var script = ["keys 1"]
        for _ in 0..<(3 + random.below(20)) {
            let chord = random.pick(chords)
            switch random.below(12) {
            case 0: script.append("type \(random.pick(["jan", "x y", "é"]))")
            case 1: script.append("hold \(random.pick(["a", "w", "left"])) \(random.pick([100, 600, 900]))ms")
            case 2, 3: script.append(steps.isEmpty ? "wait 5ms" : random.pick(steps))
            case 4: script.append("wait \(random.pick([1, 20, 600]))ms")
            case 5: script += ["down a", "down \(random.pick(["b", "c"]))", "wait 5ms", "up a"]
            case 6: script.append("do layout \(random.pick(["fr", "de", "us"]))")
            default: script.append("press \(chord)")
            }
        }
        var options = random.chance(50) ? ["--show-keys"] : []
        if random.chance(50) { options += ["--cache", random.pick(["press", "responder", "chain"])] }
        if random.chance(40) {
            options += ["--profile", random.pick(["ios9", "ios134", "ios15", "ios26", "ios27", "catalyst"])]
        }
        return Story(
            scene: folder + "/scene.yaml", script: script.joined(separator: "\n") + "\n", options: options,
            name: "seed \(seed), \(URL(filePath: folder).lastPathComponent) \(options)\n\(script)")
    }

    private func number(_ field: String, _ arguments: [String]) throws -> Int? {
        let run = CommandRun(arguments + ["--format", "json"])
        let object = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
        return object?[field] as? Int
    }

    /// What it replays alike, or leaves out and says so.
    private func isVerified(_ run: CommandRun) -> Bool {
        run.status == 0 || run.status == 4 && !run.text.contains("differs") && run.text.contains("not compared")
    }

    @Test func everyVerbSaysTheSameOfOneTrace() throws {
        let first = Self.setting("KEYFLIGHT_VERB_SEED", 1)
        var traces = 0
        for seed in first..<(first + Self.setting("KEYFLIGHT_VERB_SCRIPTS", 10)) {
            traces += try expectAgreement(Self.story(seed)) ? 1 : 0
        }
        #expect(traces > 0)
        print("verbs: all, \(traces) traces: replay, verify, cut, merge, query, stats, lint, diff and export agree")
    }

    /// Found by random scripts: a scene that a key closes, a layout that is the one before, a masked key that goes down
    /// twice, one whose class has no other key, one that an observer runs commands for, a part behind hidden presses, a
    /// focus in a window without keys, a key whose repeats are ended by one that its part lacks.
    @Test(arguments: [
        ("g24-main-menu-keeps-its-keys", "press cmd+w", "--cache press"),
        ("unavailable-back-blocks-rewind", "press a|do layout us|type x y", "--show-keys --cache chain"),
        ("g06-shifted-symbols", "do layout fr|down a|do layout fr|press left", "--show-keys --cache press"),
        ("g09-hidden-and-disabled", "down b|down b|do layout fr|press cmd+s", "--cache press"),
        ("swiftui-shortcuts", "press space", "--profile ios26"), ("plain-letter-reloads", "press r", ""),
        ("pdf-viewer", "press cmd+shift+CloseBracket", "--show-keys --cache press"),
        ("software-keyboard", "down a|do attach|press b|press tab", "--profile ios9"),
        ("g14-swallowed-presses", "press a|wait 5ms|press a|press cmd+left", ""),
        ("command-w-two-windows", "press a|do set router next tabs-2|do focus editor-2|press cmd+w", "--cache chain"),
        (
            "command-w-two-windows",
            "do set router next tabs-2|press a|do set router next tabs-1|do layout us|press b|press cmd+w",
            "--cache chain --show-keys"
        ),
        ("command-forgotten-at-app-switch", "press a|down b|press cmd+s|wait 600ms|press a|do deactivate", ""),
    ])
    func agreesAboutWhatItOnceDidNot(_ golden: String, _ script: String, _ options: String) throws {
        let lines = script.split(separator: "|")
        let story = Story(
            scene: Files.path("Traces/golden/\(golden)/scene.yaml"),
            script: (["keys 1"] + lines).map { $0 + "\n" }.joined(),
            options: options.split(separator: " ").map(String.init), name: golden)
        #expect(try expectAgreement(story))
    }

    /// Returns false for a script that its scene refuses, or that presses nothing.
    private func expectAgreement(_ story: Story) throws -> Bool {
        try Files.withFolder { folder in
            let (script, trace) = (folder + "/s.keys", folder + "/t.keyflight")
            try Files.write(Array(story.script.utf8), to: script)
            let run = CommandRun(["replay", script, "--scene", story.scene, "-o", trace] + story.options)
            guard run.status == 0 else {
                #expect(run.status == 2 || run.status == 4, "\(run.notes)")
                return false
            }
            guard let count = try number("numbered_presses", ["info", trace]), count > 0 else { return false }
            try expectNumbers(count, trace, story)
            for more in [[], ["--scene", story.scene]] {
                let run = CommandRun(["verify", trace] + more)
                #expect(isVerified(run), "\(story.name): \(run.text)\(run.notes)")
            }
            let diff = CommandRun("diff", trace, trace)
            let isOpen = diff.status == 4 && diff.text.contains("leaves open")
            #expect(diff.status == 0 || isOpen, "\(story.name): \(diff.text)\(diff.notes)")
            try expectParts(count, trace, story, folder)
            return true
        }
    }

    private func expectNumbers(_ count: Int, _ trace: String, _ story: Story) throws {
        #expect(try number("presses", ["stats", trace]) == count, "\(story.name)")
        #expect(try number("numbered_presses", ["lint", trace]) == count, "\(story.name)")
        let rows = CommandRun("query", trace, "SELECT presses, (SELECT count(*) FROM presses) FROM trace").lines.last
        #expect(rows?.split(separator: " ") == ["\(count)", "\(count)"], "\(story.name)")
        let metrics = CommandRun("export", trace, "--format", "openmetrics", "-o", "-").text
        #expect(metrics.contains("\nkeyflight_presses_total \(count)\n"), "\(story.name)")
        try expectTotals(trace, metrics, story)
    }

    /// Repeats, and what the cache did for presses and their repeats.
    private func expectTotals(_ trace: String, _ metrics: String, _ story: Story) throws {
        let sql = """
            SELECT repeats, (SELECT count(*) FROM repeats), (SELECT coalesce(sum(cache_hits), 0) FROM all_of_them),
            (SELECT coalesce(sum(cache_invalidations), 0) FROM all_of_them), (SELECT count(outcome) FROM all_of_them)
            FROM trace
            """
        let both = "WITH all_of_them AS (SELECT * FROM presses UNION ALL SELECT * FROM repeats) "
        let run = CommandRun("query", trace, both + sql, "--format", "csv")
        let row = run.text.split(whereSeparator: \.isNewline).last ?? ""
        let counts = row.split(separator: ",").compactMap { Int($0) }
        guard counts.count == 5 else { return #expect(counts.count == 5, "\(row) \(run.notes)") }
        #expect(counts[0] == counts[1] && metrics.contains("\nkeyflight_repeats_total \(counts[0])\n"), "\(story.name)")
        let stats = CommandRun(["stats", trace, "--format", "json"])
        let object = try JSONSerialization.jsonObject(with: Data(stats.output)) as? [String: Any]
        let cache = object?["cache"] as? [String: Any]
        #expect(cache?["hits"] as? Int ?? 0 == counts[2], "\(story.name)")
        #expect(cache?["invalidations"] as? Int ?? 0 == counts[3], "\(story.name)")
        let texts = CommandRun("query", trace, "SELECT count(outcome) FROM texts").lines.last
        let outcomes = (object?["outcomes"] as? [[String: Any]] ?? []).reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
        #expect(outcomes == counts[4] + (texts.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0))
    }

    /// Two parts have the presses of the whole, each of them replays as it says, and so does their sum.
    private func expectParts(_ count: Int, _ trace: String, _ story: Story, _ folder: String) throws {
        let middle = (count + 1) / 2
        var parts: [String] = []
        for (part, presses) in [1...middle, middle + 1...max(count, middle + 1)].enumerated()
        where presses.upperBound <= count {
            let path = "\(folder)/\(part).keyflight"
            let range = "\(presses.lowerBound)-\(presses.upperBound)"
            let keys = story.options.filter { $0 == "--show-keys" }
            #expect(CommandRun(["cut", trace, "--presses", range, "-o", path] + keys).status == 0, "\(story.name)")
            try expectNumbers(presses.count, path, story)
            let run = CommandRun("verify", path)
            #expect(isVerified(run) || run.notes.contains("no press could be compared"), "\(story.name): \(run.text)")
            parts.append(path)
        }
        guard parts.count == 2 else { return }
        let whole = folder + "/whole.keyflight"
        #expect(CommandRun(["merge"] + parts + ["-o", whole]).status == 0, "\(story.name)")
        #expect(try number("numbered_presses", ["info", whole]) == count, "\(story.name)")
    }
}
