import KeyModel

/// A message of UIKit that the adapter observes.
enum UIKitMessage: UInt8 {
    case sendEvent = 1, handleKeyEvent
    case pressesBegan, pressesChanged, pressesEnded, pressesCancelled
    case keyCommands, canPerformAction, targetForAction, validate, sendAction
    case insertText, deleteBackward, setMarkedText, unmarkText
    case become, resign, updateFocus, becomeKeyWindow, resignKeyWindow, present, dismiss
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

extension HookRow {
    fileprivate init(_ message: UIKitMessage, _ hook: String, _ selector: String, _ types: String, _ within: String) {
        self.init(hook, selector, types, within, context: message.rawValue)
    }
}

/// Public API, documented for overriding or calling. It is in the headers of iOS 13 to 27.
let uiKitHooks = [
    HookRow(.sendEvent, "arrival", "sendEvent:", "v@:@", "UIApplication"),
    HookRow(.pressesBegan, "presses", "pressesBegan:withEvent:", "v@:@@", "UIResponder"),
    HookRow(.pressesChanged, "presses", "pressesChanged:withEvent:", "v@:@@", "UIResponder"),
    HookRow(.pressesEnded, "presses", "pressesEnded:withEvent:", "v@:@@", "UIResponder"),
    HookRow(.pressesCancelled, "presses", "pressesCancelled:withEvent:", "v@:@@", "UIResponder"),
    HookRow(.keyCommands, "keyCommands", "keyCommands", "@@:", "UIResponder"),
    HookRow(.canPerformAction, "ability", "canPerformAction:withSender:", "B@::@", "UIResponder"),
    HookRow(.targetForAction, "ability", "targetForAction:withSender:", "@@::@", "UIResponder"),
    HookRow(.validate, "validation", "validateCommand:", "v@:@", "UIResponder"),
    HookRow(.sendAction, "action", "sendAction:to:from:forEvent:", "B@::@@@", "UIApplication"),
    HookRow(.insertText, "text", "insertText:", "v@:@", "UIResponder"),
    HookRow(.deleteBackward, "text", "deleteBackward", "v@:", "UIResponder"),
    HookRow(.setMarkedText, "text", "setMarkedText:selectedRange:", "v@:@{_NSRange=QQ}", "UIResponder"),
    HookRow(.unmarkText, "text", "unmarkText", "v@:", "UIResponder"),
    HookRow(.become, "focus", "becomeFirstResponder", "B@:", "UIResponder"),
    HookRow(.resign, "focus", "resignFirstResponder", "B@:", "UIResponder"),
    HookRow(
        .updateFocus, "focusedItem", "didUpdateFocusInContext:withAnimationCoordinator:", "v@:@@", "UIResponder"),
    HookRow(.becomeKeyWindow, "windows", "becomeKeyWindow", "v@:", "UIWindow"),
    HookRow(.resignKeyWindow, "windows", "resignKeyWindow", "v@:", "UIWindow"),
    HookRow(.present, "modal", "presentViewController:animated:completion:", "v@:@B@", "UIViewController"),
    HookRow(.dismiss, "modal", "dismissViewControllerAnimated:completion:", "v@:B@", "UIViewController"),
    HookRow(.buildMenu, "menus", "buildMenuWithBuilder:", "v@:@", "UIResponder"),
    HookRow(.rebuildMenu, "menus", "setNeedsRebuild", "v@:", "UIMenuSystem"),
    HookRow(.revalidateMenu, "menus", "setNeedsRevalidate", "v@:", "UIMenuSystem"),
    HookRow(.dealloc, "lifetimes", "dealloc", "v@:", "UIResponder"),
]

/// Private API, in every header dump from iOS 13.5 to 26.1. Only for an app that the library was loaded into, never for
/// one that is linked with it.
let uiKitPrivateHooks = [
    HookRow(.handleKeyEvent, "earlyArrival", "handleKeyUIEvent:", "v@:@", "UIApplication")
]

/// Classes whose methods are replaced at the start: UIKit's own, which every app uses. Those of the app follow once
/// they are seen in the responder chain.
let uiKitClasses = [
    "UIApplication", "UIWindow", "UIWindowScene", "UIView", "UIViewController", "UITextField", "UITextView",
    "UIMenuSystem",
]
