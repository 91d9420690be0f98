import Foundation
import Testing

@testable import keyflight

/// `export` of presses: JSON lines, CSV, percentiles and counts.
@Suite struct ExportTests {
    /// Goldens whose replay is long or needs more than a scene and a script.
    static let goldens = Files.names(Files.path("Traces/golden")).filter { name in
        ["input.keys", "scene.yaml"].allSatisfy {
            FileManager.default.fileExists(atPath: Files.path("Traces/golden/\(name)/\($0)"))
        }
    }

    @Test func `there are goldens of scenes`() { #expect(Self.goldens.count > 50) }

    static let viewer = ["export"] + AnalysisTests.viewer

    static func objects(_ run: CommandRun) throws -> [NSDictionary] {
        try run.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary, "\(line)")
        }
    }

    /// 12,000 presses in some blocks, of which the last is cut.
    static let tornTrace: [UInt8] = {
        var traceText = "keyflight-text 1 form=canonical level=keys first_sequence=0\n"
        for press in 1...12_000 {
            let time = press * 60_000_000 + press % 97 * 10_007
            let key = "key device=1 press=\(press)"
            traceText += "\(press * 2 - 2) \(time) \(key) phase=down key=DownArrow\n"
            traceText += "\(press * 2 - 1) \(time + 31_000_000 + press % 89) \(key) phase=up key=DownArrow\n"
        }
        let trace = CommandRun(["assemble", "-", "-o", "-"], stdin: Array((traceText + "end\n").utf8)).output
        return Array(trace.dropLast(trace.count / 10))
    }()

    /// What a recording does not tell: what may still come, and what no line of it asks about.
    static let unrecorded = ["more_repeats_left_out", "unrecorded"]

    @Test(arguments: ExportTests.goldens)
    func `JSON lines of a recorded replay have the members of the replay's own lines`(golden: String) throws {
        let folder = Files.path("Traces/golden/\(golden)")
        let arguments = ["\(folder)/input.keys", "--scene", "\(folder)/scene.yaml"]
        let replayed = CommandRun(["replay", "--format", "jsonl"] + arguments)
        try #require(replayed.status == 0, "\(replayed.notes)")
        let trace = CommandRun(["replay", "--show-keys", "-o", "-"] + arguments).output
        let exported = CommandRun(["export", "-", "--format", "jsonl", "-o", "-"], stdin: trace)
        let expected = try Self.objects(replayed).filter { $0["kind"] == nil }
        let found = try Self.objects(exported)
        #expect(found.count == expected.count)
        for (line, own) in zip(expected, found) {
            for case let (name as String, value as NSObject) in line where !Self.unrecorded.contains(name) {
                #expect(
                    own[name] as? NSObject == value,
                    "press \(line["press"] ?? ""), \(name): \(own[name] ?? "nothing"), expected \(value)")
            }
        }
    }

    @Test func `a trace of keys alone has presses, and null for what was not recorded`() throws {
        let run = CommandRun("export", AlignAndExportTests.capture, "--format", "jsonl", "-o", "-")
        #expect(run.status == 0, "\(run.notes)")
        let presses = try Self.objects(run)
        #expect(presses.count == 27)
        for press in presses {
            for name in ["outcome", "receivers", "calls", "cache", "shadowed", "effects", "state"] {
                #expect(press[name] is NSNull, "\(name): \(press[name] ?? "nothing")")
            }
            #expect(press["held_ns"] is NSNumber)
        }
    }

    @Test func `CSV has the columns of the table, and rows for its presses`() throws {
        let run = CommandRun(Self.viewer + ["--format", "csv", "-o", "-"])
        #expect(run.status == 0, "\(run.notes)")
        let lines = run.text.components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("press,tick,t_ns,device,chord,key,class,modifiers,character,outcome,taken_by,"))
        #expect(lines.count == 27 + 2)
        #expect(lines.last == "")
        let calls = CommandRun(Self.viewer + ["--format", "csv", "--table", "calls", "-o", "-"])
        #expect(calls.text.hasPrefix("press,tick,kind,occasion,responder,"))
    }

    @Test func `percentiles for HdrHistogram are refused with what has them`() {
        let run = CommandRun(Self.viewer + ["--format", "hdr", "-o", "-"])
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.notes.contains("stats --format json has percentiles"), "\(run.notes)")
    }

    @Test func `counts are OpenMetrics, without any duration`() throws {
        let run = CommandRun(Self.viewer + ["--format", "openmetrics", "-o", "-"])
        #expect(run.status == 0, "\(run.notes)")
        GoldenFile.expect(run.text, "reports/export-pdf-viewer.openmetrics")
        #expect(run.text.hasSuffix("\n# EOF\n"))
    }

    @Test(arguments: [
        ["--format", "jsonl", "--table", "calls", "-o", "-"], ["--format", "csv", "--table", "nothing", "-o", "-"],
        ["--format", "csv", "--stage", "action", "-o", "-"],
        ["--format", "evemu", "-o", "-"], ["--format", "csv"],
    ])
    func `options that do not go together are status 64`(arguments: [String]) {
        let run = CommandRun(Self.viewer + arguments)
        #expect(run.status == 64)
        #expect(run.noteLines.count == 1)
    }

    @Test(arguments: ["jsonl", "csv", "openmetrics"])
    func `names of a hostile trace cannot act on a terminal, a spreadsheet or a workflow`(format: String) throws {
        let traceText = Files.bytes(Files.path("Traces/hostile/names.txt"))
        let trace = CommandRun(["assemble", "-", "-o", "-"], stdin: traceText).output
        let run = CommandRun(["export", "-", "--format", format, "-o", "-"], stdin: trace)
        #expect(run.status == 0, "\(run.notes)")
        for scalar in run.text.unicodeScalars where scalar != "\n" && !(format == "csv" && scalar == "\r") {
            let isHidden = scalar.value < 0x20 || [0x7F, 0x202E, 0x2066, 0x2069].contains(scalar.value)
            #expect(!isHidden, "\(scalar.value)")
        }
        for line in run.lines { #expect(!line.hasPrefix("::") && !line.hasPrefix("=")) }
        guard format == "csv" else { return }
        #expect(run.text.contains(#","'=cmd|'/c calc'!A1","#))
        #expect(run.text.contains(#","'=HYPERLINK(""x""):","#))
    }

    @Test func `a damaged trace is exported as far as it is whole, with status 2`() throws {
        let torn = Self.tornTrace
        for format in ["jsonl", "csv", "openmetrics"] {
            let run = CommandRun(["export", "-", "--format", format, "-o", "-"], stdin: torn)
            #expect(run.status == 2, "\(format)")
            #expect(run.noteLines.count == 1, "\(run.notes)")
            let lines = run.output.count { $0 == 0x0A }
            #expect(lines > (format == "openmetrics" ? 1 : 1_000), "\(format)")
        }
    }
}
