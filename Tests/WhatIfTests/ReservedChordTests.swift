import WhatIf
import FlightReplay
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// A command on a key that the system keeps, as `explain` shows it.
@Suite("Reserved chords")
struct ReservedChordTests {
    @Test("§12 explain says that the system kept the key, and which command wanted it")
    func explain() throws {
        let recording = try RecordedStory("scenes/traps/system-key-dead", "ios15").recording()
        var explainer = PressExplainer(.press(1))
        explainer.consume(recording)
        let explanation = explainer.explanation(definitions: recording.definitions)
        let found = try #require(explanation)
        #expect(found.resolution?.outcome == .unhandled && found.resolution?.takenBy == .system)
        let browser = try #require(found.ladder.first { $0.id == "browser" })
        #expect(browser.calls == 0 && !browser.isReceiver)
        let wanted = try #require(browser.candidates.first)
        #expect(wanted.command.action == "previousTab:" && wanted.reason == "kept by the system")
    }

    @Test("§12 a command of the menu is named at the first key of all", arguments: ["ios13", "ios15", "ios26"])
    func menu(profile: String) throws {
        let scene = """
            scene: 1
            responders:
              - {id: app, kind: application}
              - {id: win, kind: window, keyWindow: true, next: app}
              - {id: view, kind: view, next: win, canBecomeFirstResponder: true}
            firstResponder: view
            mainMenu:
              - {menu: file, children: [{input: h, modifiers: [command], action: "hideAll:", title: Hide All}]}
            """
        var replay = SceneReplay(try Scene(text: scene, file: "made.yaml"), resources: RecordedStory.resources)
        replay.options.profile = try #require(Profile.named(profile) as Profile?)
        let timeline = try replay.timeline(of: try KeyScript(text: "keys 1\npress cmd+h\n", file: "made.keys"))
        let line = try #require(try replay.lines(of: timeline).first)
        #expect(line.takenBy == .system && line.calls.buildMenu == 0)
        #expect(line.shadowed == [.init(supplier: "mainMenu", action: "hideAll:")])
        let recording = try replay.record(timeline, showsKeys: true)
        var explainer = PressExplainer(.press(1))
        explainer.consume(recording)
        let explanation = explainer.explanation(definitions: recording.definitions)
        let found = try #require(explanation)
        #expect(found.ladder.last?.candidates.map(\.reason) == ["kept by the system"])
        // The recording alone says the same.
        let recorded = try #require(RecordedReplay(recording, otherwise: (Profile(), try Layout.named("us"))))
        #expect(try recorded.lines(of: try recorded.timeline()).first?.shadowed == line.shadowed)
    }
}
