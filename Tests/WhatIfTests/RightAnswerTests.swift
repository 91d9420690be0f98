import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import TraceReports
import WhatIf

/// What `explain`, `lint` and `bindings` have in common with `replay`, where they once had other answers.
@Suite struct RightAnswerTests {
    func plan(
        _ profile: String, _ responders: String, _ rest: String = "firstResponder: root"
    ) throws -> SceneReplay {
        let head = """
            scene: 1
            name: answer
            profile: \(profile)
            responders:
              - {id: app, kind: application}
              - {id: scn, kind: windowScene, next: app}
              - {id: win, kind: window, keyWindow: true, windowScene: scn, rootViewController: root}

            """
        let text = head + responders + "\n" + rest + "\n"
        return SceneReplay(try Scene(text: text, file: "answer.scene.yaml"), resources: RecordedStory.resources)
    }

    func record(_ plan: SceneReplay, _ keys: String) throws -> Recording {
        try plan.record(plan.timeline(of: try KeyScript(text: keys, file: "answer.keys")), showsKeys: true)
    }

    func lint(_ recording: Recording) -> [String] {
        var scanner = LintScanner()
        scanner.begin(recording.initialContext)
        scanner.consume(recording)
        return scanner.findings(definitions: recording.definitions).map { "\($0.rule.rawValue): \($0.message)" }
    }

    func lint(scene plan: SceneReplay) throws -> [Finding] {
        var scanner = LintScanner()
        var sweep = try SceneSweep(plan)
        try sweep.run { scanner.scan($0.recording, place: $0.place) }
        SceneDeclarations.inspect(try plan.instantiate(), asked: sweep.asked, into: &scanner)
        try SceneDeclarations.inspectPicks(sweep, into: &scanner)
        return scanner.findings()
    }

    func explanation(of press: UInt32, in recording: Recording) throws -> PressExplanation {
        var explainer = PressExplainer(.press(press))
        explainer.begin(recording.initialContext)
        explainer.consume(recording)
        let found = explainer.explanation(definitions: recording.definitions)
        return try #require(found)
    }

    /// Of a script, with the chords that it does not press.
    func bindings(_ plan: SceneReplay, _ timeline: ReplayTimeline) throws -> (BindingsAnalysis, TraceInfo) {
        let recording = try plan.record(timeline, showsKeys: true)
        var analyzer = BindingsAnalyzer()
        analyzer.begin(recording.initialContext)
        analyzer.consume(recording)
        var analysis = analyzer.analysis(definitions: recording.definitions)
        try analysis.pressOthers(by: plan, timeline)
        return (analysis, analyzer.facts.info())
    }

    // MARK: Presentations

    private static let presenter = """
          - id: root
            kind: viewController
            canBecomeFirstResponder: true
            keyCommands: [{input: s, modifiers: [command], action: "save:"}]
            actions: ["save:"]
          - {id: sheet, kind: viewController, canBecomeFirstResponder: true}
        """

    @Test("A controller that a step presents or dismisses is presented for the presses after it")
    func presentedByStep() throws {
        let plan = try plan("ios15", Self.presenter)
        let keys = "press cmd+s\ndo present sheet\npress cmd+s\ndo dismiss sheet\npress cmd+s"
        let recording = try record(plan, keys)
        let presented = try [UInt32(1), 2, 3].map { press in
            try explanation(of: press, in: recording).context.presentations.map { "\($0.presented) by \($0.presenter)" }
        }
        #expect(presented == [[], ["sheet by root"], []])
        #expect(lint(recording) == ["acts-behind: root.save: runs behind sheet, which root presents"])
        // Recorded once, also where an action presents.
        let count = recording.records.count { if case .presentation = $0.body { true } else { false } }
        #expect(count == 2)
    }

    // MARK: Layouts

    private static let brackets = """
          - id: root
            kind: viewController
            canBecomeFirstResponder: true
            keyCommands:
              - {input: "[", modifiers: [command], action: "back:"}
              - {input: "+", modifiers: [command], action: "in:"}
            actions: ["back:", "in:"]
        """

