/// A menu hierarchy that is being built, and what its entries claim for themselves (spec MM-4).
struct MenuTree {
    private enum Entry {
        case menu(Int)
        case command(Command)
    }

    private struct Node {
        /// Its children are those that it came with; `entries` are those that it has.
        let menu: Menu
        var entries: [Entry] = []
        var parent: Int?
    }

    /// An action with its property list, which names a command.
    struct CommandName: Hashable {
        let action: Selector
        let propertyList: String?

        init(_ command: Command) {
            action = command.action
            propertyList = command.propertyList
        }

        init(action: Selector, propertyList: String?) {
            self.action = action
            self.propertyList = propertyList
        }
    }

    /// The place of an addition, relative to its target.
    enum Place { case start, end, before, after }

    /// The root is the first; the places of removed menus stay empty.
    private var nodes: [Node?]
    private var places: [Menu.Identifier: Int]
    private var keys: [CommandKey: Command] = [:]
    private var commands: [CommandName: Command] = [:]
    /// The command of the menu that the last addition repeated.
    private(set) var conflict: Command?
    /// False where only identifiers must differ: in a context menu and in a menu of AppKit, of whose items with one key
    /// the first answers.
    private let keepsCommandsUnique: Bool

    init(keepsCommandsUnique: Bool) {
        self.keepsCommandsUnique = keepsCommandsUnique
        nodes = [Node(menu: Menu(identifier: .root))]
        places = [.root: 0]
    }

    // MARK: Reading

    func contains(_ identifier: Menu.Identifier) -> Bool { places[identifier] != nil }

    func command(named name: CommandName) -> Command? { commands[name] }

    func menu(_ identifier: Menu.Identifier) -> Menu? { places[identifier].map(menu(at:)) }

    var root: Menu { menu(at: 0) }

    private func menu(at place: Int) -> Menu {
        let inside = menus(inside: place)
        var made: [Int: Menu] = [:]
        // Children come after their parents in the list, so they are made first.
        for index in inside.reversed() {
            guard let node = nodes[index] else { continue }
            let children = node.entries.compactMap { entry -> MenuElement? in
                switch entry {
                case .menu(let child): made[child]
                case .command(let command): command
                }
            }
            made[index] = node.menu.replacingChildren(children)
        }
        return made[place] ?? Menu()
    }

    /// The menu at a place and all inside it, parents first.
    private func menus(inside place: Int) -> [Int] {
        var found = [place]
        var next = 0
        while next < found.count {
            for case .menu(let child) in nodes[found[next]]?.entries ?? [] { found.append(child) }
            next += 1
        }
        return found
    }

    // MARK: Changing

    /// Adds an element beside or inside a menu, or throws the reason why not.
    mutating func insert(_ element: MenuElement, _ place: Place, _ target: Menu.Identifier) throws(MenuViolation) {
        guard let index = places[target] else { throw .noSuchMenu(target) }
        switch place {
        case .start, .end:
            try check([element], without: Claims())
            let entry = add(element, inside: index)
            let end = nodes[index]?.entries.count ?? 0
            nodes[index]?.entries.insert(entry, at: place == .start ? 0 : end)
        case .before, .after:
            guard let parent = nodes[index]?.parent, let at = position(of: index, in: parent) else {
                throw .rootHasNoSiblings
            }
            try check([element], without: Claims())
            let entry = add(element, inside: parent)
            nodes[parent]?.entries.insert(entry, at: place == .before ? at : at + 1)
        }
    }

    mutating func replace(_ target: Menu.Identifier, with menu: Menu) throws(MenuViolation) {
        guard let index = places[target] else { throw .noSuchMenu(target) }
        guard let parent = nodes[index]?.parent, let at = position(of: index, in: parent) else {
            throw .rootHasNoSiblings
        }
        try check([menu], without: claims(inside: index, itself: true))
        drop(index)
        let entry = add(menu, inside: parent)
        nodes[parent]?.entries.insert(entry, at: at)
    }

    mutating func replaceChildren(_ target: Menu.Identifier, with children: [MenuElement]) throws(MenuViolation) {
        guard let index = places[target] else { throw .noSuchMenu(target) }
        try check(children, without: claims(inside: index, itself: false))
        for case .menu(let child) in nodes[index]?.entries ?? [] { drop(child) }
        for case .command(let command) in nodes[index]?.entries ?? [] { release(command) }
        nodes[index]?.entries = []
        for child in children {
            let entry = add(child, inside: index)
            nodes[index]?.entries.append(entry)
        }
    }

