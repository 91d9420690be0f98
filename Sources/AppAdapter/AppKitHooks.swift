import CObjCHooks
import KeyModel

/// One row of a hook table: the hook that it is part of, and the method.
struct HookRow {
    /// Name in facts and reports.
    let hook: String
    let selector: String
    let types: String
    let within: String?
    /// Meaning of the message, as a number that is the context of its hook.
    let context: UInt8

    init(_ hook: String, _ selector: String, _ types: String, _ within: String? = nil, context: UInt8) {
        (self.hook, self.selector, self.types, self.within, self.context) = (hook, selector, types, within, context)
    }

    /// The number of the row whose method a message is.
    static func context(_ call: Activation) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt(bitPattern: call.pointee.hook.pointee.context))
    }
}

/// A message of AppKit that the adapter observes.
enum AppKitMessage {
    /// A message that becomes a record, if a press is handled.
    case invocation(InvocationKind)
    /// The app requests its next event.
    case nextEvent
    /// An event is taken from the app's queue, or looked at.
    case queue
    /// A bundle's code was loaded.
    case bundleLoad
    /// Another key or main window.
    case windowChange
    case dealloc

    var context: UInt8 {
        switch self {
        case .invocation(let kind): kind.rawValue
        case .queue: 251
        case .bundleLoad: 252
        case .nextEvent: 253
        case .windowChange: 254
        case .dealloc: 255
        }
    }

    init?(context: UInt8) {
        switch context {
        case Self.queue.context: self = .queue
        case Self.bundleLoad.context: self = .bundleLoad
        case Self.nextEvent.context: self = .nextEvent
        case Self.windowChange.context: self = .windowChange
        case Self.dealloc.context: self = .dealloc
        default:
            guard let kind = InvocationKind(rawValue: context) else { return nil }
            self = .invocation(kind)
        }
    }
}

extension HookRow {
    fileprivate init(
        _ hook: String, _ selector: String, _ types: String, _ within: String? = nil, _ kind: InvocationKind
    ) { self.init(hook, selector, types, within, context: kind.rawValue) }

    fileprivate init(
        _ hook: String, _ selector: String, _ types: String, _ within: String? = nil, to message: AppKitMessage
    ) { self.init(hook, selector, types, within, context: message.context) }
}

/// AppKit, and GNUstep.
let appKitHooks = [
    HookRow("arrival", "sendEvent:", "v@:@", "NSApplication", .sendEvent),
    HookRow(
        "queue", "getEventMatchingMask:beforeDate:inMode:dequeue:", "@@:I@@B", "GSDisplayServer", to: .queue),
    // The first row that fits counts: that of menus.
    HookRow("keyEquivalents", "performKeyEquivalent:", "B@:@", "NSMenu", .keyEquivalent),
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
    HookRow("windows", "becomeKeyWindow", "v@:", "NSWindow", to: .windowChange),
    HookRow("windows", "resignKeyWindow", "v@:", "NSWindow", to: .windowChange),
    HookRow("windows", "becomeMainWindow", "v@:", "NSWindow", to: .windowChange),
    HookRow("modal", "runModalForWindow:", "q@:@", "NSApplication", .runModal),
    HookRow(
        "modal", "beginSheet:modalForWindow:modalDelegate:didEndSelector:contextInfo:", "v@:@@@:^v", "NSApplication",
        .runModal),
    HookRow("menus", "update", "v@:", "NSMenu", .menuUpdate),
    HookRow(
        "settle", "nextEventMatchingMask:untilDate:inMode:dequeue:", "@@:Q@@B", "NSApplication", to: .nextEvent),
    HookRow("bundles", "load", "B@:", "NSBundle", to: .bundleLoad),
    HookRow("lifetimes", "dealloc", "v@:", "NSResponder", to: .dealloc),
    HookRow("lifetimes", "dealloc", "v@:", "NSMenu", to: .dealloc),
    HookRow("lifetimes", "dealloc", "v@:", "NSDocument", to: .dealloc),
]
