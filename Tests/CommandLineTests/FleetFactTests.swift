import Foundation
import KeyModel
import TraceExport
import Testing

@testable import keyflight

/// What tables of many traces contain: exact counts, and nothing that could identify somebody.
@Suite struct FleetFactTests {
    private static func number(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }

    /// `stats --format json` of a trace, and its histograms with all ids.
    private static func compare(_ trace: [UInt8], _ name: String) throws {
        try Files.withFolder { folder in
            try Files.write(Array("*\n".utf8), to: folder + "/ids")
            let run = FleetExportTests.export("histograms", ["-"], ["--allow-ids", folder + "/ids"], stdin: trace)
            #expect(run.status == 0, "\(name): \(run.notes)")
            let rows = try FleetTesting.rows(run)
            let stats = CommandRun(["stats", "-", "--format", "json"], stdin: trace)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(stats.output)) as? [String: Any])
            let repeats = (json["repeats"] as? [String: Any])?["stages"]
            for (occasion, stages) in [("down", json["stages"]), ("repeatTick", repeats)] {
                let own = rows.filter { $0["metric"] == "stage" && $0["occasion"] == occasion }
                let stages = (stages as? [String: Any] ?? [:]).compactMapValues { $0 as? [String: Any] }
                #expect(Set(own.compactMap { $0["stage"] }) == Set(stages.keys), "\(name) \(occasion)")
                for row in own {
                    let stage = try #require(stages[row["stage"] ?? ""])
                    for (column, member) in [("n", "n"), ("sum_ns", "sum_ns"), ("max_ns", "max_ns")] {
                        #expect(row[column].flatMap { Int64($0) } == number(stage[member]), "\(name): \(row)")
                    }
                    #expect(FleetTesting.numbers(row["counts"]).reduce(0, +) == number(stage["n"]), "\(name)")
                }
            }
            var calls: [String: Int64] = [:]
            var (asked, times): ([String: Int64], [String: Int64]) = ([:], [:])
            for row in rows where row["metric"] != "stage" {
                let count = Int64(row["n"] ?? "") ?? 0
                calls[row["metric"] ?? "", default: 0] += count
                guard row["metric"] == "keyCommands", let responder = row["responder"] else { continue }
                asked[responder, default: 0] += count
                if let sum = row["sum_ns"].flatMap({ Int64($0) }) { times[responder, default: 0] += sum }
            }
            for (kind, total) in json["calls"] as? [String: [String: Any]] ?? [:] {
                #expect(calls[kind] ?? 0 == number(total["total"]), "\(name): \(kind)")
            }
            for responder in json["responders"] as? [[String: Any]] ?? [] {
                let id = responder["id"] as? String ?? ""
                #expect(asked[id] == number(responder["calls"]), "\(name): \(id)")
                #expect(times[id] == number(responder["self_ns"]), "\(name): \(id)")
            }
        }
    }

    @Test(arguments: ExportTests.goldens)
    func `counts and sums of histograms are those of stats`(golden: String) throws {
        let folder = Files.path("Traces/golden/\(golden)")
        let run = CommandRun("replay", "\(folder)/input.keys", "--scene", "\(folder)/scene.yaml", "-o", "-")
        try Self.compare(run.output, golden)
    }

    // MARK: Provenance

    @Test func `facts of replay and import are in the trace, and in no other form in a table`() throws {
        let trace = try FleetTesting.trace("press cmd+[\n", facts: FleetExportTests.facts)
        try Files.withFolder { folder in
            try Files.write(Array("0123456789abcdef0123456789abcdef\n".utf8), to: folder + "/key")
            let keyed = ["--pseudonym-key", folder + "/key"]
            let row = try #require(
                try FleetTesting.rows(FleetExportTests.export("sessions", ["-"], keyed, stdin: trace)).first)
            // The line end of the file is no part of the key.
            let key = Array("0123456789abcdef0123456789abcdef".utf8)
            let hash = SHA256.hmac(key: key, Array("session.id\0abc".utf8)).prefix(16)
            #expect(row["session_key"] == hash.map { $0.hexadecimal(2) }.joined())
            #expect(row["sample_id"].flatMap { Int($0) }.map { (0..<100).contains($0) } == true)
            try Files.write(Array("short".utf8), to: folder + "/key")
            #expect(FleetExportTests.export("sessions", ["-"], keyed, stdin: trace).status == 64)
            // A replay of the trace keeps its facts, unless it gets others.
            try Files.write(trace, to: folder + "/t.keyflight")
            let again = ["replay", folder + "/t.keyflight", "-o", "-", "--fact", "service.version=4.3"]
            let facts = try FleetTesting.rows(
                FleetExportTests.export("sessions", ["-"], stdin: CommandRun(again).output)).first
            #expect(facts?["service_version"] == "4.3" && facts?["os_version"] == "26.0")
            let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
            let imported = CommandRun(
                "import", capture, "-o", "-", "--fact", "service.version=1", "--fact", "service.version=2")
            let rows = try FleetTesting.rows(FleetExportTests.export("sessions", ["-"], stdin: imported.output))
            #expect(rows.first?["service_version"] == "2" && rows.first?["level"] == "keys")
        }
    }

    @Test(arguments: ["x", "=1", "a b=1", "profile=ios7", "parameter.x=1", "device1.bInterval=8", "a=", "a=\u{1}"])
    func `facts that are none, or keyflight's own, are refused`(fact: String) {
        let run = CommandRun("import", "/dev/null", "-o", "-", "--fact", fact)
        #expect(run.status == 64, "\(run.notes)")
        #expect(run.notes.contains(": expected "))
    }

    // MARK: Privacy

    @Test func `no table gives a secret back`() throws {
        let word = MaskingTests.word
        let scene = """
            scene: 1
            name: canary
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, next: app, keyWindow: true}
              - id: \(word)-document
                kind: viewController
                next: win
                actions: ["open\(word):"]
                keyCommands:
                  - {input: o, modifiers: [command], action: "open\(word):", title: \(word)}
              - {id: field, kind: textField, next: \(word)-document, text: ""}
            firstResponder: field
            """
        let steps = ["type \(word)", "insert \"\(word)\"", "do marktext \(word)", "press escape", "do mark \(word)"]
        let script = (steps + ["press cmd+o", ""]).joined(separator: "\n")
        try Files.withFolder { folder in
            try Files.write(Array(scene.utf8), to: folder + "/canary.scene.yaml")
            try Files.write(Array(script.utf8), to: folder + "/canary.keys")
            for (name, more) in [("masked", []), ("clear", ["--show-keys"])] {
                let facts = ["user.name=\(word)", "session.id=\(word)", "app.installation.id=\(word)"]
                let run = CommandRun(
                    ["replay", folder + "/canary.keys", "--scene", folder + "/canary.scene.yaml"]
                        + ["-o", "\(folder)/\(name)"] + more + facts.flatMap { ["--fact", $0] })
                #expect(run.status == 0, "\(run.notes)")
            }
            // The masked trace has it as an id, or this proves nothing.
            #expect(MaskingTests.contains(Array(word.utf8), in: Files.bytes(folder + "/masked")))
            try Files.write(Array("field\nw?n\n".utf8), to: folder + "/ids")
            try Files.write(Array(repeating: 7, count: 32), to: folder + "/key")
            for table in FleetTable.allCases {
                for format in ["csv", "arrow"] {
                    let run = CommandRun(
                        "export", folder + "/masked", folder + "/clear", "--table", table.name, "--format", format,
                        "-o", "-", "--allow-ids", folder + "/ids", "--pseudonym-key", folder + "/key")
                    #expect(run.status == 2 && !run.output.isEmpty, "\(run.notes)")
                    for (kind, pattern) in MaskingTests.patterns {
                        #expect(!MaskingTests.contains(pattern, in: run.output), "\(table) holds the word as \(kind)")
                    }
                    #expect(!run.notes.contains(word))
                }
            }
            let chords = try FleetTesting.rows(
                FleetExportTests.export("chords", [folder + "/masked"], ["--allow-ids", folder + "/ids"]))
            #expect(chords.allSatisfy { $0["first_responder"] == "field" })
            #expect(chords.contains { $0["chord"] == "cmd+o" && $0["action"] == "(other)" })
            #expect(chords.allSatisfy { ["cmd+o", "esc"].contains($0["chord"]) }, "no text key is a row: \(chords)")
        }
    }

    @Test func `without a list every id is left out, and the remedy is named`() throws {
        let trace = try FleetTesting.trace("press cmd+[\n")
        let run = FleetExportTests.export("histograms", ["-"], stdin: trace)
        let responders = Set(try FleetTesting.rows(run).compactMap { $0["responder"] })
        #expect(responders == ["(other)"] && run.notes.contains("--allow-ids"))
    }
}
