import FlightReplay
import Foundation
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// The recording of a UIKit app, replayed without the app.
@Suite struct LiveUIKitTests {
    static func recorded() throws -> Recording {
        let file = Golden.root.appending(path: "apps/reader.keyflight")
        return try Recording.read(TraceBytes(Array(try Data(contentsOf: file)))).recording
    }

    private func plan(_ recording: Recording, on layout: String = "us") throws -> RecordedReplay {
        var options = ReplayRunOptions()
        options.layout = try TestReplay.resources.layoutNamed(layout)
        let us = try TestReplay.resources.layoutNamed("us")
        return try #require(RecordedReplay(recording, otherwise: (Profile(), us), options: options))
    }

    @Test func everyPressIsResolvedAsRecorded() throws {
        let recording = try Self.recorded()
        let verification = try Verification(
            recorded: RecordedTrace(recording), of: try ReplayTimeline(recording), by: try plan(recording))
        #expect(verification.isIdentical, "\(verification.text(name: "reader"))")
        #expect(verification.lines == 27 && verification.notCompared.count == 0)
    }

    /// Its repeats came 50 ms after each other, which is the rate of no profile.
    @Test func repeatsAreThoseOfTheRecording() throws {
        let recording = try Self.recorded()
        let lines = try plan(recording).lines(of: try ReplayTimeline(recording))
        let repeats = lines.filter(\.isRepeat)
        #expect(repeats.map(\.press) == [5, 5, 5, 11, 11, 11])
        #expect(repeats.prefix(3).allSatisfy { $0.outcome == .consumedByText })
        #expect(repeats.suffix(3).allSatisfy { $0.action == "nextPage:" })
    }

    /// Nothing recorded what the menu is built of: its commands are those that took presses, by their characters.
    @Test func aCommandOfTheMainMenuIsItsCharacter() throws {
        let recording = try Self.recorded()
        let timeline = try ReplayTimeline(recording)
        let own = try #require(try plan(recording).lines(of: timeline).first { $0.press == 12 })
        #expect(own.takenBy == .mainMenu && own.action == "duplicate:" && own.target == "PageController")
        // The key of ⌘D types E there.
        let other = try #require(try plan(recording, on: "us:dvorak").lines(of: timeline).first { $0.press == 12 })
        #expect(other.takenBy != .mainMenu && other.outcome != .performed)
    }

    /// A secure field leaves nothing in the trace; who is first responder after it does.
    @Test func whatComesAfterASecureEntryIsKnown() throws {
        let recording = try Self.recorded()
        let lines = try plan(recording).lines(of: try ReplayTimeline(recording))
        #expect(lines.last?.press == 21 && lines.last?.action == "newDocument:")
        #expect(lines.last?.receivers.first == "PageView")
    }
}
