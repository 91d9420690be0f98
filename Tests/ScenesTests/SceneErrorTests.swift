import Testing

@testable import Scenes

@Suite("What is wrong with a scene, with file, line and key")
struct SceneErrorTests {

    @Test("of the scene itself", arguments: ErrorCase.read("scene-errors.txt", group: "scene"))
    func scene(_ wrong: ErrorCase) {
        let error = sceneError(wrong.text)
        #expect(error.hasPrefix("a.scene.yaml: line "))
        #expect(error.contains(wrong.message), "\(error)")
    }

    @Test("an unknown parameter lists the known ones")
    func parameter() {
        let error = sceneError("scene: 1\nparameters: {repeatDelays: 1s}")
        let subject = "a.scene.yaml: line 2: parameters.repeatDelays: "
        #expect(error.hasPrefix(subject + "expected one of the parameters stageOrder, "))
        #expect(error.hasSuffix("found the unknown parameter \"repeatDelays\""))
    }

    @Test("of a responder", arguments: ErrorCase.read("scene-errors.txt", group: "responder"))
    func responder(_ wrong: ErrorCase) {
        let error = sceneError(sceneText(wrong.text))
        #expect(error.contains(wrong.message.replacing("{KINDS}", with: ResponderDescription.kindNames)), "\(error)")
    }

    @Test("of a key command or a step", arguments: ErrorCase.read("scene-errors.txt", group: "command"))
    func command(_ wrong: ErrorCase) {
        let error = sceneError(sceneText("- id: a\n  kind: view\n  \(wrong.text)"))
        #expect(error.hasPrefix("a.scene.yaml: line 5: "), "\(error)")
        #expect(error.contains(wrong.message), "\(error)")
    }

    @Test("a chain that never ends names the cycle")
    func cycle() {
        let three = "- {id: a, kind: view, next: b}\n- {id: b, kind: view, next: c}\n- {id: c, kind: view, next: b}"
        #expect(sceneError(sceneText(three)).contains("expected a chain that ends, found b → c → b"))
        let own = "- id: a\n  kind: view\n  next: a"
        #expect(
            sceneError(sceneText(own))
                == "a.scene.yaml: line 5: responders[0].next: expected a chain that ends, found a → a")
        let inside = "- {id: a, kind: view, superview: b, next: c}\n- {id: b, kind: view, superview: a}\n"
            + "- {id: c, kind: view}"
        #expect(sceneError(sceneText(inside)).contains("expected a containment that ends, found a → b → a"))
        let ring = (0..<1_000).map { "- {id: r\($0), kind: responder, next: r\(($0 + 1) % 1_000)}" }
        #expect(sceneError(sceneText(ring.joined(separator: "\n"))).contains("… → r0"))
    }

    @Test(
        "anchors, aliases, tags and keys that are no names are refused",
        arguments: [
            ("scene: &a 1", "found an anchor"), ("scene: 1\nname: *a", "found an alias"),
            ("scene: !!int 1", "found a tag"), ("? scene\n: 1", "found a key introduced by ?"),
            ("scene: 1\nresponders: [{id: a, kind: view,*a : 1}]", "found an alias"),
            ("scene: 1\n? [a, b]\n: 1", "found a key introduced by ?"),
            ("[a, b]: 1", "expected a key that is a name, found a list"),
        ])
    func yaml(text: String, message: String) {
        let error = sceneError(text)
        #expect(error.contains(message), "\(error)")
    }

    @Test("texts may hold what YAML gives a meaning, in double quotes")
    func escapedTexts() throws {
        let text = #"""
            - {id: "\x2aid", kind: view, title: "Save \x26 \x21\x3f"}
            - {id: b, kind: view, title: A & B * C}
            """#
        let scene = try Scene(text: sceneText(text), file: "a")
        #expect(scene.responders.map(\.id) == ["*id", "b"])
        #expect(scene.responders[0].title == "Save & !?")
        #expect(scene.responders[1].title == "A & B * C")
    }

    @Test("deep nesting is an error, not a crash")
    func depth() {
        for open in ["[", "{a: ", "- ", "- - "] {
            _ = sceneError("scene: 1\nresponders:\n" + String(repeating: open, count: 50_000))
        }
        var menu = "{menu: m}"
        for _ in 0..<20 { menu = "{menu: m, children: [\(menu)]}" }
        let error = sceneError(sceneText("- {id: a, kind: view}", "mainMenu: [\(menu)]"))
        #expect(error.contains("expected at most 16 menus inside each other, found one more"))
    }

    @Test("more than 1 MiB is refused")
    func size() {
        let text = sceneText("- {id: a, kind: view}") + "\n#" + String(repeating: "x", count: 1 << 20)
        #expect(sceneError(text).contains("scene: expected at most 1 MiB, found"))
        let error = #expect(throws: SourceTextError.self) { try Scene(Array(text.utf8), file: "a") }
        #expect(error?.expected == "at most 1 MiB")
    }

    @Test("bytes that are not UTF-8 are an error at their line")
    func badUTF8() {
        let error = #expect(throws: SourceTextError.self) {
            try Scene(Array("scene: 1\nname: ".utf8) + [0xC3, 0x28], file: "a")
        }
        #expect(error?.line == 2)
    }

    @Test("a script's steps must fit the scene")
    func scriptCheck() throws {
        let scene = try Scene(text: sceneText("- {id: a, kind: view}"), file: "a.scene.yaml")
        let script = try KeyScript(text: "press x\ndo focus b", file: "b.keys")
        let error = #expect(throws: SourceTextError.self) { try scene.check(script) }
        #expect(
            error?.description
                == "b.keys: line 2: do: expected a responder of the scene, found \"b\", which scene a does not have")
        #expect(throws: Never.self) { try scene.check(try KeyScript(text: "do focus a", file: "b.keys")) }
        let profile = try KeyScript(text: "do profile ios9\ndo profile my.profile\ndo profile ios99", file: "b.keys")
        #expect(#expect(throws: SourceTextError.self) { try scene.check(profile) }?.line == 3)
    }
}
