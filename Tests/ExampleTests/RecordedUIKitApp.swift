import KeyflightRecorder
import KeyflightUIKit

/// A recording that lasts as long as the app.
@MainActor final class KeyRecording {
    private(set) var flight: Flight?
    /// For a label of the app: who types must be able to see that keys are recorded.
    private(set) var notice = ""

    func start() {
        do {
            flight = try KeyflightUIKit.start()
            notice = "Recording keys (masked)"
        } catch {
            notice = "\(error)"
        }
    }
}
