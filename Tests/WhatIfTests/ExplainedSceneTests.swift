import WhatIf
import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import TraceReports

/// What `explain` says of presses in small scenes.
@Suite struct ExplainedSceneTests {
    struct Explained {
        var explanation: PressExplanation
        var text: String
        var json: String
        var others: OtherProfiles

        /// `id action: verdict, reason` of every candidate.
        var candidates: [String] {
            explanation.ladder.flatMap { rung in
                rung.candidates.map { "\(rung.id) \($0.command.action) \($0.verdict.name): \($0.reason)" }
            }
        }
    }

    func explain(
        _ scene: String, _ script: String, profile: String, press: UInt32 = 1
    ) throws -> Explained {
        let head = "scene: 1\n"
        var replay = SceneReplay(
            try Scene(text: head + scene, file: "made.yaml"), resources: RecordedStory.resources)
        replay.options.profile = try #require(Profile.named(profile) as Profile?)
        let timeline = try replay.timeline(of: try KeyScript(text: "keys 1\n" + script + "\n", file: "made.keys"))
        let recording = try replay.record(timeline, showsKeys: true)
        var explainer = PressExplainer(.press(press))
        explainer.consume(recording)
        let explanation = explainer.explanation(definitions: recording.definitions)
        var found = try #require(explanation)
        let otherwise = (profile: Profile(), layout: try RecordedStory.resources.layoutNamed("us"))
        found.addUnasked(
            explainer.offers(recording.definitions).map { ($0.id, KeyCommand.commands($0.commands)) },
            under: found.rules.engine(recording.definitions, otherwise: otherwise))
        var report = ExplainReport(found, info: explainer.facts.info(), name: "made")
        let others = try OtherProfiles(of: press, by: replay, timeline)
        report.others = others
        return Explained(explanation: found, text: report.text(), json: report.json, others: others)
    }

    func chain(_ controller: String, _ more: String = "") -> String {
        """
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, keyWindow: true, rootViewController: vc}
          - id: vc
            kind: viewController
            canBecomeFirstResponder: true
        \(controller)
        \(more)
        """
    }

    @Test("a command on ⌘. and one whose input needs ⇧ are named with the reason")
    func inputsThatDoNotArrive() throws {
        let commands = """
                actions: ["stop:", "zoomIn:"]
                keyCommands:
                  - {input: ".", modifiers: [command], action: "stop:"}
                  - {input: "+", modifiers: [command], action: "zoomIn:"}
            """
        let scene = chain(commands) + "\nfirstResponder: vc\n"
        let period = try explain(scene, "press cmd+period", profile: "ios15")
        #expect(period.text.contains("⌘. stop:  ⌘. arrives as Escape, the input of another command"), "\(period.text)")
        let plus = try explain(scene, "press cmd+=", profile: "ios15")
        #expect(plus.text.contains("⌘+ zoomIn:  other modifiers: this key gives + with ⇧ or ⌥ only"), "\(plus.text)")
        #expect(try explain(scene, "press shift+cmd+=", profile: "ios15").explanation.resolution?.action == "zoomIn:")
    }

    @Test("a menu that is left out is named with all that went with it, at each press and in bindings")
    func leftOutMenu() throws {
        let scene = chain("", "") + """

            firstResponder: vc
            mainMenu:
              - menu: com.example.zoom
                title: Zoom
                atEndOf: view
                children:
                  - {input: "+", modifiers: [command], action: "zoomIn:", title: Zoom In}
                  - {input: "0", modifiers: [command], action: "actualSize:", title: Actual Size}

            """
        for press: UInt32 in [1, 2] {
            let text = try explain(scene, "press cmd+0\npress cmd+0", profile: "ios15", press: press).text
            #expect(text.contains("actualSize:"), "\(text)")
        }
        var replay = SceneReplay(
            try Scene(text: "scene: 1\n" + scene, file: "made.yaml"), resources: RecordedStory.resources)
        replay.options.profile = Profile.named("ios15")
        var sweep = try SceneSweep(replay)
        let report = BindingsReport(try sweep.bindings(), info: nil, name: "made")
        #expect(report.text().contains("Left out of the main menu: zoomIn: (⌘+)"), "\(report.text())")
        #expect(report.json.contains(#""menu_dropped":["zoomIn: (⌘+)"#), "\(report.json)")
    }

