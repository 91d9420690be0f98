import KeyModel

/// While there is marked text, the keys that compose it are the input method's (spec EV-10).
extension KeyboardEngine {
    func runInputMethod(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard let (responder, input) = editableText, let marked = input.markedText,
            stroke.flags.isDisjoint(with: [.command, .control])
        else { return false }
        switch stroke.usage {
        case .returnOrEnter?, .keypadEnter?: input.unmarkText()
        case .escape?: input.setMarkedText(nil)
        case .deleteOrBackspace?: input.setMarkedText(String(marked.dropLast()))
        // Choosing among candidates, of which the model has none.
        case .spacebar?, .tab?, .upArrow?, .downArrow?, .leftArrow?, .rightArrow?: break
        case .some(let usage):
            guard case .text(let text) = layout.symbol(for: usage, modifiers: stroke.flags) else { return false }
            if !isDigit(text) { input.setMarkedText(marked + text) }
        case nil: input.setMarkedText(marked + "\u{FFFD}")
        }
        resolution.outcome = .consumedByInputMethod
        resolution.takenBy = .inputMethod
        resolution.target = responder
        return true
    }

    private func isDigit(_ text: String) -> Bool {
        text.utf8.count == 1 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
