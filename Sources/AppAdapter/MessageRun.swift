import FlightRecorder
import KeyModel

/// Equal messages that came one after the other, with nothing in between, such as the validation of each item of a
/// menu: one record.
struct MessageRun {
    let kind: InvocationKind
    let receiver: RecordedResponder
    let selector: RecordedName?
    let answer: Keyflight.InvocationAnswer
    let depth: Int
    /// Begin of the first one.
    let began: UInt64
    /// End of the last one.
    var ended: UInt64
    var count = 1

    func continues(_ run: MessageRun) -> Bool {
        kind == run.kind && receiver == run.receiver && selector == run.selector && answer == run.answer
            && depth == run.depth
    }

    /// Before anything else is recorded.
    func record() {
        Keyflight.invocation(
            kind, of: receiver, selector: selector, answer: answer, began: began, ended: ended,
            depth: UInt8(clamping: depth), count: count)
    }
}

extension AppKitSession {
    func append(_ message: MessageRun) {
        if let run, message.continues(run) {
            self.run?.count += 1
            self.run?.ended = message.ended
        } else {
            endRun()
            run = message
        }
    }

    func endRun() {
        run?.record()
        run = nil
    }
}
