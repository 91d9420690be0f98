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
        device: ipad              # ipad iphone; an iPad has a focus system from iOS 15 on
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

    /// The shipped layouts, and the files of the repository.
    static let resources = SceneResources(
        layoutNamed: { try Layout.named($0) },
        readFile: { path in
            let bytes = RepositoryFiles.bytes(path)
            guard !bytes.isEmpty else { throw SceneResources.MissingFile(path: path) }
            return bytes
        })

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
        #expect(vc.keyCommands?.count == 2)
        #expect(vc.keyCommands?.first?.input == "[")
        #expect(vc.canPerformAction("goBack:", withSender: nil))
        #expect(!vc.canPerformAction("toggle:", withSender: nil))
        #expect(instance.engine.application.keyWindow?.id == "win")
        #expect((instance.responder("win") as? Window)?.rootViewController?.id == "vc")
        try instance.apply(.setKeyCommands("vc", variant: "busy"), at: .zero)
        #expect(vc.keyCommands?.isEmpty == true)
    }

    func instance(_ responders: String, _ rest: String = "", profile: String = "ios15") throws -> SceneInstance {
        try Scene(text: sceneText(responders, rest), file: "a").instantiate(
            profile: Profile.named(profile), resources: SceneInstanceTests.resources)
    }

    @Test("spec §6.1: next follows containment where the scene leaves it out")
    func containment() throws {
        let text = """
            - {id: app, kind: application}
            - {id: delegate, kind: appDelegate}
            - {id: scn, kind: windowScene}
            - {id: win, kind: window, rootViewController: tabs}
            - {id: tabs, kind: tabBarController, viewControllers: [nav]}
            - {id: nav, kind: navigationController, viewControllers: [a, b]}
            - {id: a, kind: viewController}
            - {id: b, kind: viewController, view: root, presents: sheet}
            - {id: root, kind: view}
            - {id: leaf, kind: view, superview: root}
            - {id: sheet, kind: viewController, view: panel}
            - {id: panel, kind: view}
            - {id: field, kind: textField, superview: panel}
            """
        let live = try instance(text)
        #expect(
            chain(live.responder("leaf")) == ["leaf", "root", "b", "nav", "tabs", "win", "scn", "app", "delegate"])
        #expect(
            chain(live.responder("field")) == [
                "field", "panel", "sheet", "b", "nav", "tabs", "win", "scn", "app", "delegate",
            ])
        #expect(live.engine.application.keyWindow?.id == "win", "the only window is key")
        let ios7 = try instance(text, profile: "ios7")
        #expect(chain(ios7.responder("win")) == ["win", "app", "delegate"])
    }

    @Test("an explicit next wins over containment, under every profile", arguments: Profile.uiKitNames)
    func explicitNext(profile: String) throws {
        let live = try instance(
            """
            - {id: app, kind: application}
            - {id: scn, kind: windowScene, next: app}
            - {id: win, kind: window, next: scn}
            - {id: a, kind: view, superview: win}
            - {id: b, kind: view, superview: a, next: win}
            """, profile: profile)
        #expect(chain(live.responder("b")) == ["b", "win", "scn", "app"])
    }

    @Test("nothing of the beginning counts as an effect of the first press")
    func quietStart() throws {
        let live = try Scene(
            text: sceneText(
                """
                - {id: app, kind: application}
                - {id: win, kind: window, rootViewController: tabs}
                - {id: tabs, kind: tabBarController, viewControllers: [a, b], selectedIndex: 1}
                - {id: a, kind: viewController}
                - {id: b, kind: viewController, view: list, presents: sheet}
                - id: list
                  kind: tableView
                  rows: 3
                  selected: [1]
                  contentSize: [10, 100]
                  viewport: [10, 10]
                  offset: [0, 5]
                - {id: sheet, kind: viewController}
                """, "firstResponder: list"), file: "a"
        ).instantiate(resources: SceneInstanceTests.resources)
        let resolution = live.engine.keyDown(.clear(.keyboard(0x04)), at: .zero)
        #expect(resolution?.effects.isEmpty == true)
        #expect((live.responder("tabs") as? TabBarController)?.selectedIndex == 1)
        #expect((live.responder("list") as? TableView)?.selectedRows == [1])
        #expect((live.responder("list") as? TableView)?.contentOffset.height == 5)
    }

    @Test("a responder named first can be first; others as their kind or the scene says")
    func canBecomeFirst() throws {
        let live = try instance(
            """
            - {id: win, kind: window}
            - {id: a, kind: view, superview: win}
            - {id: b, kind: view, superview: win}
            - {id: c, kind: view, superview: win, canBecomeFirstResponder: true}
            - {id: f, kind: textField, superview: win}
            - {id: g, kind: textField, superview: win, canBecomeFirstResponder: false}
            """, "firstResponder: a")
        func accepts(_ id: String) throws -> Bool { try live.apply(.focus(id), at: .zero).isAccepted }
        #expect(try !accepts("b"))
        #expect(live.engine.firstResponder?.id == "a")
        #expect(try accepts("c"))
        #expect(try accepts("a"))
        #expect(try accepts("f"))
        #expect(try !accepts("g"))
        try live.apply(.resign, at: .zero)
        #expect(live.engine.firstResponder == nil)
    }

    @Test("steps present, dismiss, push, pop, select, click and activate")
    func navigation() throws {
        let live = try instance(
            """
            - {id: app, kind: application}
            - {id: win, kind: window, rootViewController: tabs, keyWindow: true}
            - {id: other, kind: window}
            - {id: tabs, kind: tabBarController, viewControllers: [nav, second]}
            - {id: nav, kind: navigationController, viewControllers: [root]}
            - {id: root, kind: viewController, view: list}
            - {id: list, kind: tableView, rows: 4, allowsMultipleSelection: true}
            - {id: second, kind: viewController}
            - {id: detail, kind: viewController}
            - {id: sheet, kind: viewController}
            - {id: popover, kind: viewController}
            """, "firstResponder: list")
        func run(_ text: String) throws -> Bool { try live.apply(ContextStep(text: text), at: .zero).isAccepted }
        let nav = try #require(live.responder("nav") as? NavigationController)
        #expect(try run("push detail"))
        #expect(nav.topViewController?.id == "detail")
        #expect(try run("pop"))
        #expect(try !run("pop"), "the root stays")
        let tabs = try #require(live.responder("tabs") as? TabBarController)
        #expect(try run("select 1"))
        #expect(tabs.selectedIndex == 1)
        #expect(try !run("select 2"))
        #expect(try run("present sheet"))
        #expect(tabs.presentedViewController?.id == "sheet")
        #expect(try run("present popover"), "the topmost controller presents")
        #expect((live.responder("sheet") as? ViewController)?.presentedViewController?.id == "popover")
        #expect(try run("dismiss sheet"))
        #expect(tabs.presentedViewController == nil)
        let list = try #require(live.responder("list") as? TableView)
        #expect(try run("click list 1"))
        #expect(try run("click list 3 shift"))
        #expect(list.selectedRows == [1, 2, 3])
        #expect(try run("click list 2 cmd"))
        #expect(list.selectedRows == [1, 3])
        #expect(throws: ContextStepError.self) { try run("click list 4") }
        #expect(try run("activate other"))
        #expect(live.engine.application.keyWindow?.id == "other")
        #expect(try run("mark here"))
    }

    @Test("other answers change without a word to caches, and only then")
    func sets() throws {
        let live = try instance(
            """
            - id: a
              kind: view
              actions: ["x:"]
              keyCommands: [{input: a, action: "x:"}]
              variants: {busy: [], more: [{input: a, action: "x:"}, {input: b, action: "x:"}]}
            - {id: b, kind: view, next: a}
            - {id: c, kind: view}
            """)
        let a = try #require(live.responder("a"))
        func run(_ text: String) throws { try live.apply(ContextStep(text: text), at: .zero) }
        try run("set a keyCommands more")
        #expect(a.keyCommands?.count == 2)
        try run("set a keyCommands busy")
        #expect(a.keyCommands?.count == 0)
        try run("set a keyCommands keyCommands")
        #expect(a.keyCommands?.count == 1)
        try run("set a canPerform x: false")
        #expect(!a.canPerformAction("x:", withSender: nil))
        try run("set a canPerform x: true")
        #expect(a.canPerformAction("x:", withSender: nil))
        try run("set b next c")
        #expect(live.responder("b")?.next?.id == "c")
        try run("set b next null")
        #expect(throws: ContextStepError.self) { try run("set a keyCommands none") }
        #expect(throws: ContextStepError.self) { try run("set nobody swallowsPresses true") }
        #expect(throws: ContextStepError.self) { try run("layout no/such") }
        #expect(throws: ContextStepError.self) { try run("profile ios99") }
        try run("layout fr")
        #expect(live.engine.layout.name == "fr")
        try run("profile ios7")
        #expect(live.engine.profile.name == "ios7")
    }

    @Test("a held index: the cached list is served until the responder says that it changed")
    func staleHit() throws {
        let scene = try Scene(
            text: sceneText(
                """
                - {id: win, kind: window}
                - id: a
                  kind: view
                  superview: win
                  actions: ["x:"]
                  keyCommands: [{input: a, action: "x:"}]
                  variants: {none: []}
                """, "firstResponder: a"), file: "a")
        let live = try scene.instantiate(cachePolicy: .chain, resources: SceneInstanceTests.resources)
        func press() -> Outcome? {
            let outcome = live.engine.keyDown(.clear(.keyboard(0x04)), at: .zero)?.outcome
            _ = live.engine.keyUp(.clear(.keyboard(0x04)), at: .zero)
            return outcome
        }
        #expect(press() == .performed)
        try live.apply(.setKeyCommands("a", variant: "none"), at: .zero)
        #expect(press() == .performed, "stale")
        try live.apply(.invalidate("a"), at: .zero)
        #expect(press() == .unhandled)
    }

    @Test("keyCommandsPerRead answers successive reads in turn")
    func perRead() throws {
        let live = try instance(
            """
            - id: a
              kind: view
              keyCommands: [{input: a, action: "x:"}]
              variants: {none: []}
              keyCommandsPerRead: [keyCommands, none, none]
            """)
        let a = try #require(live.responder("a"))
        #expect((0..<6).map { _ in a.keyCommands?.count } == [1, 0, 0, 1, 0, 0])
        try live.apply(.setKeyCommands("a", variant: "none"), at: .zero)
        #expect((0..<3).map { _ in a.keyCommands?.count } == [0, 0, 0])
    }

    @Test("a performed action runs its steps in order")
    func effects() throws {
        let live = try instance(
            """
            - {id: win, kind: window, rootViewController: vc}
            - id: vc
              kind: viewController
              canBecomeFirstResponder: true
              keyCommands:
                - {input: d, modifiers: [command], action: "open:"}
                - {input: e, modifiers: [command], action: "bad:"}
              actions: {"open:": [{present: sheet}, {focus: field}], "bad:": [{layout: no/such}]}
            - {id: sheet, kind: viewController, view: field}
            - {id: field, kind: textField}
            """, "firstResponder: vc")
        _ = live.engine.keyDown(.clear(.leftGUI), at: .zero)
        #expect(live.engine.keyDown(.clear(.keyboard(0x08)), at: .zero)?.outcome == .performed)
        #expect(live.failures.count == 1)
        _ = live.engine.keyUp(.clear(.keyboard(0x08)), at: .zero)
        #expect(live.engine.keyDown(.clear(.keyboard(0x07)), at: .zero)?.outcome == .performed)
        #expect(live.engine.firstResponder?.id == "field")
    }

    @Test("the menu's other answers are seen after setNeedsRebuild")
    func menuVariants() throws {
        let live = try instance(
            """
            - {id: app, kind: application, actions: ["x:"]}
            - {id: win, kind: window, keyWindow: true}
            - {id: v, kind: view, superview: win}
            """,
            """
            firstResponder: v
            mainMenu: [{menu: edit, children: [{input: d, modifiers: [command], action: "x:"}]}]
            mainMenuVariants: {none: []}
            """)
        _ = live.engine.keyDown(.clear(.leftGUI), at: .zero)
        func press() -> Outcome? {
            let outcome = live.engine.keyDown(.clear(.keyboard(0x07)), at: .zero)?.outcome
            _ = live.engine.keyUp(.clear(.keyboard(0x07)), at: .zero)
            return outcome
        }
        #expect(press() == .performed)
        try live.apply(.setMenu(variant: "none"), at: .zero)
        #expect(press() == .performed)
        try live.apply(.setNeedsRebuild, at: .zero)
        #expect(press() == .unhandled)
    }

    @Test("a profile file is found beside the scene, its errors name it")
    func profileFile() throws {
        let scene = try Scene(
            text: "scene: 1\nprofile: my.profile\nparameters: {repeats: false}\nresponders: [{id: a, kind: view}]",
            file: "folder/a.scene.yaml")
        let text = try #require(Profile.named("ios9")).text
        let good = SceneResources(layoutNamed: { try Layout.named($0) }) { path in
            path == "folder/my.profile" ? Array(text.utf8) : []
        }
        let live = try scene.instantiate(resources: good)
        #expect(live.engine.profile.stageOrder == .commandsFirst)
        #expect(!live.engine.profile.repeats)
        let bad = SceneResources(layoutNamed: { try Layout.named($0) }) { _ in Array("nonsense".utf8) }
        let error = #expect(throws: SourceTextError.self) { try scene.instantiate(resources: bad) }
        #expect(error?.file == "folder/my.profile")
        #expect(error?.description.contains("nonsense") == false, "the file may be any of the user's")
        #expect(throws: SourceTextError.self) { try scene.instantiate(resources: SceneInstanceTests.resources) }
        #expect(try scene.instantiate(profile: Profile.named("ios26"), resources: bad).engine.profile.name == "ios26")
    }

    @Test("an unknown layout is an error of the scene")
    func unknownLayout() throws {
        let scene = try Scene(text: "scene: 1\nlayout: no/such\nresponders: [{id: a, kind: view}]", file: "a")
        #expect(throws: SourceTextError.self) { try scene.instantiate(resources: SceneInstanceTests.resources) }
        #expect(throws: Never.self) {
            try scene.instantiate(layout: ShippedLayouts.named("de"), resources: SceneInstanceTests.resources)
        }
    }

    @Test("a chain of 10,000 and a tree of 10,000 views come and go")
    func scale() throws {
        var scene = Scene(file: "a", name: "deep")
        scene.responders = [ResponderDescription(id: "r0", kind: .responder)]
        for at in 1..<10_000 {
            scene.responders.append(ResponderDescription(id: "r\(at)", kind: .responder, next: "r\(at - 1)"))
        }
        let deep = try scene.instantiate(resources: SceneInstanceTests.resources)
        #expect(chain(deep.responder("r9999")).count == 10_000)

        var nested = Scene(file: "a", name: "nested")
        nested.responders = [ResponderDescription(id: "v0", kind: .window)]
        for at in 1..<10_000 {
            var view = ResponderDescription(id: "v\(at)", kind: .view)
            view.containment.superview = "v\(at - 1)"
            nested.responders.append(view)
        }
        nested.responders.reverse()
        let tree = try nested.instantiate(resources: SceneInstanceTests.resources)
        #expect(chain(tree.responder("v9999")).count == 10_000)
    }
}