    @Test("Bindings of a script have the key of each chord that was not pressed, or that there is none",
        arguments: [("us", "[", "root"), ("de", "ö", "root"), ("fr", nil, nil)] as [(String, String?, String?)])
    func scriptOnLayout(layout: String, typed: String?, provider: String?) throws {
        let plan = try plan("ios15", Self.brackets, "firstResponder: root\nlayout: \(layout)")
        let timeline = try plan.timeline(of: try KeyScript(text: "press cmd+d\n", file: "answer.keys"))
        let recording = try plan.record(timeline, showsKeys: true)
        let (analysis, info) = try bindings(plan, timeline)
        let back = try #require(analysis.bindings.first { $0.input == "[" })
        #expect(back.typedInput == typed && back.provider?.supplier == provider && back.isNowhere == (typed == nil))
        #expect(analysis.bindings.first { $0.input == "+" }?.provider?.action == "in:")
        let untypeable = lint(recording).filter { $0.hasPrefix("untypeable-input") }
        let found = ["untypeable-input: root offers ⌘[ back:, and no key of layout fr types it"]
        #expect(untypeable == (layout == "fr" ? found : []))
        let report = BindingsReport(analysis, info: info, name: "answer").text()
        #expect(report.contains("on fr: nowhere") == (layout == "fr"), "\(report)")
    }

    @Test("A script's chord that was not pressed has the answer of its context, not the first one that offers it")
    func scriptInText() throws {
        let plan = try plan(
            "ios15",
            """
              - id: root
                kind: viewController
                keyCommands: [{input: left, action: "back:"}, {input: k, modifiers: [command], action: "none:"}]
                actions: ["back:"]
                view: view
              - {id: view, kind: view}
              - {id: field, kind: textField, superview: view}
            """, "firstResponder: field")
        let timeline = try plan.timeline(of: try KeyScript(text: "press cmd+d\n", file: "answer.keys"))
        let (analysis, _) = try bindings(plan, timeline)
        let outcomes = Dictionary(uniqueKeysWithValues: analysis.bindings.map { ($0.input, $0.answer?.outcome) })
        #expect(outcomes == ["UIKeyInputLeftArrow": .consumedByText, "k": .blockedUnperformable])
        #expect(analysis.bindings.allSatisfy { $0.provider == nil })
    }

    // MARK: Windows

    private static let panel = """
          - {id: root, kind: viewController, canBecomeFirstResponder: true}
          - {id: scn2, kind: windowScene, next: app}
          - {id: win2, kind: window, windowScene: scn2, rootViewController: panel}
          - id: panel
            kind: viewController
            keyCommands: [{input: b, modifiers: [command], action: "b:"}]
            actions: ["b:"]
            view: side
          - {id: side, kind: view}
          - {id: search, kind: textField, superview: side}
        """

    @Test("A second window is a focus context, and so is each responder in it")
    func secondWindow() throws {
        let plan = try plan("ios15", Self.panel)
        var sweep = try SceneSweep(plan)
        #expect(sweep.contexts.map(\.place) == ["focus root", "no first responder in win2", "focus search"])
        let bindings = try sweep.bindings().bindings
        #expect(bindings.map(\.context) == ["panel", "search"])
        #expect(bindings.allSatisfy { $0.provider?.supplier == "panel" })
        #expect(try lint(scene: plan).isEmpty)
    }

    // MARK: Swallowed presses

    @Test("A scene without commands is explored where a responder swallows presses",
        arguments: [("ios15", true), ("ios26", false)])
    func swallower(profile: String, isFound: Bool) throws {
        let text = """
              - {id: root, kind: viewController, view: view, swallowsPresses: true}
              - {id: view, kind: view}
              - {id: field, kind: textField, superview: view}
            """
        let found = try lint(scene: try plan(profile, text, "firstResponder: field")).map(\.message)
        #expect(found.contains("root swallows presses that field would type"), "\(found)")
        // On iOS 26 a view that swallows comes after all commands, and keeps them from nobody.
        let canvas = "  - {id: root, kind: viewController, view: canvas}\n"
            + "  - {id: canvas, kind: view, canBecomeFirstResponder: true, swallowsPresses: true}"
        let chords = try lint(scene: try plan(profile, canvas, "firstResponder: canvas")).map(\.rule)
        #expect(chords.contains(.pressSwallowed) == isFound)
    }

    // MARK: Advice

    @Test("What lint advises can be followed: a chord that no app gets, and a key that no menu gives back")
    func advice() throws {
        let text = """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands:
                  - {input: b, modifiers: [command], action: "b:"}
                  - {input: h, modifiers: [command], action: "b:"}
                  - {input: " ", modifiers: [command], action: "b:"}
                  - {input: n, modifiers: [command], action: "b:"}
                actions: ["b:"]
            """
        let found = try lint(scene: try plan("ios26", text))
        #expect(Set(found.map(\.rule)) == [.reservedChord])
        func hint(_ word: String) -> String? {
            found.first { $0.message.contains(word) || $0.chord?.text == word }?.hint
        }
        #expect(hint("⌘H")?.hasPrefix("choose another chord: no app") == true)
        #expect(hint("⌘Space") == hint("⌘H"))
        #expect(hint("cmd+b") == "choose another chord: the key is the system's also where its menu is removed")
        #expect(hint("cmd+n")?.contains("an app of one window has no New Window") == true)
    }

