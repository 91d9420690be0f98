import KeyModel
import ResponderEngine
import Testing

@testable import Scenes

/// What a scene says of its device, its focus and its answers by sender.
@Suite("Devices, focus and senders")
struct DeviceSceneTests {
    private func scene(_ text: String, profile: String = "ios15") throws -> SceneInstance {
        let head = """
            scene: 1
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, keyWindow: true, rootViewController: vc}

            """
        let scene = try Scene(text: text.hasPrefix("scene") ? text : head + text, file: "made.yaml")
        return try scene.instantiate(profile: Profile.named(profile), resources: SceneInstanceTests.resources)
    }

    @Test("EV-14 a scene is an iPad unless it says iphone; focusSystem overrides")
    func devices() throws {
        let rest = """
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, keyWindow: true, rootViewController: vc}
              - id: vc
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: up, action: "up:"}]
                actions: ["up:"]
            firstResponder: vc
            """
        let cases: [(String, String, Bool)] = [
            ("", "ios15", true), ("device: ipad\n", "ios15", true), ("device: iphone\n", "ios15", false),
            ("device: iphone\nfocusSystem: true\n", "ios15", true), ("focusSystem: false\n", "ios26", false),
            ("", "ios134", false),
        ]
        for (lines, profile, isTaken) in cases {
            let made = try scene("scene: 1\n" + lines + rest, profile: profile)
            let resolution = try made.engine.press("up")
            #expect((resolution?.takenBy == .focus) == isTaken, "\(lines) \(profile)")
            #expect((resolution?.action == "up:") != isTaken, "\(lines) \(profile)")
        }
    }

    @Test("EV-14 focusable and focusGroup of views; a step gives the focus to what cannot be first responder")
    func focusOfScenes() throws {
        let made = try scene(
            """
              - {id: vc, kind: viewController, view: root, canBecomeFirstResponder: true}
              - {id: root, kind: view}
              - {id: bar, kind: view, superview: root, focusGroup: bar}
              - {id: back, kind: view, superview: bar, focusable: true, actions: ["primaryActionTriggered:"]}
              - {id: share, kind: view, superview: bar, focusable: true}
              - {id: name, kind: textField, superview: root}
              - {id: note, kind: textField, superview: root, focusable: false}
            firstResponder: vc
            """)
        for (chord, item) in [("tab", "back"), ("right", "share"), ("tab", "name"), ("tab", "share")] {
            try made.engine.press(chord)
            #expect(made.engine.focusedItem?.id == item, "\(chord)")
        }
        #expect(try made.apply(.focus("back"), at: .zero).isAccepted)
        #expect(made.engine.focusedItem?.id == "back" && made.engine.firstResponder?.id == "vc")
        #expect(try made.engine.press("return")?.takenBy == .focus)
    }

    @Test("DS-5 canPerform by sender: a standard key has none, a command asks with itself")
    func answersBySender() throws {
        let made = try scene(
            """
              - id: vc
                kind: viewController
                canBecomeFirstResponder: true
                actions: ["copy:", "toggle:"]
                canPerform:
                  "copy:": [{sender: none, answer: false}, {sender: command, answer: true}]
                  "toggle:": [{sender: command, answer: false}]
                keyCommands:
                  - {input: c, modifiers: [command], action: "copy:", title: Copy}
                  - {input: k, modifiers: [control], action: "copy:", title: Copy Again}
                  - {input: j, modifiers: [control], action: "toggle:"}
            firstResponder: vc
            """)
        let copy = try made.engine.press("cmd+c")
        #expect(copy?.takenBy == .keyCommands && copy?.command?.title == "Copy", "the standard key is refused")
        #expect(try made.engine.press("ctrl+k")?.command?.title == "Copy Again", "two commands with one action")
        #expect(try made.engine.press("ctrl+j")?.outcome == .blockedUnperformable)
        #expect(made.responder("vc")?.declared?.canPerform("toggle:", sender: nil) == nil)
        for (text, words) in [
            ("[{sender: key, answer: true}]", "none, command"), ("[{sender: none}]", "answer"),
            ("[{sender: none, answer: true}, {sender: none, answer: false}]", "each sender once"),
            ("maybe", "true or"),
        ] {
            let error = #expect(throws: SourceTextError.self) {
                try scene("  - {id: vc, kind: viewController, canPerform: {\"a:\": \(text)}}\n")
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }
}
