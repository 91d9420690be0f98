import KeyModel

/// A key of the system for an action that some responder may implement (spec §1.6). It acts only where one can perform
/// the action; otherwise the key is free (spec §2.2).
struct StandardKey {
    /// As key commands write it.
    let character: String
    let input: CommandInput
    let modifiers: KeyModifiers
    let action: Selector
    /// In the default menu; `nil` for a key that no menu shows.
    let title: String?

    private init(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers, _ action: Selector, _ title: String? = nil) {
        (character, input) = (String(scalar), .ascii(scalar))
        (self.modifiers, self.action, self.title) = (modifiers, action, title)
    }

    static let cut = StandardKey("x", .command, "cut:", "Cut")
    static let copy = StandardKey("c", .command, "copy:", "Copy")
    static let paste = StandardKey("v", .command, "paste:", "Paste")
    static let selectAll = StandardKey("a", .command, "selectAll:", "Select All")
    static let pasteAndMatchStyle = StandardKey(
        "v", [.command, .option, .shift], "pasteAndMatchStyle:", "Paste and Match Style")
    static let undo = StandardKey("z", .command, "undo:", "Undo")
    static let redo = StandardKey("z", [.command, .shift], "redo:", "Redo")
    static let bold = StandardKey("b", .command, "toggleBoldface:", "Bold")
    static let italics = StandardKey("i", .command, "toggleItalics:", "Italic")
    static let underline = StandardKey("u", .command, "toggleUnderline:", "Underline")
    static let bigger = StandardKey("+", .command, "increaseSize:", "Bigger")
    static let smaller = StandardKey("-", .command, "decreaseSize:", "Smaller")
    static let print = StandardKey("p", .command, "print:")
    static let newScene = StandardKey("n", .command, "newScene:", "New Window")
    static let close = StandardKey("w", .command, "performClose:", "Close")
    static let preferences = StandardKey(",", .command, "orderFrontPreferencesPanel:", "Settings…")
    /// Items without an action that an app could perform: the names are the engine's own.
    static let fonts = StandardKey("t", .command, "orderFrontFontPanel:", "Show Fonts")
    static let toolbar = StandardKey("t", [.command, .option], "toggleToolbarShown:", "Show Toolbar")
    static let sidebar = StandardKey("s", [.command, .control], "toggleSidebar:", "Show Sidebar")
    static let help = StandardKey("?", .command, "showHelp:", "Help")
    static let hide = StandardKey("h", .command, "hide:", "Hide")
    static let hideOthers = StandardKey("h", [.command, .option], "hideOtherApplications:", "Hide Others")
    static let fullscreen = StandardKey("f", [.command, .control], "toggleFullScreen:", "Enter Full Screen")
    static let duplicate = StandardKey("s", [.command, .shift], "duplicate:", "Duplicate")
    static let colours = StandardKey("c", [.command, .shift], "orderFrontColorPanel:", "Show Colors")
    static let styles = [
        StandardKey("c", [.command, .option], "copyFont:", "Copy Style"),
        StandardKey("v", [.command, .option], "pasteFont:", "Paste Style"),
    ]
    static let alignment = [
        StandardKey("{", .command, "alignLeft:", "Align Left"), StandardKey("|", .command, "alignCenter:", "Center"),
        StandardKey("}", .command, "alignRight:", "Align Right"),
    ]
    static let spelling = [
        StandardKey(":", .command, "showGuessPanel:", "Show Spelling and Grammar"),
        StandardKey(";", .command, "checkSpelling:", "Check Document Now"),
    ]
    static let jump = StandardKey("j", .command, "centerSelectionInVisibleArea:", "Jump to Selection")
    static let minimise = StandardKey("m", .command, "performMiniaturize:", "Minimise")
    static let quit = StandardKey("q", .command, "terminate:", "Quit")
    static let find = [
        StandardKey("f", .command, "find:", "Find…"), StandardKey("g", .command, "findNext:", "Find Next"),
        StandardKey("g", [.command, .shift], "findPrevious:", "Find Previous"),
        StandardKey("f", [.command, .option], "findAndReplace:", "Find and Replace…"),
        StandardKey("e", .command, "useSelectionForFind:", "Use Selection for Find"),
    ]

