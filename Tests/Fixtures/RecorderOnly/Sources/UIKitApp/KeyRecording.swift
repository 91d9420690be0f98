import KeyflightRecorder
import UIKit

/// Records each key that reaches the app, and the action of the key command that took it.
final class RecordingApplication: UIApplication {
    private var resolution: RecordedResolution?

    override func sendEvent(_ event: UIEvent) {
        let presses = (event as? UIPressesEvent)?.allPresses.sorted { $0.timestamp < $1.timestamp } ?? []
        let keys = presses.compactMap(\.recorded)
        guard Keyflight.isRecording, let last = keys.last else { return super.sendEvent(event) }
        for key in keys.dropLast() { Keyflight.key(key.usage, key.phase) }
        Keyflight.handle(last.usage, last.phase) {
            if last.phase == .down { Keyflight.stage(.inputDelay, lasted: last.age) }
            resolution = nil
            super.sendEvent(event)
            return resolution
        }
    }

    override func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool {
        let isDone = Keyflight.measure(.action) { super.sendAction(action, to: target, from: sender, for: event) }
        if let command = sender as? UIKeyCommand {
            var taken = RecordedResolution(
                isDone ? .performed : .blockedUnperformable, by: .keyCommands, action: NSStringFromSelector(action))
            taken.command = Shortcut(command)
            taken.target = target as? UIResponder
            resolution = taken
        }
        return isDone
    }
}

extension UIPress {
    /// The key in the words of a trace; `nil` for a press of no key, and while a key is only held.
    var recorded: (usage: KeyUsage, phase: KeyPhase, age: TraceDuration)? {
        guard let key else { return nil }
        let usage = KeyUsage.keyboard(UInt16(truncatingIfNeeded: key.keyCode.rawValue))
        // How long ago the system stamped it.
        let age = TraceDuration(nanoseconds: Int64((ProcessInfo.processInfo.systemUptime - timestamp) * 1e9))
        switch phase {
        case .began: return (usage, .down, age)
        case .ended: return (usage, .up, age)
        case .cancelled: return (usage, .cancel, age)
        default: return nil
        }
    }
}

/// A key command in the words of a trace. Its title is left out: titles are often made of what a person wrote.
struct Shortcut: RecordedCommand {
    let recordedInput: String?
    let recordedModifiers: KeyModifiers
    let recordedAction: String

    @MainActor init(_ command: UIKeyCommand) {
        recordedInput = command.input
        // Both have the same bits.
        recordedModifiers = KeyModifiers(rawValue: UInt32(truncatingIfNeeded: command.modifierFlags.rawValue))
        recordedAction = command.action.map(NSStringFromSelector) ?? ""
    }
}

extension UIResponder {
    /// For an override of `keyCommands`: who was asked, what it answered, and how long that took.
    func recordingKeyCommands(_ commands: () -> [UIKeyCommand]?) -> [UIKeyCommand]? {
        let call = Keyflight.beginCall(.keyCommands, of: self)
        let answer = commands()
        Keyflight.end(call, (answer ?? []).map(Shortcut.init))
        return answer
    }

    /// For an override of `becomeFirstResponder`: the chain from here on.
    func recordBecomingFirstResponder() {
        for responder in sequence(first: self, next: \.next) { Keyflight.link(responder, to: responder.next) }
        Keyflight.firstResponder(self, cause: .become)
    }
}

/// Nothing of what is typed into a secure text field is recorded, not even how many keys it was.
@MainActor func recordTextFields() {
    for name in [UITextField.textDidBeginEditingNotification, UITextField.textDidEndEditingNotification] {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            guard let field = notification.object as? UITextField else { return }
            let begins = notification.name == UITextField.textDidBeginEditingNotification
            MainActor.assumeIsolated {
                Keyflight.textInput(begins ? field : nil, isSecure: begins && field.isSecureTextEntry)
            }
        }
    }
}
