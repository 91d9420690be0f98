import KeyModel

/// The system's handling of keys besides commands and typing: text styles, focus, scrolling.
extension KeyboardEngine {
    /// ⌘B ⌘I ⌘U in text whose style can be edited (spec EV-8, TX-11).
    func runBuiltinText(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard stroke.matchFlags == .command, let (responder, input) = editableText,
            input.allowsEditingTextAttributes
        else { return false }
        switch stroke.characters.shortcut {
        case .ascii("b"):
            input.perform(.toggleBold)
            resolution.action = StandardKey.bold.action
        case .ascii("i"):
            input.perform(.toggleItalics)
            resolution.action = StandardKey.italics.action
        case .ascii("u"):
            input.perform(.toggleUnderline)
            resolution.action = StandardKey.underline.action
        default: return false
        }
        resolution.outcome = .consumedByText
        resolution.takenBy = .builtinText
        resolution.target = responder
        return true
    }

    var usesFocus: Bool { hasFocusSystem && profile.focusSystem }

    /// Tab, ⇧Tab and ⌃Tab between groups, arrows inside one, Return or Space to activate (spec EV-14). With nothing
    /// that can have the focus the keys are kept all the same, unless the profile has another rule.
    func runFocus(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard usesFocus, isFocusKey(stroke), runFocusKey(stroke) else { return false }
        resolution.outcome = .consumedByFocus
        resolution.takenBy = .focus
        return true
    }

    /// Not inlined, as `runStandardKeys`. False where nothing can have the focus and the profile lets the key go on.
    @inline(never)
    private func runFocusKey(_ stroke: Stroke) -> Bool {
        guard profile.emptyFocusConsumes || hasFocusableItems else { return false }
        if let recordedAnswers { recordedAnswers.focusMoves() } else { applyFocusKey(stroke) }
        return true
    }

    private func applyFocusKey(_ stroke: Stroke) {
        switch stroke.usage {
        case .tab?: moveFocusToGroup(backwards: stroke.matchFlags.contains(.shift))
        case .upArrow?: moveFocusInGroup(.up)
        case .downArrow?: moveFocusInGroup(.down)
        case .leftArrow?: moveFocusInGroup(.left)
        case .rightArrow?: moveFocusInGroup(.right)
        default: focusedItem?.activateFocus()
        }
    }

    func isFocusKey(_ stroke: Stroke) -> Bool {
        switch stroke.knownUsage {
        case .tab?: stroke.matchFlags.subtracting([.shift, .control]).isEmpty
        case .upArrow?, .downArrow?, .leftArrow?, .rightArrow?: stroke.matchFlags.isEmpty
        case .returnOrEnter?, .keypadEnter?: stroke.matchFlags.isEmpty && profile.focusActivation == .returnKey
        case .spacebar?: stroke.matchFlags.isEmpty && profile.focusActivation == .space
        default: false
        }
    }

    /// Arrows, Space and page keys scroll a first responder that scrolls; a key that moves nothing is free
    /// (spec EV-15).
    func runScroll(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard profile.keyboardScrolling, let first = followed.start, let scrolling = first.keyboardScrolling,
            scrolling.allowsKeyboardScrolling, let step = scrollStep(stroke), scrolling.scroll(step)
        else { return false }
        resolution.outcome = .consumedByScroll
        resolution.takenBy = .scroll
        resolution.target = first
        return true
    }

    private func scrollStep(_ stroke: Stroke) -> ScrollStep? {
        switch (stroke.knownUsage, stroke.matchFlags) {
        case (.upArrow?, []): .lineUp
        case (.downArrow?, []): .lineDown
        case (.leftArrow?, []): .lineLeft
        case (.rightArrow?, []): .lineRight
        case (.pageUp?, []), (.spacebar?, .shift): .pageUp
        case (.pageDown?, []), (.spacebar?, []): .pageDown
        case (.home?, []): .start
        case (.end?, []): .end
        default: nil
        }
    }
}