    @Test("who else offers the chord, and why it was not asked: the chain left it at an earlier press, or never had it")
    func notAsked() throws {
        let scene = """
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, next: app, keyWindow: true}
              - id: tabs
                kind: viewController
                next: win
                actions: ["closeTab:"]
                keyCommands: [{input: w, modifiers: [command], action: "closeTab:"}]
              - id: document
                kind: viewController
                next: tabs
                canBecomeFirstResponder: true
                actions: ["closeDocument:"]
                keyCommands: [{input: w, modifiers: [command], action: "closeDocument:"}]
              - {id: search, kind: textField, next: tabs, text: ""}
            firstResponder: document
            """
        let script = "press cmd+w\npress cmd+d\npress cmd+e\ndo focus search\npress cmd+w\npress cmd+d"
        let made = try explain(scene, script, profile: "ios15", press: 4)
        #expect(
            made.text.contains(
                "not asked: document (⌘W closeDocument:), off the chain since search became first responder (#3)\n"),
            "\(made.text)")
        #expect(made.json.contains(#""not_asked":[{"id":"document","input":"w","modifiers":["command"],"#))
        for press in [UInt32(1), 5] {
            #expect(!(try explain(scene, script, profile: "ios15", press: press)).text.contains("not asked"))
        }
        // A responder that was never asked is known from its scene.
        var first = try explain(scene, script, profile: "ios15").explanation
        let panel = [KeyCommand(input: "W", modifierFlags: .command, action: "closePanel:")]
        let us = try RecordedStory.resources.layoutNamed("us")
        let engine = KeyboardEngine(application: Application(id: ""), layout: us)
        first.addUnasked([("panel", panel), ("tabs", panel), ("document", panel)], under: engine)
        #expect(first.notAsked.map(\.id) == ["panel"])
    }

    @Test("who offers a chord is found as the engine matches: by Shift that a character takes, by a localised input",
        arguments: [
            ("us", "+", KeyModifiers.command, "shift+cmd+="), ("us", "=", [.command, .shift], "shift+cmd+="),
            ("de", "[", .command, "cmd+semicolon"), ("us", "UIKeyInputF5", [], "f5"), ("us", "\r", [], "return"),
        ] as [(String, String, KeyModifiers, String)])
    func notAskedByMatching(_ tried: (layout: String, input: String, modifiers: KeyModifiers, chord: String)) throws {
        let (layout, input, modifiers, chord) = tried
        let scene = chain("", "") + "\nlayout: \(layout)\nfirstResponder: vc\n"
        var made = try explain(scene, "press \(chord)", profile: "ios15").explanation
        // Recordings of apps need not contain characters.
        made.resolution?.character = nil
        let named = try RecordedStory.resources.layoutNamed(layout)
        let engine = KeyboardEngine(application: Application(id: ""), layout: named)
        made.addUnasked([("other", [KeyCommand(input: input, modifierFlags: modifiers, action: "go:")])], under: engine)
        #expect(made.notAsked.map(\.command.input) == [input])
        made.notAsked = []
        made.addUnasked([("other", [KeyCommand(input: "q", modifierFlags: modifiers, action: "go:")])], under: engine)
        #expect(made.notAsked == [])
    }

    @Test("MT-8 a command that mirroring has on another key is a near miss of the key it is written for")
    func mirrored() throws {
        let scene = "direction: rtl\n" + chain(
            """
                actions: ["back:"]
                keyCommands: [{input: "[", modifiers: [command], action: "back:"}]
            firstResponder: vc
            """)
        let made = try explain(scene, "press cmd+[", profile: "ios15")
        #expect(made.candidates == ["vc back: otherModifiers: other key: the system has it on ]"])
        #expect(made.text.contains("other key: the system has it on ]"))
        #expect(try explain(scene, "press cmd+[", profile: "ios134").candidates == ["vc back: won: performed"])
    }

    @Test("DS-7 a presenter that performs nothing meanwhile is named with the reason")
    func presenter() throws {
        let scene = chain(
            """
                presents: sheet
                performsActionsWhilePresentingModally: false
                actions: ["save:"]
            """,
            """
              - id: sheet
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: s, modifiers: [command], action: "save:"}]
            firstResponder: sheet
            """)
        let made = try explain(scene, "press cmd+s", profile: "ios15")
        let passed = made.explanation.ladder.compactMap { rung in rung.isPassedOverFor.map { "\(rung.id) \($0)" } }
        #expect(passed == ["vc sheet"])
        #expect(made.text.contains("not asked: it presents sheet and performs no actions meanwhile"))
        let asked = try explain(scene, "press cmd+s", profile: "ios9")
        #expect(asked.explanation.ladder.allSatisfy { $0.isPassedOverFor == nil })
    }

    @Test("EV-13 the same under other profiles means the same repeats")
    func repeats() throws {
        let scene = chain(
            """
                actions: ["toggle:"]
                keyCommands: [{input: e, modifiers: [command], action: "toggle:", repeatBehavior: nonRepeatable}]
            firstResponder: vc
            """)
        let made = try explain(scene, "hold cmd+e 600ms", profile: "ios26")
        #expect(made.others.same == ["ios7", "ios27"])
        #expect(made.others.differences.map(\.outcome.repeats) == [3])
        #expect(made.text.contains("3 repeats"))
    }

    @Test("EV-12 reads at the release are in the totals", arguments: ["ios9", "ios13", "ios134"])
    func release(profile: String) throws {
        let scene = chain(
            """
                actions: ["go:"]
                keyCommands: [{input: g, modifiers: [command], action: "go:"}]
            firstResponder: vc
            """)
        let made = try explain(scene, "press cmd+g", profile: profile)
        let members = made.explanation.ladder.count { if case .chain = $0.place { true } else { false } }
        #expect(made.explanation.calls?[0] == UInt64(2 * members))
        #expect(made.explanation.callsOnRelease == UInt64(members))
        #expect(made.explanation.ladder.allSatisfy { $0.calls == 2 })
        #expect(made.text.contains("at the release"))
    }

    @Test("EV-8 a priority command that wins says so; a key that typed nothing is not said to type")
    func words() throws {
        let scene = chain(
            """
                actions: ["down:"]
                keyCommands: [{input: j, action: "down:", wantsPriority: true}]
            """, "  - {id: field, kind: textField, next: vc}\nfirstResponder: field")
        let won = try explain(scene, "press j", profile: "ios15")
        #expect(won.text.contains("it asks for priority") && won.text.contains("character \"j\""))
        #expect(!won.text.contains("types \"j\""))
        #expect(try explain(scene, "press k", profile: "ios15").text.contains("types \"k\""))
    }

    @Test("EV-14 the focused item is shown where it is not the first responder")
    func focusedItem() throws {
        let scene = chain(
            """
                view: root
                actions: ["go:"]
                keyCommands: [{input: g, modifiers: [command], action: "go:"}]
            """,
            """
              - {id: root, kind: view}
              - {id: button, kind: view, superview: root, focusable: true}
            firstResponder: vc
            """)
        let made = try explain(scene, "press tab\npress cmd+g", profile: "ios15", press: 2)
        #expect(made.explanation.context.focusedItem == "button" && made.explanation.context.firstResponder == "vc")
        #expect(made.explanation.ladder.first?.id == "button" && made.text.contains("focused item"))
    }

    @Test("a menu's keys with other modifiers are folded into their number")
    func menus() throws {
        let items = ["[command, option]", "[command, shift]", "[control]"].enumerated().map { index, modifiers in
            "{input: g, modifiers: \(modifiers), action: \"a\(index):\", title: A\(index)}"
        }
        let menu = "  - {menu: edit, children: [\(items.joined(separator: ", "))]}"
        let scene = chain("", "firstResponder: vc\nmainMenu:\n" + menu)
        let made = try explain(scene, "press cmd+g", profile: "ios15")
        #expect(made.text.contains("and 3 more of the menu with other modifiers"))
        #expect(made.explanation.ladder.last?.candidates.count == 3, "JSON has them all")
    }

    /// What took the key, under which profile, and the line of `explain` about the command that lost it.
    static let early: [(profile: String, chord: String, reason: String)] = [
        ("ios134", "cmd+k", "lost: vc keeps the press to itself"),
        ("ios15", "cmd+k", "lost: vc keeps the press to itself"),
        ("ios9", "cmd+c", "lost: ⌘C is the system's key for copy: of text"),
        ("ios9", "cmd+b", "lost: text edits its text with ⌘B"),
    ]

    @Test("EV-5, EV-8 a press over before any list was read names the command that wanted it", arguments: early)
    func losersOfUnreadLists(_ taken: (profile: String, chord: String, reason: String)) throws {
        let key = String(taken.chord.suffix(1))
        let scene = chain(
            """
                swallowsPresses: true
                actions: ["go:"]
                keyCommandsPerRead: [first, second]
                variants:
                  first: [{input: \(key), modifiers: [command], action: "go:"}]
                  second: []
            """,
            """
              - {id: text, kind: textView, next: vc, allowsEditingTextAttributes: true}
            firstResponder: text
            """)
        let made = try explain(scene, "press \(taken.chord)\npress \(taken.chord)", profile: taken.profile)
        let reads = made.explanation.ladder.compactMap(\.calls).reduce(0, +)
        #expect(made.candidates.map { $0.hasPrefix("vc go: taken") } == [true], "\(made.candidates)")
        #expect(made.text.contains(taken.reason), "\(made.text)")
        // Reading for the explanation is no read of the app's: the turns of the getter go on as without it.
        let isReadAtRelease = taken.profile == "ios9"
        #expect(reads == (isReadAtRelease ? 4 : 0))
        let again = try explain(
            scene, "press \(taken.chord)\npress \(taken.chord)", profile: taken.profile, press: 2)
        #expect(again.candidates.isEmpty == isReadAtRelease, "\(again.candidates)")
    }

    @Test("T-15 lint of a scene alone finds keys and ⌥-letters that text or focus makes dead")
    func lint() throws {
        for (broken, fixed) in [
            ("t15-arrows-dead", "t15-arrows-with-priority"), ("t15-control-tab-dead", "t15-control-tab-with-priority"),
            ("t15-shift-return-dead", "t15-shift-return-with-priority"),
            ("option-letter-dead", "option-letter-with-control"),
        ] {
            let found = try RecordedStory("scenes/traps/" + broken, "ios15").sceneFindings()
            #expect(found.contains { $0.rule == .priorityMissing }, "\(broken)")
            let passed = try RecordedStory("scenes/traps/" + fixed, "ios15").sceneFindings()
            #expect(!passed.contains { $0.rule == .priorityMissing }, "\(fixed)")
            let before = try RecordedStory("scenes/traps/" + broken, "ios134").sceneFindings()
            #expect(!before.contains { $0.rule == .priorityMissing }, "\(broken)")
        }
        let found = try RecordedStory("scenes/traps/t04-held-close-before-26", "ios15").findings()
        #expect(found.contains { $0.rule == .repeatsDestructively })
        for (name, profile) in [("t04-held-close-before-26", "ios26"), ("t04-held-close-guarded", "ios15")] {
            let passed = try RecordedStory("scenes/traps/" + name, profile).findings()
            #expect(!passed.contains { $0.rule == .repeatsDestructively }, "\(name) \(profile)")
        }
    }
}
