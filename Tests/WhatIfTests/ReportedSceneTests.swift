import FlightReplay
import KeyModel
import LatencyAnalysis
import Scenes
import Testing
import TraceFormat
import TraceReports
import WhatIf

/// Scenes of a few lines after what people reported: what `lint` and `bindings` say of each.
@Suite struct ReportedSceneTests {
    private static let window = """
          - {id: app, kind: application, actions: ["find:", "findNext:"]}
          - {id: scn, kind: windowScene}
          - {id: win, kind: window, keyWindow: true, rootViewController: root}
        """

    private static func replay(
        _ profile: String, _ responders: String, first: String, _ rest: String = ""
    ) throws -> SceneReplay {
        let head = "scene: 1\nname: reported\nprofile: \(profile)\nresponders:\n"
        let text = head + window + "\n" + responders + "\nfirstResponder: \(first)\n" + rest
        return SceneReplay(
            try Scene(text: text, file: "reported.scene.yaml"), resources: RecordedStory.resources)
    }

    private static func findings(_ replay: SceneReplay, keys: String? = nil) throws -> [Finding] {
        var scanner = LintScanner()
        if let keys {
            let recording = try replay.record(
                replay.timeline(of: try KeyScript(text: keys, file: "reported.keys")), showsKeys: true)
            scanner.consume(recording)
            return scanner.findings(definitions: recording.definitions)
        }
        var sweep = try SceneSweep(replay)
        try sweep.run { scanner.scan($0.recording, place: $0.place) }
        SceneDeclarations.inspect(try replay.instantiate(), asked: sweep.asked, into: &scanner)
        return scanner.findings()
    }

    private static func messages(_ replay: SceneReplay, keys: String? = nil) throws -> [String] {
        try findings(replay, keys: keys).map { "\($0.rule.rawValue): \($0.message)" }
    }