    /// Without effect for the root and for a menu that is not there.
    mutating func remove(_ target: Menu.Identifier) {
        if let index = places[target], index != 0 { drop(index) }
    }

    private func position(of index: Int, in parent: Int) -> Int? {
        nodes[parent]?.entries.firstIndex { if case .menu(index) = $0 { true } else { false } }
    }

    private mutating func add(_ element: MenuElement, inside parent: Int) -> Entry {
        guard let menu = element as? Menu else { return .command(claim(element)) }
        let first = nodes.count
        var pending: [(menu: Menu, parent: Int, place: Int)] = [(menu, parent, first)]
        nodes.append(nil)
        while let (menu, parent, place) = pending.popLast() {
            var node = Node(menu: menu, parent: parent)
            if menu.identifier != .none { places[menu.identifier] = place }
            for child in menu.children {
                guard let inner = child as? Menu else {
                    node.entries.append(.command(claim(child)))
                    continue
                }
                pending.append((inner, place, nodes.count))
                node.entries.append(.menu(nodes.count))
                nodes.append(nil)
            }
            nodes[place] = node
        }
        return .menu(first)
    }

    private mutating func claim(_ element: MenuElement) -> Command {
        guard let command = element as? Command else { return Command(title: element.title, action: "") }
        commands[CommandName(command)] = command
        if let key = MenuTree.key(of: command) { keys[key] = command }
        return command
    }

    private mutating func release(_ command: Command) {
        commands[CommandName(command)] = nil
        if let key = MenuTree.key(of: command) { keys[key] = nil }
    }

    /// Takes a menu and all inside it out of the hierarchy.
    private mutating func drop(_ index: Int) {
        if let parent = nodes[index]?.parent, let at = position(of: index, in: parent) {
            nodes[parent]?.entries.remove(at: at)
        }
        for inner in menus(inside: index) {
            guard let node = nodes[inner] else { continue }
            for case .command(let command) in node.entries { release(command) }
            places[node.menu.identifier] = nil
            nodes[inner] = nil
        }
    }

    // MARK: Uniqueness

    private struct Claims {
        var identifiers: Set<Menu.Identifier> = []
        var keys: Set<CommandKey> = []
        var commands: Set<CommandName> = []
    }

    private static func key(of command: Command) -> CommandKey? {
        guard let command = command as? KeyCommand, command.commandInput != .none else { return nil }
        return CommandKey(input: command.commandInput, modifiers: command.modifierFlags)
    }

    private func claims(inside index: Int, itself: Bool) -> Claims {
        var claims = Claims()
        for inner in menus(inside: index) {
            guard let node = nodes[inner] else { continue }
            if itself || inner != index { claims.identifiers.insert(node.menu.identifier) }
            for case .command(let command) in node.entries {
                claims.commands.insert(CommandName(command))
                if let key = MenuTree.key(of: command) { claims.keys.insert(key) }
            }
        }
        return claims
    }

    /// Checks that elements may be added, as if what `without` claims were gone.
    private mutating func check(_ elements: [MenuElement], without: Claims) throws(MenuViolation) {
        conflict = nil
        var own = Claims()
        var pending: [MenuElement] = elements.reversed()
        while let element = pending.popLast() {
            if let menu = element as? Menu {
                pending += menu.children.reversed()
                guard menu.identifier != .none else { continue }
                let isTaken = contains(menu.identifier) && !without.identifiers.contains(menu.identifier)
                guard !isTaken else { throw .duplicateMenu(menu.identifier) }
                guard own.identifiers.insert(menu.identifier).inserted else {
                    throw .repeats(.duplicateMenu(menu.identifier))
                }
            } else if let command = element as? Command, keepsCommandsUnique {
                try check(command, &own, without)
            }
        }
    }

    private mutating func check(_ command: Command, _ own: inout Claims, _ without: Claims) throws(MenuViolation) {
        if let keyCommand = command as? KeyCommand {
            guard let key = MenuTree.key(of: command), !command.action.name.isEmpty else {
                throw .incompleteKeyCommand(command.action)
            }
            let duplicate = MenuViolation.duplicateKey(ShortcutText.standard.text(keyCommand), command.action)
            if let holder = keys[key], !without.keys.contains(key) {
                conflict = holder
                throw duplicate
            }
            guard own.keys.insert(key).inserted else { throw .repeats(duplicate) }
        }
        let name = CommandName(command)
        let duplicate = MenuViolation.duplicateCommand(command.action, propertyList: command.propertyList)
        if let holder = commands[name], !without.commands.contains(name) {
            conflict = holder
            throw duplicate
        }
        guard own.commands.insert(name).inserted else { throw .repeats(duplicate) }
    }
}
