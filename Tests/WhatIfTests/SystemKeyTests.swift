import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import TraceReports
import WhatIf

/// Keys of the system's menu and presses that reach no responder: the cause that `lint`, `explain` and `bindings` name.
@Suite struct SystemKeyTests {
    private let answers = RightAnswerTests()

    private func messages(_ plan: SceneReplay) throws -> [String] {
        try answers.lint(scene: plan).map { "\($0.rule.rawValue): \($0.message)" }
    }

    private func explain(_ press: UInt32, _ plan: SceneReplay, _ keys: String) throws -> PressExplanation {
        try answers.explanation(of: press, in: try answers.record(plan, keys))
    }

    private func bindings(_ plan: SceneReplay) throws -> String {
        var sweep = try SceneSweep(plan)
        return BindingsReport(try sweep.bindings(), info: nil, name: "answer").body(.plain)
    }

    // MARK: The system's menu

    private static let search = """
          - id: root
            kind: viewController
            view: view
            keyCommands:
              - {input: f, modifiers: [command], action: "search:"}
              - {input: w, modifiers: [command], action: "closeTab:"}
              - {input: n, modifiers: [command], action: "newNote:"}
            actions: ["search:", "closeTab:", "newNote:"]
          - {id: view, kind: view, canBecomeFirstResponder: true}
          - {id: field, kind: textField, superview: view}
        """

