import Foundation
import FlightReplay
import KeyLayout
import Scenes
import Testing
import TraceFormat

@testable import RegressionGate

/// Goldens of a test's own making, in a folder that is gone afterwards.
struct GoldenTesting {
    static let resources = SceneResources(layoutNamed: { name in
        guard let layout = ShippedLayouts.named(name) else { throw UnknownLayout(name: name) }
        return layout
    })

    struct UnknownLayout: Error { var name: String }

    static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let name = "keyflight-goldens-\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    static func write(_ text: String, _ path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// A view with a controller that offers `commands`, and whatever else.
    static func scene(_ commands: String, controller: String = "tabs", extra: String = "") -> String {
        """
        scene: 1
        name: tabs
        profile: ios15
        responders:
          - {id: view, kind: view, next: \(controller), canBecomeFirstResponder: true}
          - id: \(controller)
            kind: viewController
            next: win
            actions: ["closeTab:", "newTab:"]
            keyCommands: [\(commands)]
          - {id: win, kind: window, keyWindow: true}
        \(extra)
        firstResponder: view

        """
    }

    static let close = "{input: w, modifiers: [command], action: \"closeTab:\"}"
    static let new = "{input: t, modifiers: [command], action: \"newTab:\"}"

    /// Writes a golden and accepts what it gives.
    static func make(_ folder: String, scene: String, script: String) throws -> GoldenCase {
        try write(scene, "\(folder)/scene.yaml")
        try write(script, "\(folder)/input.keys")
        let golden = GoldenCase(folder: folder)
        try golden.propose(golden.replay(resources).text)
        try golden.accept()
        return golden
    }

    /// A folder of the repository's own goldens.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Traces/golden").path
}

extension GoldenCase {
    /// Replays the folder's input through its scene, or through what its trace recorded, under the cache policy of
    /// the accepted text, with cached answers checked where that one's were.
    func replay(_ resources: SceneResources) throws -> GoldenText {
        let (plan, timeline, _) = try prepare(resources)
        return try plan.golden(of: timeline)
    }

    /// The same as a recording at level `calls`, with its stages.
    func record(_ resources: SceneResources) throws -> Recording {
        let (plan, timeline, _) = try prepare(resources)
        return try plan.record(timeline, showsKeys: true)
    }
}
