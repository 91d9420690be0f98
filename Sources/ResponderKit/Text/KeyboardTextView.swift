import KeyModel
public import ResponderEngine

/// A text view with the commands that people expect of one (spec §8.3): Define, find by the selection, and a jump to
/// it. They need text that can be selected, and editing is not asked for.
open class KeyboardTextView: TextView {
    public static let defineAction: Selector = "define:"
    public static let findNextAction: Selector = "findNext:"
    public static let findPreviousAction: Selector = "findPrevious:"
    public static let useSelectionForFindAction: Selector = "useSelectionForFind:"
    public static let jumpToSelectionAction: Selector = "jumpToSelection:"

    /// Keys scroll it where it is not edited (spec KK-11).
    public override init(id: String? = nil, text: String = "") {
        super.init(id: id, text: text)
        addScrollKeys(to: self)
    }

    /// Without it, none of the commands.
    public final var isSelectable = true {
        didSet { if isSelectable != oldValue { setNeedsKeyCommandsUpdate() } }
    }
    /// True: the system's find interaction, from iOS 16 on, has ⌘G, ⇧⌘G and ⌘E, and these are left to it.
    public final var isFindInteractionEnabled = false {
        didSet { if isFindInteractionEnabled != oldValue { setNeedsKeyCommandsUpdate() } }
    }
    /// Shows the definition of a text. Nothing is shown without it.
    public final var showsDefinition: (String) -> Void = { _ in }

    private final lazy var define = KeyCommand(
        title: "Define", action: KeyboardTextView.defineAction, input: "d", modifierFlags: [.command, .control])
    private final lazy var find = [
        KeyCommand(
            title: "Find Next", action: KeyboardTextView.findNextAction, input: "g", modifierFlags: .command),
        KeyCommand(
            title: "Find Previous", action: KeyboardTextView.findPreviousAction, input: "g",
            modifierFlags: [.command, .shift]),
        KeyCommand(
            title: "Use Selection for Find", action: KeyboardTextView.useSelectionForFindAction, input: "e",
            modifierFlags: .command),
    ]
    private final lazy var jump = KeyCommand(
        title: "Jump to Selection", action: KeyboardTextView.jumpToSelectionAction, input: "j", modifierFlags: .command)

    open override var keyCommands: [KeyCommand]? {
        let own = super.keyCommands ?? []
        guard isSelectable else { return own }
        return own + [define] + (isFindInteractionEnabled ? [] : find) + [jump]
    }

    open override func responds(to action: Selector) -> Bool {
        KeyboardTextView.commands.contains(action) || super.responds(to: action)
    }

    private static let commands: Set<Selector> = [
        defineAction, findNextAction, findPreviousAction, useSelectionForFindAction, jumpToSelectionAction,
    ]

    /// Define and ⌘E need selected text, ⌘G and ⇧⌘G a text to find, ⌘J a selection, be it a caret.
    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        switch action {
        case KeyboardTextView.defineAction, KeyboardTextView.useSelectionForFindAction:
            isSelectable && !editor.selection.isEmpty && !isSecureTextEntry
        case KeyboardTextView.findNextAction, KeyboardTextView.findPreviousAction:
            isSelectable && findText?.isEmpty == false
        case KeyboardTextView.jumpToSelectionAction: isSelectable
        default: super.canPerformAction(action, withSender: sender)
        }
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        switch action {
        case KeyboardTextView.defineAction:
            showsDefinition(editor.selectedText)
            report(.present, .text("definition"))
        case KeyboardTextView.findNextAction: find(backwards: false)
        case KeyboardTextView.findPreviousAction: find(backwards: true)
        case KeyboardTextView.useSelectionForFindAction: findText = editor.selectedText
        case KeyboardTextView.jumpToSelectionAction: scrollToSelection(centered: false)
        default: super.perform(action, sender: sender, event: event)
        }
    }

    /// The text to find belongs to the app: what one text view stored, another finds.
    public final var findText: String? {
        get { applicationOfChain?.findText ?? ownFindText }
        set {
            applicationOfChain?.findText = newValue
            ownFindText = newValue
        }
    }
    /// The text to find of a view that is in no app.
    private final var ownFindText: String?

    /// Selects the next place, from the selection's end on, or the one before its start.
    private func find(backwards: Bool) {
        guard let text = findText else { return }
        let from = backwards ? editor.selection.lowerBound : editor.selection.upperBound
        guard let range = TextSearch.find(text, in: editor.document, from: from, backwards: backwards) else {
            return report(.beep, .none)
        }
        change { editor.select(range) }
        let document = editor.document
        report(
            .selection,
            .numbers([document.utf16Offset(of: range.lowerBound), document.utf16Offset(of: range.upperBound)]))
        scrollToSelection(centered: false)
    }
}
