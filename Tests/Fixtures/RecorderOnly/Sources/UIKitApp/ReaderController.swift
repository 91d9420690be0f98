import KeyflightRecorder
import UIKit

final class ReaderController: UIViewController {
    override var canBecomeFirstResponder: Bool { true }

    override func becomeFirstResponder() -> Bool {
        recordBecomingFirstResponder()
        return super.becomeFirstResponder()
    }

    override var keyCommands: [UIKeyCommand]? {
        recordingKeyCommands {
            [UIKeyCommand(input: "w", modifierFlags: .command, action: Selector(("closeTab:")))]
        }
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        Keyflight.canPerform(NSStringFromSelector(action), on: self) {
            super.canPerformAction(action, withSender: sender)
        }
    }
}
