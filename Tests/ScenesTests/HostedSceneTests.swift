import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@testable import Scenes

/// Hosting controllers and web views in scenes.
@Suite("Hosted content in scenes")
struct HostedSceneTests {
    private func instance(_ text: String) throws -> SceneInstance {
        let scene = try Scene(text: sceneText(text), file: "a.scene.yaml")
        return try scene.instantiate(resources: SceneInstanceTests.resources)
    }

    @Test("shortcuts: a list in the list is a view in the view; the order of the text is the depth-first one")
    func shortcuts() throws {
        let instance = try instance(
            """
            - id: a
              kind: hostingController
              shortcuts:
                - [{input: s, modifiers: [command], action: "inner:"}, [{input: t, action: "innermost:"}]]
                - {input: s, modifiers: [command], action: "outer:"}
              onKeyPress: [{view: v, keys: [space, J], result: handled}, {phases: [repeat, up], result: ignored}]
              view: v
            - {id: v, kind: view}
            """)
        let host = try #require(instance.responder("a") as? HostingController)
        #expect(host.shortcuts.map(\.action.name) == ["inner:", "innermost:", "outer:"])
        #expect(host.keyPressHandlers.map(\.keys) == [[" ", "j"], []])
        #expect(host.keyPressHandlers.map(\.isHandled) == [true, false])
        #expect(host.keyPressHandlers.map(\.phases) == [[.down, .repeat], [.repeat, .up]])
        #expect(host.keyPressHandlers.first?.view === instance.responder("v"))
    }

    @Test("webView: what the page's handlers prevent")
    func page() throws {
        let some = try instance("- {id: a, kind: webView, preventsDefault: [cmd+s, Escape]}")
        let page = try #require(some.responder("a") as? WebView)
        let chords = [Chord(modifiers: .command, usage: .keyboard(0x16)), Chord(modifiers: [], usage: .escape)]
        #expect(page.preventedKeys == .chords(chords) && !page.isEditable)
        let all = try instance("- {id: a, kind: webView, preventsDefault: true, editable: true}")
        #expect((all.responder("a") as? WebView)?.preventedKeys == .all)
        #expect((all.responder("a") as? WebView)?.isEditable == true)
    }

    @Test("what is wrong is named with its line", arguments: [
        ("- {id: a, kind: hostingController, onKeyPress: [{keys: [a]}]}", "result"),
        ("- {id: a, kind: hostingController, onKeyPress: [{result: maybe}]}", "handled"),
        ("- {id: a, kind: hostingController, onKeyPress: [{phases: [held], result: handled}]}", "down, repeat, up"),
        ("- {id: a, kind: hostingController, onKeyPress: [{view: b, result: handled}]}", "the id of a view"),
        ("- {id: a, kind: hostingController, shortcuts: [{action: \"x:\"}]}", "input"),
        ("- {id: a, kind: webView, preventsDefault: [cmd+nokey]}", "a chord such as cmd+s"),
        ("- {id: a, kind: viewController, shortcuts: []}", "a key of hostingController"),
        ("- {id: a, kind: view, preventsDefault: true}", "a key of webView"),
    ])
    func errors(text: String, expected: String) {
        let error = #expect(throws: SourceTextError.self) { _ = try instance(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
        #expect(error.map { $0.line > 1 } == true)
    }

    @Test("parameters: reservedChords is a list of chords, or a text")
    func reserved() throws {
        for (value, text) in [
            ("[cmd+y, ctrl+space]", "cmd+y ctrl+space"), ("[]", "none"), ("cmd+y", "cmd+y"), ("none", "none"),
        ] {
            let scene = try Scene(
                text: sceneText("- {id: a, kind: view}") + "\nparameters: {reservedChords: \(value)}\n",
                file: "a.scene.yaml")
            let profile = try scene.applyingParameters(to: Profile())
            #expect(profile.value(of: "reservedChords") == text)
        }
        let error = #expect(throws: SourceTextError.self) {
            try Scene(
                text: sceneText("- {id: a, kind: view}") + "\nparameters: {reservedChords: [cmd+nokey]}\n",
                file: "a.scene.yaml")
        }
        #expect(error?.description.contains("chords such as cmd+space") == true)
    }
}
