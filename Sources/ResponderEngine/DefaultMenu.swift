import KeyModel

/// The main menu before an application changes it (spec §1.5, §1.6, MM-4).
///
/// Its commands hold their keys in the menu and show in the overlay. Pressed, those keys are the business of the
/// stages that the system has for them, so none of these commands is matched as one of the application's.
enum DefaultMenu {
    static func menus(_ profile: Profile) -> [Menu] {
        [
            Menu(identifier: .application, children: empty([.about, .preferences, .services, .hide, .quit])),
            Menu(
                title: "File", identifier: .file,
                children: empty([.newScene, .openRecent, .close, .document, .print])),
            Menu(title: "Edit", identifier: .edit, children: edit(profile)),
            Menu(title: "Format", identifier: .format, children: format),
            Menu(title: "View", identifier: .view, children: empty([.toolbar, .sidebar, .fullscreen])),
            Menu(title: "Window", identifier: .window, children: empty([.minimizeAndZoom, .bringAllToFront])),
            Menu(title: "Help", identifier: .help),
        ]
    }

    private static func empty(_ identifiers: [Menu.Identifier]) -> [Menu] { identifiers.map { group($0) } }

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
                .undoRedo, [key("z", .command, "Undo", "undo:"), key("z", [.command, .shift], "Redo", "redo:")]),
            group(.standardEdit, standard),
        ] + empty([.find, .replace, .share, .spelling, .substitutions, .transformations, .speech, .lookup, .learn])
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
                            key("+", .command, "Bigger", "increaseSize:"),
                            key("-", .command, "Smaller", "decreaseSize:"),
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
