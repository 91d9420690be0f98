import Foundation
import Testing

/// Traces whose records come in an order, or as often, as no recorder writes them: each verb counts the same presses.
@Suite struct CountedPressTests {
    private static let lines = """
        level level=calls
        device device=1 name="k" source="script"
        environment name="cache" value="responder"
        key device=1 press=1 phase=down key=A
        cache press=1 hits=1 misses=0 stale=0 invalidations=0 shadow_reads=0 calls_saved=1 time_saved_ns=0
        resolution press=1 outcome=unhandled
        key device=1 press=1 phase=up key=A
        cache press=1 hits=10 misses=2 stale=0 invalidations=0 shadow_reads=0 calls_saved=10 time_saved_ns=0
        key device=1 press=2 phase=down key=C
        key device=1 press=2 phase=repeat key=C
        key device=1 press=2 phase=repeat key=C
        key device=1 press=2 phase=repeat key=C
        resolution press=2 outcome=unhandled
        resolution press=2 outcome=performed
        resolution press=2 tick=1 outcome=unhandled
        resolution press=2 tick=3 outcome=unhandled
        resolution press=2 tick=3 outcome=unhandled
        key device=1 press=2 phase=up key=C
        resolution press=3 outcome=unhandled
        key device=1 press=3 phase=down key=D
        key device=1 press=3 phase=up key=D
        key device=1 press=0 phase=down key=E
        key device=1 press=0 phase=up key=E
        text text="x"
        resolution press=0 tick=1 outcome=consumedByText
        """

    private func assembled(_ lines: String = Self.lines, _ body: (_ trace: String) throws -> Void) throws {
        try Files.withFolder { folder in
            let records = lines.split(separator: "\n").enumerated().map { "\($0) \($0 * 10) \($1)" }
            let text = ["keyflight-text 1 form=canonical level=calls first_sequence=0"] + records + ["end", ""]
            let trace = folder + "/t.keyflight"
            let run = CommandRun(["assemble", "-", "-o", trace], stdin: Array(text.joined(separator: "\n").utf8))
            #expect(run.status == 0, "\(run.notes)")
            try body(trace)
        }
    }

