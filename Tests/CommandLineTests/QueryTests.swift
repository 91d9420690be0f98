import Foundation
import Testing
import TraceExport

@testable import keyflight

/// `query`: SQL over a trace, and the same tables as a file.
@Suite struct QueryTests {
    /// A capture of a keyboard, replayed through the document viewer, at level calls.
    static let viewer = recorded(AnalysisTests.viewer)

    static func recorded(_ arguments: [String], script: [UInt8] = []) -> [UInt8] {
        CommandRun(["replay", "--show-keys", "-o", "-"] + arguments, stdin: script).output
    }

    static func query(_ sql: String, _ options: String..., of trace: [UInt8] = viewer) -> CommandRun {
        CommandRun(["query", "-", sql] + options, stdin: trace)
    }

    // MARK: The tables

    @Test func `the schema is the golden, and says what each column holds`() {
        let run = CommandRun("query", "--schema")
        #expect(run.status == 0, "\(run.notes)")
        GoldenFile.expect(run.text, "reports/query-schema.txt")
        for table in TraceTable.allCases {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
        }
    }

    @Test func `views are the golden, and each is a query that runs`() throws {
        let run = CommandRun("query", "--views")
        GoldenFile.expect(run.text, "reports/query-views.txt")
        for view in TraceView.all {
            let rows = Self.query("SELECT * FROM \(view.name)")
            #expect(rows.status == 0 || rows.status == 3, "\(view.name): \(rows.notes)")
            // Answers are lists for a person: they come sorted.
            #expect(view.definition.contains("ORDER BY"), "\(view.name)")
        }
    }

    @Test func `without SQL there are the tables with their rows, and the views`() {
        let run = CommandRun(["query", "-"], stdin: Self.viewer)
        #expect(run.status == 0, "\(run.notes)")
        GoldenFile.expect(run.text, "reports/query-summary.txt")
    }

