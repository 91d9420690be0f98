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

    private func assembled(_ body: (_ trace: String) throws -> Void) throws {
        try Files.withFolder { folder in
            let records = Self.lines.split(separator: "\n").enumerated().map { "\($0) \($0 * 10) \($1)" }
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
}
