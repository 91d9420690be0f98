import Foundation
import TraceExport
import Testing

@testable import keyflight

/// `export --table sessions|histograms|chords|findings`: many inputs in one run.
@Suite struct FleetExportTests {
    static let facts = ["service.version=4.2", "os.version=26.0", "session.id=abc", "app.installation.id=me"]
    private static let good = Result { try FleetTesting.trace("press cmd+[\npress cmd+w\npress cmd+]\n", facts: facts) }
    private static let other = Result { try FleetTesting.trace("press cmd+[\n", facts: ["service.version=4.1"]) }
    static let csv = ["--format", "csv", "-o", "-"]

    static func export(_ table: String, _ inputs: [String], _ more: [String] = [], stdin: [UInt8] = []) -> CommandRun {
        CommandRun(["export"] + inputs + ["--table", table] + csv + more, stdin: stdin)
    }

    /// A folder with good and bad inputs, and the names of them in the order of their rows.
    static func withInputs<R>(_ body: (String, [(name: String, status: String, id: String?)]) throws -> R) throws -> R {
        let (good, other) = (try good.get(), try other.get())
        var damaged = good
        damaged[damaged.count / 2] ^= 0x55
        let clear = try FleetTesting.trace("press cmd+[\ntype q\n", more: ["--show-keys"])
        let rows: [(name: String, bytes: [UInt8]?, status: String, id: String?)] = [
            ("a", good, "ok", nil), ("b", damaged, "damaged", "KF0204"),
            ("c", Array(good.dropLast(30)), "damaged", "KF0204"), ("d", [], "empty", "KF0202"),
            ("e", Array("no trace".utf8), "foreign", "KF0209"), ("f", clear, "unmasked", "KF0220"),
            ("g", good, "duplicate", "KF0221"), ("h", nil, "unreadable", "KF0201"), ("i", other, "ok", nil),
        ]
        return try Files.withFolder { folder in
            for row in rows { if let bytes = row.bytes { try Files.write(bytes, to: folder + "/" + row.name) } }
            return try body(folder, rows.map { ($0.name, $0.status, $0.id) })
        }
    }

    @Test func `each input is a row of sessions in the order of the inputs, bad ones with their reason`() throws {
        try Self.withInputs { folder, expected in
            let run = Self.export("sessions", expected.map { folder + "/" + $0.name })
            #expect(run.status == 2)
            let rows = try FleetTesting.rows(run)
            try #require(rows.count == expected.count)
            for (number, (row, expected)) in zip(rows, expected).enumerated() {
                #expect(row["status"] == expected.status && row["error_id"] == expected.id, "\(expected.name): \(row)")
                #expect((row["reason"] == nil) == (expected.status == "ok") && row["input"] == "\(number + 1)")
                #expect((row["trace_id"]?.count ?? 64) == 64)
                #expect(row["reason"]?.contains(folder) != true, "paths are no matter of a table")
                // On standard error the file is named.
                if let id = expected.id {
                    #expect(run.noteLines.contains { $0.contains("/\(expected.name): ") && $0.hasSuffix("[\(id)]") })
                }
            }
            #expect(rows[0]["service_version"] == "4.2" && rows[0]["os_version"] == "26.0")
            #expect(rows[0]["scene"] == "pdf-viewer" && rows[0]["presses"] == "3" && rows[0]["complete"] == "true")
            #expect(rows[0]["masked"] == "true" && rows[5]["masked"] == "false" && rows[5]["scene"] == nil)
            #expect(rows[1]["complete"] == "false" && rows[0]["trace_id"] == rows[6]["trace_id"])
            #expect(rows[0]["session_key"] == nil && rows[0]["sample_id"] == nil, "there is no key")
        }
    }

    @Test func `records that a full buffer took are lost`() throws {
        try Files.withFolder { folder in
            try Files.write(try FleetTesting.trace("keys 1\npress cmd+f\n"), to: folder + "/whole")
            var lines = CommandRun("show", folder + "/whole").lines
            let place = try #require(lines.lastIndex { $0.first?.isNumber == true })
            let last = lines[place].split(separator: " ")
            let loss = "\((Int(last[0]) ?? 0) + 1) \(last[1]) loss cause=dropped count=9 detail=\"\""
            lines.insert(loss, at: place + 1)
            let text = Array((lines.joined(separator: "\n") + "\n").utf8)
            #expect(CommandRun(["assemble", "-", "-o", folder + "/lossy"], stdin: text).status == 0)
            let rows = try FleetTesting.rows(Self.export("sessions", ["whole", "lossy"].map { "\(folder)/\($0)" }))
            #expect(rows.map { $0["records_lost"] } == ["0", "9"])
        }
    }

    @Test(arguments: ["histograms", "chords", "findings"])
    func `other tables have the good inputs alone, unharmed by the bad ones`(table: String) throws {
        try Self.withInputs { folder, inputs in
            let all = Self.export(table, inputs.map { folder + "/" + $0.name })
            #expect(all.status == 2)
            let good = Self.export(table, ["a", "i"].map { folder + "/" + $0 })
            #expect(good.status == 0 && good.output == all.output)
            #expect(table == "findings" || good.records.count > 3)
        }
    }

