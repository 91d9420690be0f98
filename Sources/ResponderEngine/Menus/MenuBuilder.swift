/// The reason why a change of a menu is not made (spec MM-4).
public enum MenuViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another key command of the menu has the same input and modifiers.
    case duplicateKey(String, Selector)
    /// Another command of the menu has the same action and property list.
    case duplicateCommand(Selector, propertyList: String?)
    case duplicateMenu(Menu.Identifier)
    /// A key command without an input or an action.
    case incompleteKeyCommand(Selector)
    case noSuchMenu(Menu.Identifier)
    /// The root can be neither replaced nor have a menu beside it.
    case rootHasNoSiblings
    /// Elements of one addition repeat each other.
    indirect case repeats(MenuViolation)

    public var description: String {
        switch self {
        case .duplicateKey(let key, let action): "\(action) (\(key)): the menu has a command with this key"
        case .duplicateCommand(let action, let list):
            "\(action)\(list.map { " with property list \($0)" } ?? "") is in the menu already"
        case .duplicateMenu(let identifier): "menu \(identifier.shortName): the menu has one with this identifier"
        case .incompleteKeyCommand(let action): "\(action): a key command without an input or an action"
        case .noSuchMenu(let identifier): "menu \(identifier.shortName): there is none with this identifier"
        case .rootHasNoSiblings: "menu root: nothing stands beside the root"
        case .repeats(.duplicateKey(let key, let action)): "\(action) (\(key)): the addition has this key twice"
        case .repeats(.duplicateCommand(let action, _)): "\(action) is twice in the addition"
        case .repeats(.duplicateMenu(let identifier)): "menu \(identifier.shortName) is twice in the addition"
        case .repeats(let other): "\(other), in the addition itself"
        }
    }
}

/// Builds a menu (spec §3.1). What `insert…` cannot add it drops, which the engine reports as the effect
/// `menuDropped`. Where `replace…` cannot, the platform raises an exception (spec MM-4): nothing is built after it, and
/// the effect is `menuRaised`.
public protocol MenuBuilder: AnyObject {
    /// Implementations of `buildMenu` check this: the main menu and context menus are built with the same call.
    var system: MenuSystem { get }
    /// An addition: the changes dropped so far, in order.
    var dropped: [MenuViolation] { get }
    /// An addition: the exception that a replacement raised.
    var raised: MenuViolation? { get }
    /// The menu with this identifier as it is now; a value.
    func menu(for identifier: Menu.Identifier) -> Menu?
    func command(for action: Selector, propertyList: String?) -> Command?
    func insertSibling(_ menu: Menu, beforeMenu sibling: Menu.Identifier)
    func insertSibling(_ menu: Menu, afterMenu sibling: Menu.Identifier)
    func insertChild(_ menu: Menu, atStartOfMenu parent: Menu.Identifier)
    func insertChild(_ menu: Menu, atEndOfMenu parent: Menu.Identifier)
    func replace(menu identifier: Menu.Identifier, with menu: Menu)
    func replaceChildren(ofMenu parent: Menu.Identifier, from children: ([MenuElement]) -> [MenuElement])
    func remove(menu identifier: Menu.Identifier)
    /// An addition: adds the children of a menu one by one to the one with its identifier: what cannot be added is
    /// dropped alone. Where there is none, the menu is inserted at the end of the menu bar, or dropped, as a whole.
    func extend(with menu: Menu)
}

extension MenuBuilder {
    public func command(for action: Selector) -> Command? { command(for: action, propertyList: nil) }
}

/// The builder of a menu that is kept as a tree.
final class MenuTreeBuilder: MenuBuilder {
    let system: MenuSystem
    private(set) var dropped: [MenuViolation] = []
    private(set) var raised: MenuViolation?
    /// `raised` in words.
    var raise: String? { raised.map { $0.description + holder($0) } }
    /// `dropped` in words, each with all that went with it.
    private(set) var drops: [String] = []
    /// The repetition inside one addition for which the system ends the app; nothing is built after it (spec I26-9).
    private(set) var repeated: MenuViolation?
    private let raisesOnRepetition: Bool
    /// The menu as it began: all else in it is the app's.
    private let defaults: MenuTree
    private var tree: MenuTree

    init(system: MenuSystem, profile: Profile, contents: [MenuElement] = []) {
        self.system = system
        raisesOnRepetition = system == .main && profile.insertionDuplicate == .exception
        var first = MenuTree(keepsCommandsUnique: system == .main && profile.appKit == nil)
        for element in contents { try? first.insert(element, .end, .root) }
        (tree, defaults) = (first, first)
    }

    /// An element goes in whole or not at all (spec I26-9).
    private func insert(_ element: MenuElement, _ place: MenuTree.Place, _ target: Menu.Identifier) {
        let error = change { tree throws(MenuViolation) in try tree.insert(element, place, target) }
        guard let error else { return }
        dropped.append(error)
        drops.append(error.description + holder(error) + MenuTreeBuilder.rest(of: element))
    }

