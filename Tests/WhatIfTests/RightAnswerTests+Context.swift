import FlightReplay
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import TraceReports
import WhatIf

/// Answers that depend on the layout, the history of the chain, and on what the system has to do with the key.
extension RightAnswerTests {
    // MARK: Layouts

    @Test("A letter at its place on a US keyboard is no finding where the layout has no Latin letters (MT-5)",
        arguments: ["я", "ζ", "ئ", "ז"])
    func position(letter: String) throws {
        let text = """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: z, modifiers: [command], action: "undo:"}]
                actions: ["undo:"]
            """
        var plan = try plan("ios15", text)
        let us = try #require(ShippedLayouts.named("us") as Layout?)
        var layout = us
        layout.name = "other"
        layout.keys[0x1D] = Layout.Key(symbols: [.text(letter), .text(letter.uppercased())])
        layout.commandLevel = layout.commandLevel(from: us)
        plan.options.layout = layout
        let recording = try record(plan, "press cmd+z")
        #expect(try explanation(of: 1, in: recording).resolution?.action == "undo:")
        #expect(lint(recording) == [])
    }

    // MARK: The chain

    private static let sides = """
          - {id: root, kind: viewController, view: content}
          - {id: content, kind: view}
          - {id: search, kind: textField, superview: content}
          - {id: note, kind: textField, superview: content}
          - {id: side, kind: view, superview: content, canBecomeFirstResponder: true, \
        keyCommands: [{input: w, modifiers: [command], action: "w:"}], actions: ["w:"]}
          - {id: other, kind: view, superview: content, \
        keyCommands: [{input: w, modifiers: [command], action: "v:"}], actions: ["v:"]}
        """

    /// Reasons for which responders were not asked, by id.
    private func unasked(_ press: UInt32, _ keys: String, first: String) throws -> [String: String] {
        let plan = try plan("ios15", Self.sides, "firstResponder: \(first)")
        let recording = try record(plan, keys)
        var explainer = PressExplainer(.press(press))
        explainer.begin(recording.initialContext)
        explainer.consume(recording)
        let made = explainer.explanation(definitions: recording.definitions)
        var found = try #require(made)
        let otherwise = (profile: Profile(), layout: try RecordedStory.resources.layoutNamed("us"))
        try found.addUnasked(of: plan, under: found.rules.engine(recording.definitions, otherwise: otherwise))
        let report = ExplainReport(found, info: explainer.facts.info(), name: "answer").text()
        let lines = report.split(separator: "\n").filter { $0.hasPrefix("  not asked: ") }
        return Dictionary(uniqueKeysWithValues: lines.map { line in
            (String(line.dropFirst(13).prefix { $0 != " " }), String(line.drop { $0 != "," }.dropFirst(2)))
        })
    }

