import FlightReplay
import Foundation
import KeyLayout
import KeyModel
import ResponderEngine
import Scenes

/// A scene and a script as texts, replayed on the shipped layouts.
struct TestReplay {
    var replay: SceneReplay
    let timeline: ReplayTimeline

    init(
        _ scene: String, _ script: String, _ options: SceneReplay.Options = .init(),
        readFile: (@Sendable (String) throws -> [UInt8])? = nil
    ) throws {
        var resources = TestReplay.resources
        if let readFile { resources.readFile = readFile }
        replay = SceneReplay(try Scene(text: scene, file: "test.scene.yaml"), resources: resources, options: options)
        timeline = try replay.timeline(of: try KeyScript(text: script, file: "test.keys"))
    }

    /// The shipped layouts, and files below `Traces`.
    static let resources = SceneResources(
        layoutNamed: { name in
            guard let layout = ShippedLayouts.named(name) else { throw UnknownLayout(name: name) }
            return layout
        }, readFile: { path in Array(try Data(contentsOf: Golden.root.appending(path: path))) })

    struct UnknownLayout: Error { var name: String }

    func lines() throws -> [ReplayLine] { try replay.lines(of: timeline) }

    /// Every row as JSON, a line each.
    func json() throws -> String {
        var text = ""
        try replay.run(timeline) { text += $0.json + "\n" }
        return text
    }
}

extension SceneReplay.Options {
    static func policy(_ policy: CachePolicy, shadowCheck: Bool = false) -> Self {
        var options = Self()
        options.cachePolicy = policy
        options.shadowCheck = shadowCheck
        return options
    }

    static func profile(_ name: String) -> Self {
        var options = Self()
        options.profile = Profile.named(name)
        return options
    }
}

/// A chain of five with a command on every responder and its own on the controller.
func chainOfFive(profile: String, extra: String = "") -> String {
    """
    scene: 1
    name: chain-of-five
    profile: \(profile)
    responders:
      - {id: view, kind: view, next: vc, canBecomeFirstResponder: true}
      - id: vc
        kind: viewController
        next: parent
        actions: ["go:", "other:"]
        keyCommands: [{input: g, modifiers: [command], action: "go:"}]
        variants: {busy: [{input: g, modifiers: [command], action: "other:"}]}
        \(extra)
      - {id: parent, kind: viewController, next: win, keyCommands: [{input: w, modifiers: [command], action: "close:"}]}
      - {id: win, kind: window, next: app, keyWindow: true}
      - {id: app, kind: application, actions: ["close:"]}
    firstResponder: view
    """
}

extension ReplayRunOptions {
    /// A cache policy by its name, with the shadow check.
    static func named(_ policy: String) -> Self? {
        CachePolicy(rawValue: policy).map { .policy($0, shadowCheck: true) }
    }
}

/// A text field in a controller with a command on a bare letter and one on ⌘.
func fieldScene(profile: String = "ios15", priority: Bool = false, text: String = "") -> String {
    """
    scene: 1
    name: field
    profile: \(profile)
    responders:
      - {id: field, kind: textField, next: vc, text: "\(text)"}
      - id: vc
        kind: viewController
        next: win
        actions: ["flag:", "find:"]
        keyCommands:
          - {input: f, action: "flag:", wantsPriority: \(priority)}
          - {input: k, modifiers: [command], action: "find:", title: Secret title}
      - {id: win, kind: window, next: app, keyWindow: true}
      - {id: app, kind: application}
    firstResponder: field
    """
}
