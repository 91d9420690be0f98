import KeyModel
import TraceFormat

/// Why keys reach no responder although there is a first responder: by the steps of a script and the records of an app.
struct KeysStop: Sendable {
    private var isInactive = false
    private var isDetached = false
    private var hasEnded = false
    /// A press is known as a whole only after what came while it was down.
    private var changes: [(time: TraceTime, reason: String?)] = []

    /// In words, as of this time; `nil` where nothing stops the keys.
    func reason(at time: TraceTime) -> String? { changes.last { $0.time <= time }?.reason }

    private var reason: String? {
        if hasEnded { return "the app has ended: building its main menu raised" }
        if isDetached { return "no keyboard is attached" }
        return isInactive ? "the app is not active" : nil
    }

    mutating func consume(_ record: TraceRecord, _ names: TraceDefinitions) {
        switch record.body {
        case .step(let step):
            let verb = names[step.step]?.split(separator: " ").first
            if verb == "deactivate" { isInactive = true }
            if verb == "activate" { isInactive = false }
        case .hardware(let hardware): isDetached = !hardware.isAttached
        case .effect(let effect): if names[effect.kind] == "menuException" { hasEnded = true }
        default: return
        }
        if reason != changes.last?.reason { changes.append((record.time, reason)) }
    }
}
