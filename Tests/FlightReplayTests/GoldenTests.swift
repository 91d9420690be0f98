import FlightReplay
import Foundation
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Replays every folder of `Traces/golden` and compares the text with `expected.txt`.
@Suite struct GoldenTests {
    @Test(arguments: Golden.all) func replayGivesTheCommittedText(_ golden: Golden) throws {
        try golden.compare()
    }

    @Test func everyFolderHasAnInput() {
        #expect(!Golden.all.isEmpty, "no goldens below \(Golden.root)")
        for golden in Golden.all { #expect(golden.hasInput, "\(golden.name): neither input.keys nor input.keyflight") }
    }

    @Test func concurrentReplaysGiveTheSameBytes() async throws {
        let goldens = Golden.all
        let runs = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<2 { group.addTask { try goldens.map { try $0.replay() } } }
            return try await group.reduce(into: [[String]]()) { $0.append($1) }
        }
        #expect(runs.count == 2 && runs[0] == runs[1])
    }
}

/// One expected text: a folder of `Traces/golden`, or a profile of a folder of `Traces/scenes/traps`.
struct Golden: CustomTestStringConvertible, Sendable {
    /// Below `Traces`.
    let folder: String
    /// Wins over the scene's; its text is `expected.PROFILE.txt`.
    var profile: String?
    /// What is expected: `expected` of a replay, `overlay` of the overlay as the scene begins.
    var subject = "expected"

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Traces")

    // What reports say is compared where reports are made.
    static let all = folders(in: "golden").filter { $0 != "golden/reports" }.map { Golden(folder: $0) }

    /// The folders in a folder below `Traces`, sorted.
    static func folders(in parent: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: root.appending(path: parent), includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        return (found ?? []).filter(\.hasDirectoryPath).map { "\(parent)/\($0.lastPathComponent)" }.sorted()
    }

    var name: String { String(folder.split(separator: "/").last ?? "") }
    var expectedFile: String { profile.map { "\(subject).\($0).txt" } ?? "\(subject).txt" }
    var testDescription: String { profile.map { "\(name) under \($0)" } ?? name }

    private func url(_ file: String) -> URL { Golden.root.appending(path: folder).appending(path: file) }
    func bytes(_ file: String) -> [UInt8]? { (try? Data(contentsOf: url(file))).map(Array.init) }

    var scene: [UInt8]? { bytes("scene.yaml") }
    var hasInput: Bool { bytes("input.keys") != nil || bytes("input.keyflight") != nil }
    var expected: String? { bytes(expectedFile).map { String(decoding: $0, as: UTF8.self) } }

    /// `PROFILE.profile` beside the scene, else the shipped one of this name; `nil` when the scene's own counts.
    func loadProfile() throws -> Profile? {
        guard let profile else { return nil }
        guard let text = bytes("\(profile).profile") else { return try #require(Profile.named(profile) as Profile?) }
        return try Profile(text: String(decoding: text, as: UTF8.self))
    }

    /// The policy that the first line of the expected text names.
    private var cachePolicy: CachePolicy {
        let heading = expected?.split(separator: "\n").first?.split(separator: " · ") ?? []
        let name = heading.first { $0.hasPrefix("cache ") }?.dropFirst("cache ".count)
        return name.flatMap { CachePolicy(rawValue: String($0)) } ?? CachePolicy.none
    }

    /// What is replayed.
    func prepare() throws -> (replay: SceneReplay, timeline: ReplayTimeline) {
        let scene = try Scene(try #require(bytes("scene.yaml")), file: "\(folder)/scene.yaml")
        var replay = SceneReplay(scene, resources: TestReplay.resources)
        replay.options.profile = try loadProfile()
        replay.options.cachePolicy = cachePolicy
        let timeline: ReplayTimeline
        if let script = bytes("input.keys") {
            timeline = try replay.timeline(of: try KeyScript(script, file: "\(name)/input.keys"))
        } else {
            let trace = TraceBytes(try #require(bytes("input.keyflight")), file: "\(name)/input.keyflight")
            let recording = try Recording.read(trace).recording
            replay.adopt(RecordedEnvironment(recording))
            timeline = try ReplayTimeline(recording)
        }
        return (replay, timeline)
    }

    func replay() throws -> String {
        let prepared = try prepare()
        return try prepared.replay.golden(of: prepared.timeline).text
    }

    /// The overlay as the scene begins.
    func overlay() throws -> String {
        let scene = try Scene(try #require(bytes("scene.yaml")), file: "\(folder)/scene.yaml")
        let instance = try scene.instantiate(profile: try loadProfile(), resources: TestReplay.resources)
        return instance.engine.overlay(applicationTitle: scene.name).text
    }

    /// Replays twice and compares with the expected text.
    func compare() throws {
        let text = try replay()
        #expect(try replay() == text, "\(testDescription): two replays of the same input differ")
        guard let expected else {
            propose(text)
            Issue.record("\(testDescription): there is no \(expectedFile); \(remedy)")
            return
        }
        guard text != expected else { return }
        propose(text)
        Issue.record("\(testDescription): \(Golden.firstDifference(expected, text)); \(remedy)")
    }

    /// Writes what was found beside what was expected, for a person to look at; never in CI.
    func propose(_ text: String) {
        guard ProcessInfo.processInfo.environment["CI"] == nil else { return }
        try? Data(text.utf8).write(to: url(expectedFile + ".new"))
    }

    var remedy: String {
        "look: diff Traces/\(folder)/\(expectedFile){,.new} · accept: Scripts/accept-goldens \(name)"
    }

    static func firstDifference(_ expected: String, _ found: String) -> String {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = found.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let expectedLine = line < old.count ? String(old[line]) : "nothing"
        let foundLine = line < new.count ? String(new[line]) : "nothing"
        return "line \(line + 1):\n  - \(expectedLine)\n  + \(foundLine)\n"
    }
}
