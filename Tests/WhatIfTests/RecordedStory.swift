import FlightReplay
import Foundation
import KeyLayout
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import WhatIf

/// A folder of `Traces` with a scene and keys, replayed and recorded.
struct RecordedStory: CustomTestStringConvertible, Sendable {
    /// Below `Traces`, such as `golden/g01-…`.
    var folder: String
    /// Wins over the scene's: a shipped one, or a file in the folder.
    var profile: String?
    /// `input` or `near-miss`; a text trace where there is no such script.
    var script = "input"
    /// With policy `responder`, its answers checked.
    var isCached = false
    /// The scene alone, without its keys.
    var isSceneAlone = false

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Traces")

    static let resources = SceneResources(
        layoutNamed: { name in
            guard let layout = ShippedLayouts.named(name) else { throw SceneResources.MissingFile(path: name) }
            return layout
        }, readFile: { path in Array(try Data(contentsOf: root.appending(path: path))) })

    init(_ folder: String, _ profile: String? = nil) {
        self.folder = folder
        self.profile = profile
    }

    /// Every replayed golden.
    static let goldens = folders(in: "golden").map { RecordedStory($0) }.filter { $0.bytes("input.keys") != nil }

    static func folders(in parent: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: root.appending(path: parent), includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        return (found ?? []).filter(\.hasDirectoryPath).map { "\(parent)/\($0.lastPathComponent)" }.sorted()
    }

    var name: String { String(folder.split(separator: "/").last ?? "") }
    var testDescription: String { profile.map { "\(name) under \($0)" } ?? name }

    func bytes(_ file: String) -> [UInt8]? {
        (try? Data(contentsOf: RecordedStory.root.appending(path: folder).appending(path: file))).map(Array.init)
    }

    func plan(_ change: (inout ReplayRunOptions) throws -> Void = { _ in }) throws -> SceneReplay {
        let scene = try Scene(try #require(bytes("scene.yaml")), file: "\(folder)/scene.yaml")
        var replay = SceneReplay(scene, resources: RecordedStory.resources)
        if let profile {
            let own = try bytes("\(profile).profile").map { try Profile(text: String(decoding: $0, as: UTF8.self)) }
            replay.options.profile = try #require((own ?? Profile.named(profile)) as Profile?)
        }
        if isCached {
            replay.options.cachePolicy = .responder
            replay.options.shadowCheck = true
        }
        try change(&replay.options)
        return replay
    }

    func keyScript() throws -> KeyScript {
        try KeyScript(try #require(bytes("\(script).keys")), file: "\(name)/\(script).keys")
    }

    /// In clear, at level `calls`.
    func recording(_ change: (inout ReplayRunOptions) throws -> Void = { _ in }) throws -> Recording {
        if let text = bytes("\(script).txt") {
            var bytes: [UInt8] = []
            try TraceAssembly.assemble(TraceBytes(text, file: "\(name)/\(script).txt")) { bytes += $0 }
            return try Recording.read(TraceBytes(bytes, file: script)).recording
        }
        let plan = try plan(change)
        return try plan.record(try plan.timeline(of: try keyScript()), showsKeys: true)
    }

    /// What lint finds in the replay.
    func findings() throws -> [Finding] {
        if isSceneAlone { return try sceneFindings() }
        var scanner = LintScanner()
        let recording = try recording()
        scanner.consume(recording)
        return scanner.findings(definitions: recording.definitions)
    }

    /// What lint finds in the scene alone.
    func sceneFindings() throws -> [Finding] {
        var scanner = LintScanner()
        var sweep = try SceneSweep(try plan())
        try sweep.run { scanner.scan($0.recording, place: $0.place) }
        SceneDeclarations.inspect(try plan().scene, into: &scanner)
        SceneDeclarations.inspect(try plan().instantiate(), asked: sweep.asked, into: &scanner)
        try SceneDeclarations.inspectPicks(sweep, into: &scanner)
        return scanner.findings()
    }
}

/// Rule ids, each once, in order.
func rules(_ findings: [Finding]) -> [String] { Set(findings.map(\.rule.rawValue)).sorted() }
