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
    /// Items without an action that an app could perform: the names are the engine's own.
    static let minimise: Selector = "performMiniaturize:"
    static let quit: Selector = "terminate:"
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
        if profile.hasWindowMenu || profile.macMenus {
            keys.append(StandardKey("n", .command, StandardEdit.newScene))
        }
        if profile.hasWindowMenu {
            keys.append(StandardKey("m", .command, StandardEdit.minimise))
            keys.append(StandardKey("q", .command, StandardEdit.quit))
        }
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
            action != StandardEdit.print || application.supportsPrintCommand
        else { return false }
        let isInMenu = keepsInMenu(action)
        if isInMenu, let target = findTarget(of: action, sender: nil) ?? lastTarget(of: action) {
            resolution.outcome = .performed
            resolution.target = target
        } else if isPad, rules.blocksWithoutTarget(stroke) {
            resolution.outcome = .blockedUnperformable
        } else if isInMenu, isPad, rules.isOfWindowMenu(stroke) {
            resolution.takenBy = .system
            return true
        } else {
            return false
        }
        resolution.takenBy = .standardEdit
        resolution.action = action
        if let target = resolution.target { perform(action, on: target, sender: nil, held) }
        return true
    }

    /// The system's own answer to ⌘W and ⌘, on an iPad from iOS 26 on (spec I26-4, I26-5).
    private func lastTarget(of action: Selector) -> Responder? {
        guard isPad else { return nil }
        switch action {
        case StandardEdit.close: return profile.closeActionAtScene ? keyScene : nil
        case StandardEdit.preferences: return profile.settingsCommand ? application : nil
        default: return nil
        }
    }

    private var keyScene: Responder? {
        guard let recordedAnswers else { return application.keyWindow?.windowScene }
        return followed.members.first { recordedAnswers.isWindowScene($0) ? $0 : nil }
    }

    /// On an iPad with iOS 26 or later the system's menu items come before all commands of the app (spec I26-2).
    func runSystemMenu(_ stroke: Stroke, _ held: PressesEvent, into resolution: inout Resolution) -> Bool {
        guard isPad, profile.systemMenuBeforePriority == .unlessKeyInput else { return false }
        prepareMainMenu()
        return runStandardKeys(isEarly: true, stroke, held, into: &resolution)
            || runStandardKeys(isEarly: false, stroke, held, into: &resolution)
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
