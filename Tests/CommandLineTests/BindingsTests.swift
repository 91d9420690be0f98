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

    @Test("A scene alone shows each of its focus contexts")
    func ofAScene() {
        let run = CommandRun("bindings", Files.path("Traces/scenes/pdf-viewer.scene.yaml"))
        #expect(run.status == 0)
        GoldenFile.expect(run.withoutFolders, "reports/bindings-pdf-viewer.txt")
        #expect(CommandRun("bindings", Files.path("Traces/scenes/pdf-viewer.scene.yaml"), "--chord", "f12").status == 3)
    }
}
