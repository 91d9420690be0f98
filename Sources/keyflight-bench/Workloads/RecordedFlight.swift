import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import TraceFormat

/// A flight recorded at level `calls`: presses through twelve responders under iOS 7, which asks each of them three
/// times, with declared costs, so that it has stages.
struct RecordedFlight {
    let recording: Recording
    let presses: Int

    init(presses: Int) throws {
        let app = try ChainApp(depth: 12, commands: 8, policy: .none, profile: "ios7")
        for (place, responder) in app.responders.enumerated() {
            let time = TraceDuration(nanoseconds: Int64(15_000 + place * 1_300))
            app.costs.declare(.keyCommands, of: responder.id, takes: time)
        }
        let recorder = TraceRecorder(showsKeys: true)
        let sequence = PressSequence(app, presses: presses, modifiers: .eachPress)
        var nothing = Silent()
        try Replayer(app, recorder: recorder).run(sequence.timeline, &nothing)
        recording = recorder.recording
        self.presses = presses
    }

    private struct Silent: ReplayVisitor {}

    func bytes() throws -> [UInt8] { try recording.bytes(header: TraceHeader(level: .calls, isMasked: false)) }

    /// Sizes by kind: the bytes of the whole trace over its presses and over its calls.
    func counters() throws -> [ExactCounter] {
        let bytes = try self.bytes().count
        let calls = recording.records.count { if case .call = $0.body { true } else { false } }
        return [
            ExactCounter("records", recording.records.count),
            ExactCounter("calls", calls, per: presses),
            ExactCounter("trace bytes per press", bytes, per: presses),
            ExactCounter("trace bytes per call", bytes, per: calls),
        ]
    }
}
