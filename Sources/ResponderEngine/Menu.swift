/// A menu of commands and menus (spec §1.5).
open class Menu: MenuElement {
    /// `com.apple.menu.<kebab-case>` for the system's menus.
    public struct Identifier: Hashable, Sendable, ExpressibleByStringLiteral {
        public let name: String
        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.init(name) }

        /// The identifier of a system menu by its short name, such as `edit` or `standard-edit`.
        public static func system(_ name: String) -> Identifier { Identifier("com.apple.menu.\(name)") }
        public static let root = system("root")
        public static let application = system("application")
        public static let file = system("file")
        public static let edit = system("edit")
        public static let view = system("view")
        public static let window = system("window")
        public static let help = system("help")
    }

    public final let identifier: Identifier
    public final let children: [MenuElement]

    public init(title: String = "", identifier: Identifier, children: [MenuElement] = []) {
        self.identifier = identifier
        self.children = children
        super.init(title: title)
    }
}

/// Builds the main menu (spec MM-1, MM-3). The application is asked, then its delegate.
public final class MenuBuilder {
    /// Top-level menus in order; a menu with an identifier that is there already extends that menu.
    public private(set) var menus: [Menu] = []

    init() {}

    public func menu(for identifier: Menu.Identifier) -> Menu? { menus.first { $0.identifier == identifier } }

    /// Adds a menu to the menu bar.
    public func insert(_ menu: Menu) {
        if let index = menus.firstIndex(where: { $0.identifier == menu.identifier }) {
            let old = menus[index]
            menus[index] = Menu(
                title: old.title, identifier: old.identifier, children: old.children + menu.children)
        } else {
            menus.append(menu)
        }
    }

    public func remove(menu identifier: Menu.Identifier) { menus.removeAll { $0.identifier == identifier } }

    /// Key commands in menu order, depth first.
    var keyCommands: [KeyCommand] {
        var found: [KeyCommand] = []
        var rest: [MenuElement] = menus.reversed()
        while let element = rest.popLast() {
            if let command = element as? KeyCommand { found.append(command) }
            if let menu = element as? Menu { rest += menu.children.reversed() }
        }
        return found
    }
}
