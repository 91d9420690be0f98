import CObjCHooks

/// Menus and their items, read by messages.
final class AppKitMenus {
    private let messages: Messages

    init(_ messages: Messages) { self.messages = messages }

    /// The item of this menu that has the key equivalent of an event, by the rule of GNUstep's menus: Shift is in the
    /// case of the character, and counts for itself with function keys and control characters alone.
    func item(of menu: keyflight_object, for event: keyflight_object) -> keyflight_object? {
        let items = messages.object(menu, messages.itemArray)
        let typed = messages.text(messages.object(event, messages.charactersIgnoringModifiers))
        guard let first = typed.unicodeScalars.first else { return nil }
        let flags = messages.word(event, messages.modifierFlags)
        let isFunction = flags & 1 << 23 != 0 || first.properties.generalCategory == .control
        let relevant: UInt = 7 << 18 | (isFunction ? 1 << 17 : 0)
        for index in 0..<messages.word(items, messages.count) {
            let item = messages.object(items, messages.objectAtIndex, index)
            guard !messages.isTrue(item, messages.hasSubmenu) else { continue }
            let mask = messages.word(item, messages.keyEquivalentModifierMask)
            guard (mask ^ flags) & relevant == 0 else { continue }
            if messages.text(messages.object(item, messages.keyEquivalent)) == typed { return item }
        }
        return nil
    }

    /// True for the main menu, the Services menu and what is below them; false for that of a pop-up button.
    func isMain(_ menu: keyflight_object?, of app: keyflight_object?) -> Bool {
        let main = messages.object(app, messages.mainMenu)
        let services = messages.object(app, messages.servicesMenu)
        var next = menu
        for _ in 0..<8 {
            guard let menu = next else { return false }
            if menu == main || menu == services { return true }
            next = messages.object(menu, messages.supermenu)
        }
        return false
    }

    func action(of item: keyflight_object?) -> keyflight_selector? {
        keyflight_selector(bitPattern: messages.word(item, messages.action))
    }

    /// The titles from the main menu's items down, where all of them are the app's own words: items for windows and
    /// documents have titles that a person wrote.
    func path(_ menu: keyflight_object, _ item: keyflight_object?) -> String? {
        guard let item, let action = action(of: item) else { return nil }
        let name = String(cString: keyflight_selector_name(action))
        guard !AppKitMenus.personal.contains(name), messages.object(item, messages.representedObject) == nil else {
            return nil
        }
        var titles = [messages.text(messages.object(item, messages.title))]
        var next: keyflight_object? = menu
        while let menu = next, titles.count < 8 {
            next = messages.object(menu, messages.supermenu)
            if next != nil { titles.insert(messages.text(messages.object(menu, messages.title)), at: 0) }
        }
        return titles.joined(separator: " ▸ ")
    }

    /// Actions of items that represent a window or a document.
    private static let personal: Set<String> = [
        "makeKeyAndOrderFront:", "_openRecentDocument:", "openRecentDocument:", "_openRecent:", "openRecent:",
    ]

    /// True in the Services menu.
    func isService(_ menu: keyflight_object, of app: keyflight_object?) -> Bool {
        guard let services = messages.object(app, messages.servicesMenu) else { return false }
        var next: keyflight_object? = menu
        for _ in 0..<8 {
            if next == services { return true }
            next = messages.object(next, messages.supermenu)
        }
        return false
    }
}