    /// The reason why a change is not made; `nil` for one that ends the app, or comes after an exception.
    private func change(_ body: (inout MenuTree) throws(MenuViolation) -> Void) -> MenuViolation? {
        guard !hasRaised else { return nil }
        do { try body(&tree) } catch {
            guard case .repeats = error, raisesOnRepetition else { return error }
            repeated = error
        }
        return nil
    }

    var hasRaised: Bool { raised != nil || repeated != nil }

    /// The owner of what the last change repeated; empty for another reason.
    private func holder(_ error: MenuViolation) -> String {
        switch error {
        case .duplicateMenu(let identifier): return defaults.contains(identifier) ? ", the system's" : ", the app's own"
        case .duplicateKey, .duplicateCommand:
            guard let command = tree.conflict else { return "" }
            let isOfSystem = defaults.command(named: MenuTree.CommandName(command)) === command
            return (isOfSystem ? ", the system's " : ", the app's own ") + command.action.name
        default: return ""
        }
    }

    /// What a menu contains, for a sentence about its loss; empty for a command.
    private static func rest(of element: MenuElement) -> String {
        guard let menu = element as? Menu else { return "" }
        var lost: [String] = []
        var rest: [MenuElement] = menu.children.reversed()
        while let element = rest.popLast() {
            if let menu = element as? Menu { rest += menu.children.reversed() }
            if let command = element as? Command { lost.append(command.action.name) }
        }
        return lost.isEmpty ? "" : "; its whole menu is left out: \(lost.joined(separator: ", "))"
    }

    func menu(for identifier: Menu.Identifier) -> Menu? { tree.menu(identifier) }

    func command(for action: Selector, propertyList: String?) -> Command? {
        tree.command(named: MenuTree.CommandName(action: action, propertyList: propertyList))
    }

    func insertSibling(_ menu: Menu, beforeMenu sibling: Menu.Identifier) {
        insert(menu, .before, sibling)
    }

    func insertSibling(_ menu: Menu, afterMenu sibling: Menu.Identifier) {
        insert(menu, .after, sibling)
    }

    func insertChild(_ menu: Menu, atStartOfMenu parent: Menu.Identifier) {
        insert(menu, .start, parent)
    }

    func insertChild(_ menu: Menu, atEndOfMenu parent: Menu.Identifier) {
        insert(menu, .end, parent)
    }

    func replace(menu identifier: Menu.Identifier, with menu: Menu) {
        let error = change { tree throws(MenuViolation) in try tree.replace(identifier, with: menu) }
        raised = raised ?? error
    }

    func replaceChildren(ofMenu parent: Menu.Identifier, from children: ([MenuElement]) -> [MenuElement]) {
        let error = change { tree throws(MenuViolation) in
            guard let menu = tree.menu(parent) else { throw .noSuchMenu(parent) }
            try tree.replaceChildren(parent, with: children(menu.children))
        }
        raised = raised ?? error
    }

    func remove(menu identifier: Menu.Identifier) { if !hasRaised { tree.remove(identifier) } }

    func extend(with menu: Menu) {
        guard tree.contains(menu.identifier) else { return insert(menu, .end, .root) }
        for child in menu.children { insert(child, .end, menu.identifier) }
    }

    /// The whole menu as it is now.
    var root: Menu { tree.root }
}

/// A change of the main menu as a value, for menus that are declared instead of programmed.
public enum MenuChange {
    /// `MenuBuilder.extend(with:)`
    case extend(Menu)
    case insertBefore(Menu.Identifier, Menu)
    case insertAfter(Menu.Identifier, Menu)
    case insertAtStart(of: Menu.Identifier, Menu)
    case insertAtEnd(of: Menu.Identifier, Menu)
    case replace(Menu.Identifier, with: Menu)
    case replaceChildren(of: Menu.Identifier, with: [MenuElement])
    case remove(Menu.Identifier)
}

extension MenuBuilder {
    public func apply(_ change: MenuChange) {
        switch change {
        case .extend(let menu): extend(with: menu)
        case .insertBefore(let sibling, let menu): insertSibling(menu, beforeMenu: sibling)
        case .insertAfter(let sibling, let menu): insertSibling(menu, afterMenu: sibling)
        case .insertAtStart(let parent, let menu): insertChild(menu, atStartOfMenu: parent)
        case .insertAtEnd(let parent, let menu): insertChild(menu, atEndOfMenu: parent)
        case .replace(let identifier, let menu): replace(menu: identifier, with: menu)
        case .replaceChildren(let parent, let children): replaceChildren(ofMenu: parent) { _ in children }
        case .remove(let identifier): remove(menu: identifier)
        }
    }
}
