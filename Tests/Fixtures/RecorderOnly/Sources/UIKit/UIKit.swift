// Stands in for UIKit where there is none: the declarations that the example uses, with UIKit's signatures, and so
// much of their behaviour that a key reaches a key command. It shows that the example compiles and records, not what
// UIKit does.
@_exported public import Foundation

public struct Selector: Hashable, Sendable {
    let name: String
    public init(_ name: String) { self.name = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

public struct UIKeyModifierFlags: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
}

public enum UIKeyboardHIDUsage: Int, Sendable {
    case keyboardW = 0x1A
    case keyboardLeftGUI = 0xE3
}

@MainActor public final class UIKey {
    public let keyCode: UIKeyboardHIDUsage
    public let charactersIgnoringModifiers: String
    public let modifierFlags: UIKeyModifierFlags

    public init(_ keyCode: UIKeyboardHIDUsage, _ characters: String = "", _ flags: UIKeyModifierFlags = []) {
        self.keyCode = keyCode
        charactersIgnoringModifiers = characters
        modifierFlags = flags
    }
}

@MainActor public final class UIPress: NSObject {
    public enum Phase: Int, Sendable { case began, changed, stationary, ended, cancelled }

    public let key: UIKey?
    public let phase: Phase
    public let timestamp: TimeInterval

    public init(_ key: UIKey?, _ phase: Phase) {
        self.key = key
        self.phase = phase
        timestamp = ProcessInfo.processInfo.systemUptime
    }
}

@MainActor open class UIEvent: NSObject {}

@MainActor public final class UIPressesEvent: UIEvent {
    public let allPresses: Set<UIPress>
    public init(_ presses: Set<UIPress>) { allPresses = presses }
}

@MainActor public final class UIKeyCommand: NSObject {
    public let input: String?
    public let modifierFlags: UIKeyModifierFlags
    public let action: Selector?

    public init(input: String, modifierFlags: UIKeyModifierFlags, action: Selector) {
        self.input = input
        self.modifierFlags = modifierFlags
        self.action = action
    }
}

@MainActor open class UIResponder: NSObject {
    open var next: UIResponder? { UIApplication.shared === self ? nil : UIApplication.shared }
    open var keyCommands: [UIKeyCommand]? { nil }
    open var canBecomeFirstResponder: Bool { false }
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { true }

    open func becomeFirstResponder() -> Bool {
        UIApplication.first = self
        return true
    }
}

@MainActor open class UIViewController: UIResponder {}

@MainActor public final class UITextField: UIResponder {
    public nonisolated static let textDidBeginEditingNotification = Notification.Name("UITextFieldTextDidBeginEditing")
    public nonisolated static let textDidEndEditingNotification = Notification.Name("UITextFieldTextDidEndEditing")
    public var isSecureTextEntry = false
}

@MainActor open class UIApplication: UIResponder {
    public static var shared = UIApplication()
    static var first: UIResponder?

    open func sendEvent(_ event: UIEvent) {
        for press in (event as? UIPressesEvent)?.allPresses ?? [] where press.phase == .began {
            for responder in sequence(first: UIApplication.first ?? self, next: \.next) {
                let found = responder.keyCommands?.first {
                    $0.input == press.key?.charactersIgnoringModifiers && $0.modifierFlags == press.key?.modifierFlags
                }
                guard let found, let action = found.action, responder.canPerformAction(action, withSender: found) else {
                    continue
                }
                _ = sendAction(action, to: responder, from: found, for: event)
                return
            }
        }
    }

    open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool { true }
}
