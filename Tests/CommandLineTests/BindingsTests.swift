import Testing

@testable import keyflight

/// `bindings --overlay`: what the overlay of a scene shows.
@Suite struct BindingsTests {
    static let scene = Files.path("Traces/scenes/overlay-titles.scene.yaml")

    @Test("G23 of a titled and an untitled command the overlay of iOS 9 shows one entry")
    func g23() {
        let run = CommandRun("bindings", Self.scene, "--overlay")
        #expect(run.status == 0)
        #expect(
            run.lines == [
                "overlay-titles · profile ios9 · layout us · first responder vc · overlay hud", "⌘W  Close Tab",
            ])
    }

    @Test("From iOS 15 the overlay has the form of menus, the system's own included")
    func menus() {
        let run = CommandRun("bindings", Self.scene, "--overlay", "--profile", "ios15")
        #expect(
            run.lines.dropFirst() == [
                "Reader", "  ⌘W   Close Tab", "  ⌃⌘→  Next Tab", "Edit", "  ⌘C   Copy", "  ⌘F   Find",
            ])
    }

    @Test func jsonNamesItsSchemaAndEveryEntry() {
        let run = CommandRun("bindings", Self.scene, "--overlay", "--profile", "ios15", "--format", "json")
        #expect(run.text.hasPrefix(#"{"schema":"keyflight.bindings/1","scene":"overlay-titles","profile":"ios15""#))
        #expect(
            run.text.contains(
                #"{"title":"Copy","key":"⌘C","input":"c","modifiers":["command"],"action":"copy:","#
                    + #""supplier":"mainMenu","target":"vc","system":true,"#))
        #expect(run.lines.count == 1)
    }

    @Test func anOverlayWithoutEntriesMatchedNothing() {
        let run = CommandRun("bindings", Self.scene, "--overlay", "--profile", "ios7")
        #expect(run.status == 3)
        #expect(run.lines.last == "nothing is shown")
    }

    @Test("MT-12 held modifiers bring out the alternates of menus")
    func alternates() throws {
        try Files.withFolder { folder in
            let scene = folder + "/reload.scene.yaml"
            try Files.write(Array(Self.sceneWithAlternate.utf8), to: scene)
            let plain = CommandRun("bindings", scene, "--overlay")
            let held = CommandRun("bindings", scene, "--overlay", "--holding", "⌥")
            #expect(plain.lines.last == "  ⌘R  Reload")
            #expect(held.lines.last == "  ⌥⌘R  Reload All")
            #expect(CommandRun("bindings", scene, "--overlay", "--holding", "hyper").status == 64)
        }
    }

    @Test("The overlay adds the chord that a layout needs for what is shown, as bindings do", arguments: ["us", "fr"])
    func layoutChord(layout: String) throws {
        try Files.withFolder { folder in
            let scene = folder + "/tabs.scene.yaml"
            let text = Self.sceneWithAlternate.replacing("input: r\n", with: "input: \"1\"\n")
            try Files.write(Array(text.utf8), to: scene)
            let run = CommandRun("bindings", scene, "--overlay", "--layout", layout)
            #expect(run.lines.last == (layout == "us" ? "  ⌘1  Reload" : "  ⌘1  Reload (on fr: ⇧⌘1)"))
            let json = CommandRun("bindings", scene, "--overlay", "--layout", layout, "--format", "json")
            #expect(json.text.contains(layout == "us" ? #""pressed":"cmd+1""# : #""pressed":"shift+cmd+1""#))
            let bindings = CommandRun("bindings", scene, "--layout", layout).text
            #expect(bindings.contains("⌘1, on fr ⇧⌘1") == (layout == "fr"), "\(bindings)")
        }
    }

    static let sceneWithAlternate = """
        scene: 1
        name: reload
        profile: ios15
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, keyWindow: true, next: app}
          - id: vc
            kind: viewController
            next: win
            canBecomeFirstResponder: true
            actions: ["reload:", "reloadAll:"]
            keyCommands:
              - input: r
                modifiers: [command]
                action: "reload:"
                title: Reload
                alternates: [{title: Reload All, modifiers: [option], action: "reloadAll:"}]
        firstResponder: vc
        """

    @Test func theOverlayIsOfAScene() {
        #expect(CommandRun("bindings", Self.scene, "--holding", "opt").status == 64)
        let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
        #expect(CommandRun("bindings", capture, "--overlay").status == 64)
    }

    @Test("Who shadowed ⌘←: every provider in each focus context that occurred, and the presses")
    func shadowedLeft() {
        let golden = Files.path("Traces/golden/command-left-tab-or-back")
        let run = CommandRun("bindings", golden + "/input.keys", "--scene", golden + "/scene.yaml", "--chord", "⌘←")
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/bindings-command-left.txt")
    }

    @Test("Of a trace alone, chords that the system keeps are marked as lint finds them; others are known as offered")
    func ofATrace() throws {
        try Files.withFolder { folder in
            let commands = ["h", " ", ".", "k"].map { "{input: \"\($0)\", modifiers: [command], action: \"act:\"}" }
            let scene = Self.sceneWithAlternate.replacing("firstResponder: vc", with: "firstResponder: field\n")
                .replacing("    keyCommands:\n",
                    with: "    keyCommands:\n" + commands.map { "      - \($0)\n" }.joined())
                .replacing("responders:\n", with: "responders:\n  - {id: field, kind: view, next: vc,"
                        + " canBecomeFirstResponder: true}\n")
            try Files.write(Array(scene.utf8), to: folder + "/s.scene.yaml")
            try Files.write(Array("press cmd+x\n".utf8), to: folder + "/a.keys")
            let trace = folder + "/a.keyflight"
            let replay = CommandRun("replay", folder + "/a.keys", "--scene", folder + "/s.scene.yaml", "-o", trace)
            #expect(replay.status == 0, "\(replay.notes)")
            let run = CommandRun("bindings", trace)
            func line(_ key: String) -> String { run.lines.first { $0.hasPrefix("  \(key) ") } ?? "" }
            #expect(run.text.contains("offered by") && line("⌘K").contains("vc act:"), "\(run.text)")
            #expect(line("⌘H").contains("the system (Hide)") && line("⌘Space").contains("the system (Spotlight)"))
            #expect(line("⌘.").contains("on us: nowhere"), "\(run.text)")
            let lint = CommandRun("lint", trace, "--format", "json").text
            for key in ["⌘H (act:): kept", "⌘Space (act:): kept", "⌘. (act:): ⌘. arrives"] {
                #expect(lint.contains("offers \(key)"), "\(lint)")
            }
            // The page has the same, of a trace and of a script.
            for input in [[trace], [folder + "/a.keys", "--scene", folder + "/s.scene.yaml"]] {
                let page = CommandRun(["report"] + input + ["-o", "-"]).text
                #expect(page.contains(#""⌘H","the system (Hide)",["vc act:"]"#), "\(input)")
                let isTrace = input.count == 1
                let own = isTrace ? "offered by vc act:" : "no responder performs it, and it blocks the key"
                #expect(page.contains("\"⌘K\",\"\(own)\",["), "\(input)")
                #expect(page.contains(#""⌘.","on us: nowhere",["vc act:"]"#) == isTrace, "\(input)")
            }
            // A scene's chords were pressed to find out.
            let ofScene = CommandRun("bindings", folder + "/s.scene.yaml").text
            #expect(ofScene.contains("provider") && !ofScene.contains("offered by"), "\(ofScene)")
        }
    }

    private static let dropping = """
        scene: 1
        name: menus
        profile: ios26
        responders:
          - {id: app, kind: application, actions: ["own:"]}
          - {id: scn, kind: windowScene, next: app}
          - {id: win, kind: window, keyWindow: true, windowScene: scn, rootViewController: root}
          - {id: root, kind: viewController, view: page, canBecomeFirstResponder: true}
          - {id: page, kind: view}
          - {id: field, kind: textField, superview: page}
        firstResponder: root
        mainMenu:
          - menu: own
            title: Own
            after: edit
            children:
              - {input: t, modifiers: [command], action: "own:", title: Own}
              - {input: w, modifiers: [command], action: "shut:", title: Shut}
        """

    @Test("A chord that only the system has is named with its item, by the answer to a press of it",
        arguments: [
            ("cmd+w", "From root its key goes to the system, for performClose: of scn.", "performClose:"),
            ("cmd+b", "From root its key goes to the system, for toggleBoldface:, which no responder performs", nil),
            ("cmd+c", "From field its key goes to the system, for copy:", nil),
            ("cmd+h", "From root its key goes to the system, for Hide.", nil),
            ("cmd+t", "own: has it in the scene's main menu, and is left out.", nil),
            ("cmd+j", "No responder and no menu has such a chord.", nil),
        ] as [(String, String, String?)])
    func chordOfSystem(_ tried: (chord: String, words: String, action: String?)) throws {
        try Files.withFolder { folder in
            let scene = folder + "/menus.scene.yaml"
            try Files.write(Array(Self.dropping.utf8), to: scene)
            let run = CommandRun("bindings", scene, "--chord", tried.chord)
            #expect(run.status == 3 && run.text.contains(tried.words), "\(run.text)")
            guard let action = tried.action else { return }
            try Files.write(Array("press \(tried.chord)\n".utf8), to: folder + "/a.keys")
            let replay = CommandRun("replay", "--scene", scene, folder + "/a.keys").text
            #expect(replay.contains("| performed | standardEdit | \(action) |"), "\(replay)")
            let json = CommandRun("bindings", scene, "--chord", tried.chord, "--format", "json").text
            #expect(json.contains("\"action\":\"\(action)\""), "\(json)")
        }
    }

    @Test("A title of several lines stays in its row of the overlay")
    func titleOfLines() throws {
        try Files.withFolder { folder in
            let scene = folder + "/reload.scene.yaml"
            let text = Self.sceneWithAlternate.replacing("title: Reload\n", with: "title: \"Re\\nload\"\n")
            try Files.write(Array(text.utf8), to: scene)
            #expect(CommandRun("bindings", scene, "--overlay").lines.last == "  ⌘R  Re\\nload")
        }
    }

    @Test("A scene alone shows each of its focus contexts")
    func ofAScene() {
        let run = CommandRun("bindings", Files.path("Traces/scenes/pdf-viewer.scene.yaml"))
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/bindings-pdf-viewer.txt")
        #expect(CommandRun("bindings", Files.path("Traces/scenes/pdf-viewer.scene.yaml"), "--chord", "f12").status == 3)
    }
}
