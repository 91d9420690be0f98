import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@testable import Scenes

/// A scene whose responders are these lines, from line 3 on.
func sceneText(_ responders: String, _ rest: String = "") -> String {
    "scene: 1\nresponders:\n" + responders + (rest.isEmpty ? "" : "\n" + rest)
}

/// The error that reading a scene gives, as the user sees it.
func sceneError(_ text: String) -> String {
    do {
        _ = try Scene(text: text, file: "a.scene.yaml")
        return "no error"
    } catch { return error.description }
}

@Suite("Reading a scene")
struct SceneReadingTests {
    @Test("the example of the contract")
    func contract() throws {
        let scene = try Scene(text: SceneInstanceTests.contract, file: "pdf.scene.yaml")
        #expect(scene.name == "pdf-viewer")
        #expect(scene.profile == "ios15")
        #expect(scene.parameters == [ParameterSetting(name: "repeatDelay", value: "400ms", line: 4)])
        #expect(scene.layout == "us")
        #expect(scene.direction == .ltr)
        #expect(scene.device == .ipad && scene.focusSystem == nil && scene.hasFocusSystem)
        #expect(scene.responders.map(\.id) == ["app", "scn", "win", "vc", "view", "field"])
        #expect(scene.firstResponder == "field")
        let vc = scene.responders[3]
        #expect(vc.kind == .viewController)
        #expect(vc.line == 12)
        #expect(vc.actions.map(\.name) == ["goBack:", "toggle:"])
        #expect(vc.canPerform == [Named("toggle:", ResponderDescription.PerformAnswer(false))])
        #expect(vc.keyCommands?[0].input == "[")
        #expect(vc.keyCommands?[0].modifiers == .command)
        #expect(vc.keyCommands?[0].title == "Back")
        #expect(vc.keyCommands?[1].input == "UIKeyInputEscape")
        #expect(vc.keyCommands?[1].wantsPriority == true)
        #expect(vc.variants == [Named("busy", [])])
        #expect(vc.cost.map(\.name) == ["keyCommands", "goBack:"])
        #expect(vc.cost.map(\.value.text) == ["120us", "2ms"])
        var duplicate = CommandDescription(input: "d", modifiers: .command, action: "duplicate:")
        duplicate.title = "Duplicate"
        #expect(scene.mainMenu == [.menu(identifier: "edit", title: "", children: [.command(duplicate)])])
    }

    @Test("a scene without a name is called as its file")
    func name() throws {
        #expect(try Scene(text: sceneText("- {id: a, kind: view}"), file: "x/demo.scene.yaml").name == "demo")
        #expect(try Scene(text: sceneText("- {id: a, kind: view}"), file: "golden/scene.yaml").name == "scene")
    }

    @Test("every plain kind", arguments: ResponderDescription.Kind.allCases)
    func kinds(kind: ResponderDescription.Kind) throws {
        let scene = try Scene(text: sceneText("- {id: a, kind: \(kind.rawValue)}"), file: "a")
        #expect(scene.responders[0].kind == kind)
        let instance = try scene.instantiate(resources: SceneInstanceTests.resources)
        #expect(instance.responder("a") != nil)
    }

    @Test("every key of a command")
    func command() throws {
        let text = """
            - id: a
              kind: view
              keyCommands:
                - input: pageUp
                  modifiers: [capsLock, shift, control, option, command, numericPad]
                  action: "x:y:"
                  title: T
                  discoverabilityTitle: D
                  attributes: [disabled, hidden]
                  alternates: [{modifiers: [option], action: "x:", title: A}]
                  wantsPriority: true
                  allowsAutomaticLocalization: false
                  allowsAutomaticMirroring: false
                  repeatBehavior: nonRepeatable
                  propertyList: p
                - {input: 1, action: z}
                - {input: "", modifiers: [capsLock], action: z}
            """
        let commands = try #require(Scene(text: sceneText(text), file: "a").responders[0].keyCommands)
        var expected = CommandDescription(
            input: "UIKeyInputPageUp", modifiers: KeyModifiers.named.reduce(into: []) { $0.formUnion($1.flag) },
            action: "x:y:")
        expected.title = "T"
        expected.discoverabilityTitle = "D"
        expected.isDisabled = true
        expected.isHidden = true
        expected.alternates = [.init(modifiers: .option, action: "x:", title: "A")]
        expected.wantsPriority = true
        expected.allowsAutomaticLocalization = false
        expected.allowsAutomaticMirroring = false
        expected.repeatBehavior = .nonRepeatable
        expected.propertyList = "p"
        #expect(commands[0] == expected)
        #expect(commands[1].input == "1")
        #expect(commands[2].input == "", "spec DT-7: an empty input is accepted and never matches")
    }

    @Test("input names", arguments: [
        ("return", "\r"), ("tab", "\t"), ("space", " "), ("escape", "UIKeyInputEscape"), ("delete", "\u{8}"),
        ("up", "UIKeyInputUpArrow"), ("down", "UIKeyInputDownArrow"), ("left", "UIKeyInputLeftArrow"),
        ("right", "UIKeyInputRightArrow"), ("pageUp", "UIKeyInputPageUp"), ("pageDown", "UIKeyInputPageDown"),
        ("home", "UIKeyInputHome"), ("end", "UIKeyInputEnd"), ("f1", "UIKeyInputF1"), ("f12", "UIKeyInputF12"),
        ("W", "W"), ("ö", "ö"), ("'['", "["), ("\"?\"", "?"), ("\"!\"", "!"), ("\"*\"", "*"), ("\"&\"", "&"),
    ])
    func inputs(text: String, input: String) throws {
        let scene = try Scene(
            text: sceneText("- {id: a, kind: view, keyCommands: [{input: \(text), action: \"x:\"}]}"), file: "a")
        #expect(scene.responders[0].keyCommands?[0].input == input)
    }

