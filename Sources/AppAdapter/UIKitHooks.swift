import KeyModel

/// A message of UIKit that the adapter observes.
enum UIKitMessage: UInt8 {
    case sendEvent = 1, handleKeyEvent
    case pressesBegan, pressesChanged, pressesEnded, pressesCancelled
    case keyCommands, canPerformAction, targetForAction, validate, sendAction
    case insertText, deleteBackward, setMarkedText, unmarkText
    case become, resign, becomeKeyWindow, resignKeyWindow, present, dismiss
    case buildMenu, rebuildMenu, revalidateMenu, dealloc

    /// The record that it becomes, where that is an invocation.
    var kind: InvocationKind? {
        switch self {
        case .sendEvent: .sendEvent
        case .handleKeyEvent: .handleKeyEvent
        case .pressesBegan: .pressesBegan
        case .pressesChanged: .pressesChanged
        case .pressesEnded: .pressesEnded
        case .pressesCancelled: .pressesCancelled
        case .targetForAction: .targetForAction
        case .sendAction: .sendAction
        case .insertText: .insertText
        case .deleteBackward: .deleteBackward
        case .setMarkedText: .setMarkedText
        case .unmarkText: .unmarkText
        case .become: .becomeFirstResponder
        case .resign: .resignFirstResponder
        default: nil
        }
    }

    /// The phase of the press that a raw-press message is about.
    var pressPhase: KeyPhase? {
        switch self {
        case .pressesBegan: .down
        case .pressesEnded: .up
        case .pressesCancelled: .cancel
        default: nil
        }
    }
}

/// One row of UIKit's table.
struct UIKitHook {
    let message: UIKitMessage
    let row: HookRow

    init(_ message: UIKitMessage, _ hook: String, _ selector: String, _ types: String, _ within: String) {
        self.message = message
        row = HookRow(hook, selector, types, within, message.kind)
    }
}

/// Public API, documented for overriding or calling. It is in the headers of iOS 13 to 26.
let uiKitHooks = [
    UIKitHook(.sendEvent, "arrival", "sendEvent:", "v@:@", "UIApplication"),
    UIKitHook(.pressesBegan, "presses", "pressesBegan:withEvent:", "v@:@@", "UIResponder"),
    UIKitHook(.pressesChanged, "presses", "pressesChanged:withEvent:", "v@:@@", "UIResponder"),
    UIKitHook(.pressesEnded, "presses", "pressesEnded:withEvent:", "v@:@@", "UIResponder"),
    UIKitHook(.pressesCancelled, "presses", "pressesCancelled:withEvent:", "v@:@@", "UIResponder"),
    UIKitHook(.keyCommands, "keyCommands", "keyCommands", "@@:", "UIResponder"),
    UIKitHook(.canPerformAction, "ability", "canPerformAction:withSender:", "B@::@", "UIResponder"),
    UIKitHook(.targetForAction, "ability", "targetForAction:withSender:", "@@::@", "UIResponder"),
    UIKitHook(.validate, "validation", "validateCommand:", "v@:@", "UIResponder"),
    UIKitHook(.sendAction, "action", "sendAction:to:from:forEvent:", "B@::@@@", "UIApplication"),
    UIKitHook(.insertText, "text", "insertText:", "v@:@", "UIResponder"),
    UIKitHook(.deleteBackward, "text", "deleteBackward", "v@:", "UIResponder"),
    UIKitHook(.setMarkedText, "text", "setMarkedText:selectedRange:", "v@:@{_NSRange=QQ}", "UIResponder"),
    UIKitHook(.unmarkText, "text", "unmarkText", "v@:", "UIResponder"),
    UIKitHook(.become, "focus", "becomeFirstResponder", "B@:", "UIResponder"),
    UIKitHook(.resign, "focus", "resignFirstResponder", "B@:", "UIResponder"),
    UIKitHook(.becomeKeyWindow, "windows", "becomeKeyWindow", "v@:", "UIWindow"),
    UIKitHook(.resignKeyWindow, "windows", "resignKeyWindow", "v@:", "UIWindow"),
    UIKitHook(.present, "modal", "presentViewController:animated:completion:", "v@:@B@", "UIViewController"),
    UIKitHook(.dismiss, "modal", "dismissViewControllerAnimated:completion:", "v@:B@", "UIViewController"),
    UIKitHook(.buildMenu, "menus", "buildMenuWithBuilder:", "v@:@", "UIResponder"),
    UIKitHook(.rebuildMenu, "menus", "setNeedsRebuild", "v@:", "UIMenuSystem"),
    UIKitHook(.revalidateMenu, "menus", "setNeedsRevalidate", "v@:", "UIMenuSystem"),
    UIKitHook(.dealloc, "lifetimes", "dealloc", "v@:", "UIResponder"),
]

/// Private API, in every header dump from iOS 13.5 to 26.1. Only for an app that the library was loaded into, never for
/// one that is linked with it.
let uiKitPrivateHooks = [
    UIKitHook(.handleKeyEvent, "earlyArrival", "handleKeyUIEvent:", "v@:@", "UIApplication")
]

/// Classes whose methods are replaced at the start: UIKit's own, which every app uses. Those of the app follow once
/// they are seen in the responder chain.
let uiKitClasses = [
    "UIApplication", "UIWindow", "UIWindowScene", "UIView", "UIViewController", "UITextField", "UITextView",
    "UIMenuSystem",
]
