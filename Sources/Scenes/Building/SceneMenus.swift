import ResponderEngine

extension Menu.Identifier {
    /// A short name such as `edit` is one of the system's; a name with a dot is used as it is.
    fileprivate init(scene name: String) {
        self = name.utf8.contains(UInt8(ascii: ".")) ? Menu.Identifier(name) : .system(name)
    }
}

extension MenuDescription {
    /// The live element. A command without a key is a plain command; `nil` for what is no element.
    private var element: MenuElement? {
        switch self {
        case .menu, .placed: return menu
        case .command(let command) where command.input != nil: return KeyCommand(command)
        case .command(let command):
            let element = Command(
                title: command.title, action: Selector(command.action), propertyList: command.propertyList)
            element.discoverabilityTitle = command.discoverabilityTitle
            if command.isDisabled { element.attributes.insert(.disabled) }
            if command.isHidden { element.attributes.insert(.hidden) }
            return element
        case .replaceChildren, .remove: return nil
        }
    }

    private var menu: Menu? {
        switch self {
        case .menu(let identifier, let title, let children):
            Menu(
                title: title, identifier: Menu.Identifier(scene: identifier),
                children: children.compactMap(\.element))
        case .placed(let menu, _): menu.menu
        case .command, .replaceChildren, .remove: nil
        }
    }

    private var change: MenuChange? {
        switch self {
        case .menu: return menu.map(MenuChange.extend)
        case .command: return nil
        case .remove(let identifier): return .remove(Menu.Identifier(scene: identifier))
        case .replaceChildren(let parent, let children):
            return .replaceChildren(of: Menu.Identifier(scene: parent), with: children.compactMap(\.element))
        case .placed(_, let place):
            guard let menu else { return nil }
            let other = Menu.Identifier(scene: place.identifier)
            switch place.relation {
            case .before: return .insertBefore(other, menu)
            case .after: return .insertAfter(other, menu)
            case .atStartOf: return .insertAtStart(of: other, menu)
            case .atEndOf: return .insertAtEnd(of: other, menu)
            case .replaces: return .replace(other, with: menu)
            }
        }
    }

    /// The changes that a menu bar of a scene makes to the default one.
    static func changes(_ bar: [MenuDescription]) -> [MenuChange] { bar.compactMap(\.change) }
}