    @Test func `names come from a list too, by lines or NUL, and a list of nothing is a table of no rows`() throws {
        try Self.withInputs { folder, _ in
            let plain = Self.export("chords", ["\(folder)/a", "\(folder)/i"])
            let lines = Array("\(folder)/a\n\n\(folder)/i".utf8)
            #expect(Self.export("chords", [], ["--files-from", "-"], stdin: lines).output == plain.output)
            let null = Array("\(folder)/a\0\(folder)/i\0".utf8)
            #expect(Self.export("chords", [], ["--files-from", "-", "--null"], stdin: null).output == plain.output)
            try Files.write(Array("\(folder)/i\n".utf8), to: folder + "/list")
            #expect(Self.export("chords", ["\(folder)/a"], ["--files-from", folder + "/list"]).output == plain.output)
            let empty = Self.export("sessions", [], ["--files-from", "/dev/null"])
            #expect(empty.status == 0 && empty.records.count == 1)
            let missing = Self.export("sessions", [], ["--files-from", folder + "/none"])
            #expect(missing.status == 2 && missing.output.isEmpty)
        }
    }

    @Test func `the rows do not depend on threads`() throws {
        try Self.withInputs { folder, inputs in
            let names = (0..<12).flatMap { _ in inputs.map { folder + "/" + $0.name } }
            let first = Self.export("sessions", names)
            #expect(first.records.count == names.count + 1)
            for _ in 0..<5 { #expect(Self.export("sessions", names).output == first.output) }
        }
    }

    @Test func `options that do not go with a table of many traces are refused`() throws {
        let stages = ["--format", "csv", "--stage", "all"]
        let wrong = [["--format", "jsonl"], stages, ["--format", "csv", "--layout", "us"]]
        for more in wrong {
            #expect(CommandRun(["export", "x", "--table", "sessions", "-o", "-"] + more).status == 64, "\(more)")
        }
        #expect(CommandRun(["export", "x", "y", "--format", "jsonl", "-o", "-"]).status == 64)
        #expect(CommandRun(["export", "x", "--format", "arrow", "-o", "-"]).status == 64)
        #expect(CommandRun(["export", "x", "--format", "csv", "--allow-ids", "y", "-o", "-"]).status == 64)
        #expect(CommandRun(["export", "--format", "csv", "--table", "sessions", "-o", "-"]).status == 64)
        #expect(CommandRun(["export", "-", "-", "--format", "csv", "--table", "sessions", "-o", "-"]).status == 64)
    }

    // MARK: Archives

    @Test(arguments: [false, true])
    func `an archive on standard input has the rows of its files`(isGNU: Bool) throws {
        let (good, other) = (try Self.good.get(), try Self.other.get())
        let long = String(repeating: "folder/", count: 30) + "b.keyflight"
        var archive = FleetTesting.entry("a folder/", [], kind: "5")
        archive += FleetTesting.tar([("a", good), (long, other), ("empty", [])], isGNU: isGNU)
        let run = Self.export("sessions", ["-"], stdin: archive)
        #expect(run.status == 2)
        #expect(try FleetTesting.rows(run).map { $0["status"] } == ["ok", "ok", "empty"])
        #expect(run.notes.contains("empty: "))
        let bare = Self.export("sessions", ["-"], stdin: good)
        #expect(bare.status == 0)
        #expect(bare.records[1] == run.records[1])
        #expect(Self.export("sessions", ["-"], stdin: Array(repeating: 0, count: 1024)).records.count == 1)
    }

    @Test func `a file of an archive that is larger than is held is passed over, and said to be`() throws {
        let big = FleetTesting.entry("big", Array(repeating: 0, count: TarReader.fileLimit + 1), kind: "0")
        let run = Self.export("sessions", ["-"], stdin: big + FleetTesting.tar([("a", try Self.good.get())]))
        let rows = try FleetTesting.rows(run)
        #expect(rows.map { $0["status"] } == ["too_large", "ok"] && rows[0]["error_id"] == "KF0222")
        #expect(run.status == 2 && run.notes.contains("[KF0222]"), "\(run.notes)")
    }

    @Test func `a hostile archive is rows with reasons, and what came before is whole`() throws {
        let good = try Self.good.get()
        let whole = FleetTesting.tar([("a", good)])
        let first = Array(whole.dropLast(1024))
        var lying = first
        lying += FleetTesting.entry("b", [1], kind: "0", size: 0o77777777777)
        let ends: [(name: String, bytes: [UInt8], statuses: [String])] = [
            ("cut", Array(whole.prefix(700)), ["damaged"]),
            ("bytes", first + Array(repeating: 7, count: 600), ["ok", "damaged"]),
            ("size", lying, ["ok", "damaged"]),
            ("link", first + FleetTesting.entry("l", [], kind: "2"), ["ok", "unreadable"]),
            ("name", first + FleetTesting.entry("x", [], kind: "x", size: 1 << 30), ["ok", "damaged"]),
            ("pax", first + FleetTesting.entry("x", Array("99999 path=y\n".utf8), kind: "x"), ["ok"]),
            ("text", Array("neither".utf8), ["foreign"]), ("nothing", [], ["empty"]),
        ]
        for end in ends {
            let run = Self.export("sessions", ["-"], stdin: end.bytes)
            #expect(try FleetTesting.rows(run).map { $0["status"] } == end.statuses, "\(end.name): \(run.notes)")
            #expect(run.status == (end.statuses == ["ok"] ? 0 : 2), "\(end.name)")
        }
    }

    @Test func `no hostile trace stops the run`() throws {
        let folder = Files.path("Traces/hostile")
        let names = Files.names(folder).map { folder + "/" + $0 } + ["/dev/zero", "/", folder + "/none"]
        for table in FleetTable.allCases {
            let run = Self.export(table.name, names)
            #expect(run.status == 2)
            guard table == .sessions else { continue }
            let rows = try FleetTesting.rows(run)
            #expect(rows.count == names.count)
            for row in rows { #expect(FleetSession.Status(rawValue: row["status"] ?? "") != nil) }
        }
    }
}
