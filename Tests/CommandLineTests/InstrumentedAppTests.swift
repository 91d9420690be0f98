import Foundation
import GeneratedTraces
import TestRequirements
import Testing

@testable import keyflight

/// The recordings of an app of a dozen responders that was instrumented by hand, once in Swift and once in C: masked,
/// 80 presses at level `calls`, without any candidate. Each question is answered as by the replay of the recording,
/// which has everything, and nothing is said of what was not recorded.
@Suite(.needs("cc"), .needs("libKeyflightRecorderC.so beside the tests", ProgramRun.hasRecorderLibrary))
struct InstrumentedAppTests {
    enum App: String, CaseIterable, Sendable { case swift, c }

    /// The app's own recording, and its replay.
    struct Recordings {
        var app: String
        var replay: String
    }

    private static func record(_ app: App, in folder: String) throws -> Recordings {
        let products = ProgramRun.products
        let path = "\(folder)/\(app.rawValue).keyflight"
        let run: ProgramRun
        switch app {
        case .swift: run = try ProgramRun(shell: "\(products)/InstrumentedHost notes \(path)")
        case .c:
            let source = Files.path("Tests/Fixtures/RecorderFromC/notes.c")
            let header = Files.path("Sources/CKeyflightRecorder/include")
            let build = "cc -Wall -Werror '\(source)' -I '\(header)' -o \(folder)/notes -L '\(products)'"
            run = try ProgramRun(
                shell: "\(build) -lKeyflightRecorderC '-Wl,-rpath,\(products)' && \(folder)/notes \(path)")
        }
        try #require(run.status == 0, "\(run.notes)")
        try #require(run.output == "80 presses\n")
        let replay = "\(folder)/\(app.rawValue)-replay.keyflight"
        try #require(CommandRun("replay", path, "-o", replay).status == 0)
        return Recordings(app: path, replay: replay)
    }

    private static func withRecordings(_ app: App, _ body: (Recordings) throws -> Void) throws {
        try Files.withFolder { folder in try body(record(app, in: folder)) }
    }

    typealias Object = [String: Any]

