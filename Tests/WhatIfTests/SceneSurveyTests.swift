import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import TraceReports
import WhatIf

/// What `lint`, `bindings` and `explain` claim of a scene, where the engine's answer to the same press is another.
@Suite struct SceneSurveyTests {
    private let answers = RightAnswerTests()

    private static let root = """
          - id: root
            kind: viewController
            canBecomeFirstResponder: true
            keyCommands:
              - {input: "1", modifiers: [command], action: "one:"}
              - {input: "/", modifiers: [command], action: "comment:"}
              - {input: k, modifiers: [command], action: "find:"}
              - {input: f5, action: "reload:"}
              - {input: up, action: "up:"}
            actions: ["one:", "comment:", "find:", "reload:", "up:"]
        """

    // MARK: Modifiers

    @Test("T-8 the scene that ⌘W closes leaves the app active: its ⌘ is not stuck")
    func closedScene() throws {
        let recording = try answers.record(
            try answers.plan("ios26", Self.root), "down leftgui\npress w\npress e\nup leftgui")
        let windows = recording.records.compactMap { if case .keyWindow(let change) = $0.body { change } else { nil } }
        #expect(windows.contains { $0.window == nil })
        #expect(answers.lint(recording).allSatisfy { !$0.contains("stuck-modifier") })
        let explanation = try answers.explanation(of: 2, in: recording)
        #expect(explanation.stuckModifiers.isEmpty)
    }

    @Test("T-8 a key window that goes away between presses is an app that stopped being active",
        arguments: [(FocusCause.windowChange, true), (.dismiss, false)])
    func resignedKeyWindow(cause: FocusCause, isFound: Bool) throws {
        let whole = try answers.record(
            try answers.plan("ios15", Self.root), "down leftgui\npress 1\npress k\nup leftgui")
        var recording = Recording()
        recording.definitions = whole.definitions
        for record in whole.records {
            if case .key(let key) = record.body, key.press == 2, key.phase == .down {
                recording.append(.keyWindow(KeyWindowRecord(window: nil, cause: cause)), at: record.time)
            }
            recording.append(record.body, at: record.time)
        }
        #expect(answers.lint(recording).contains { $0.contains("stuck-modifier") } == isFound)
    }

    // MARK: Never asked

    @Test("A controller that its container covers or does not show is asked once it is shown")
    func coveredControllers() throws {
        func child(_ id: String, _ key: String) -> String {
            "  - {id: \(id), kind: viewController, view: \(id)View, actions: [\"\(id):\"], keyCommands: "
                + "[{input: \(key), modifiers: [command], action: \"\(id):\"}]}\n  - {id: \(id)View, kind: view}\n"
        }
        let text = "  - {id: root, kind: tabBarController, viewControllers: [nav, notes]}\n"
            + "  - {id: nav, kind: navigationController, viewControllers: [list, doc]}\n"
            + child("list", "l") + child("doc", "s") + child("notes", "e")
            + "  - {id: side, kind: view, superview: docView, keyCommands: "
            + "[{input: b, modifiers: [command], action: \"side:\"}]}"
        let found = try answers.lint(scene: try answers.plan("ios26", text, "")).filter { $0.rule == .neverAsked }
        #expect(found.map(\.message) == ["side offers ⌘B side: and is not on the chain: no press asks it"])
    }

    // MARK: Layouts

    @Test("The row of a chord has the Shift that its character takes on the layout, and that chord finds the row",
        arguments: [("fr", "⌘1, on fr ⇧⌘1"), ("us", "⌘1")])
    func shiftOfLayout(layout: String, key: String) throws {
        let plan = try answers.plan("ios16", Self.root, "firstResponder: root\nlayout: \(layout)")
        var sweep = try SceneSweep(plan)
        let all = try sweep.bindings()
        #expect(BindingsReport(all, info: nil, name: "answer").body(.plain).contains("  \(key) "))
        // Of a script, not pressed and pressed.
        for keys in ["press cmd+d", "press shift+cmd+1"] {
            let timeline = try plan.timeline(of: try KeyScript(text: keys, file: "answer.keys"))
            var (script, info) = try answers.bindings(plan, timeline)
            script.findKeys(under: try plan.instantiate().engine)
            let report = BindingsReport(script, info: info, name: "answer").body(.plain)
            #expect(report.contains("  \(key) "), "\(report)")
        }
        for (chord, isFound) in [("cmd+1", true), ("shift+cmd+1", layout == "fr"), ("opt+cmd+1", false)] {
            var chosen = all
            chosen.select(try ChordQuery(chord))
            #expect(chosen.bindings.map(\.input) == (isFound ? ["1"] : []), "\(chord)")
        }
        let one = try #require(all.bindings.first { $0.input == "1" })
        let pressed = try answers.record(plan, "press \(try #require(one.typedKey).text)")
        let resolution = try #require(try answers.explanation(of: 1, in: pressed).resolution)
        #expect(resolution.outcome == .performed && resolution.action == "one:")
    }

    // MARK: Keys of the system

    @Test("A named key that the parameter reserves is no item of the system's menu, on the Mac as on an iPad")
    func reservedKeys() throws {
        let rest = "firstResponder: root\nparameters: {reservedChords: \"up f5\"}"
        func messages(_ profile: String) throws -> [String] {
            try answers.lint(scene: try answers.plan(profile, Self.root, rest)).map(\.message).filter {
                $0.contains("reload:") || $0.contains("up:")
            }
        }
        let pad = try messages("ios26")
        #expect(pad == ["root offers F5 (reload:): kept by the system", "root offers ↑ (up:): kept by the system"])
        #expect(try messages("catalyst") == pad)
    }
    @Test("Where there is no first responder, who was not asked is off the chain that begins elsewhere")
    func covered() throws {
        let text = """
              - {id: root, kind: navigationController, viewControllers: [list, doc]}
              - {id: list, kind: viewController, keyCommands: [{input: l, modifiers: [command], action: "ll:"}]}
              - {id: doc, kind: viewController, view: page, canBecomeFirstResponder: true}
              - {id: page, kind: view}
            """
        let plan = try answers.plan("ios26", text, "firstResponder: doc")
        let recording = try answers.record(plan, "press cmd+k\ndo resign\npress cmd+l")
        var found = try answers.explanation(of: 2, in: recording)
        try found.addUnasked(of: plan, under: try plan.instantiate().engine)
        let report = ExplainReport(found, info: TraceInfoBuilder().info(), name: "answer").body(.plain)
        #expect(report.contains("not asked: list (⌘L ll:), off the chain, which begins at doc\n"), "\(report)")
    }
}
