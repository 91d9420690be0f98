import WhatIf
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

/// A command on a key that the system keeps, as `explain` shows it.
@Suite("Reserved chords")
struct ReservedChordTests {
    @Test("§12 explain says that the system kept the key, and which command wanted it")
    func explain() throws {
        let recording = try RecordedStory("scenes/traps/command-on-a-key-of-the-system", "ios15").recording()
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
}
