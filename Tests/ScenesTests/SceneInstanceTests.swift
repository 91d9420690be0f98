import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@testable import Scenes

@Suite("A live scene")
struct SceneInstanceTests {
    static let contract = """
        scene: 1
        name: pdf-viewer
        profile: ios15            # ios7 ios9 ios13 ios134 ios15 ios26, or a profile file; --profile overrides
        parameters: {repeatDelay: 400ms}
        layout: us                # XKB layout, or layout:variant
        direction: ltr            # ltr rtl
        focusSystem: false
        responders:
          - {id: app, kind: application}
          - {id: scn, kind: windowScene, next: app}
          - {id: win, kind: window, next: scn, keyWindow: true}
          - id: vc
            kind: viewController
            next: win
            actions: ["goBack:", "toggle:"]          # selectors it implements
            canPerform: {"toggle:": false}           # answers that differ from "implements it"
            keyCommands:
              - {input: "[", modifiers: [command], action: "goBack:", title: Back}
              - {input: escape, action: "toggle:", wantsPriority: true}
            variants: {busy: []}                     # other answers, switched by a step
            cost: {keyCommands: 120us, "goBack:": 2ms}   # virtual service times
          - {id: view, kind: view, next: vc, swallowsPresses: false}
          - {id: field, kind: textField, next: view, text: ""}
        firstResponder: field      # or null
        mainMenu:
          - {menu: edit, children: [{input: d, modifiers: [command], action: "duplicate:", title: Duplicate}]}
        """

    static let resources = SceneResources(layoutNamed: { try Layout.named($0) })

    func chain(_ responder: Responder?) -> [String] {
        var ids: [String] = []
        var next = responder
        while let here = next {
            ids.append(here.id)
            next = here.next
        }
        return ids
    }

    @Test("the example of the contract comes alive")
    func example() throws {
        let scene = try Scene(text: SceneInstanceTests.contract, file: "pdf.scene.yaml")
        let instance = try scene.instantiate(resources: SceneInstanceTests.resources)
        #expect(instance.engine.profile.name == "ios15")
        #expect(instance.engine.firstResponder?.id == "field")
        #expect(chain(instance.engine.firstResponder) == ["field", "view", "vc", "win", "scn", "app"])
        let vc = try #require(instance.responder("vc"))
        #expect(instance.cost(of: vc, .keyCommands) == TraceDuration(nanoseconds: 120_000))
        #expect(instance.cost(of: vc, .action("goBack:")) == TraceDuration(nanoseconds: 2_000_000))
        #expect(instance.cost(of: vc, .validate) == nil)
        #expect(vc.keyCommands?.count == 2)
        #expect(vc.keyCommands?.first?.input == "[")
        #expect(vc.canPerformAction("goBack:", sender: nil))
        #expect(!vc.canPerformAction("toggle:", sender: nil))
        #expect(instance.engine.application.keyWindow?.id == "win")
        #expect((instance.responder("win") as? Window)?.rootViewController?.id == "vc")
        try instance.apply(.setKeyCommands("vc", variant: "busy"), at: .zero)
        #expect(vc.keyCommands?.isEmpty == true)
    }
}