    @Test("I26-2, I26-3 a command that loses to the system's menu in some contexts is found, and the item is named")
    func lostInSomeContexts() throws {
        let text = Self.search
        let found = try messages(try answers.plan("ios26", text, "firstResponder: view"))
        #expect(
            found == [
                "reserved-chord: search: of root runs elsewhere, not here: the system's menu has the key, for find:",
                "reserved-chord: newNote: of root runs elsewhere, not here: the system's menu has the key, for New "
                    + "Window",
                "reserved-chord: closeTab: of root runs elsewhere, not here: the system's menu has the key, for "
                    + "performClose:",
            ])
        // An app of one window has no New Window.
        let single = try answers.plan("ios26", text, "firstResponder: view\nmainMenu: [{remove: new-scene}]")
        #expect(try messages(single).allSatisfy { !$0.contains("newNote:") })
        // Without the field they never run.
        let viewOnly = text.split(separator: "\n").dropLast().joined(separator: "\n")
        let never = try messages(try answers.plan("ios26", viewOnly, "firstResponder: view"))
        let words = " of root never runs: the system's menu"
        #expect(never.count == 3 && never.allSatisfy { $0.contains(words) }, "\(never)")
        #expect(try messages(try answers.plan("ios15", text, "firstResponder: view")).isEmpty)
        let table = try bindings(try answers.plan("ios26", text, "firstResponder: view"))
        #expect(table.contains("the system (New Window)"), "\(table)")
    }

    @Test("The loser's line names the system's action, also where no responder performs it",
        arguments: [("cmd+w", "lost: ⌘W is the system's key for performClose: of scn"),
            ("cmd+f", "lost: ⌘F is the system's key for find: and no responder performs it")])
    func loser(key: String, verdict: String) throws {
        let plan = try answers.plan("ios26", Self.search, "firstResponder: view")
        let found = try explain(1, plan, "press \(key)")
        let info = TraceInfoBuilder().info()
        let text = ExplainReport(found, info: info, name: "answer").body(.plain)
        #expect(text.contains(verdict), "\(text)")
        #expect(text.contains("scn no (the system acts for it)") == (key == "cmd+w"), "\(text)")
    }

    @Test("A key command with the system's own key and action runs: nothing is lost",
        arguments: ["ios26", "catalyst"])
    func sameAction(profile: String) throws {
        let text = """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands:
                  - {input: f, modifiers: [command], action: "find:"}
                  - {input: w, modifiers: [command], action: "performClose:"}
                actions: ["find:", "performClose:"]
            """
        let plan = try answers.plan(profile, text)
        #expect(try messages(plan) == [])
        var sweep = try SceneSweep(plan)
        for binding in try sweep.bindings().bindings {
            #expect(binding.answer?.target == "root" && binding.shadowed.isEmpty, "\(binding)")
        }
    }

    @Test("§15 on the Mac a view that swallows keeps no chord with ⌘ from a command",
        arguments: [("ios15", true), ("catalyst", false)])
    func swallowerOnMac(profile: String, isFound: Bool) throws {
        let text = "  - {id: root, kind: viewController, view: canvas}\n"
            + "  - {id: canvas, kind: view, canBecomeFirstResponder: true, swallowsPresses: true}"
        let found = try answers.lint(scene: try answers.plan(profile, text, "firstResponder: canvas"))
        #expect(found.contains { $0.rule == .pressSwallowed } == isFound, "\(found)")
    }

    @Test("§15 the Mac's own keys are found, each with the system's command",
        arguments: [
            ("m", "[command]", "Minimise"), ("q", "[command]", "Quit"), ("h", "[option, command]", "Hide Others"),
            ("f", "[control, command]", "Full Screen"),
        ])
    func keysOfMac(input: String, modifiers: String, item: String) throws {
        let text = """
              - id: root
                kind: viewController
                canBecomeFirstResponder: true
                keyCommands: [{input: \(input), modifiers: \(modifiers), action: "own:"}]
                actions: ["own:"]
            """
        let found = try answers.lint(scene: try answers.plan("catalyst", text))
        #expect(found.map(\.message) == ["own: of root never runs: the system's menu has the key, for \(item)"])
        #expect(found.first?.hint.contains("wantsPriorityOverSystemBehavior") == true)
        #expect(try messages(try answers.plan("ios15", text)).allSatisfy { !$0.contains("the system's menu") })
    }

    @Test("A bare Escape that a controller keeps from what is inside it is found also where commands come first",
        arguments: ["ios26", "ios27"])
    func swallowedEscape(profile: String) throws {
        let text = "  - {id: root, kind: viewController, view: canvas, swallowsPresses: true}\n"
            + "  - {id: canvas, kind: view, canBecomeFirstResponder: true}"
        let found = try answers.lint(scene: try answers.plan(profile, text, "firstResponder: canvas"))
        #expect(found.map(\.rule) == [.pressSwallowed] && found.first?.chord?.key?.usage == .escape, "\(found)")
    }

    @Test("An item of the menu that blocks its key is advised what a menu can do")
    func unperformedItem() throws {
        let menu = Self.twice.replacing("modifiers: [command], action: \"fit:\"", with: "action: \"fit:\"")
            .replacing("\"zoom:\"", with: "\"dead:\"")
        let found = try answers.lint(scene: try answers.plan("ios15", Self.root, menu))
        #expect(found.map(\.rule) == [.blockedByUnperformable])
        #expect(found.first?.hint.hasPrefix("perform the action in the application") == true)
    }

    @Test("I27-3 a pick that loses its target names the responder that performs the item's key",
        arguments: [("ios27", Outcome.unhandled, "root"), ("ios26", .performed, nil)] as [(String, Outcome, String?)])
    func pick(profile: String, outcome: Outcome, notAsked: String?) throws {
        let menu = Self.twice.replacing("modifiers: [command], action: \"fit:\"", with: "action: \"fit:\"")
        let plan = try answers.plan(profile, Self.root, menu)
        let keys = "press cmd+9\ndo pick Zoom\npress cmd+9"
        let timeline = try plan.timeline(of: try KeyScript(text: keys, file: "answer.keys"))
        let found = try PickExplanation(of: "Zoom", by: plan, timeline)
        let pick = try #require(found)
        #expect(pick.outcome.outcome == outcome && pick.notAsked == notAsked && pick.resigned == notAsked)
        #expect(pick.start == (profile == "ios27" ? "app" : "root"))
        #expect(pick.failure == (notAsked == nil ? nil : .noTarget))
        #expect(pick.others.differences.isEmpty == false && pick.others.same.contains("ios27") == false)
        // What replay says of it.
        let line = try #require(try plan.lines(of: timeline).first { $0.press == nil })
        #expect(line.outcome == outcome && line.target == pick.outcome.target)
        let text = PickReport(pick, name: "answer").body(.plain)
        #expect(text.contains("not asked        root, which performs it for its key") == (notAsked != nil), "\(text)")
        let absent = try PickExplanation(of: "Fit it", by: plan, timeline)
        #expect(absent == nil && PickExplanation.items(of: timeline) == ["Zoom"])
        // What replay refuses is refused.
        let wrong = try plan.timeline(of: try KeyScript(text: "do pick Nothing\n", file: "answer.keys"))
        #expect(throws: Replayer.StepError.self) { try PickExplanation(of: "Nothing", by: plan, wrong) }
    }

    /// One item with the key ⌘9, and one with 9.
    private static func menu(zoom attribute: String) -> String {
        twice.replacing("modifiers: [command], action: \"fit:\"", with: "action: \"fit:\"")
            .replacing("title: Zoom}", with: "title: Zoom, attributes: [\(attribute)]}")
    }

    @Test("An item that is disabled is picked in vain, and that is the reason")
    func disabledPick() throws {
        let plan = try answers.plan("ios26", Self.root, Self.menu(zoom: "disabled"))
        let timeline = try plan.timeline(of: try KeyScript(text: "do pick Zoom\n", file: "answer.keys"))
        let pick = try #require(try PickExplanation(of: "Zoom", by: plan, timeline))
        #expect(pick.outcome.outcome == .unhandled && pick.failure == .disabled)
        #expect(PickReport(pick, name: "answer").body(.plain).contains("not performed    the item is disabled"))
        #expect(PickReport(pick, name: "answer").json.contains(#""reason":"disabled""#))
        var scanner = LintScanner()
        SceneDeclarations.inspect(try plan.lines(of: timeline), into: &scanner)
        #expect(scanner.findings().isEmpty)
    }

    @Test("No person can pick a hidden item: a script that does is refused, and lint claims nothing of it",
        arguments: ["ios26", "ios27"])
    func hiddenPick(profile: String) throws {
        let plan = try answers.plan(profile, Self.root, Self.menu(zoom: "hidden"))
        let timeline = try plan.timeline(of: try KeyScript(text: "do pick Zoom\n", file: "answer.keys"))
        #expect(throws: Replayer.StepError.self) { try plan.lines(of: timeline) }
        let lost = try messages(plan).filter { $0.hasPrefix("menu-pick-lost") }
        #expect(lost.map { $0.contains("fit:") } == (profile == "ios27" ? [true] : []), "\(lost)")
    }

    // MARK: Text that cannot be edited

    @Test("Bare letters are stolen from text that can be edited, and from no other",
        arguments: ["textView", "webView"])
    func readOnlyText(kind: String) throws {
        for isEditable in [false, true] {
            let text = """
                  - id: root
                    kind: viewController
                    view: view
                    keyCommands: [{input: n, action: "next:"}]
                    actions: ["next:"]
                  - {id: view, kind: view}
                  - {id: page, kind: \(kind), superview: view, editable: \(isEditable)}
                """
            let found = try answers.lint(scene: try answers.plan("ios134", text, "firstResponder: page"))
            #expect(found.map(\.rule) == (isEditable ? [.textStolen] : []), "\(kind), editable \(isEditable)")
        }
    }

    @Test("Of a swallower that always has the key first, lint has the name", arguments: ["ios26", "ios27"])
    func swallowerIsNamed(profile: String) throws {
        let text = """
              - id: root
                kind: viewController
                view: canvas
                keyCommands: [{input: d, modifiers: [command], action: "duplicate:"}]
                actions: ["duplicate:"]
              - {id: canvas, kind: view, swallowsPresses: true}
              - {id: title, kind: textField, superview: canvas, text: ""}
            """
        let found = try messages(try answers.plan(profile, text, "firstResponder: title"))
        let word = "always-taken: duplicate: of root never runs: canvas swallows the press first"
        #expect(found.contains(word), "\(found)")
    }

    @Test("A command that loses its key to text in one context and to focus in another is said to lose to both")
    func eachTakerIsNamed() throws {
        let text = """
              - id: root
                kind: viewController
                view: list
                keyCommands: [{input: down, action: "nextResult:"}]
                actions: ["nextResult:"]
              - {id: list, kind: tableView}
              - {id: search, kind: textField, superview: list, text: ""}
            """
        let found = try messages(try answers.plan("ios26", text, "firstResponder: search"))
        #expect(
            found == [
                "priority-missing: nextResult: of root never runs: text takes the key first, elsewhere focus takes the "
                    + "key first"
            ])
    }

    @Test("onKeyPress of a controller off the chain is named where its key comes to no responder")
    func keyPressOffTheChain() throws {
        let text = """
              - {id: root, kind: splitViewController, viewControllers: [side, player]}
              - {id: side, kind: hostingController, view: list}
              - {id: list, kind: tableView}
              - id: player
                kind: hostingController
                view: video
                onKeyPress: [{keys: [space], result: handled}, {keys: [x], result: ignored}]
              - {id: video, kind: view, canBecomeFirstResponder: true}
            """
        let plan = try answers.plan("ios26", text, "firstResponder: video")
        let us = try RecordedStory.resources.layoutNamed("us")
        let engine = KeyboardEngine(application: Application(id: ""), layout: us)
        let keys = "press space\ndo focus list\npress space\npress x"
        for (press, expected) in [(UInt32(1), []), (2, ["player onKeyPress"]), (3, [])] {
            var found = try explain(press, plan, keys)
            try found.addUnasked(of: plan, under: engine)
            #expect(found.notAsked.map { "\($0.id) \($0.command.action)" } == expected, "press \(press)")
        }
    }

    // MARK: Keys that reach no responder

    private static let twice = """
        firstResponder: root
        mainMenu:
          - menu: com.example.zoom
            title: Zoom
            atEndOf: view
            children:
              - {input: "9", modifiers: [command], action: "zoom:", title: Zoom}
              - {input: "9", modifiers: [command], action: "fit:", title: Fit}
        """

    private static let root = """
          - {id: root, kind: viewController, canBecomeFirstResponder: true, actions: ["zoom:", "fit:"]}
        """

    @Test("I26-9 where a repeated key of a menu ends the app, that is the cause, at every press and in every answer")
    func endedApp() throws {
        let plan = try answers.plan("ios26", Self.root, Self.twice)
        let ends = "building the main menu ends the app: NSInvalidArgumentException: fit: (⌘9): the addition has "
            + "this key twice"
        #expect(try messages(plan) == ["menu-duplicate: " + ends])
        #expect(try bindings(plan).contains("Building the main menu ends the app"))
        let second = try explain(2, plan, "press a\npress cmd+9")
        #expect(second.keysStop == "the app has ended: building its main menu raised")
        #expect(second.menuDrops.map(\.kind) == ["menuException"])
        let timeline = try plan.timeline(of: try KeyScript(text: "press a\npress cmd+9", file: "answer.keys"))
        let others = try OtherProfiles(of: 2, by: plan, timeline)
        #expect(others.same.contains("ios27") && !others.same.contains("ios15"), "\(others)")
    }

    @Test("I26-9 of an app that has ended nothing is claimed to be off the chain",
        arguments: [("ios26", false), ("ios15", true)])
    func endedAppAsksNothing(profile: String, isFound: Bool) throws {
        let side = """
              - {id: root, kind: viewController, canBecomeFirstResponder: true, view: view, actions: ["zoom:", "fit:"]}
              - {id: view, kind: view}
              - id: side
                kind: view
                superview: view
                keyCommands: [{input: b, modifiers: [command], action: "b:"}]
                actions: ["b:"]
            """
        let found = try answers.lint(scene: try answers.plan(profile, side, Self.twice))
        #expect(found.contains { $0.rule == .neverAsked } == isFound, "\(found)")
    }

    @Test("Where keys reach no responder, bindings give that as the reason, and not that none offers a chord")
    func noStart() throws {
        let text = "  - {id: root, kind: viewController, view: view}\n  - {id: view, kind: view}"
        let table = try bindings(try answers.plan("ios7", text, ""))
        #expect(table.contains("Keys reach no responder: there is none to start from"), "\(table)")
        let offered = try bindings(try answers.plan("ios7", Self.root))
        #expect(offered.contains("No responder and no menu has such a chord."), "\(offered)")
    }

    @Test("A key that no responder gets while one is first is no lost first responder",
        arguments: [("do deactivate", "the app is not active"), ("do detach", "no keyboard is attached")])
    func stopped(step: String, reason: String) throws {
        let plan = try answers.plan("ios26", Self.root)
        let recording = try answers.record(plan, "press a\n\(step)\npress cmd+s")
        #expect(answers.lint(recording) == [])
        #expect(try explain(2, plan, "press a\n\(step)\npress cmd+s").keysStop == reason)
        // Also where the keys come back.
        let whole = "press a\n\(step)\npress cmd+s\n\(step == "do detach" ? "do attach" : "do activate win")\npress a"
        #expect(try explain(2, plan, whole).keysStop == reason)
        #expect(try explain(3, plan, whole).keysStop == nil)
        #expect(answers.lint(try answers.record(plan, whole)) == [])
        #expect(try explain(1, plan, "press a\n\(step)\npress cmd+s").keysStop == nil)
    }

    @Test("I26-4 keys after ⌘W closed the window lack no first responder")
    func closedWindow() throws {
        let plan = try answers.plan("ios26", Self.root)
        #expect(answers.lint(try answers.record(plan, "press cmd+w\npress cmd+s")) == [])
    }

    @Test("A menu beside one that is not there is advised to go elsewhere")
    func noPlace() throws {
        let rest = Self.twice.replacing("atEndOf: view", with: "after: nosuch")
            .replacing("modifiers: [command], action: \"fit:\"", with: "modifiers: [control], action: \"fit:\"")
        let found = try answers.lint(scene: try answers.plan("ios26", Self.root, rest))
        #expect(found.map(\.hint).first?.hasPrefix("insert it beside a menu that is there") == true, "\(found)")
    }
}