    // MARK: Menus

    private static let menu = """
        firstResponder: root
        mainMenu:
          - menu: com.example.own
            title: Own
            atEndOf: edit
            children: [{input: f, modifiers: [command], action: "find:", title: Look}]
        """
    private static let finder = """
          - {id: root, kind: viewController, canBecomeFirstResponder: true, actions: ["find:"]}
        """

    @Test("Other profiles have a menu of their own at each press, not at the first alone")
    func otherProfiles() throws {
        func own(_ text: String) -> String { text.replacing("find:", with: "look:") }
        let plan = try plan("ios15", own(Self.finder), own(Self.menu))
        let timeline = try plan.timeline(of: try KeyScript(text: "press cmd+f\npress cmd+f\n", file: "answer.keys"))
        let first = try OtherProfiles(of: 1, by: plan, timeline)
        let second = try OtherProfiles(of: 2, by: plan, timeline)
        #expect(first == second)
        #expect(first.differences.contains { $0.profiles.contains("ios16") }, "\(first)")
    }

    @Test("What a menu leaves out is said after a pick, and an item that is picked in vain is found")
    func picked() throws {
        let item = Self.menu.replacing("action: \"find:\"", with: "action: \"own:\"")
        let recording = try record(try plan("ios26", Self.finder, item), "do pick Settings…\npress cmd+k\npress cmd+k")
        for press: UInt32 in [1, 2] {
            let found = try explanation(of: press, in: recording)
            let kinds = (found.effects + found.menuDrops).map(\.kind)
            #expect(kinds == ["menuDropped"], "press \(press)")
        }
        let look = Self.menu.replacing("input: f", with: "input: j").replacing("find:", with: "look:")
        let looker = Self.finder.replacing("find:", with: "look:")
        for (profile, isLost) in [("ios26", false), ("ios27", true)] {
            let plan = try plan(profile, looker, look)
            let found = try lint(scene: plan).map(\.rule)
            #expect(found == (isLost ? [.menuPickLost] : []), "\(profile)")
            var scanner = LintScanner()
            let timeline = try plan.timeline(of: try KeyScript(text: "do pick look:\n", file: "answer.keys"))
            SceneDeclarations.inspect(try plan.lines(of: timeline), into: &scanner)
            #expect(scanner.findings().map(\.rule) == (isLost ? [.menuPickLost] : []), "\(profile)")
        }
    }

    // MARK: Overlay

    @Test("The key of ⌘+ is ⇧⌘= where + takes Shift")
    func zoomKey() throws {
        let plan = try plan("ios26", Self.finder)
        let sweep = try SceneSweep(plan)
        let plus = CommandChord(input: "+", modifiers: .command)
        #expect(sweep.key(of: plus) == Chord(modifiers: [.shift, .command], usage: .keyboard(0x2E)))
        #expect(try sweep.answer(to: plus, in: sweep.contexts[0])?.outcome == .unhandled)
        let bracket = CommandChord(input: "[", modifiers: .command)
        #expect(sweep.key(of: bracket) == Chord(modifiers: .command, usage: .keyboard(0x2F)))
    }

    @Test("A responder that is asked at some press of a script is not one that no press asks")
    func askedInScript() throws {
        let text = """
              - {id: root, kind: viewController, canBecomeFirstResponder: true, view: view}
              - {id: view, kind: view}
              - id: side
                kind: view
                superview: view
                keyCommands: [{input: b, modifiers: [command], action: "b:"}]
                actions: ["b:"]
            """
        let plan = try plan("ios15", text)
        for (keys, isAsked) in [("press cmd+b", false), ("do set root next side\npress cmd+b", true)] {
            var scanner = LintScanner()
            scanner.consume(try record(plan, keys))
            var sweep = try SceneSweep(plan)
            try sweep.findAsked()
            let asked = sweep.asked.union(scanner.asked)
            SceneDeclarations.inspect(try plan.instantiate(), asked: asked, into: &scanner)
            #expect(scanner.findings().contains { $0.rule == .neverAsked } == !isAsked, "\(keys)")
        }
    }
}
