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

    @Test func withoutSayingWhatToShowItIsWrongUsage() {
        #expect(CommandRun("bindings", Self.scene).status == 64)
    }
}
