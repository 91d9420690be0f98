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

    public var name: String {
        switch self {
        case .keyEquivalent: "keyEquivalent"
        case .keyDown: "keyDown"
        case .keyUp: "keyUp"
        case .flagsChanged: "flagsChanged"
        case .interpretKeyEvents: "interpretKeyEvents"
        case .doCommand: "doCommand"
        case .targetForAction: "targetForAction"
        case .sendAction: "sendAction"
        case .tryToPerform: "tryToPerform"
        case .insertText: "insertText"
        case .validate: "validate"
        case .menuUpdate: "menuUpdate"
        case .canPerformAction: "canPerformAction"
        case .pressesBegan: "pressesBegan"
        case .pressesChanged: "pressesChanged"
        case .pressesEnded: "pressesEnded"
        case .pressesCancelled: "pressesCancelled"
        case .deleteBackward: "deleteBackward"
        case .setMarkedText: "setMarkedText"
        case .unmarkText: "unmarkText"
        case .makeFirstResponder: "makeFirstResponder"
        case .becomeFirstResponder: "becomeFirstResponder"
        case .resignFirstResponder: "resignFirstResponder"
        case .noResponder: "noResponder"
        case .performItem: "performItem"
        case .runModal: "runModal"
        case .sendEvent: "sendEvent"
        case .handleKeyEvent: "handleKeyEvent"
        }
    }

    /// True where the selector is what the message is about, such as the action that is sent; it can reveal the key of
    /// a masked press.
    public var isAboutSelector: Bool {
        switch self {
        case .doCommand, .targetForAction, .sendAction, .tryToPerform, .validate, .canPerformAction, .performItem: true
        default: false
        }
    }
}
