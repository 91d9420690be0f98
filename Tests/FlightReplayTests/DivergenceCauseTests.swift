import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// A scene is edited after a recording was made with it: `verify` tells what of the edit explains the first press that
/// comes to something else.
@Suite struct DivergenceCauseTests {
    private static let scene = """
        scene: 1
        name: documents
        profile: ios15
        parameters: {honoursRepeatBehavior: true}
        responders:
          - {id: field, kind: textField, next: view, text: ""}
          - {id: view, kind: view, next: vc, canBecomeFirstResponder: true, swallowsPresses: false}
          - id: vc
            kind: viewController
            next: win
            actions: ["go:", "other:", "find:"]
            keyCommands:
              - {input: p, modifiers: [command], action: "print:"}
              - {input: g, modifiers: [command], action: "go:"}
              - {input: k, modifiers: [command], action: "other:"}
          - {id: win, kind: window, next: app, keyWindow: true}
          - {id: app, kind: application, actions: ["print:", "duplicate:"]}
        firstResponder: view
        mainMenu:
          - {menu: edit, children: [{input: d, modifiers: [command], action: "duplicate:", title: Duplicate}]}
        """

    struct Edit: Sendable, CustomTestStringConvertible {
        var name: String
        var script: String
        var from: String
        var to: String
        var field: String
        var explanation: String?
        var testDescription: String { name }
    }

    static let edits = [
        Edit(
            name: "a nearer command shadows", script: "press cmd+g", from: #"swallowsPresses: false}"#,
            to: #"keyCommands: [{input: g, modifiers: [command], action: "find:"}]}"#, field: "action",
            explanation: "key command 1 of view is new: command+g find:"),
        Edit(
            name: "a command goes, others come before it", script: "press cmd+g",
            from: #"      - {input: g, modifiers: [command], action: "go:"}"#,
            to: #"      - {input: y, modifiers: [command], action: "y:"}"#, field: "outcome",
            explanation: "key command 2 of vc is command+y y:, not command+g go:"),
        Edit(
            name: "of several differences the one that concerns the press is told", script: "press cmd+k",
            from: #"  - {input: k, modifiers: [command], action: "other:"}"#,
            to: #"  - {input: a, modifiers: [command], action: "a:"}"#
                + "\n      - {input: k, modifiers: [control], action: \"other:\"}", field: "outcome",
            explanation: "key command 3 of vc is gone: command+k other:"),
        Edit(
            name: "a command of the main menu goes", script: "press cmd+d", from: "input: d,", to: "input: e,",
            field: "outcome",
            explanation: "command 1 of the main menu is command+e duplicate:, not command+d duplicate:"),
        Edit(
            name: "a view keeps the press", script: "press cmd+g", from: "swallowsPresses: false",
            to: "swallowsPresses: true", field: "outcome", explanation: "view keeps the press to itself"),
        Edit(
            name: "an action is implemented no more", script: "press cmd+g", from: #""go:", "other:""#,
            to: #""other:""#, field: "outcome", explanation: "vc answers no to canPerformAction(go:), not yes"),
        Edit(
            name: "a command repeats no more", script: "hold cmd+g 700ms",
            from: #"action: "go:"}"#, to: #"action: "go:", repeatBehavior: nonRepeatable}"#, field: "line",
            explanation: "key command 2 of vc is command+g go: (does not repeat), not command+g go:"),
        Edit(
            name: "a command is disabled", script: "press cmd+g",
            from: #"action: "go:"}"#, to: #"action: "go:", attributes: [disabled]}"#, field: "outcome",
            explanation: "key command 2 of vc is command+g go: (disabled), not command+g go:"),
        Edit(
            name: "the chain passes over a controller", script: "press cmd+g",
            from: "kind: view, next: vc,", to: "kind: view, next: win,", field: "outcome",
            explanation: "after view the chain goes to win, not to vc"),
        Edit(
            name: "another responder is first", script: "press cmd+g", from: "firstResponder: view",
            to: "firstResponder: win", field: "outcome", explanation: "the chain starts at win, not at view"),
        Edit(
            name: "a field takes no text", script: "do focus field\npress a",
            from: #"text: ""}"#, to: #"text: "", editable: false}"#, field: "outcome",
            explanation: "the chain starts at view, not at field"),
        Edit(
            name: "a field is a view", script: "do focus field\npress a",
            from: #"kind: textField, next: view, text: ""}"#,
            to: "kind: view, canBecomeFirstResponder: true, next: view}", field: "outcome",
            explanation: "no responder takes text, not field"),
        Edit(
            name: "a command goes before the text", script: "do focus field\npress left",
            from: #"input: g, modifiers: [command]"#, to: "input: left, wantsPriority: true", field: "outcome",
            explanation: "key command 2 of vc is UIKeyInputLeftArrow go: (priority), not command+g go:"),
        Edit(
            name: "another effect", script: "press cmd+g", from: #"actions: ["go:", "other:", "find:"]"#,
            to: #"actions: {"go:": [{focus: field}], "other:": [], "find:": []}"#, field: "effects", explanation: nil),
    ]

    @Test(arguments: edits) func theEditIsNamed(_ edit: Edit) throws {
        let before = try TestReplay(Self.scene, edit.script)
        let recorded = try before.replay.record(before.timeline, showsKeys: true)
        let edited = Self.scene.replacing(edit.from, with: edit.to)
        try #require(edited != Self.scene)
        var after = try TestReplay(edited, "").replay
        after.adopt(RecordedEnvironment(recorded))
        let replayed = try after.record(try ReplayTimeline(recorded), showsKeys: true)
        let verification = Verification(recorded: recorded, first: replayed, second: replayed)
        let divergence = try #require(verification.divergence)
        #expect(divergence.field == edit.field)
        #expect(divergence.explanation == edit.explanation)
    }
}
