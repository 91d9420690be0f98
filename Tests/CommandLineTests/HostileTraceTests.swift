import Foundation
import Testing

@testable import keyflight

/// Whoever makes a trace chooses the names in it; whoever reads a report sees them escaped for its form, everywhere.
@Suite struct HostileTraceTests {
    /// Escape sequences, the end of a script, a formula, a workflow command on a line of its own, marks that turn text,
    /// and what ends a name in one form or another.
    static let hostile =
        "\u{1B}[31m</script><img src=x>=cmd()\n::error file=x::pwned\r\u{202E}\u{9B}2J\u{2066}\u{2028}`|*\u{0}\u{FEFF}"
        + "\"\\;&'"

    /// In the text format of a trace, whose strings are JSON.
    private static let quoted: String = {
        let bytes = (try? JSONSerialization.data(withJSONObject: [hostile])) ?? Data()
        return String(String(decoding: bytes, as: UTF8.self).dropFirst(2).dropLast(2))
    }()

    /// The replay of a story in which every responder, action, title, fact and mark has the name.
    static func trace(_ folder: String, withoutScene: Bool = false) throws -> String {
        let clean = "\(folder)/clean.keyflight"
        let story = Files.path("Traces/golden/pdf-viewer")
        let recorded = CommandRun(
            "replay", story + "/input.keys", "--scene", story + "/scene.yaml", "--show-keys", "-o", clean)
        #expect(recorded.status == 0, "\(recorded.notes)")
        var text = CommandRun("show", clean).text
        let names = ["tabs", "page", "nav", "tabBarController", "closeTab:", "goBack:", "Close Tab"]
        for name in names + (withoutScene ? [] : ["pdf-viewer"]) {
            text = text.replacingOccurrences(of: "\"\(name)\"", with: "\"\(name)\(quoted)\"")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count > 100 && text.contains("pwned"))
        let traceText = "\(folder)/hostile.txt"
        try Files.write(Array(lines.joined(separator: "\n").utf8), to: traceText)
        let trace = "\(folder)/hostile.keyflight"
        let assembled = CommandRun("assemble", traceText, "-o", trace)
        #expect(assembled.status == 0, "\(assembled.notes)")
        return trace
    }

