package import KeyModel

extension Profile {
    /// The menu has items for windows, on an iPad (spec I26-6).
    var hasWindowMenu: Bool { !windowMenuKeys.chords.isEmpty }

    /// Groups of the default main menu that have one of these keys, by their short names: the menu of an app whose own
    /// commands have the keys is without them (spec MM-4).
    package func defaultMenus(having keys: [(input: String?, modifiers: KeyModifiers)]) -> [String] {
        guard mainMenu, appKit == nil else { return [] }
        var found: [String] = []
        var rest = DefaultMenu.menus(self)
        while let menu = rest.popLast() {
            let commands = menu.children.compactMap { $0 as? KeyCommand }
            let hasKey = commands.contains { command in
                keys.contains { $0.input == command.input && $0.modifiers == command.modifierFlags }
            }
            if hasKey { found.append(menu.identifier.shortName) }
            rest += menu.children.compactMap { $0 as? Menu }
        }
        return found.sorted()
    }
}

/// The main menu before an application changes it (spec §1.5, §1.6, MM-4).
///
/// Its commands hold their keys in the menu and show in the overlay. Pressed, those keys are the business of the
/// stages that the system has for them (`StandardKey`), so none of these commands is matched as one of the
/// application's.
enum DefaultMenu {
    static func menus(_ profile: Profile) -> [Menu] {
        [
            Menu(
                identifier: .application,
                children: [
                    group(.about),
                    group(.preferences, windows(profile, key(",", .command, "Settings…", StandardEdit.preferences))),
                    group(.services), group(.hide),
                    group(.quit, profile.hasWindowMenu ? [key("q", .command, "Quit", StandardEdit.quit)] : []),
                ]),
            Menu(
                title: "File", identifier: .file,
                children: [
                    group(.newScene, windows(profile, key("n", .command, "New Window", StandardEdit.newScene))),
                    group(.openRecent),
                    group(.close, windows(profile, key("w", .command, "Close", StandardEdit.close))),
                ] + empty([.document, .print])),
            Menu(title: "Edit", identifier: .edit, children: edit(profile)),
            Menu(title: "Format", identifier: .format, children: format),
            Menu(title: "View", identifier: .view, children: empty([.toolbar, .sidebar, .fullscreen])),
            Menu(
                title: "Window", identifier: .window,
                children: [
                    group(
                        .minimizeAndZoom,
                        profile.hasWindowMenu ? [key("m", .command, "Minimise", StandardEdit.minimise)] : []),
                    group(.bringAllToFront),
                ]),
            Menu(title: "Help", identifier: .help),
        ]
    }

    private static func empty(_ identifiers: [Menu.Identifier]) -> [Menu] { identifiers.map { group($0) } }

    /// Elements that only the menus of a desktop have, and of an iPad from iOS 26 on (spec I26-6).
    private static func windows(_ profile: Profile, _ command: KeyCommand) -> [MenuElement] {
        profile.macMenus || profile.hasWindowMenu ? [command] : []
    }

    /// The find menu, from iOS 16 on (spec §1.6).
    private static func find(_ profile: Profile) -> [MenuElement] {
        guard profile.findKeys else { return [] }
        return [
            key("f", .command, "Find…", StandardEdit.find), key("g", .command, "Find Next", StandardEdit.findNext),
            key("g", [.command, .shift], "Find Previous", StandardEdit.findPrevious),
            key("f", [.command, .option], "Find and Replace…", StandardEdit.findAndReplace),
            key("e", .command, "Use Selection for Find", StandardEdit.useSelectionForFind),
        ]
    }

    private static func group(_ identifier: Menu.Identifier, _ children: [MenuElement] = []) -> Menu {
        Menu(identifier: identifier, options: .displayInline, children: children)
    }

    private static func edit(_ profile: Profile) -> [MenuElement] {
        var standard: [MenuElement] = [
            key("x", .command, "Cut", StandardEdit.cut), key("c", .command, "Copy", StandardEdit.copy),
            key("v", .command, "Paste", StandardEdit.paste), Command(title: "Delete", action: "delete:"),
            Command(title: "Select", action: "select:"), key("a", .command, "Select All", StandardEdit.selectAll),
        ]
        if profile.pasteAndMatchStyle {
            standard.insert(
                key("v", [.command, .option, .shift], "Paste and Match Style", StandardEdit.pasteAndMatchStyle),
                at: 3)
        }
        return [
            group(
                .undoRedo,
                [
                    key("z", .command, "Undo", StandardEdit.undo),
                    key("z", [.command, .shift], "Redo", StandardEdit.redo),
                ]),
            group(.standardEdit, standard),
            group(.find, find(profile)),
        ] + empty([.replace, .share, .spelling, .substitutions, .transformations, .speech, .lookup, .learn])
    }

    private static var format: [MenuElement] {
        [
            Menu(
                title: "Font", identifier: .font,
                children: [
                    group(
                        .textStyle,
                        [
                            key("b", .command, "Bold", StandardEdit.bold),
                            key("i", .command, "Italic", StandardEdit.italics),
                            key("u", .command, "Underline", StandardEdit.underline),
                        ]),
                    group(
                        .textSize,
                        [
                            key("+", .command, "Bigger", StandardEdit.bigger),
                            key("-", .command, "Smaller", StandardEdit.smaller),
                        ]),
                    group(.textColor), group(.textStylePasteboard),
                ]),
            Menu(
                title: "Text", identifier: .text,
                children: [
                    group(.alignment),
                    Menu(
                        title: "Writing Direction", identifier: .writingDirection,
                        children: [
                            Command(title: "Left to Right", action: "makeTextWritingDirectionLeftToRight:"),
                            Command(title: "Right to Left", action: "makeTextWritingDirectionRightToLeft:"),
                        ]),
                ]),
        ]
    }

    private static func key(
        _ input: String, _ modifiers: KeyModifiers, _ title: String, _ action: Selector
    ) -> KeyCommand {
        KeyCommand(title: title, action: action, input: input, modifierFlags: modifiers)
    }
}
