import KeyflightEngine
import Testing
import TraceFormat

/// A viewer whose ⌘W takes 2 ms, in a search field or not.
let viewerScene = """
    scene: 1
    name: viewer
    profile: ios15
    responders:
      - {id: app, kind: application}
      - {id: win, kind: window, keyWindow: true, rootViewController: tabs}
      - id: tabs
        kind: viewController
        view: page
        keyCommands: [{input: w, modifiers: [command], action: "closeTab:", title: Close Tab}]
        actions: ["closeTab:"]
        cost: {"closeTab:": 2ms}
      - {id: page, kind: view, canBecomeFirstResponder: true}
      - {id: search, kind: textField, superview: page}
    firstResponder: page
    """

/// The examples of the documentation of the ready-made responders, of scenes and of replays.
@Suite struct ReplayExamples {
    @Test func textFields() throws {
        let field = TextField(id: "name")
        let tabs = TabsController(id: "tabs")
        tabs.view = field
        let engine = KeyboardEngine(rootViewController: tabs, layout: try Layout.named("us"))
        field.becomeFirstResponder()

        for key in ["shift+h", "i", "left"] { try engine.press(key) }
        #expect(field.text == "Hi")
        #expect(try engine.press("shift+1")?.text == "!")
        #expect(field.text == "H!i")
        #expect(try engine.press("⌘T")?.target === tabs)
    }

    @Test func navigation() throws {
        let library = ViewController(id: "library")
        let navigation = NavigationController(id: "navigation", rootViewController: library)
        let engine = KeyboardEngine(rootViewController: navigation, layout: try Layout.named("us"))
        navigation.pushViewController(Reader(id: "document"))

        // Without a first responder, a press starts in what is deepest on the screen.
        let back = try engine.press("⌘[")
        #expect(back?.receivers.first?.id == "document")
        #expect(navigation.topViewController === library)
    }

    @Test func scenes() throws {
        let scene = try Scene(text: viewerScene, file: "viewer.scene.yaml")
        let resources = SceneResources(layoutNamed: { try Layout.named($0) })
        let instance = try scene.instantiate(resources: resources)

        #expect(try instance.engine.press("⌘W")?.target === instance.responder("tabs"))
        _ = try instance.apply(try ContextStep(text: "focus search"), at: .zero)
        #expect(try instance.engine.press("w")?.outcome == .consumedByText)
    }

    @Test func keyScripts() throws {
        let script = try KeyScript(
            text: """
                keys 1
                press cmd+w
                wait 100ms
                do focus search
                type "tax 2026"
                """,
            file: "viewer.keys")
        let timeline = try script.timeline(layout: try Layout.named("us"), layoutNamed: { try Layout.named($0) })
        #expect(timeline.inputs.count > 20)
    }

    @Test func replays() throws {
        let scene = try Scene(text: viewerScene, file: "viewer.scene.yaml")
        var replay = SceneReplay(scene, resources: SceneResources(layoutNamed: { try Layout.named($0) }))
        let script = try KeyScript(text: "keys 1\npress cmd+w\ndo focus search\npress w", file: "viewer.keys")
        let timeline = try replay.timeline(of: script)

        let lines = try replay.lines(of: timeline)
        #expect(lines.map(\.outcome) == [.performed, .consumedByText])
        #expect(lines.map(\.target) == ["tabs", "search"])

        // The same keys under the rules of another version.
        replay.options.profile = Profile.named("ios7")
        #expect(try replay.lines(of: timeline).map(\.calls.keyCommands) == [12, 15])
    }

    @Test func cadences() throws {
        let scene = try Scene(text: viewerScene, file: "viewer.scene.yaml")
        var replay = SceneReplay(scene, resources: SceneResources(layoutNamed: { try Layout.named($0) }))
        let script = try KeyScript(text: "keys 1\npress cmd+w\nwait 1s\npress cmd+w", file: "viewer.keys")
        let timeline = try replay.timeline(of: script)

        // As fast as the app can: the second press comes when the first is served, and that takes 2 ms.
        replay.options.cadence = .saturated
        #expect(try replay.lines(of: timeline).map(\.time.nanoseconds) == [0, 2_000_000])
    }

    @Test func verification() throws {
        let scene = try Scene(text: viewerScene, file: "viewer.scene.yaml")
        var replay = SceneReplay(scene, resources: SceneResources(layoutNamed: { try Layout.named($0) }))
        let script = try KeyScript(text: "keys 1\npress cmd+w", file: "viewer.keys")
        let timeline = try replay.timeline(of: script)
        let recorded = try replay.record(timeline)

        // A trace of today's behaviour, and a scene of tomorrow in which the command has gone.
        replay = SceneReplay(
            try Scene(text: viewerScene.replacing("input: w", with: "input: k"), file: "viewer.scene.yaml"),
            resources: replay.resources)
        let verdict = Verification(
            recorded: recorded, first: try replay.record(timeline), second: try replay.record(timeline))
        #expect(verdict.divergence?.field == "outcome")
        #expect(verdict.divergence?.expected == "performed")
        #expect(verdict.divergence?.found == "unhandled")
    }
}
