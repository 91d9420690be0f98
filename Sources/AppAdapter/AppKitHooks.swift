import CObjCHooks
import KeyModel

/// One row of a hook table: the hook that it is part of, and the method.
struct HookRow {
    /// As facts and reports call it.
    let hook: String
    let selector: String
    let types: String
    let within: String?
    let kind: InvocationKind?

    init(_ hook: String, _ selector: String, _ types: String, _ within: String? = nil, _ kind: InvocationKind?) {
        (self.hook, self.selector, self.types, self.within, self.kind) = (hook, selector, types, within, kind)
    }
}

/// AppKit, and GNUstep. Rows without a kind keep the context and store no message.
let appKitHooks = [
    HookRow("arrival", "sendEvent:", "v@:@", "NSApplication", .sendEvent),
    HookRow("keyEquivalents", "performKeyEquivalent:", "B@:@", nil, .keyEquivalent),
    HookRow("presses", "keyDown:", "v@:@", "NSResponder", .keyDown),
    HookRow("presses", "keyUp:", "v@:@", "NSResponder", .keyUp),
    HookRow("presses", "flagsChanged:", "v@:@", "NSResponder", .flagsChanged),
    HookRow("presses", "noResponderFor:", "v@::", "NSResponder", .noResponder),
    HookRow("keyBindings", "interpretKeyEvents:", "v@:@", "NSResponder", .interpretKeyEvents),
    HookRow("keyBindings", "doCommandBySelector:", "v@::", "NSResponder", .doCommand),
    HookRow("text", "insertText:", "v@:@", "NSResponder", .insertText),
    HookRow("text", "insertText:replacementRange:", "v@:@{_NSRange=QQ}", "NSResponder", .insertText),
    HookRow("text", "setMarkedText:selectedRange:", "v@:@{_NSRange=QQ}", "NSResponder", .setMarkedText),
    HookRow(
        "text", "setMarkedText:selectedRange:replacementRange:", "v@:@{_NSRange=QQ}{_NSRange=QQ}", "NSResponder",
        .setMarkedText),
    HookRow("text", "unmarkText", "v@:", "NSResponder", .unmarkText),
    HookRow("ability", "targetForAction:", "@@::", nil, .targetForAction),
    HookRow("ability", "targetForAction:to:from:", "@@::@@", nil, .targetForAction),
    HookRow("validation", "validateMenuItem:", "B@:@", nil, .validate),
    HookRow("validation", "validateUserInterfaceItem:", "B@:@", nil, .validate),
    HookRow("action", "sendAction:to:from:", "B@::@@", "NSApplication", .sendAction),
    HookRow("action", "tryToPerform:with:", "B@::@", "NSResponder", .tryToPerform),
    HookRow("action", "performActionForItemAtIndex:", "v@:q", "NSMenu", .performItem),
    HookRow("focus", "makeFirstResponder:", "B@:@", "NSWindow", .makeFirstResponder),
    HookRow("focus", "becomeFirstResponder", "B@:", "NSResponder", .becomeFirstResponder),
    HookRow("focus", "resignFirstResponder", "B@:", "NSResponder", .resignFirstResponder),
    HookRow("windows", "becomeKeyWindow", "v@:", "NSWindow", nil),
    HookRow("windows", "resignKeyWindow", "v@:", "NSWindow", nil),
    HookRow("windows", "becomeMainWindow", "v@:", "NSWindow", nil),
    HookRow("modal", "runModalForWindow:", "q@:@", "NSApplication", .runModal),
    HookRow(
        "modal", "beginSheet:modalForWindow:modalDelegate:didEndSelector:contextInfo:", "v@:@@@:^v", "NSApplication",
        .runModal),
    HookRow("menus", "update", "v@:", "NSMenu", .menuUpdate),
    HookRow("settle", "nextEventMatchingMask:untilDate:inMode:dequeue:", "@@:Q@@B", "NSApplication", nil),
    HookRow("lifetimes", "dealloc", "v@:", "NSResponder", nil),
    HookRow("lifetimes", "dealloc", "v@:", "NSMenu", nil),
    HookRow("lifetimes", "dealloc", "v@:", "NSDocument", nil),
]
