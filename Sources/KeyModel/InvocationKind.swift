/// A message of a toolkit that hooks record: key equivalents, key events, key bindings, actions, text, focus. Raw
/// values are those of a trace.
public enum InvocationKind: UInt8, NamedValue, Hashable, Sendable {
    /// `performKeyEquivalent:`.
    case keyEquivalent = 1
    case keyDown = 2
    case keyUp = 3
    case flagsChanged = 4
    case interpretKeyEvents = 5
    /// `doCommandBySelector:`.
    case doCommand = 6
    /// `targetForAction:` and its longer forms.
    case targetForAction = 7
    /// `sendAction:to:from:` and `sendAction:to:from:forEvent:`.
    case sendAction = 8
    /// `tryToPerform:with:`.
    case tryToPerform = 9
    /// `insertText:` and its longer forms. The text is no part of it.
    case insertText = 10
    /// `validateMenuItem:`, `validateUserInterfaceItem:`, `validateCommand:`.
    case validate = 11
    /// `NSMenu update`.
    case menuUpdate = 12
    case canPerformAction = 13
    case pressesBegan = 14
    case pressesChanged = 15
    case pressesEnded = 16
    case pressesCancelled = 17
    case deleteBackward = 18
    case setMarkedText = 19
    case unmarkText = 20
    case makeFirstResponder = 21
    case becomeFirstResponder = 22
    case resignFirstResponder = 23
    /// `noResponderFor:`.
    case noResponder = 24
    /// `performActionForItemAtIndex:` of a menu.
    case performItem = 25
    case runModal = 26
    case sendEvent = 27
    case handleKeyEvent = 28

    private static let names = [
        "keyEquivalent", "keyDown", "keyUp", "flagsChanged", "interpretKeyEvents", "doCommand", "targetForAction",
        "sendAction", "tryToPerform", "insertText", "validate", "menuUpdate", "canPerformAction", "pressesBegan",
        "pressesChanged", "pressesEnded", "pressesCancelled", "deleteBackward", "setMarkedText", "unmarkText",
        "makeFirstResponder", "becomeFirstResponder", "resignFirstResponder", "noResponder", "performItem", "runModal",
        "sendEvent", "handleKeyEvent",
    ]

    public var name: String { InvocationKind.names[Int(rawValue) - 1] }

    /// True where the selector is what the message is about, such as the action that is sent; it can reveal the key of
    /// a masked press.
    public var isAboutSelector: Bool {
        switch self {
        case .doCommand, .targetForAction, .sendAction, .tryToPerform, .validate, .canPerformAction, .performItem: true
        default: false
        }
    }
}