    /// Items that a desktop's system performs itself.
    static let ofDesktop = [hide, hideOthers, minimise, quit, fullscreen]

    /// Items for windows, which responders may answer where a menu has them (spec I26-4, I26-6).
    static let ofWindows = [close, newScene, minimise, quit]

    /// Routed to responders before an app's commands are considered (spec EV-8).
    static func early(_ profile: Profile) -> [StandardKey] {
        [cut, copy, paste, selectAll] + (profile.pasteAndMatchStyle ? [pasteAndMatchStyle] : [])
    }

    /// The keys of the default menus: after the chain's commands, as all of the main menu (spec MM-9). Text has its
    /// undo and its styles before that.
    static func late(_ profile: Profile) -> [StandardKey] {
        var keys = [
            undo, redo, bold, italics, underline, bigger, smaller, close, preferences,
            fonts, toolbar, help,
        ]
        if profile.pasteAndMatchStyle {
            keys += [
                print, sidebar, StandardKey("`", .command, Window.cycleAction),
            ]
        }
        if profile.hasWindowMenu || profile.macMenus { keys.append(newScene) }
        if profile.hasWindowMenu { keys += [minimise, quit] }
        if profile.macMenus { keys += ofDesktop + [duplicate, colours, jump] + styles + alignment + spelling }
        return keys + (profile.findKeys ? find : [])
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
            action != StandardKey.print.action || application.supportsPrintCommand
        else { return false }
        let isInMenu = keepsInMenu(action)
        let last = profile.menuBeforeText ? nil : lastTarget(of: action)
        if isInMenu, let target = (isAction(action) ? findTarget(of: action, sender: nil) : nil) ?? last {
            resolution.outcome = .performed
            resolution.target = target
        } else if isPad, rules.blocksWithoutTarget(stroke) {
            resolution.outcome = .blockedUnperformable
        } else if isInMenu, isPad && rules.isOfWindowMenu(stroke) || isOfDesktop(action) {
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

    private func isOfDesktop(_ action: Selector) -> Bool {
        profile.macMenus && StandardKey.ofDesktop.contains { $0.action == action }
    }

    /// False for an item for windows where no menu has it: before iOS 26 ⌘W closes the window, and is no action that a
    /// responder could answer (spec I26-4).
    private func isAction(_ action: Selector) -> Bool {
        profile.macMenus || isPad && profile.hasWindowMenu
            || !StandardKey.ofWindows.contains { $0.action == action }
    }

    /// An item of the default menu that the system performs where no responder does.
    func isPerformedBySystem(_ command: KeyCommand) -> Bool {
        guard menu.systemCommands.contains(ObjectIdentifier(command)) else { return false }
        return isOfDesktop(command.action) || profile.macMenus && command.action == StandardKey.close.action
            || isPad && profile.windowMenuKeys.contains(input: command.input ?? "", modifiers: command.modifierFlags)
    }

    /// ⌘W on the Mac, which no command took: it closes the window, whether or not a scene has that.
    func runCloseOfWindow(_ stroke: Stroke, _ held: PressesEvent, into resolution: inout Resolution) -> Bool {
        guard profile.menuBeforeText, let action = standardAction(isEarly: false, stroke), keepsInMenu(action) else {
            return false
        }
        guard let target = lastTarget(of: action) else {
            if action == StandardKey.close.action { resolution.takenBy = .system }
            return action == StandardKey.close.action
        }
        (resolution.outcome, resolution.takenBy) = (.performed, .standardEdit)
        (resolution.action, resolution.target) = (action, target)
        perform(action, on: target, sender: nil, held)
        return true
    }

    /// The system's own answer to ⌘W and ⌘, on an iPad (spec I26-4, I26-5).
    func lastTarget(of action: Selector) -> Responder? {
        guard isPad else { return nil }
        switch action {
        case StandardKey.close.action: return profile.closeActionAtScene && profile.windowScenes ? keyScene : nil
        case StandardKey.preferences.action: return profile.settingsCommand ? application : nil
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
