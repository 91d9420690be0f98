import KeyflightRecorder
import UIKit

// ⌘W, and a password of one key, as UIKit would deliver them: the trace has the press, who was asked and what ran.
let app = RecordingApplication()
UIApplication.shared = app
let reader = ReaderController()
let field = UITextField()
let flight = try Keyflight.start(RecorderOptions(.memoryRing(.minutes(5))))
Keyflight.name(reader, "reader")
recordTextFields()
_ = reader.becomeFirstResponder()

@MainActor func press(
    _ usage: UIKeyboardHIDUsage, _ characters: String, _ flags: UIKeyModifierFlags, _ phase: UIPress.Phase
) {
    app.sendEvent(UIPressesEvent([UIPress(UIKey(usage, characters, flags), phase)]))
}
for phase in [UIPress.Phase.began, .ended] {
    press(.keyboardLeftGUI, "", .command, phase)
    if phase == .began { for phase in [UIPress.Phase.began, .ended] { press(.keyboardW, "w", .command, phase) } }
}
field.isSecureTextEntry = true
NotificationCenter.default.post(name: UITextField.textDidBeginEditingNotification, object: field)
for phase in [UIPress.Phase.began, .ended] { press(.keyboardW, "w", [], phase) }
NotificationCenter.default.post(name: UITextField.textDidEndEditingNotification, object: field)

let trace = try Recording.read(flight.snapshot()).recording
try flight.stop()
var found: [String] = []
for record in trace.records {
    switch record.body {
    case .key(let key): found.append("key \(key.phase.name)")
    case .call: found.append("call")
    case .stage: found.append("stage")
    case .resolution(let resolution): found.append(resolution.outcome.name)
    default: break
    }
}
print(found.joined(separator: ", "))