    private func json(_ arguments: [String]) throws -> [String: Any] {
        let run = CommandRun(arguments + ["--format", "json"])
        #expect(run.status == 0, "\(run.notes)")
        return try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any] ?? [:]
    }

    private func rows(_ sql: String, _ trace: String) -> [String] {
        let run = CommandRun("query", trace, sql, "--format", "csv")
        #expect(run.status == 0, "\(run.notes)")
        // Lines of CSV end with two characters, which are one to Swift.
        return run.text.split(whereSeparator: \.isNewline).dropFirst().map { "\($0)" }
    }

    @Test func aKeyThatComesAfterItsDecisionIsNoPressMore() throws {
        try assembled { trace in
            #expect(rows("SELECT press, chord, outcome FROM presses", trace) == ["1,a,unhandled", "2,c,unhandled",
                "3,d,unhandled"])
            #expect(try json(["stats", trace])["presses"] as? Int == 3)
            #expect(try json(["info", trace])["numbered_presses"] as? Int == 3)
            let key = try json(["explain", trace, "--press", "3"])["key"] as? [String: Any]
            #expect(key?["chord"] as? String == "d")
            // A key of press 0 is one of no press.
            #expect(rows("SELECT text_number, outcome FROM texts", trace) == ["1,consumedByText"])
        }
    }

    @Test func aPressThatIsResolvedTwiceHasOneOutcome() throws {
        try assembled { trace in
            let outcomes = try json(["stats", trace])["outcomes"] as? [[String: Any]] ?? []
            let counted = outcomes.map { "\($0["outcome"] ?? ""),\($0["count"] ?? "")" }
            let sql = """
                SELECT outcome, count(*) AS n FROM (SELECT outcome FROM presses UNION ALL SELECT outcome FROM repeats
                UNION ALL SELECT outcome FROM texts) WHERE outcome IS NOT NULL GROUP BY outcome ORDER BY n DESC
                """
            #expect(counted == ["unhandled,5", "consumedByText,1"] && counted == rows(sql, trace))
        }
    }

    @Test func aRepeatThatIsNeverDecidedIsARepeat() throws {
        try assembled { trace in
            let stats = try json(["stats", trace])
            #expect((stats["repeats"] as? [String: Any])?["count"] as? Int == 3)
            #expect((stats["undecided"] as? [String: Any])?["repeats"] as? Int == 1)
            #expect(try json(["info", trace])["repeats"] as? Int == 3)
            #expect(rows("SELECT repeats, (SELECT count(*) FROM repeats) FROM trace", trace) == ["3,3"])
            #expect(rows("SELECT repeats FROM held_keys", trace) == ["3"])
            let held = try json(["stats", trace, "--repeat"])["held_keys"] as? [[String: Any]]
            #expect(held?.map { $0["repeats"] as? Int } == [3], "\(String(describing: held))")
            let metrics = CommandRun("export", trace, "--format", "openmetrics", "-o", "-").text
            #expect(metrics.contains("\nkeyflight_repeats_total 3\n"))
            let explained = try json(["explain", trace, "--press", "2"])["repeats"] as? [String: Any]
            let outcomes = explained?["outcomes"] as? [[String: Any]]
            #expect(explained?["count"] as? Int == 3 && outcomes?.map { $0["count"] as? Int } == [2])
            let words = CommandRun("explain", trace, "--press", "2").text
            #expect(words.contains("2 unhandled, 1 never decided"), "\(words)")
        }
    }

    @Test func lookupsAtTheReleaseAreThoseOfThePressEverywhere() throws {
        try assembled { trace in
            #expect(rows("SELECT cache_hits, cache_misses FROM presses WHERE press = 1", trace) == ["11,2"])
            let explained = try json(["explain", trace, "--press", "1"])["cache"] as? [String: Any]
            #expect(explained?["hits"] as? Int == 11 && explained?["misses"] as? Int == 2)
            let stats = try json(["stats", trace])["cache"] as? [String: Any]
            #expect(stats?["hits"] as? Int == 11 && stats?["misses"] as? Int == 2)
        }
    }

    private func outcomes(_ trace: String) throws -> [String] {
        let stats = try json(["stats", trace])
        #expect(stats["undecided"] is NSNull, "\(stats["undecided"] ?? "")")
        return (stats["outcomes"] as? [[String: Any]] ?? []).map { "\($0["outcome"] ?? ""),\($0["count"] ?? "")" }
    }

    private func presses(_ trace: String) -> [String] {
        let lines = CommandRun("export", trace, "--format", "jsonl", "-o", "-").lines
        return lines.map { String($0.prefix { $0 != "," }.dropFirst()) }
    }

    @Test func aNumberThatComesAgainIsAnotherPressEverywhere() throws {
        let lines = """
            level level=calls
            device device=1 name="k" source="script"
            key device=1 press=1 phase=down key=A
            resolution press=1 outcome=unhandled
            key device=1 press=1 phase=down key=B
            resolution press=1 outcome=performed
            key device=1 press=1 phase=up key=B
            key device=1 press=2 phase=down key=C
            resolution press=2 outcome=unhandled
            key device=1 press=2 phase=up key=C
            """
        try assembled(lines) { trace in
            for (verb, name) in [("info", "numbered_presses"), ("lint", "numbered_presses"), ("stats", "presses")] {
                #expect(try json([verb, trace])[name] as? Int == 3, "\(verb)")
            }
            #expect(rows("SELECT press, chord, outcome FROM presses", trace) == ["1,a,unhandled", "1,b,performed",
                "2,c,unhandled"])
            #expect(try outcomes(trace) == ["unhandled,2", "performed,1"])
            #expect(presses(trace) == ["\"press\":1", "\"press\":1", "\"press\":2"])
            #expect(CommandRun("diff", trace, trace).text.contains(" 3 unchanged"))
            let story = CommandRun("show", trace, "--story").lines.filter { $0.hasPrefix("#") }
            #expect(story.map { String($0.prefix(2)) } == ["#1", "#1", "#2"], "\(story)")
            // The first of a number.
            let key = try json(["explain", trace, "--press", "1"])["key"] as? [String: Any]
            #expect(key?["chord"] as? String == "a")
        }
    }

    /// Of two presses with one number, one is not decided.
    @Test(arguments: [1, 2])
    func aNumberThatComesAgainUndecidedIsAPress(_ decided: Int) throws {
        let outcome = "resolution press=1 outcome=unhandled"
        let lines = [
            "level level=calls", "device device=1 name=\"k\" source=\"script\"",
            "key device=1 press=1 phase=down key=A", decided == 1 ? outcome : "mark name=\"x\"",
            "key device=1 press=1 phase=down key=B", decided == 2 ? outcome : "mark name=\"x\"",
            "key device=1 press=1 phase=up key=B",
        ]
        try assembled(lines.joined(separator: "\n")) { trace in
            let stats = try json(["stats", trace])
            #expect(stats["presses"] as? Int == 2)
            #expect(rows("SELECT chord, outcome FROM presses", trace) == [
                decided == 1 ? "a,unhandled" : "a,", decided == 2 ? "b,unhandled" : "b,",
            ])
            let diff = CommandRun("diff", trace, trace, "--format", "json").text
            #expect(diff.contains("\"presses\":2}") && diff.contains("\"unchanged\":1,\"not_compared\":1"), "\(diff)")
        }
    }

    /// What comes after the last resolution is a part of the press and no line more; an outcome that comes when another
    /// press was decided is no run of it.
    @Test func onlyAnotherOutcomeIsAnotherRun() throws {
        let responder = "responder={\"id\":\"v\",\"kind\":\"view\"}"
        let call = "call=keyCommands occasion=down \(responder) pass=1 depth=0 answer=commands list=[]"
        let cache = "misses=0 stale=0 invalidations=0 shadow_reads=0 calls_saved=0 time_saved_ns=0"
        let lines = """
            level level=calls
            device device=1 name="k" source="script"
            environment name="cache" value="responder"
            key device=1 press=1 phase=down key=A
            call press=1 \(call)
            cache press=1 hits=1 \(cache)
            resolution press=1 outcome=performed action="a:"
            cache press=1 hits=2 \(cache)
            resolution press=1 outcome=performed action="b:"
            call press=1 \(call)
            key device=1 press=2 phase=down key=B
            call press=2 \(call)
            resolution press=2 outcome=unhandled
            resolution press=1 outcome=performed action="c:"
            call press=2 \(call)
            key device=1 press=1 phase=up key=A
            key device=1 press=2 phase=up key=B
            key device=1 press=3 phase=down key=C
            resolution press=3 outcome=unhandled
            key device=1 press=3 phase=up key=C
            cache press=1 hits=4 \(cache)
            """
        try assembled(lines) { trace in
            #expect(presses(trace) == ["\"press\":1", "\"press\":1", "\"press\":2", "\"press\":3"])
            let lines = CommandRun("export", trace, "--format", "jsonl", "-o", "-").lines
            #expect(lines.count { $0.contains("\"outcome\":null") } == 0)
            for (line, hits) in zip(lines, [1, 2]) { #expect(line.contains("\"hits\":\(hits),"), "\(line)") }
            #expect(rows("SELECT press, outcome FROM presses", trace) == ["1,performed", "2,unhandled", "3,unhandled"])
            #expect(rows("SELECT count(*) FROM runs", trace) == ["1"])
            #expect(try outcomes(trace) == ["unhandled,2", "performed,1"])
            #expect(CommandRun("diff", trace, trace).text.contains(" 4 unchanged"))
            #expect(CommandRun("verify", trace).text.contains("; 4 presses not compared, whose"))
            // Counts of the cache are those of the press that they name, whenever they come.
            let explained = try json(["explain", trace, "--press", "1"])["cache"] as? [String: Any]
            #expect(explained?["hits"] as? Int == 7)
            #expect((try json(["stats", trace])["cache"] as? [String: Any])?["hits"] as? Int == 7)
        }
    }
}
