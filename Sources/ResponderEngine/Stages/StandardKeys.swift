import KeyModel

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
    static let undo: Selector = "undo:"
    static let redo: Selector = "redo:"
    static let bigger: Selector = "increaseSize:"
    static let smaller: Selector = "decreaseSize:"
    static let print: Selector = "print:"
    static let newScene: Selector = "newScene:"
    static let close: Selector = "performClose:"
    static let preferences: Selector = "orderFrontPreferencesPanel:"
    static let find: Selector = "find:"
    static let findAndReplace: Selector = "findAndReplace:"
    static let findNext: Selector = "findNext:"
    static let findPrevious: Selector = "findPrevious:"
    static let useSelectionForFind: Selector = "useSelectionForFind:"
}

/// A key of the system for an action that some responder may implement. It acts only where one can perform the
/// action; otherwise the key is free (spec §2.2).
struct StandardKey {
    let input: CommandInput
    let modifiers: KeyModifiers
    let action: Selector

    private init(_ input: Unicode.Scalar, _ modifiers: KeyModifiers, _ action: Selector) {
        self.input = .ascii(input)
        self.modifiers = modifiers
        self.action = action
    }

    /// Routed to responders before an app's commands are considered (spec EV-8).
    static func early(_ profile: Profile) -> [StandardKey] {
        var keys = [
            StandardKey("x", .command, StandardEdit.cut), StandardKey("c", .command, StandardEdit.copy),
            StandardKey("v", .command, StandardEdit.paste), StandardKey("a", .command, StandardEdit.selectAll),
        ]
        if profile.pasteAndMatchStyle {
            keys.append(StandardKey("v", [.command, .option, .shift], StandardEdit.pasteAndMatchStyle))
        }
        return keys
    }

    /// The keys of the default menus: after the chain's commands, as all of the main menu (spec MM-9). Text has its
    /// undo and its styles before that.
    static func late(_ profile: Profile) -> [StandardKey] {
        var keys = [
            StandardKey("z", .command, StandardEdit.undo), StandardKey("z", [.command, .shift], StandardEdit.redo),
            StandardKey("b", .command, StandardEdit.bold), StandardKey("i", .command, StandardEdit.italics),
            StandardKey("u", .command, StandardEdit.underline), StandardKey("+", .command, StandardEdit.bigger),
            StandardKey("-", .command, StandardEdit.smaller), StandardKey("w", .command, StandardEdit.close),
            StandardKey(",", .command, StandardEdit.preferences),
            StandardKey("t", .command, "orderFrontFontPanel:"),
            StandardKey("t", [.command, .option], "toggleToolbarShown:"), StandardKey("?", .command, "showHelp:"),
        ]
        if profile.pasteAndMatchStyle {
            keys.append(StandardKey("p", .command, StandardEdit.print))
            keys.append(StandardKey("s", [.command, .control], "toggleSidebar:"))
            keys.append(StandardKey("`", .command, Window.cycleAction))
        }
        if profile.macMenus { keys.append(StandardKey("n", .command, StandardEdit.newScene)) }
        if profile.findKeys {
            keys += [
                StandardKey("f", .command, StandardEdit.find),
                StandardKey("f", [.command, .option], StandardEdit.findAndReplace),
                StandardKey("g", .command, StandardEdit.findNext),
                StandardKey("g", [.command, .shift], StandardEdit.findPrevious),
                StandardKey("e", .command, StandardEdit.useSelectionForFind),
            ]
        }
        return keys
    }
}

extension KeyboardEngine {
    /// The first responder up the chain that can perform the key's action; without one the key is free.
    ///
    /// Not inlined, as `runFocusKey`: the loop over the stages would begin with checks of access to what these read.
    @inline(never)
    func runStandardKeys(isEarly: Bool, _ stroke: Stroke, _ held: PressesEvent, into resolution: inout Resolution)
        -> Bool
    {
        guard let action = standardAction(isEarly: isEarly, stroke),
            action != StandardEdit.print || application.supportsPrintCommand, keepsInMenu(action),
            let target = findTarget(of: action, sender: nil)
        else { return false }
        resolution.outcome = .performed
        resolution.takenBy = .standardEdit
        resolution.action = action
        resolution.target = target
        perform(action, on: target, sender: nil, held)
        return true
    }

    private func keepsInMenu(_ action: Selector) -> Bool {
        recordedAnswers?.defaultMenuKeeps(action) ?? menu.keeps(action)
    }

    /// Matched as commands are (spec MT-3), by the layout's input under Command (spec MT-5).
    private func standardAction(isEarly: Bool, _ stroke: Stroke) -> Selector? {
        let flags = stroke.matchFlags
        guard flags.contains(.command) else { return nil }
        let keys = isEarly ? rules.earlyStandardKeys : rules.lateStandardKeys
        let base = stroke.characters.shortcut
        let consumed = flags.contains(.shift) ? stroke.characters.shiftedShortcut : .none
        for index in keys.indices {
            if keys[index].input == base, keys[index].modifiers == flags { return keys[index].action }
            if consumed != .none, keys[index].input == consumed, keys[index].modifiers == flags.subtracting(.shift) {
                return keys[index].action
            }
        }
        return nil
    }
}

extension Window {
    /// ⌘` from iOS 15 on: the application makes its next window key.
    static let cycleAction: Selector = "selectNextWindow:"
}