    @Test func `what took a key before any list was read is a winner too`() throws {
        let trap = "Traces/scenes/traps/t35-web-view-hides-commands"
        let run = CommandRun(
            "query", Files.path(trap + "/input.keys"), "--scene", Files.path(trap + "/scene.yaml"), "--format", "csv",
            "SELECT chord, winner, winner_action, loser, loser_action, presses FROM shadowed ORDER BY 1, 2")
        #expect(run.status == 0, "\(run.notes)")
        let rows = run.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        #expect(
            rows == [
                "cmd+k,presses,,reader,markAllRead:,1", "n,presses,,reader,next:,1", "n,text,,reader,next:,1",
            ])
    }

    @Test func `only the tables that are read are loaded`() throws {
        #expect(try TraceQuery("SELECT count(*) FROM presses").tables == [.presses])
        #expect(try TraceQuery("SELECT * FROM shadowed").tables == [.presses, .candidates])
        #expect(try TraceQuery("SELECT 1").tables == [])
        #expect(try TraceQuery("SELECT p.press, p.press, count(*), count(*) FROM presses p").columns
            == ["press", "press_2", "count(*)", "count(*)_2"])
    }

    @Test func `rows are the same whether all columns are loaded or those that are read`() {
        let statements = TraceView.all.map { "SELECT * FROM \($0.name)" } + [
            "SELECT * FROM presses NATURAL JOIN calls",
            "SELECT kind, outcome FROM presses JOIN calls USING (press, tick)",
            "SELECT a.outcome FROM presses a NATURAL JOIN presses b", "SELECT count(*) FROM keys NATURAL JOIN presses",
            "SELECT (SELECT max(c.duration_ns) FROM calls c WHERE c.press = p.press), \"CHORD\" FROM Presses AS p",
            "WITH w AS (SELECT * FROM stages) SELECT stage, count(*) FROM w GROUP BY 1 ORDER BY 1",
            "SELECT chord, outcome, lag(total_ns) OVER (ORDER BY t_ns) FROM presses", "SELECT rowid FROM presses",
            "SELECT press FROM presses WHERE (press, tick) IN (SELECT press, tick FROM receivers WHERE swallowed = 0)",
        ]
        for sql in statements {
            let (some, all) = (Self.query(sql), Self.query("/* using */ " + sql))
            #expect(some.text == all.text && some.status == all.status, "\(sql): \(some.notes)")
        }
    }

    @Test func `sums over the tables are the numbers of stats`() throws {
        let stats = try AlignAndExportTests.json(
            CommandRun(["stats", "-", "--format", "json"], stdin: Self.viewer))
        let asked = ((stats["calls"] as? [String: Any])?["keyCommands"] as? [String: Any])?["total"] as? Int
        let total = (stats["stages"] as? [String: Any])?["total"] as? [String: Any]
        let rows = try ExportTests.objects(
            Self.query(
                """
                SELECT count(*) AS presses, sum(key_commands_calls) AS asked, sum(total_ns) AS ns,
                  (SELECT count(*) FROM calls WHERE kind = 'keyCommands' AND occasion = 'down') AS rows,
                  (SELECT sum(duration_ns) FROM stages) AS stages, max(total_ns) AS longest
                FROM presses
                """, "--format", "jsonl"))
        let row = try #require(rows.first)
        #expect(row["presses"] as? Int == stats["presses"] as? Int)
        #expect(row["asked"] as? Int == asked && row["rows"] as? Int == asked)
        #expect(row["ns"] as? Int == total?["sum_ns"] as? Int && row["stages"] as? Int == total?["sum_ns"] as? Int)
        #expect(row["longest"] as? Int == total?["max_ns"] as? Int)
        let p50 = Self.query("SELECT p50_ns FROM stage_times WHERE stage = 'collect'", "--format", "csv")
        let collect = (stats["stages"] as? [String: Any])?["collect"] as? [String: Any]
        #expect(p50.text == "p50_ns\r\n\(collect?["p50_ns"] as? Int ?? 0)\r\n")
    }

    /// Presses alone, repeats that run actions, repeats that a view swallows, and text that came without a key.
    @Test(arguments: [
        "golden/stuck-command-after-app-switch", "golden/held-close-closes-everything", "golden/swiftui-shortcuts",
        "scenes/gallery/text-view",
    ])
    func `stories have the rows that their press lines have`(story: String) throws {
        let folder = Files.path("Traces/\(story)")
        let trace = Self.recorded(["\(folder)/input.keys", "--scene", "\(folder)/scene.yaml"])
        let lines = try ExportTests.objects(CommandRun(["export", "-", "--format", "jsonl", "-o", "-"], stdin: trace))
        let sql = """
            SELECT (SELECT count(*) FROM presses) + (SELECT count(*) FROM repeats) + (SELECT count(*) FROM runs)
              + (SELECT count(*) FROM texts) AS lines
            """
        let row = try #require(try ExportTests.objects(Self.query(sql, "--format", "jsonl", of: trace)).first)
        #expect(!lines.isEmpty && row["lines"] as? Int == lines.count)
    }

    // MARK: Forms

    @Test(arguments: ["table", "json", "jsonl", "csv", "markdown"])
    func `rows in every form are the golden`(form: String) {
        let sql = """
            SELECT press, chord, action, total_ns, NULL AS absent, 1.5 AS part, x'00ff' AS bytes
            FROM presses ORDER BY total_ns DESC LIMIT 3
            """
        let run = Self.query(sql, "--format", form)
        #expect(run.status == 0, "\(run.notes)")
        GoldenFile.expect(run.text, "reports/query-rows.\(form)")
    }

    @Test(arguments: ["table", "json", "jsonl", "csv", "markdown"])
    func `names of a hostile trace cannot act where rows are read`(form: String) throws {
        let traceText = Files.bytes(Files.path("Traces/hostile/names.txt"))
        let trace = CommandRun(["assemble", "-", "-o", "-"], stdin: traceText).output
        for table in TraceTable.allCases {
            let run = Self.query("SELECT * FROM \(table.name)", "--format", form, of: trace)
            #expect(run.status == 0 || run.status == 3, "\(table.name): \(run.notes)")
            for scalar in run.text.unicodeScalars where scalar != "\n" && !(form == "csv" && scalar == "\r") {
                let isHidden = scalar.value < 0x20 || [0x7F, 0x202E, 0x2066, 0x2069].contains(scalar.value)
                #expect(!isHidden, "\(table.name): \(scalar.value)")
            }
            for line in run.lines { #expect(!line.hasPrefix("::"), "\(line)") }
            if form == "markdown" {
                #expect(!run.text.contains("<script>") && !run.text.contains("@SUM") && !run.text.contains("[x](y)"))
            }
        }
        // The statement is what it is, and the name stays a value.
        let dropped = Self.query(
            "SELECT count(*) AS n FROM candidates WHERE action = '''; DROP TABLE presses; --'", "--format", "csv",
            of: trace)
        #expect(dropped.text == "n\r\n1\r\n")
        let zero = Self.query(
            "SELECT hex(responder) AS h FROM responders WHERE kind = 'window'", "--format", "csv", of: trace)
        #expect(zero.text.hasPrefix("h\r\n6100625C"), "\(zero.text)")
    }

    // MARK: What is refused

    @Test(arguments: [
        "ATTACH 'x.db' AS x", "INSERT INTO presses (press) VALUES (1)", "DELETE FROM presses", "DROP TABLE presses",
        "CREATE TEMP TABLE t (a)", "PRAGMA journal_mode = WAL", "UPDATE presses SET press = 2", "BEGIN", "VACUUM",
        "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT fts3_tokenizer('simple', x'00')",
        "VACUUM INTO 'x.db'", "SAVEPOINT a", "REINDEX", "ANALYZE",
    ])
    func `what does more than read is refused in one line`(sql: String) {
        let run = Self.query(sql)
        #expect(run.status == 64)
        #expect(run.noteLines.count == 1 && run.notes.hasPrefix("SQL: "), "\(run.notes)")
        #expect(run.output.isEmpty)
    }

    /// The allow list has what people compute with.
    @Test(arguments: [
        "upper('a')", "strftime('%Y', 0)", "json_extract('{}', '$')", "sqrt(4)", "count(*) OVER ()", "'{}' -> '$'",
        "row_number() OVER ()", "group_concat(press)", "printf('%d', press)", "press LIKE '1'", "CURRENT_DATE",
        "'a' GLOB '*'", "iif(press, 1, 2)", "CAST(press AS TEXT)", "substr('abc', 2)", "coalesce(NULL, 1)",
    ])
    func `functions that only compute are allowed`(expression: String) {
        let run = Self.query("SELECT \(expression) FROM presses")
        #expect(run.status == 0, "\(run.notes)")
    }

    @Test(arguments: [
        ("SELECT foo FROM presses", "SQL: column 8: no such column: foo\n"),
        ("SELECT press\nFROM\n  )", "SQL: line 3, column 3: near \")\": syntax error\n"),
        ("SELECT 'é', bar FROM presses", "SQL: column 13: no such column: bar\n"),
        ("", "SQL: expected a statement, found none\n"),
        ("/* nothing */", "SQL: expected a statement, found none\n"),
        ("SELECT 1; SELECT 2", "SQL: column 10: expected one statement, found more\n"),
        ("SELECT 1; -- fine", ""),
        ("SELECT \"press\" FROM presses", ""),
    ])
    func `an error says where, where SQLite tells it`(sql: String, note: String) {
        let run = Self.query(sql)
        #expect(run.status == (note.isEmpty ? 0 : 64))
        #expect(run.notes == (note.isEmpty ? "" : note.dropLast() + " [KF6400]\n"))
    }

    @Test func `long, deep and greedy statements end with one line`() {
        let long = "SELECT " + String(repeating: "1 + ", count: 260_000) + "1"
        let deep = "SELECT " + String(repeating: "(", count: 100_000)
        let wide = "SELECT 1 " + String(repeating: "UNION SELECT 1 ", count: 60_000)
        for sql in [long, deep, wide, "SELECT zeroblob(1000000000)", "SELECT \u{0} 1", "\u{1B}[31m"] {
            let run = Self.query(sql)
            #expect(run.status == 64)
            #expect(run.noteLines.count == 1 && (run.noteLines.first?.utf8.count ?? 0) < 1_000)
            #expect(!run.notes.contains("\u{1B}"))
        }
    }

    @Test func `no row is status 3, and says which level is missing`() {
        let none = Self.query("SELECT * FROM presses WHERE press = 1000")
        #expect(none.status == 3 && none.notes.isEmpty)
        let keys = CommandRun("query", AlignAndExportTests.capture, "SELECT * FROM calls")
        #expect(keys.status == 3)
        #expect(keys.noteLines.count == 1 && keys.notes.contains("calls: expected a trace at level calls"))
        let presses = CommandRun(
            "query", AlignAndExportTests.capture, "SELECT count(*) AS n FROM presses", "--format", "csv")
        #expect(presses.text == "n\r\n27\r\n")
    }

    @Test(arguments: [
        ["query"], ["query", "-", "-"], ["query", "--schema", "--views"], ["query", "--schema", "-", "x"],
    ])
    func `wrong usage is status 64`(arguments: [String]) { #expect(CommandRun(arguments).status == 64) }

    // MARK: Damage

    @Test func `of a torn trace everything whole is there, with status 2`() {
        let torn = ExportTests.tornTrace
        let run = Self.query("SELECT count(*) > 1000 AS many FROM presses", "--format", "csv", of: torn)
        #expect(run.status == 2)
        #expect(run.text == "many\r\n1\r\n")
        let loss = Self.query("SELECT cause FROM loss", "--format", "csv", of: torn)
        #expect(loss.text == "cause\r\ndamaged\r\n")
    }

    @Test func `an empty recording has tables without rows`() {
        let empty = CommandRun(["assemble", "-", "-o", "-"], stdin: Array(
            "keyflight-text 1 form=canonical level=keys first_sequence=0\nend\n".utf8)).output
        #expect(Self.query("SELECT * FROM presses", of: empty).status == 3)
        #expect(CommandRun(["query", "-"], stdin: empty).status == 0)
        for view in TraceView.all { #expect(Self.query("SELECT * FROM \(view.name)", of: empty).status == 3) }
    }

    // MARK: Files

    @Test func `export --format sqlite writes the tables as a file of mode 0600, and replaces nothing`() throws {
        try Files.withFolder { folder in
            let (trace, file) = ("\(folder)/a.keyflight", "\(folder)/a.sqlite")
            try Files.write(Self.viewer, to: trace)
            let run = CommandRun("export", trace, "--format", "sqlite", "-o", file)
            #expect(run.status == 0, "\(run.notes)")
            #expect(Files.permissions(file) == 0o600)
            #expect(Files.bytes(file).starts(with: Array("SQLite format 3\u{0}".utf8)))
            #expect(Files.names(folder) == ["a.keyflight", "a.sqlite"])
            let again = CommandRun("export", trace, "--format", "sqlite", "-o", file)
            #expect(again.status == 64 && again.noteLines.count == 1)
            #expect(CommandRun("export", trace, "--format", "sqlite", "-o", file, "--force").status == 0)
            let stream = CommandRun("export", trace, "--format", "sqlite", "-o", "-")
            #expect(stream.status == 0, "\(stream.notes)")
            #expect(stream.output.count == Files.bytes(file).count)
            #expect(Files.names(folder) == ["a.keyflight", "a.sqlite"])
        }
    }

    @Test func `a query without end stops on Ctrl-C with 130 and leaves nothing`() throws {
        try Files.withFolder { folder in
            try Files.write(Self.viewer, to: "\(folder)/a.keyflight")
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)'; export TMPDIR='\(folder)'
                    "$keyflight" query a.keyflight 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                    SELECT count(*) FROM n, presses' & id=$!
                    sleep 1; tries=0
                    while kill -INT $id && [ $tries -lt 100 ]; do tries=$((tries + 1)); sleep 0.1; done 2>/dev/null
                    kill -KILL $id 2>/dev/null; wait $id; echo "status $?"; ls -A
                    """)
            #expect(run.output == "status 130\na.keyflight\n", "\(run.notes)")
        }
    }

    // MARK: The topic

    @Test func `the queries of help sql have the answers that it shows`() throws {
        let shown = CommandRun("help", "sql").lines.filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        let examples = shown.joined(separator: "\n").components(separatedBy: "$ keyflight query T '").dropFirst()
        #expect(examples.count >= 3)
        for example in examples {
            let parts = example.components(separatedBy: "'\n")
            try #require(parts.count >= 2, "\(example)")
            let run = Self.query(parts[0])
            #expect(run.status == 0, "\(run.notes)")
            let shown = parts.dropFirst().joined(separator: "'\n").trimmingCharacters(in: .newlines)
            #expect(run.text.trimmingCharacters(in: .newlines) == shown, "keyflight query T '\(parts[0])'")
        }
    }
}
