import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@testable import Scenes

/// What scenes declare for iOS 27, under the systems before it and under 27.
@Suite("iOS 27 in scenes")
struct RecentSystemSceneTests {
    /// Two scenes with a window each, the first one's key, and a controller that performs ⌘K.
    private func instance(
        _ profile: String, device: String = "ipad", first: String = "", second: String = "", more: String = ""
    ) throws -> SceneInstance {
        let text = """
            scene: 1
            name: a
            device: \(device)
            responders:
              - {id: app, kind: application}
              - {id: one, kind: windowScene, application: app\(first)}
              - {id: two, kind: windowScene, application: app\(second)}
              - {id: win, kind: window, windowScene: one, keyWindow: true, rootViewController: vc}
              - {id: other, kind: window, windowScene: two}
              - id: vc
                kind: viewController
                view: v
                actions: ["act:"]
                keyCommands: [{input: k, modifiers: [command], action: "act:"}]
              - {id: v, kind: view, canBecomeFirstResponder: true}
            \(more)
            firstResponder: v

            """
        let scene = try Scene(text: text, file: "a.scene.yaml")
        let rules = try #require(Profile.named(profile))
        return try scene.instantiate(profile: rules, resources: SceneInstanceTests.resources)
    }

    @Test("I27-9 a scene that has the user asked stays when ⌘W closes it, until the answer",
        arguments: [("ios26", false), ("ios27", true)])
    func closeConfirmation(profile: String, stays: Bool) throws {
        let instance = try instance(profile, first: ", closureConfirmation: true")
        let resolution = try #require(try instance.engine.press("cmd+w"))
        #expect(resolution.outcome == .performed && resolution.target?.id == "one")
        let asked = Effect(id: "one", kind: .present, value: .text("closeConfirmation"))
        #expect(resolution.effects.contains(asked) == stays)
        let scene = try #require(instance.responder("one") as? WindowScene)
        #expect((scene.application != nil) == stays)
        #expect(try instance.apply(.dismiss("one"), at: .zero).isAccepted == stays)
        #expect(scene.application == nil && instance.engine.application.keyWindow?.id == "other")
    }

    @Test("I27-9 without it ⌘W closes the scene at once")
    func closing() throws {
        let instance = try instance("ios27")
        try instance.engine.press("cmd+w")
        #expect((instance.responder("one") as? WindowScene)?.application == nil)
    }

    @Test("I27-13 the window of a scene without input is never key on iOS 27",
        arguments: [("ios26", true), ("ios27", false)])
    func nonInteractiveScene(profile: String, isKey: Bool) throws {
        let instance = try instance(profile, second: ", interactive: false")
        let other = try #require(instance.responder("other") as? Window)
        instance.engine.activate(other)
        #expect((instance.engine.application.keyWindow === other) == isKey)
        #expect((try instance.engine.press("cmd+k")?.target?.id == "vc") != isKey)
        // The rules change while it is key.
        if isKey {
            instance.engine.profile = try #require(Profile.named("ios27"))
            #expect(try instance.engine.press("cmd+k")?.outcome == .noStart)
        }
    }

    @Test("I27-16 an iPhone has several scenes from iOS 27 on; keys go to the key window of the active one")
    func multipleScenes() throws {
        let instance = try instance("ios27", device: "iphone")
        #expect(try instance.engine.press("cmd+k")?.target?.id == "vc")
        instance.engine.activate(try #require(instance.responder("other") as? Window))
        #expect(try instance.engine.press("cmd+k")?.outcome == .unhandled)
        let error = #expect(throws: SourceTextError.self) { try self.instance("ios26", device: "iphone") }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("line 7") && words.contains("two") && words.contains("multipleScenes: true"), "\(words)")
        // An external display is no second scene of the phone; an iPad has several at any time.
        _ = try self.instance("ios26", device: "iphone", second: ", interactive: false")
        _ = try self.instance("ios26")
    }

    @Test("I27-7 a shortcut in a sheet inherits the repeat behaviour of what presents it, up to iOS 26",
        arguments: [("ios26", false), ("ios27", true)])
    func sheet(profile: String, repeats: Bool) throws {
        func host(_ own: String) throws -> SceneInstance {
            try instance(profile, more: """
                  - id: under
                    kind: hostingController
                    buttonRepeatBehavior: nonRepeatable
                    presents: sheet
                    shortcuts: [{input: j, modifiers: [command], action: "under:"}]
                    actions: ["under:"]
                  - id: sheet
                    kind: hostingController
                    shortcuts: [{input: s, modifiers: [command], action: "over:"\(own)}]
                    actions: ["over:"]
                  - {id: root, kind: window, windowScene: one, rootViewController: under}
                """)
        }
        func isRepeated(_ usage: KeyUsage, _ instance: SceneInstance) throws -> Bool {
            instance.engine.activate(try #require(instance.responder("root") as? Window))
            _ = instance.engine.keyDown(.clear(.leftGUI), at: .zero)
            let down = try #require(instance.engine.keyDown(.clear(usage), at: .zero))
            #expect(down.outcome == .performed, "\(usage.name)")
            return down.repeatsWhileHeld
        }
        #expect(try isRepeated(.keyboard(0x16), host("")) == repeats)
        // What a command or its own controller sets is not inherited.
        #expect(try !isRepeated(.keyboard(0x0D), host("")))
        #expect(try isRepeated(.keyboard(0x16), host(", repeatBehavior: repeatable")))
    }
}