    @Test("Off the chain since a change of first responder: the one that took the responder off it, where it was on it")
    func departures() throws {
        let never = "off the chain, which begins at search"
        #expect(
            try unasked(2, "press cmd+w\ndo focus search\npress cmd+w", first: "side") == [
                "side": "off the chain since search became first responder (#1)", "other": never,
            ])
        // The second change is not the one that took it off.
        #expect(
            try unasked(2, "press cmd+w\ndo focus note\ndo focus search\npress cmd+w", first: "side") == [
                "side": "off the chain since note became first responder (#1)", "other": never,
            ])
        #expect(
            try unasked(1, "do focus search\npress cmd+w", first: "side")["side"]?
                .hasPrefix("off the chain since search became first responder (") == true)
        #expect(try unasked(1, "press cmd+w", first: "search") == ["side": never, "other": never])
        // Back on the chain, and off it again.
        let again = "press cmd+w\ndo focus note\npress a\ndo focus side\npress cmd+w\ndo focus search\npress cmd+w"
        let since = "off the chain since search became first responder (#3)"
        #expect(try unasked(4, again, first: "side")["side"] == since)
    }

    // MARK: Steps

    @Test("I27-1, I27-16 a step that comes to another profile asks for the window scenes that a scene under it has")
    func profileStep() throws {
        let bare = """
            scene: 1
            name: bare
            profile: ios15
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, next: app, keyWindow: true}
            """
        let phone = """
            scene: 1
            name: phone
            profile: ios27
            device: iphone
            responders:
              - {id: app, kind: application}
              - {id: one, kind: windowScene, next: app}
              - {id: two, kind: windowScene, next: app}
              - {id: win, kind: window, windowScene: one, keyWindow: true}
            """
        for (text, to, line) in [(bare, "ios27", 6), (phone, "ios26", 8)] {
            let scene = try Scene(text: text, file: "bare.scene.yaml")
            let instance = try scene.instantiate(resources: RecordedStory.resources)
            let error = #expect(throws: ContextStepError.self) { try instance.apply(.profile(to), at: .zero) }
            let atStart = #expect(throws: SourceTextError.self) {
                try scene.instantiate(profile: Profile.named(to), resources: RecordedStory.resources)
            }
            #expect(atStart?.line == line && error?.found.contains(atStart?.description ?? "?") == true, "\(to)")
            #expect(instance.engine.profile.name == scene.profile)
        }
    }

    // MARK: Swallowed and reserved keys

    @Test("Bindings of a script have what a swallowed press kept commands from, and the system's keys as its own")
    func swallowedScript() throws {
        let text = """
              - id: root
                kind: viewController
                view: term
                keyCommands:
                  - {input: ".", modifiers: [command], action: "stop:"}
                  - {input: escape, action: "cancel:"}
                  - {input: "\\t", modifiers: [command], action: "next:"}
                actions: ["stop:", "cancel:", "next:"]
              - {id: term, kind: view, canBecomeFirstResponder: true, swallowsPresses: true}
            """
        let plan = try plan("ios15", text, "firstResponder: term")
        let script = "press cmd+.\ndown LeftGUI\ndown tab\ndo deactivate\nup tab\nup LeftGUI"
        let timeline = try plan.timeline(of: try KeyScript(text: script, file: "answer.keys"))
        let (analysis, info) = try bindings(plan, timeline)
        let answers = Dictionary(uniqueKeysWithValues: analysis.bindings.map { ($0.input, $0.answer?.takenBy) })
        #expect(answers["."] == .presses && answers["\t"] == .system, "\(answers)")
        let report = BindingsReport(analysis, info: info, name: "answer").text()
        #expect(report.contains("the system (the app switcher)") && report.contains("1  the system\n"), "\(report)")
        // The app switcher cancels its own Tab, of which no responder has seen the beginning, and the ⌘ of the view.
        #expect(
            lint(try plan.record(timeline, showsKeys: true)).filter { $0.hasPrefix("press-cancelled") } == [
                "press-cancelled: at \"deactivate\" the system cancels LeftGUI: term gets pressesCancelled and no "
                    + "pressesEnded"
            ])
    }

    // MARK: Key input alone

    @Test("A view with key input alone types, and leaves arrows, Escape and ⌘Z to commands; presses come first (I27-5)",
        arguments: ["ios15", "ios26"])
    func keyInput(profile: String) throws {
        let text = """
              - id: root
                kind: viewController
                view: term
                keyCommands:
                  - {input: up, action: "up:"}
                  - {input: escape, action: "esc:"}
                  - {input: z, modifiers: [command], action: "undo:"}
                  - {input: a, action: "a:"}
                actions: ["up:", "esc:", "undo:", "a:"]
              - {id: term, kind: keyInputView}
            """
        let plan = try plan(profile, text + "\nfocusSystem: false", "firstResponder: term")
        let keys = "press a\npress return\npress delete\npress up\npress escape\npress cmd+z"
        let timeline = try plan.timeline(of: try KeyScript(text: keys, file: "answer.keys"))
        let lines = try plan.lines(of: timeline)
        #expect(
            lines.map { $0.action ?? $0.outcome.name } == [
                "consumedByText", "consumedByText", "consumedByText", "up:", "esc:", "undo:",
            ])
        #expect(lines.map(\.text) == ["a", "\n", nil, nil, nil, nil])
        #expect(!lint(try plan.record(timeline, showsKeys: true)).contains { $0.hasPrefix("text-stolen") })
        let swallowing = try self.plan(
            profile, text.replacing("kind: keyInputView", with: "kind: keyInputView, swallowsPresses: true"),
            "firstResponder: term")
        let swallowed = try swallowing.lines(of: timeline)
        #expect(swallowed.allSatisfy { $0.outcome == .swallowedByPresses })
    }

    /// github.com/litchie/dospad/issues/107: the keyboard is dead after another app was swiped over this one.
    @Test("A first responder that swallowed the presses and is it no more leaves keys to a chain that does nothing")
    func lostSwallower() throws {
        let text = """
              - {id: root, kind: viewController, view: screen}
              - {id: screen, kind: view, canBecomeFirstResponder: true, swallowsPresses: true}
            """
        let keys = "press a\ndo deactivate\ndo resign\ndo activate win\npress b"
        let found = [
            "first-responder-lost: there is no first responder since press 1, when screen, which had swallowed the "
                + "presses, left that place, and keys start at root"
        ]
        #expect(try lint(record(plan("ios134", text, "firstResponder: screen"), keys)) == found)
        let again = keys.replacing("press b", with: "do focus screen\npress b")
        #expect(try lint(record(plan("ios134", text, "firstResponder: screen"), again)) == [])
    }

    @Test("A chord that is dead since its responder resigned: lint, diff and explain name the resignation")
    func lostOffer() throws {
        // ⌘W is a window's own where no responder has it.
        let responders = Self.sides.replacing("input: w", with: "input: j")
        let plan = try plan("ios15", responders, "firstResponder: side")
        let keys = "press cmd+j\ndo resign\npress cmd+j"
        let recording = try record(plan, keys)
        let found = "first-responder-lost: there is no first responder since press 1, when side, which offers this "
            + "chord, left the chain, and keys start at root"
        let findings = lint(recording)
        #expect(findings.contains(found), "\(findings)")
        #expect(try !lint(record(plan, keys.replacing("do resign", with: "do focus note"))).contains { $0 == found })
    }

    // MARK: SwiftUI

    @Test("A SwiftUI root that a push covers keeps its shortcuts", arguments: ["ios15", "ios26"])
    func coveredRoot(profile: String) throws {
        let text = """
              - {id: root, kind: navigationController, viewControllers: [list, detail]}
              - {id: list, kind: hostingController, shortcuts: [{input: r, modifiers: [command], action: "refresh:"}]}
              - {id: detail, kind: viewController, canBecomeFirstResponder: true}
            """
        let plan = try plan(profile, text, "firstResponder: detail")
        let timeline = try plan.timeline(of: try KeyScript(text: "press cmd+r", file: "answer.keys"))
        #expect(try plan.lines(of: timeline).map { "\($0.target ?? "") \($0.action ?? "")" } == ["list refresh:"])
        var sweep = try SceneSweep(plan)
        let bindings = try sweep.bindings().bindings.filter { $0.input == "r" }
        #expect(bindings.map { $0.provider?.supplier } == ["list"])
        #expect(try lint(scene: plan).isEmpty)
    }

    // MARK: Alerts

    @Test("FR-8 Return and Escape dismiss an alert, and other commands run behind it", arguments: ["ios15", "ios26"])
    func alert(profile: String) throws {
        let text = """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: escape, action: "esc:"}, {input: k, modifiers: [command], action: "k:"}]
                actions: ["esc:", "k:"]
                presents: alert
              - {id: alert, kind: alertController, keyCommands: [{input: j, modifiers: [command], action: "k:"}]}
            """
        for key in ["return", "escape", "cmd+."] {
            let plan = try plan(profile, text, "firstResponder: alert")
            let keys = try KeyScript(text: "press cmd+j\npress cmd+k\npress \(key)", file: "answer.keys")
            let lines = try plan.lines(of: plan.timeline(of: keys))
            #expect(
                lines.map { $0.action ?? $0.outcome.name } == [
                    "unhandled", "k:", key == "return" ? "chooseDefault:" : "chooseCancel:",
                ])
            #expect(lines.last?.effects.contains { $0.kind == "dismiss" } == true, "\(key)")
        }
    }

    // MARK: Versions

    @Test("EV-3, EV-15 iOS 17 and 18 are iOS 16 that scrolls by keys and whose recognisers do not fail")
    func versions() throws {
        let old = try #require(Profile.named("ios16") as Profile?)
        for name in ["ios17", "ios18"] {
            var made = try #require(Profile.named(name) as Profile?)
            #expect(made.name == name && made.keyboardScrolling && !made.gestureRecognizersFailOnPresses)
            (made.name, made.keyboardScrolling, made.gestureRecognizersFailOnPresses) = ("ios16", false, true)
            #expect(made == old)
        }
    }
}
