import FlightReplay
import Foundation
import KeyModel
import Scenes
import Testing
import TraceFormat

/// Replays every folder of `Traces/golden` and compares the text with `expected.txt`.
@Suite struct GoldenTests {
    @Test(arguments: Golden.all) func replayGivesTheCommittedText(_ golden: Golden) throws {
        let text = try golden.replay()
        #expect(try golden.replay() == text, "\(golden.name): two replays of the same input differ")
        guard let expected = golden.expected else {
            golden.propose(text)
            Issue.record("\(golden.name): there is no expected.txt; \(golden.remedy)")
            return
        }
        guard text != expected else { return }
        golden.propose(text)
        Issue.record("\(golden.name): \(Golden.firstDifference(expected, text)); \(golden.remedy)")
    }

    @Test func everyFolderHasAnInput() {
        #expect(!Golden.all.isEmpty, "no goldens below \(Golden.folder)")
        for golden in Golden.all { #expect(golden.hasInput, "\(golden.name): neither input.keys nor input.keyflight") }
    }

    /// Each golden vector of the specification that this version covers, by name.
    @Test(arguments: [
        "g01", "g02", "g03", "g04", "g05", "g06", "g07", "g08", "g09", "g10", "g13", "g14", "g15", "g16", "g17", "g25",
    ])
    func goldenVectorHasAFolder(_ vector: String) {
        #expect(Golden.all.contains { $0.name.hasPrefix(vector + "-") })
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

/// One folder of `Traces/golden`.
struct Golden: CustomTestStringConvertible, Sendable {
    let name: String

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Traces/golden")

    static let all: [Golden] = {
        let folders = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        // What reports say is compared where reports are made.
        return (folders ?? []).filter(\.hasDirectoryPath).map(\.lastPathComponent).filter { $0 != "reports" }.sorted()
            .map(Golden.init)
    }()

    var testDescription: String { name }

    private func url(_ file: String) -> URL { Golden.folder.appending(path: name).appending(path: file) }
    private func bytes(_ file: String) -> [UInt8]? { (try? Data(contentsOf: url(file))).map(Array.init) }

    var hasInput: Bool { bytes("input.keys") != nil || bytes("input.keyflight") != nil }
    var expected: String? { bytes("expected.txt").map { String(decoding: $0, as: UTF8.self) } }

    func replay() throws -> String {
        let scene = try Scene(try #require(bytes("scene.yaml")), file: "\(name)/scene.yaml")
        var replay = SceneReplay(scene, resources: TestReplay.resources)
        let timeline: ReplayTimeline
        if let script = bytes("input.keys") {
            timeline = try replay.timeline(of: try KeyScript(script, file: "\(name)/input.keys"))
        } else {
            let trace = TraceBytes(try #require(bytes("input.keyflight")), file: "\(name)/input.keyflight")
            let recording = try Recording.read(trace).recording
            replay.adopt(RecordedEnvironment(recording))
            timeline = try ReplayTimeline(recording)
        }
        return try replay.golden(of: timeline).text
    }

    /// Writes what was found beside what was expected, for a person to look at; never in CI.
    func propose(_ text: String) {
        guard ProcessInfo.processInfo.environment["CI"] == nil else { return }
        try? Data(text.utf8).write(to: url("expected.txt.new"))
    }

    var remedy: String {
        let folder = "Traces/golden/\(name)"
        return "look: diff \(folder)/expected.txt{,.new} · accept: Scripts/accept-goldens \(name)"
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
