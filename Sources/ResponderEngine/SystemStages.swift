import KeyModel

/// What the system does with keys besides commands and typing: standard edit actions, text styles, focus, scrolling.
extension KeyboardEngine {
    /// ⌘X ⌘C ⌘V ⌘A go to the first responder up the chain that can perform the action; nobody can, and the key is
    /// free for commands (spec EV-8, §2.2).
    func runStandardEdit(_ stroke: Stroke, _ held: HeldPress, into resolution: inout Resolution) -> Bool {
        guard let action = standardEditAction(stroke),
            let target = findTarget(of: action, sender: nil, command: nil)
        else { return false }
        resolution.outcome = .performed
        resolution.takenBy = .standardEdit
        resolution.action = action
        resolution.target = target
        probe?.engine(self, reports: .taken(.standardEdit, by: target))
        perform(action, on: target, sender: nil, command: nil, held.event)
        return true
    }

    private func standardEditAction(_ stroke: Stroke) -> Selector? {
        guard stroke.flags.contains(.command) else { return nil }
        switch (stroke.matchFlags, stroke.characters.plain) {
        case (.command, "x"): return StandardEdit.cut
        case (.command, "c"): return StandardEdit.copy
        case (.command, "v"): return StandardEdit.paste
        case (.command, "a"): return StandardEdit.selectAll
        case ([.command, .option, .shift], "v"):
            return profile.pasteAndMatchStyle ? StandardEdit.pasteAndMatchStyle : nil
        default: return nil
        }
    }

    /// ⌘B ⌘I ⌘U in text whose style can be edited (spec EV-8, TX-11).
    func runBuiltinText(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard stroke.matchFlags == .command, let (responder, input) = editableText,
            input.allowsEditingTextAttributes
        else { return false }
        switch stroke.characters.plain {
        case "b":
            input.perform(.toggleBold)
            resolution.action = StandardEdit.bold
        case "i":
            input.perform(.toggleItalics)
            resolution.action = StandardEdit.italics
        case "u":
            input.perform(.toggleUnderline)
            resolution.action = StandardEdit.underline
        default: return false
        }
        resolution.outcome = .consumedByText
        resolution.takenBy = .builtinText
        resolution.target = responder
        probe?.engine(self, reports: .taken(.builtinText, by: responder))
        return true
    }

    var usesFocus: Bool { hasFocusSystem && profile.focusSystem }

    /// Tab, ⇧Tab and ⌃Tab between groups, arrows inside one, Return to activate (spec EV-14).
    func runFocus(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard usesFocus else { return false }
        let flags = stroke.matchFlags
        switch stroke.usage {
        case .tab?: guard flags.subtracting([.shift, .control]).isEmpty else { return false }
        case .upArrow?, .downArrow?, .leftArrow?, .rightArrow?, .returnOrEnter?, .keypadEnter?:
            guard flags.isEmpty else { return false }
        default: return false
        }
        resolution.outcome = .consumedByFocus
        resolution.takenBy = .focus
        probe?.engine(self, reports: .taken(.focus, by: nil))
        return true
    }

    /// Arrows, Space and page keys scroll a first responder that scrolls; a key that moves nothing is free
    /// (spec EV-15).
    func runScroll(_ stroke: Stroke, into resolution: inout Resolution) -> Bool {
        guard profile.keyboardScrolling, let first = chainStart, let scrolling = first.keyboardScrolling,
            scrolling.allowsKeyboardScrolling, let step = scrollStep(stroke), scrolling.scroll(step)
        else { return false }
        resolution.outcome = .consumedByScroll
        resolution.takenBy = .scroll
        resolution.target = first
        probe?.engine(self, reports: .taken(.scroll, by: first))
        return true
    }

    private func scrollStep(_ stroke: Stroke) -> ScrollStep? {
        switch (stroke.usage, stroke.matchFlags) {
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

/// Actions of the system's own keys (spec §1.6).
enum StandardEdit {
    static let cut: Selector = "cut:"
    static let copy: Selector = "copy:"
    static let paste: Selector = "paste:"
    static let selectAll: Selector = "selectAll:"
    static let pasteAndMatchStyle: Selector = "pasteAndMatchStyle:"
    static let bold: Selector = "toggleBoldface:"
    static let italics: Selector = "toggleItalics:"
    static let underline: Selector = "toggleUnderline:"
}
