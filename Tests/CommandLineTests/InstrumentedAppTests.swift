import Foundation
import Testing

@testable import keyflight

/// The recordings of an app of a dozen responders that was instrumented by hand, once in Swift and once in C: masked,
/// 200 presses at level `calls`, without any candidate. Each question is answered as by the replay of the recording,
/// which has everything, and nothing is said of what was not recorded.
@Suite struct InstrumentedAppTests {
    enum App: String, CaseIterable, Sendable { case swift, c }

    /// The app's own recording, and its replay.
    struct Recordings {
        var app: String
        var replay: String
    }

    /// `nil` where the app cannot be built or run.
    private static func record(_ app: App, in folder: String) throws -> Recordings? {
        let products = URL(filePath: ProgramRun.path).deletingLastPathComponent().path
        let path = "\(folder)/\(app.rawValue).keyflight"
        let run: ProgramRun
        switch app {
        case .swift: run = try ProgramRun(shell: "\(products)/InstrumentedHost notes \(path)")
        case .c:
            guard FileManager.default.fileExists(atPath: products + "/libKeyflightRecorderC.so") else {
                print("skipped: no libKeyflightRecorderC.so beside the tests")
                return nil
            }
            let source = Files.path("Tests/Fixtures/RecorderFromC/notes.c")
            let header = Files.path("Sources/CKeyflightRecorder/include")
            let build = "cc -Wall -Werror '\(source)' -I '\(header)' -o \(folder)/notes -L '\(products)'"
            run = try ProgramRun(
                shell: "\(build) -lKeyflightRecorderC '-Wl,-rpath,\(products)' && \(folder)/notes \(path)")
            if run.status == 127 {
                print("skipped: no C compiler")
                return nil
            }
        }
        try #require(run.status == 0, "\(run.notes)")
        try #require(run.output == "200 presses\n")
        let replay = "\(folder)/\(app.rawValue)-replay.keyflight"
        try #require(CommandRun("replay", path, "-o", replay).status == 0)
        return Recordings(app: path, replay: replay)
    }

    private static func withRecordings(_ app: App, _ body: (Recordings) throws -> Void) throws {
        try Files.withFolder { folder in
            guard let recordings = try record(app, in: folder) else { return }
            try body(recordings)
        }
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
            for press in 1...40 { try Self.compare(recordings, ["explain", "--press", "\(press)"], Self.ladder) }
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
            #expect(own == stories(recordings.replay) && own.count == 200)
            #expect(!own.contains { $0.contains("0 responders") || $0.contains("from nobody") })
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
            try Self.compare(recordings, ["lint"]) { object in
                Self.objects(object, "findings").map { Self.words($0, "rule", "chord", "message", "presses") }
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
            #expect(app == .swift ? tail.status == 0 : !tail.notes.isEmpty, "the app in C records no stage")
        }
    }

    /// The recording and its replay come to the same: neither has a field that the other one lacks for nothing.
    @Test(arguments: App.allCases) func theRecordingIsVerifiedAndDiffersFromItsReplayInNothing(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            let verified = CommandRun("verify", recordings.app)
            #expect(verified.status == 0 && verified.text.contains("200 presses and repeats, twice as recorded"))
            let diff = CommandRun("diff", recordings.app, recordings.replay)
            #expect(diff.status == 0, "\(diff.text)")
            #expect(diff.lines.first == "Resolutions   0 changed · 0 added · 0 removed · 200 unchanged")
            let name = recordings.app
            #expect(diff.lines.count { $0.hasPrefix("Left out") } == 1)
            #expect(diff.lines.contains { $0.hasPrefix("Left out      receivers") && $0.hasSuffix("in \(name)") })
            let changed = CommandRun("diff", recordings.replay, recordings.app, "--format", "json")
            #expect(changed.status == 0 && changed.text.contains(#""not_recorded_in":"head""#))
        }
    }

    @Test(arguments: App.allCases) func noVerbSaysNobodyOfWhatWasNotRecorded(_ app: App) throws {
        try Self.withRecordings(app) { recordings in
            let verbs = [
                ["explain", "⌘W"], ["bindings"], ["lint"], ["top"], ["tail", "--above", "p50"], ["stats"], ["info"],
            ]
            for verb in verbs {
                let text = CommandRun([verb[0], recordings.app] + verb.dropFirst()).text
                #expect(!text.lowercased().contains("nobody offers"), "\(verb): \(text)")
                #expect(!text.contains("With nobody to start from") && !text.contains("\nNothing found.\n"), "\(verb)")
            }
            let page = CommandRun("report", recordings.app, "-o", "-").text
            #expect(page.contains("derived from recorded lists under profile ios15"))
            let missing = Self.objects(try Self.json(["lint", recordings.app]), "not_looked_for")
            let calls = app == .swift ? ["Keyflight.layout with a table"]
                : ["Keyflight.textInput", "Keyflight.layout with a table"]
            #expect(missing.map { $0["call"] as? String } == calls)
        }
    }
}
