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
                    group(.preferences, windows(profile, .preferences)), group(.services),
                    group(.hide, mac(profile, [.hide, .hideOthers])), group(.quit, windows(profile, .quit)),
                ]),
            Menu(
                title: "File", identifier: .file,
                children: [
                    newItems(profile), group(.open), group(.openRecent), group(.close, windows(profile, .close)),
                    group(.document, mac(profile, [.duplicate])), group(.print),
                ]),
            Menu(title: "Edit", identifier: .edit, children: edit(profile)),
            Menu(title: "Format", identifier: .format, children: format(profile)),
            Menu(
                title: "View", identifier: .view,
                children: [
                    group(.toolbar, mac(profile, [.toolbar])), group(.sidebar, mac(profile, [.sidebar])),
                    group(.fullscreen, mac(profile, [.fullscreen])),
                ]),
            Menu(
                title: "Window", identifier: .window,
                children: [
                    group(.minimizeAndZoom, windows(profile, .minimise)), group(.bringAllToFront),
                ]),
            Menu(title: "Help", identifier: .help, children: mac(profile, [.help])),
        ]
    }

    private static func empty(_ identifiers: [Menu.Identifier]) -> [Menu] { identifiers.map { group($0) } }

    /// A key that only the menus of a desktop have, and of an iPad from iOS 26 on (spec I26-6).
    private static func windows(_ profile: Profile, _ key: StandardKey) -> [MenuElement] {
        profile.macMenus || profile.hasWindowMenu ? commands([key]) : []
    }

    private static func mac(_ profile: Profile, _ keys: [StandardKey]) -> [MenuElement] {
        profile.macMenus ? commands(keys) : []
    }

    /// From iOS 26 on `newItem` is in the place of `newScene`; both names lead to the item (spec I26-7).
    private static func newItems(_ profile: Profile) -> Menu {
        let scene = group(.newScene, windows(profile, .newScene))
        return profile.hasWindowMenu ? group(.newItem, [scene]) : scene
    }

    private static func group(_ identifier: Menu.Identifier, _ children: [MenuElement] = []) -> Menu {
        Menu(identifier: identifier, options: .displayInline, children: children)
    }

    private static func edit(_ profile: Profile) -> [MenuElement] {
        let matching: [StandardKey] = profile.pasteAndMatchStyle ? [.pasteAndMatchStyle] : []
        let standard: [MenuElement] =
            commands([.cut, .copy, .paste] + matching)
            + [Command(title: "Delete", action: "delete:"), Command(title: "Select", action: "select:")]
            + commands([.selectAll])
        return [
            group(.undoRedo, commands([.undo, .redo])), group(.standardEdit, standard),
            // From iOS 16 on (spec §1.6).
            group(.find, (profile.findKeys ? commands(StandardKey.find) : []) + mac(profile, [.jump])),
            group(.spelling, mac(profile, StandardKey.spelling)),
        ] + empty([.replace, .share, .substitutions, .transformations, .speech, .lookup, .learn, .autoFill])
    }

    private static func format(_ profile: Profile) -> [MenuElement] {
        [
            Menu(
                title: "Font", identifier: .font,
                children: mac(profile, [.fonts]) + [
                    group(.textStyle, commands([.bold, .italics, .underline])),
                    group(.textSize, commands([.bigger, .smaller])),
                    group(.textColor, mac(profile, [.colours])),
                    group(.textStylePasteboard, mac(profile, StandardKey.styles)),
                ]),
            Menu(
                title: "Text", identifier: .text,
                children: [
                    group(.alignment, mac(profile, StandardKey.alignment)),
                    Menu(
                        title: "Writing Direction", identifier: .writingDirection,
                        children: [
                            Command(title: "Left to Right", action: "makeTextWritingDirectionLeftToRight:"),
                            Command(title: "Right to Left", action: "makeTextWritingDirectionRightToLeft:"),
                        ]),
                ]),
        ]
    }

    private static func commands(_ keys: [StandardKey]) -> [MenuElement] {
        keys.map {
            KeyCommand(title: $0.title ?? "", action: $0.action, input: $0.character, modifierFlags: $0.modifiers)
        }
    }
}