    private static func json(_ arguments: [String]) throws -> Object {
        let run = CommandRun(arguments + ["--format", "json"])
        return try #require(
            try JSONSerialization.jsonObject(with: Data(run.output)) as? Object, "\(arguments): \(run.notes)")
    }

    /// Both answers, as far as `part` takes them out.
    private static func compare(
        _ recordings: Recordings, _ verb: [String], _ part: (Object) -> some Equatable,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let ours = try json([verb[0], recordings.app] + verb.dropFirst())
        let theirs = try json([verb[0], recordings.replay] + verb.dropFirst())
        #expect(part(ours) == part(theirs), "\(verb.joined(separator: " "))", sourceLocation: sourceLocation)
    }

    private static func objects(_ object: Object, _ name: String) -> [Object] { object[name] as? [Object] ?? [] }

    private static func words(_ object: Object, _ names: String...) -> String {
        names.map { name in
            let value = object[name].flatMap {
                try? JSONSerialization.data(withJSONObject: $0, options: [.fragmentsAllowed, .sortedKeys])
            }
            return "\(name) \(value.map { String(decoding: $0, as: UTF8.self) } ?? "–")"
        }.joined(separator: ", ")
    }

    // MARK: Single presses

    /// What an explanation says of who was asked, and what came of it.
    private static func ladder(_ explanation: Object) -> [String] {
        var lines = objects(explanation, "ladder").map { rung in
            let candidates = objects(rung, "candidates").map { words($0, "action", "verdict", "reason") }
            return words(rung, "place", "position", "id", "first_responder", "target") + ": "
                + candidates.joined(separator: "; ")
        }
        if let resolution = explanation["resolution"] as? Object {
            lines.append(words(resolution, "outcome", "takenBy", "action", "supplier", "target"))
        }
        return lines
    }

    @Test(arguments: App.allCases) func everyPressIsExplainedAsItsReplayIs(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            // Two rounds: the second one has another list of the navigation controller.
            for press in stride(from: 1, through: 40, by: isOptimisedBuild ? 1 : 3) {
                try Self.compare(recordings, ["explain", "--press", "\(press)"], Self.ladder)
            }
            for chord in ["⌘W", "⌘←", "⌘K", "↓"] {
                try Self.compare(recordings, ["explain", chord, "--last"], Self.ladder)
            }
            let close = try Self.json(["explain", recordings.app, "⌘W"])
            let offers = Self.objects(close, "ladder").flatMap { Self.objects($0, "candidates") }
            #expect(offers.map { $0["action"] as? String } == ["closeDocument:", "closeTab:", "closeWindow:"])
            #expect(offers.allSatisfy { $0["derived"] as? Bool == true })
            let rules = try #require(close["derived"] as? Object)
            #expect(rules["profile"] as? String == "ios15" && rules["layout"] as? String == "us")
            #expect(rules["profile_recorded"] as? Bool == (app == .c) && rules["contradicted"] as? Int == 0)
            let replayed = try Self.json(["explain", recordings.replay, "⌘W"])
            #expect(replayed["derived"] == nil, "recorded is not derived")
        }
    }

    @Test(arguments: App.allCases) func theStoriesAreThoseOfTheReplay(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            func stories(_ path: String) -> [String] {
                // How many were asked in vain differs: an app records the answers of its own responders.
                CommandRun("show", path, "--story").lines.filter { $0.hasPrefix("    from ") }
                    .map { $0.replacing(/\(canPerformAction = no from all . asked\)/, with: "") }
            }
            let own = stories(recordings.app)
            #expect(own == stories(recordings.replay) && own.count == 80)
            #expect(!own.contains { $0.contains("0 responders") || $0.contains("from no responder") })
            #expect(own.contains { $0.contains("tabs closeTab: won; app closeWindow: shadowed by tabs") })
        }
    }

    // MARK: The whole recording

    @Test(arguments: App.allCases) func theAnalysesAreThoseOfTheReplay(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            try Self.compare(recordings, ["bindings"]) { object in
                Self.objects(object, "contexts").map { Self.words($0, "start", "presses") }
                    + Self.objects(object, "bindings").map { binding in
                        Self.words(binding, "context", "input", "modifiers", "presses") + ": "
                            + Self.objects(binding, "offers").map { Self.words($0, "supplier", "action", "won") }
                            .joined(separator: "; ")
                    }
            }
            // An app does not record which keys its system keeps.
            try Self.compare(recordings, ["lint"]) { object in
                Self.objects(object, "findings").map { Self.words($0, "rule", "chord", "message", "presses") }
                    .filter { !$0.contains("reserved-chord") }
            }
            let findings = Self.objects(try Self.json(["lint", recordings.app]), "findings")
            #expect(
                findings.map { $0["rule"] as? String } == ["blocked-by-unperformable", "unreachable-command"])
            // The replay was asked for the others' lists too, which are empty.
            let costs = [recordings.app, recordings.replay].map { path -> Set<String> in
                let answers = (try? Self.json(["top", path, "--by", "calls"])).map { Self.objects($0, "responders") }
                return Set((answers ?? []).map { Self.words($0, "id", "calls", "distinct_results") })
            }
            #expect(costs[0].count == 7 && costs[0].isSubset(of: costs[1]))
            for change in ["cache=navigation", "profile=ios26", "profile=ios134", "layout=fr"] {
                func lines(_ path: String) -> [String] {
                    CommandRun("replay", path, "--what-if", change).lines.filter {
                        $0.hasPrefix("Resolutions") || $0.hasPrefix("Saves") || $0.contains("#")
                    }
                }
                #expect(lines(recordings.app) == lines(recordings.replay), "\(change)")
            }
            try Self.compare(recordings, ["info"]) {
                Self.words($0, "presses", "numbered_presses", "key_events", "loss")
            }
            try Self.compare(recordings, ["stats"]) { Self.words($0, "presses", "outcomes") }
            for verb in [["redact", "--check"], ["stats", "--repeat"]] {
                let runs = [recordings.app, recordings.replay].map { CommandRun([verb[0], $0] + verb.dropFirst()) }
                #expect(runs[0].status == runs[1].status, "\(verb)")
            }
            let tail = CommandRun("tail", recordings.app, "--above", "p90")
            #expect(tail.status == 0, "the app in C records no stage, but the times of its calls")
        }
    }

    /// A replay of the replay records the first responder where the first one does.
    @Test(arguments: App.allCases) func aReplayOfTheReplayIsTheSame(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            let again = recordings.replay + ".again"
            try #require(CommandRun("replay", recordings.replay, "-o", again).status == 0)
            #expect(Files.bytes(again) == Files.bytes(recordings.replay))
        }
    }

    // MARK: Questions about time, builds and commits

    /// Times of a replay are those of the recorded calls, so that only what was counted is the same.
    @Test(arguments: App.allCases) func timesAreOfAllPressesOrSaidToBeMissing(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            let stages = ["stats", "--stages", "collect..validate"]
            if app == .swift {
                try Self.compare(recordings, ["tail", "--above", "p90"]) { Self.words($0, "above", "presses") }
                try Self.compare(recordings, stages) {
                    Self.words($0["span"] as? Object ?? [:], "stages", "presses", "clocks")
                }
            } else {
                let tail = CommandRun("tail", recordings.app, "--above", "p90")
                #expect(tail.status == 0, "\(tail.notes)")
                let span = CommandRun([stages[0], recordings.app] + stages.dropFirst())
                #expect(span.text.contains("collect (its calls)"), "\(span.text)")
            }
            // No recorder was in the replay.
            for verb in [["stats"], ["tail", "--above", "p50"], ["top"], ["info", "--format", "json"]] {
                let text = CommandRun([verb[0], recordings.replay] + verb.dropFirst()).text
                #expect(!text.contains("ns a key event") && !text.contains("recorder.overhead"), "\(verb): \(text)")
            }
        }
    }

    /// Both are one golden, whose text is the same.
    @Test(arguments: App.allCases) func theGoldensAndTheBuildsAreTheSame(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            try Files.withFolder { goldens in
                let sides = [("app", recordings.app), ("replay", recordings.replay)]
                for (name, trace) in sides {
                    try FileManager.default.createDirectory(
                        atPath: "\(goldens)/\(name)", withIntermediateDirectories: true)
                    try FileManager.default.copyItem(atPath: trace, toPath: "\(goldens)/\(name)/input.keyflight")
                }
                // Processes of their own: goldens are accepted outside CI alone.
                #expect(try ProgramRun(shell: "\"$keyflight\" gate '\(goldens)' --propose").status == 4)
                #expect(CommandRun("bisect-run", goldens).status == 125, "nothing is accepted")
                let accepted = try ProgramRun(shell: "\"$keyflight\" accept --goldens '\(goldens)' app replay")
                try #require(accepted.status == 0, "\(accepted.notes)")
                let texts = sides.map { Files.text("\(goldens)/\($0.0)/expected.txt") }
                #expect(texts[0] == texts[1] && texts[0].split(separator: "\n").count == 81)
                #expect(CommandRun("gate", goldens).status == 0)
                for (name, _) in sides {
                    #expect(CommandRun("bisect-run", "\(goldens)/\(name)").lines == ["good: the golden as accepted"])
                }
            }
            let copies = [recordings.app, recordings.replay].map { "cp '\($0)' \"$KEYFLIGHT_OUTPUT\"" }
            let gate = CommandRun("gate", "--runs", "12", "--base", copies[0], "--head", copies[1])
            // The app's own calls, and those of all responders.
            #expect(gate.status == 4, "\(gate.text)\(gate.notes)")
            #expect(gate.text.contains("calls: expected those of an app"), "\(gate.text)\(gate.notes)")
            #expect(CommandRun("gate", "--runs", "12", "--base", copies[0], "--head", copies[0]).status == 0)
        }
    }

    /// The recording and its replay come to the same: neither has a field that the other one lacks for nothing.
    @Test(arguments: App.allCases) func theRecordingIsVerifiedAndDiffersFromItsReplayInNothing(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            let verified = CommandRun("verify", recordings.app)
            #expect(verified.status == 0 && verified.text.contains("80 presses and repeats, twice as recorded"))
            let diff = CommandRun("diff", recordings.app, recordings.replay)
            #expect(diff.status == 4, "\(diff.text)")
            #expect(diff.lines.first == "Resolutions   0 changed · 0 added · 0 removed · 80 unchanged")
            let name = recordings.app
            #expect(diff.lines.count { $0.hasPrefix("Left out") } == 2)
            let calls = "Left out      calls: expected those of an app, as in \(name), found those of a replay"
            #expect(diff.lines.contains(calls), "\(diff.text)")
            #expect(diff.lines.contains { $0.hasPrefix("Left out      receivers") && $0.hasSuffix("in \(name)") })
            let changed = CommandRun("diff", recordings.replay, recordings.app, "--format", "json")
            #expect(changed.status == 4 && changed.text.contains(#""not_recorded_in":"head""#))
        }
    }

    /// What apps may leave out: records that begin so, and the call that would have helped.
    static let gaps: [(records: [String], call: String?)] = [
        ([], nil), (["first_responder "], "Keyflight.firstResponder"), (["link "], "Keyflight.link"),
        (["first_responder ", "link ", "key_window ", "text_input "], "Keyflight.firstResponder"),
        (["call "], "Keyflight.candidate"), (["resolution "], "Keyflight.endKey"), (["text_input "], nil),
        (["stage "], nil),
    ]

    /// A recording without some records.
    private static func without(_ records: [String], _ path: String) throws -> String {
        var lines: [String] = []
        for line in CommandRun("show", path).lines {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard Int(parts[0]) != nil else {
                lines.append(line.replacing("form=live", with: "form=canonical"))
                continue
            }
            if records.contains(where: { parts[2].hasPrefix($0) }) { continue }
            lines.append("\(lines.count - 1) \(parts[1]) \(parts[2])")
        }
        let made = "\(path).without"
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        try #require(CommandRun(["assemble", "-", "--force", "-o", made], stdin: text).status == 0)
        return made
    }

    private static let verbs = [
        ["explain", "⌘W"], ["explain", "--press", "1"], ["bindings"], ["lint"], ["top"], ["tail", "--above", "p50"],
        ["stats"], ["stats", "--repeat"], ["info"], ["show", "--story"], ["verify"], ["replay"],
        ["replay", "--what-if", "profile=ios26"],
        ["query", "SELECT press, outcome, action FROM presses"], ["export", "--format", "jsonl", "-o", "-"],
        ["report", "-o", "-"],
    ]

    private static let suspect: String.CompareOptions = [.regularExpression, .caseInsensitive]

    /// Sentences that claim to know what is not there. The commands that no responder performs were asked about.
    private static func claims(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { line in
            // A page has a million letters, and what follows is slow.
            let words = "nobody|no responder|non-determ"
            guard line == "Nothing found." || line.range(of: words, options: suspect) != nil else { return false }
            // The page's program says what it would say of a trace that has everything.
            if line.contains("return h(") { return false }
            let known = line.replacing("no responder performs it", with: "").replacing("nobody-listens", with: "")
                .replacing("no responder (unhandled)", with: "").replacing("non-deterministic, ", with: "")
            return [
                "no responder and no menu", "keys reach no responder", "from no responder", "no responder was",
                "starts at no responder", "no responder offers", "nobody", "non-determ",
            ]
                .contains { known.lowercased().contains($0) } || line == "Nothing found."
        }
    }

    @Test(arguments: App.allCases) func noVerbSaysNobodyOfWhatWasNotRecorded(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            // What an app leaves out is left out in the same way by both.
            for gap in app == .swift && isOptimisedBuild ? Self.gaps[...] : Self.gaps.prefix(3) {
                let path = try Self.without(gap.records, recordings.app)
                var texts: [String: String] = [:]
                for verb in Self.verbs {
                    let run = CommandRun([verb[0], path] + verb.dropFirst())
                    // That a key is offered by no responder is known where chain and lists are.
                    let isKnown = Set(gap.records).isDisjoint(with: ["first_responder ", "link ", "call "])
                    texts[verb[0]] = run.text
                    let claims = Self.claims(run.text + run.notes)
                    let found = claims.filter { !isKnown || !$0.contains("no responder offers it") }
                    #expect(found == [], "\(verb) without \(gap.records)")
                    #expect(run.status != 70, "\(verb) without \(gap.records): \(run.notes)")
                }
                let page = try #require(texts["report"])
                #expect(!page.contains(#""findings":{"count":0,"unchecked":[]"#), "without \(gap.records)")
                if let call = gap.call { #expect(page.contains(call), "without \(gap.records)") }
                let lint = try #require(texts["lint"])
                if let call = gap.call { #expect(lint.contains(call), "without \(gap.records): \(lint)") }
            }
            let page = CommandRun("report", recordings.app, "-o", "-").text
            #expect(page.contains("derived from recorded lists under profile ios15"))
            let missing = Self.objects(try Self.json(["lint", recordings.app]), "not_looked_for")
            let calls = app == .swift ? ["Keyflight.layout with a table"]
                : ["Keyflight.textInput", "Keyflight.layout with a table"]
            #expect(missing.map { $0["call"] as? String } == calls)
        }
    }

    // MARK: Narrow terminals

    @Test(arguments: [40, 60, 80]) func noWordIsBrokenAndNoLineTooLong(_ columns: Int) throws {
        try Self.withRecordings(.swift) { recordings in
            let environment = ProcessEnvironment(["COLUMNS": "\(columns)"])
            for verb in ["lint", "bindings", "stats", "tail", "info"] {
                let wide = CommandRun(verb, recordings.app).text
                let words = Set(wide.split { $0.isWhitespace })
                let run = CommandRun([verb, recordings.app], environment: environment)
                // The name of a file stays whole.
                let long = run.text.split(separator: "\n").filter { $0.count > columns && !$0.hasPrefix("/") }
                #expect(long == [], "\(verb): \(run.text)")
                guard ["lint", "bindings"].contains(verb) else { continue }
                // Names in columns may lose their beginning, never be broken in two.
                let broken = run.text.split { $0.isWhitespace }.filter { word in
                    !words.contains(word) && !word.contains("…") && !word.hasPrefix("/") && !word.hasSuffix(":")
                }
                #expect(broken == [], "\(verb): \(run.text)")
            }
        }
    }
}
