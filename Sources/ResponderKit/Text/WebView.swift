public import KeyModel
public import ResponderEngine

/// A web page with the keyboard. The page's own handlers of `keydown` come first; a key whose default they prevent goes
/// no further. Then the stages that WebKit's source names: the input method, text commands, the app's commands, and
/// typing (spec EV-9). The page types while a field of it has the focus: while the view is editable.
open class WebView: TextView {
    /// Keys whose default the page's handlers prevent.
    public enum PreventedKeys: Hashable, Sendable {
        case none
        case all
        /// With exactly these modifiers.
        case chords([Chord])

        func contains(_ chord: Chord) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .chords(let chords): chords.contains(chord)
            }
        }
    }

    public final var preventedKeys = PreventedKeys.none

    public override init(id: String? = nil, text: String = "") {
        super.init(id: id, text: text)
        isEditable = false
    }

    open override var interpretsKeysAsPage: Bool { true }

    open override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if presses.contains(where: isPrevented) { return }
        super.pressesBegan(presses, with: event)
    }

    private func isPrevented(_ press: Press) -> Bool {
        guard let key = press.key, let usage = key.keyCode, !usage.isModifier else { return false }
        return preventedKeys.contains(Chord(modifiers: key.modifierFlags, usage: usage))
    }
}
