import FlightReplay
import Foundation
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// The software keyboard of goldens with a `frames.txt`: every notification, and every frame that a trace keeps.
@Suite struct SoftwareKeyboardGoldenTests {
    static let all = Golden.all.filter { $0.bytes("frames.txt") != nil }

    @Test(arguments: all) func keyboardMovesAsCommitted(_ golden: Golden) throws {
        var golden = golden
        golden.subject = "frames"
        let text = try golden.keyboardFrames()
        guard text != golden.expected else { return }
        golden.propose(text)
        let difference = Golden.firstDifference(golden.expected ?? "", text)
        Issue.record("\(golden.testDescription): \(difference); \(golden.remedy)")
    }

    @Test func thereIsOne() { #expect(Self.all.map(\.name) == ["software-keyboard"]) }
}

extension Golden {
    /// The notifications with their times, then the trace's `keyboard_frame` records.
    func keyboardFrames() throws -> String {
        let prepared = try prepare()
        let subject = try prepared.replay.instantiate()
        var text = "notifications: milliseconds, name, frames in points, cause\n"
        subject.engine.observeKeyboard { notification in
            let frames = [notification.frameBegin, notification.frameEnd].map { frame in
                "[\(frame.x), \(frame.y), \(frame.width), \(frame.height)]"
            }
            let time = notification.time.nanoseconds / 1_000_000
            let name = notification.name.rawValue
            text += "\(time) \(name) \(frames[0]) -> \(frames[1]) \(notification.cause.rawValue)\n"
        }
        let recorder = TraceRecorder()
        struct Silent: ReplayVisitor {}
        var visitor = Silent()
        try Replayer(subject, recorder: recorder).run(prepared.timeline, &visitor)
        text += "records: milliseconds, state, frame in points, cause\n"
        for record in recorder.recording.records {
            guard case .keyboardFrame(let keyboard) = record.body, let frame = keyboard.frame else { continue }
            let points = [frame.x, frame.y, frame.width, frame.height].map { "\($0 / 1000)" }.joined(separator: ", ")
            let time = record.time.nanoseconds / 1_000_000
            text += "\(time) \(keyboard.state.name) [\(points)] \(keyboard.cause.name)\n"
        }
        return text
    }
}