    /// What acts on a terminal, hides, or turns the direction of text.
    static func harmful(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .format, .lineSeparator, .paragraphSeparator: scalar.value != 0x200D
            default: false
            }
        }
    }

    static func expectHarmless(_ text: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let found = harmful(text).map { String($0.value, radix: 16) }
        #expect(found == nil, "\(what)", sourceLocation: sourceLocation)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("::error file=x") }
        #expect(commands == [], "\(what)", sourceLocation: sourceLocation)
    }

    static let verbs = [
        ["info"], ["show"], ["stats"], ["stats", "--by", "responder", "--heat-map", "--repeat"], ["top"],
        ["tail", "--above", "p50"], ["bindings"], ["bindings", "--chord", "cmd+w"], ["lint"],
        ["explain", "--press", "23"], ["explain", "--press", "21"], ["verify"], ["replay"],
        ["replay", "--what-if", "cache=responder"], ["export", "--format", "chrome", "-o", "-"],
        ["export", "--format", "speedscope", "-o", "-"], ["export", "--format", "folded", "-o", "-"],
        ["report", "-o", "-"],
    ]

    @Test func `text for people and for other programs has no raw escapes, line breaks or turned text`() throws {
        try Files.withFolder { folder in
            let trace = try Self.trace(folder)
            for verb in Self.verbs {
                let run = CommandRun([verb[0], trace] + verb.dropFirst())
                #expect(run.status != 64 && run.status != 70 && !run.output.isEmpty, "\(verb): \(run.notes)")
                Self.expectHarmless(run.text, "\(verb)")
                Self.expectHarmless(run.notes, "\(verb), standard error")
            }
        }
    }

    @Test(arguments: [
        ["info"], ["stats"], ["top"], ["tail", "--above", "p50"], ["bindings"], ["lint"], ["explain", "--press", "23"],
        ["verify"],
    ])
    func `JSON of every verb is whole and harmless`(_ verb: [String]) throws {
        try Files.withFolder { folder in
            let trace = try Self.trace(folder)
            let run = CommandRun([verb[0], trace, "--format", "json"] + verb.dropFirst())
            Self.expectHarmless(run.text, "\(verb)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(run.output)) }
        }
    }

    @Test func `lines of JSON, SARIF and exports are whole, and say the name`() throws {
        try Files.withFolder { folder in
            let trace = try Self.trace(folder)
            let lines = CommandRun("show", trace, "--format", "jsonl")
            Self.expectHarmless(lines.text, "jsonl")
            for line in lines.lines {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
            #expect(lines.text.contains("pwned"))
            for form in [["lint", trace, "--format", "sarif"], ["export", trace, "--format", "chrome", "-o", "-"],
                ["export", trace, "--format", "speedscope", "-o", "-"]]
            {
                let run = CommandRun(form)
                Self.expectHarmless(run.text, "\(form)")
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(run.output)) }
            }
            let folded = CommandRun("export", trace, "--format", "folded", "-o", "-")
            #expect(folded.lines.allSatisfy { Int($0.split(separator: " ").last ?? "") != nil })
            #expect(folded.text.contains("pwned"))
        }
    }

    @Test func `differences are harmless as text, as JSON and as Markdown`() throws {
        try Files.withFolder { folder in
            let trace = try Self.trace(folder)
            let clean = "\(folder)/clean.keyflight"
            for format in ["text", "json", "markdown", "html"] {
                let run = CommandRun("diff", clean, trace, "--format", format, "--all")
                #expect(run.status == 1, "\(format): \(run.notes)")
                Self.expectHarmless(run.text, "diff as \(format)")
                if format == "markdown" || format == "html" { #expect(!run.text.contains("<img")) }
            }
        }
    }

    @Test func `the gate's text, annotations, JUnit and summary are harmless`() throws {
        try Files.withFolder { folder in
            let golden = "\(folder)/goldens/story"
            try FileManager.default.createDirectory(atPath: golden, withIntermediateDirectories: true)
            let story = Files.path("Traces/golden/pdf-viewer")
            for name in ["input.keys", "scene.yaml"] {
                try Files.write(Files.bytes("\(story)/\(name)"), to: "\(golden)/\(name)")
            }
            // A line break would be the end of a line of the golden, and a bar that of a column, not part of a name.
            let name = Self.hostile.filter { !$0.isNewline && $0 != "|" && $0 != "\u{0}" && $0 != ">" && $0 != "\"" }
            let expected = Files.text("\(story)/expected.txt")
                .replacingOccurrences(of: "closeTab:", with: "closeTab:" + name)
            try Files.write(Array(expected.utf8), to: "\(golden)/expected.txt")
            let (junit, summary) = ("\(folder)/junit.xml", "\(folder)/summary.md")
            let bisected = CommandRun("bisect-run", "\(folder)/goldens")
            #expect(bisected.status == 1 && bisected.text.contains("pwned"), "\(bisected.notes)")
            Self.expectHarmless(bisected.text + bisected.notes, "bisect-run")
            for format in ["text", "json", "github"] {
                let run = CommandRun(
                    "gate", "\(folder)/goldens", "--format", format, "--junit", junit, "--summary", summary)
                #expect(run.status == 1, "\(format): \(run.notes)")
                Self.expectHarmless(run.text, "gate as \(format)")
            }
            for file in [junit, summary] {
                let text = Files.text(file)
                #expect(!text.isEmpty)
                Self.expectHarmless(text, file)
                #expect(!text.contains("<img") && !text.contains("</script>"), "\(file)")
            }
        }
    }

    /// A name in a scene, in the trace that is compared with it, and of a file.
    @Test func `what verify and the overlay name is harmless`() throws {
        try Files.withFolder { folder in
            let scene = Files.path("Traces/golden/pdf-viewer/scene.yaml")
            let trace = try Self.trace(folder, withoutScene: true)
            let differs = CommandRun("verify", trace, "--scene", scene)
            #expect(differs.status == 1 && differs.text.contains("pwned"), "\(differs.text)\(differs.notes)")
            Self.expectHarmless(differs.text + differs.notes, "verify")

            let file = folder + "/\u{1B}[31m\u{202E}red.keyflight"
            try Files.write(Files.bytes(trace), to: file)
            let named = CommandRun("verify", file)
            #expect(named.text.contains("red.keyflight"), "\(named.notes)")
            Self.expectHarmless(named.text + named.notes, "verify of a file with such a name")

            let responder = #""\u001B[31m\u202E\u009B2J\u2028pwned""#
            let titles = Files.text(Files.path("Traces/scenes/overlay-titles.scene.yaml"))
                .replacing("id: vc", with: "id: \(responder)")
                .replacing("Responder: vc", with: "Responder: \(responder)")
            let hostile = folder + "/s.yaml"
            try Files.write(Array(titles.utf8), to: hostile)
            let overlay = CommandRun("bindings", hostile, "--overlay")
            #expect(overlay.status == 0 && overlay.text.contains("pwned"), "\(overlay.notes)")
            Self.expectHarmless(overlay.text + overlay.notes, "the overlay")
        }
    }
}