    @Test("every key of text, list, scroll view, picker and controllers")
    func content() throws {
        let text = """
            - id: f
              kind: textField
              text: héllo
              markedText: に
              secure: true
              editable: false
              singleLine: false
              allowsEditingTextAttributes: true
            - {id: t, kind: tableView, sections: [3, 2], selected: [4, 0], allowsMultipleSelection: true}
            - {id: c, kind: collectionView, rows: 3, contentSize: [10, 20], viewport: [5, 5], offset: [1, 2]}
            - {id: d, kind: datePicker, date: 2024-02-29, minimumDate: 2024-01-01, maximumDate: "2024-12-31"}
            - {id: tabs, kind: tabBarController, viewControllers: [a, b], selectedIndex: 1}
            - {id: a, kind: viewController, performsActionsWhilePresentingModally: false, presentationStyle: pageSheet}
            - {id: b, kind: viewController}
            - id: v
              kind: view
              title: V
              canBecomeFirstResponder: true
              swallowsPresses: [Escape, "1"]
              keyCommands: []
              variants: {on: [{input: a, action: "a:"}]}
              keyCommandsPerRead: [keyCommands, on]
            """
        let scene = try Scene(text: sceneText(text), file: "a")
        #expect(scene.responders[0].text.text == "héllo")
        #expect(scene.responders[0].text.markedText == "に")
        #expect(scene.responders[0].text.isSecure == true)
        #expect(scene.responders[0].text.isEditable == false)
        #expect(scene.responders[0].text.isSingleLine == false)
        #expect(scene.responders[0].text.allowsEditingTextAttributes == true)
        #expect(scene.responders[1].content.sections == [3, 2])
        #expect(scene.responders[1].content.selected == [0, 4])
        #expect(scene.responders[2].content.sections == [3])
        #expect(scene.responders[2].content.offset == Extent(width: 1, height: 2))
        #expect(scene.responders[3].content.date == CalendarDay(year: 2024, month: 2, day: 29))
        #expect(scene.responders[4].controller.selectedIndex == 1)
        #expect(scene.responders[5].controller.presentationStyle == .pageSheet)
        #expect(scene.responders[5].controller.performsActionsWhilePresentingModally == false)
        #expect(scene.responders[7].swallowsPresses == .keys([.escape, .keyboard(0x1E)]))
        #expect(scene.responders[7].keyCommandsPerRead == ["keyCommands", "on"])
    }

    @Test("actions are a list, or a map to steps in any of their forms")
    func actions() throws {
        let text = """
            - id: v
              kind: viewController
              actions:
                "a:": []
                "b:":
                "c:": [{dismiss: v}, {focus: v}, pop, {pop: }, {select: 1}, {marktext: two words}]
                "d:":
                  - {set: "v keyCommands keyCommands"}
                  - {set: [v, canPerform, "a:", false]}
                  - resign
                  - {setNeedsRebuild: }
            """
        let actions = try Scene(text: sceneText(text), file: "a").responders[0].actions
        #expect(actions.map(\.name) == ["a:", "b:", "c:", "d:"])
        #expect(actions[2].value == [.dismiss("v"), .focus("v"), .pop, .pop, .select(1), .markText("two words")])
        #expect(
            actions[3].value == [
                .setKeyCommands("v", variant: "keyCommands"), .setCanPerform("v", action: "a:", false), .resign,
                .setNeedsRebuild,
            ])
    }

    @Test("each shipped key binding table is read whole", arguments: Scene.shippedKeyBindingNames)
    func shippedKeyBindings(name: String) throws {
        let responder = "  - {id: text, kind: textView, keyBindings: [\(name)]}"
        let scene = try Scene(text: sceneText(responder), file: "a.scene.yaml")
        let bindings = try #require(try scene.keyBindings(of: scene.responders[0], SceneInstanceTests.resources))
        #expect(!bindings.isEmpty)
        #expect(try scene.skippedKeyBindings(SceneInstanceTests.resources).isEmpty)
    }

    @Test("menus hold commands, commands without a key, and menus; other answers have names")
    func menus() throws {
        let menu = """
            mainMenu:
              - menu: file
                title: File
                children: [{action: "print:", title: Print}, {menu: com.example.more, children: []}]
            mainMenuVariants: {busy: [{menu: edit}], none: []}
            """
        let scene = try Scene(text: sceneText("- {id: app, kind: application}", menu), file: "a")
        var command = CommandDescription(input: nil, action: "print:")
        command.title = "Print"
        #expect(scene.mainMenu == [
            .menu(
                identifier: "file", title: "File",
                children: [.command(command), .menu(identifier: "com.example.more", title: "", children: [])])
        ])
        #expect(scene.mainMenuVariants.map(\.name) == ["busy", "none"])
    }
}