    @Test("A menu that is left out for one taken key is named with all that goes with it, in a scene without keys")
    func droppedMenu() throws {
        let replay = try Self.replay(
            "ios26", "  - {id: root, kind: viewController, canBecomeFirstResponder: true}", first: "root",
            """
            mainMenu:
              - menu: com.example.search
                title: Search
                atEndOf: edit
                children:
                  - {input: f, modifiers: [command], action: "search:", title: Search}
                  - {input: j, modifiers: [command], action: "findNext:", title: Next}
            """)
        #expect(
            try Self.messages(replay) == [
                "menu-duplicate: left out of the main menu: search: (⌘F): the menu has a command with this key, "
                    + "the system's find:; its whole menu is left out: search:, findNext:"
            ])
    }

    @Test("Explain names what is missing in the menu at every press, not only at the one that built it")
    func droppedMenuLater() throws {
        let folder = RecordedStory("golden/g24-main-menu-keeps-its-keys")
        let replay = try folder.plan()
        let recording = try replay.record(
            replay.timeline(of: try KeyScript(text: "press cmd+b\npress cmd+b", file: "twice.keys")), showsKeys: true)
        var explainer = PressExplainer(.press(2))
        explainer.consume(recording)
        let found = explainer.explanation(definitions: recording.definitions)
        let explained = try #require(found)
        #expect(explained.effects == [])
        #expect(explained.menuDrops.map(\.kind) == ["menuDropped"])
        #expect(explained.menuDrops.first?.value?.contains("bookmark: (⌘B)") == true)
    }

    @Test("Arrows and function keys that a scene reserves are kept by the system")
    func reservedKeys() throws {
        let replay = try Self.replay(
            "ios15",
            """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: up, modifiers: [command], action: "top:"}, {input: f5, action: "reload:"}]
                actions: ["top:", "reload:"]
            """, first: "root", "parameters: {reservedChords: [cmd+up, f5]}")
        #expect(
            try Self.messages(replay) == [
                "reserved-chord: root offers F5 (reload:): kept by the system",
                "reserved-chord: root offers ⌘↑ (top:): kept by the system",
            ])
        var sweep = try SceneSweep(replay)
        for binding in try sweep.bindings().bindings {
            #expect(binding.provider == nil && binding.answer?.takenBy == .system, "\(binding)")
        }
    }

    private static let canvas = """
          - id: root
            kind: viewController
            view: canvas
            keyCommands: [{input: escape, action: "cancel:"}]
            actions: ["cancel:"]
          - {id: canvas, kind: view, canBecomeFirstResponder: true, swallowsPresses: true}
        """

    @Test("A bare Escape that a view swallows is kept from its command; on iOS 26 the command has it first")
    func swallowedEscape() throws {
        let older = try Self.replay("ios15", Self.canvas, first: "canvas")
        #expect(
            try Self.messages(older).contains(
                "press-swallowed: canvas swallows a chord before any key command is asked for; it keeps the key from "
                    + "cancel: of root"))
        #expect(try Self.messages(try Self.replay("ios26", Self.canvas, first: "canvas")) == [])
    }

    @Test("Keys that the app switcher takes back end as cancelled for the view that keeps them")
    func appSwitcher() throws {
        let replay = try Self.replay("ios15", Self.canvas, first: "canvas")
        let found = try Self.messages(replay, keys: "down w\nwait 400ms\ndo deactivate\ndo activate win\npress w")
        #expect(
            found.contains {
                $0.hasPrefix("press-cancelled: ") && $0.contains("canvas gets pressesCancelled and no pressesEnded")
            }, "\(found)")
    }

    private static let brackets = """
          - id: root
            kind: viewController
            canBecomeFirstResponder: true
            keyCommands:
              - {input: "[", modifiers: [command], action: "back:", title: Back}
              - {input: "/", modifiers: [command, shift], action: "help:", title: Help}
            actions: ["back:", "help:"]
        """

    @Test(
        "Where a layout has a command's key is said, also that it is nowhere",
        arguments: [("us", "[", "performed"), ("de", "ö", "performed"), ("fr", nil, nil)]
            as [(String, String?, String?)])
    func keysByLayout(_ layout: String, _ typed: String?, _ outcome: String?) throws {
        let replay = try Self.replay("ios15", Self.brackets, first: "root", "layout: \(layout)")
        var sweep = try SceneSweep(replay)
        let bindings = try sweep.bindings()
        let back = try #require(bindings.bindings.first { $0.input == "[" })
        #expect(back.typedInput == typed && back.answer?.outcome.name == outcome)
        let report = BindingsReport(bindings, info: nil, name: "reported").body(.plain)
        switch layout {
        case "de": #expect(report.contains("⌘[, on de ⌘Ö  root back:"), "\(report)")
        case "fr": #expect(report.contains("on fr: nowhere"), "\(report)")
        default: #expect(report.contains("⌘[   root back:"), "\(report)")
        }
    }

    @Test("A press with a modifier that no finger holds says so")
    func stuckModifier() throws {
        let replay = try Self.replay("ios15", Self.canvas, first: "canvas")
        let keys = "down LeftGUI\npress w\nwait 5s\npress w\nup LeftGUI\npress w"
        let recording = try replay.record(
            replay.timeline(of: try KeyScript(text: keys, file: "stuck.keys")), showsKeys: true)
        func stuck(_ press: UInt32, hasRelease: Bool) throws -> [String] {
            var explainer = PressExplainer(.press(press))
            explainer.begin(recording.initialContext)
            for record in recording.records {
                if case .key(let key) = record.body, key.phase == .up, key.key.usage == .leftGUI, !hasRelease {
                    continue
                }
                explainer.consume(record, definitions: recording.definitions)
            }
            let found = explainer.explanation(definitions: recording.definitions)
            return try #require(found).stuckModifiers.map(\.why)
        }
        #expect(try [1, 2, 3].map { try stuck($0, hasRelease: true) } == [[], [], []])
        #expect(
            try [1, 2, 3].map { try stuck($0, hasRelease: false) } == [[], ["and its release was never seen"], []])
    }

    @Test("A controller that is not presented is no focus context")
    func notPresented() throws {
        let replay = try Self.replay(
            "ios15",
            """
              - {id: root, kind: viewController, canBecomeFirstResponder: true}
              - {id: sheet, kind: viewController, canBecomeFirstResponder: true}
            """, first: "root")
        #expect(try SceneSweep(replay).contexts.map(\.responder) == ["root"])
    }

    @Test("Text takes ← also from a command whose action has another chord; a letter is not advised to have priority")
    func alwaysTaken() throws {
        let found = try RecordedStory("scenes/lint/always-taken").sceneFindings()
        #expect(
            found.map { "\($0.rule.rawValue): \($0.message)" } == [
                "always-taken: next: of form never runs: text takes the key first",
                "priority-missing: back: of form never runs: text takes the key first",
                "priority-missing: nextField: of form never runs: focus takes the key first",
            ])
        #expect(!LintRule.alwaysTaken.hint.contains("wantsPriority"))
    }

    @Test("Bindings of a scene name who gets each key: SwiftUI's shortcut before the menu's, text before commands")
    func bindings() throws {
        func providers(_ folder: String, _ context: String) throws -> [String: String] {
            var sweep = try SceneSweep(try RecordedStory(folder).plan())
            let bindings = try sweep.bindings().bindings.filter { $0.context == context }
            return Dictionary(
                uniqueKeysWithValues: bindings.map {
                    let key = $0.modifiers.names.joined() + $0.input
                    return (key, $0.provider.map { "\($0.supplier) \($0.action)" } ?? $0.answer?.outcome.name ?? "-")
                })
        }
        #expect(
            try providers("golden/swiftui-shortcuts", "list") == [
                "commandd": "columns duplicate:", "commands": "sidebar saveDraft:", "commande": "detail erase:",
            ])
        let form = try providers("scenes/lint/always-taken", "field")
        #expect(form["UIKeyInputLeftArrow"] == "consumedByText" && form["\t"] == "consumedByFocus", "\(form)")
        #expect(form["commands"] == "form save:")
        #expect(try providers("scenes/lint/never-performed", "chat")["commandk"] == "unhandled")
    }
}
