public import KeyModel

/// The shortcuts that work now as the system shows them: the overlay of a held ⌘, or the menus (spec §7). Data, and
/// text for people; no pixels.
public struct Overlay {
    public struct Entry {
        public let title: String
        /// The key as shown, such as `⌘W` (spec HUD-4); that of the effective input (spec HUD-8).
        public let key: String
        public let action: Selector
        /// The command's own input and modifiers.
        public let input: String?
        public let modifiers: KeyModifiers
        /// The input under which it is searched on this layout.
        package let effectiveInput: String?
        /// The responder that offers it; `nil` for the main menu.
        public let supplier: Responder?
        /// The responder that would perform it; `nil` for one without a target, which is dimmed unless the system
        /// performs it.
        public let target: Responder?
        /// The default menu's, not the application's.
        public let isSystem: Bool
        /// Present in the main menu and in a responder's `keyCommands`, and listed for both (spec MM-6).
        public internal(set) var isListedTwice = false
        /// Shown dimmed, because it is disabled or has no target (spec HUD-2, Mac).
        public internal(set) var isDimmed = false
        /// The key shown is not the one that triggers it (spec §11 T-20).
        public let showsOtherKey: Bool

        /// The supplier's id, or `"mainMenu"`.
        public var supplierID: String { supplier?.id ?? Resolution.mainMenuID }
        /// Titles of more than about 25 characters break the columns on iPad (spec HUD-5).
        public var breaksColumns: Bool { title.count > 25 }
    }

    /// The entries of one menu; a flat overlay has one section without a title.
    public struct Section {
        public let title: String
        public internal(set) var entries: [Entry]
    }

    public let style: Profile.Overlay
    public internal(set) var sections: [Section] = []
    /// The calls that made it: each getter once, then each command (spec KC-4).
    public internal(set) var calls = CallCounts()

    init(style: Profile.Overlay) { self.style = style }

    public var entries: [Entry] { sections.flatMap(\.entries) }

    /// One line per entry under the title of its section, keys in a column before titles.
    public var text: String { text { $0 } }

    /// The same with other words for keys and titles, such as `Cmd+W` for `⌘W`. `notes` end the entries'
    /// lines, in their order.
    public func text(notes: [String] = [], spelling: (String) -> String) -> String {
        var notes = notes[...]
        let width = entries.map { spelling($0.key).count }.max() ?? 0
        var lines: [String] = []
        for section in sections {
            if !section.title.isEmpty { lines.append(spelling(section.title)) }
            let indent = section.title.isEmpty ? "" : "  "
            for entry in section.entries {
                let (key, title) = (spelling(entry.key), spelling(entry.title))
                let gap = String(repeating: " ", count: width - key.count + 2)
                let line = title.isEmpty ? key : key + gap + title
                lines.append(indent + line + (entry.isDimmed ? " (dimmed)" : "") + (notes.popFirst() ?? ""))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension KeyboardEngine {
    /// The overlay as it would be now. `applicationTitle` names the section of the responders' own commands. Only
    /// commands with a target are in it, or under the menus of a desktop all, the others dimmed (spec HUD-2). Where
    /// menus are shown, `holding` brings out the alternates for these modifiers in the place of their commands (spec
    /// MT-12). Its questions change no cache and no count of a press.
    ///
    /// An iPhone has no menu bar: nothing is shown there from iOS 26 on (spec I26-6).
    public func overlay(applicationTitle: String = "", holding: KeyModifiers = []) -> Overlay {
        var overlay = Overlay(style: hasMenuBar || profile.overlay != .menuBar ? profile.overlay : .none)
        guard overlay.style != .none, let start = startResponder() else { return overlay }
        let chain = ResponderChain(from: start, tree: tree, reusing: ResponderChain())
        let shown: KeyModifiers = profile.overlay == .hud ? [] : holding
        var maker = OverlayMaker(engine: self, members: chain.members.array, holding: shown)
        switch profile.overlay {
        case .none: break
        case .hud:
            var entries = maker.responderEntries()
            if profile.mainMenu { entries += maker.menuEntries(mainMenu) }
            overlay.sections = [Overlay.Section(title: "", entries: maker.firstOfEachKey(entries))]
        case .menus, .menuBar:
            let own = maker.firstOfEachKey(maker.responderEntries())
            overlay.sections = maker.sections(mainMenu, own: own, applicationTitle: applicationTitle)
        }
        overlay.sections.removeAll(where: \.entries.isEmpty)
        overlay.calls = maker.calls
        return overlay
    }
}

/// Makes the entries of an overlay.
private struct OverlayMaker {
    let engine: KeyboardEngine
    let members: [Responder]
    let holding: KeyModifiers
    let shortcuts: ShortcutText
    var calls = CallCounts()

    init(engine: KeyboardEngine, members: [Responder], holding: KeyModifiers) {
        self.holding = holding
        self.engine = engine
        self.members = members
        shortcuts = ShortcutText(order: engine.profile.hudModifierOrder)
    }

    // MARK: Responders' commands

    /// The commands of the chain and the shortcuts of SwiftUI's controls, in the order in which they are searched.
    mutating func responderEntries() -> [Overlay.Entry] {
        let chain = chainEntries()
        return engine.profile.hostedShortcuts == .afterChain ? chain + hostedEntries() : hostedEntries() + chain
    }

    /// A control performs its shortcut itself: no responder is asked.
    private func hostedEntries() -> [Overlay.Entry] {
        engine.hostControllers().flatMap { host in
            host.hostedShortcuts.compactMap { command in
                guard let title = title(of: command, shown: command) else { return nil }
                let target = isLeftOut(command.attributes) ? nil : host
                return entry(command, form(of: command), title, command.attributes, supplier: host, target)
            }
        }
    }

    /// The entries in chain order, then in the order of each list (spec HUD-1).
    private mutating func chainEntries() -> [Overlay.Entry] {
        var entries: [Overlay.Entry] = []
        for member in members {
            calls.keyCommands += 1
            for command in member.keyCommands ?? [] {
                let form = form(of: command)
                guard let title = form.title ?? title(of: command, shown: command) else { continue }
                let target = isLeftOut(command.attributes) ? nil : target(of: form.action, sender: command)
                if let entry = entry(command, form, title, command.attributes, supplier: member, target) {
                    entries.append(entry)
                }
            }
        }
        return entries
    }

    /// Before iOS 13 only `discoverabilityTitle` counts; afterwards it wins over `title`. `nil` for a command that
    /// is not shown. From iOS 15 the untitled ones are left out as well (spec §1.5, initialisers).
    private func title(of command: KeyCommand, shown: Command) -> String? {
        let title = command.discoverabilityTitle ?? (engine.profile.mainMenu ? shown.title : "")
        return title.isEmpty ? nil : title
    }

    /// Hidden, or disabled where that is not shown dimmed: no responder is asked about such a command.
    private func isLeftOut(_ attributes: MenuElement.Attributes) -> Bool {
        attributes.contains(.hidden) || attributes.contains(.disabled) && engine.profile.overlayDisabled == .omit
    }

    /// The form of a command with the held modifiers: itself, or the alternate that asks for most of them.
    private struct Form {
        /// `nil` for the command's own.
        var title: String?
        let action: Selector
        let modifiers: KeyModifiers
    }

    private func form(of command: KeyCommand) -> Form {
        let own = Form(action: command.action, modifiers: command.modifierFlags)
        let alternates = command.alternates.filter { holding.isSuperset(of: $0.modifierFlags) }
        let shown = alternates.max { a, b in
            a.modifierFlags.rawValue.nonzeroBitCount < b.modifierFlags.rawValue.nonzeroBitCount
        }
        guard let shown else { return own }
        let title = shown.title.isEmpty ? nil : shown.title
        return Form(title: title, action: shown.action, modifiers: own.modifiers.union(shown.modifierFlags))
    }

    private mutating func target(of action: Selector, sender: Command) -> Responder? {
        for member in members {
            if member.skipsActions, engine.profile.filtersActionsOfPresenters { continue }
            calls.canPerformAction += 1
            if member.answersCanPerform(action, sender: sender) { return member }
        }
        return nil
    }

    // MARK: The main menu

    /// The key commands of a menu in order, each validated with a sender that is no key command (spec DS-5, DS-8).
    /// A menu inside the menu bar that is displayed inline shows nothing (spec MM-7).
    mutating func menuEntries(_ menu: Menu) -> [Overlay.Entry] {
        var entries: [Overlay.Entry] = []
        var rest: [MenuElement] = [menu]
        while let element = rest.popLast() {
            if let menu = element as? Menu {
                let children = menu.children.filter { menu.identifier != .root || !isInlineMenu($0) }
                rest += children.reversed()
            } else if let command = element as? KeyCommand {
                if let entry = validated(command) { entries.append(entry) }
            } else if engine.profile.overlayKeyless == .shown, let command = element as? Command,
                let entry = validated(keyless: command)
            {
                entries.append(entry)
            }
        }
        return entries
    }

    private func isInlineMenu(_ element: MenuElement) -> Bool {
        (element as? Menu)?.options.contains(.displayInline) ?? false
    }

    private mutating func validated(_ command: KeyCommand) -> Overlay.Entry? {
        let shown = ValidatableCommand(command)
        let form = form(of: command)
        let target = target(of: form.action, sender: shown)
        if let target {
            target.validate(shown)
            calls.validate += 1
        }
        guard let title = form.title ?? title(of: command, shown: shown) else { return nil }
        let last = engine.menu.systemCommands.contains(ObjectIdentifier(command))
            ? engine.lastTarget(of: command.action) : nil
        return entry(command, form, title, shown.attributes, supplier: nil, target ?? last)
    }

    /// A command of a menu without a key (spec I26-13).
    private mutating func validated(keyless command: Command) -> Overlay.Entry? {
        let shown = ValidatableCommand(command)
        let target = target(of: command.action, sender: shown)
        if let target {
            target.validate(shown)
            calls.validate += 1
        }
        let isDimmed = shown.attributes.contains(.disabled) || target == nil
        guard !shown.title.isEmpty, !shown.attributes.contains(.hidden),
            !isDimmed || engine.profile.overlayDisabled == .dim
        else { return nil }
        return Overlay.Entry(
            title: shown.title, key: "", action: command.action, input: nil, modifiers: [], effectiveInput: nil,
            supplier: nil, target: target, isSystem: engine.menu.systemCommands.contains(ObjectIdentifier(command)),
            isDimmed: isDimmed, showsOtherKey: false)
    }

    /// A section per menu in menu order; the responders' commands are in the application's menu, which comes first and
    /// has the application's name (spec §7).
    mutating func sections(_ root: Menu, own: [Overlay.Entry], applicationTitle: String) -> [Overlay.Section] {
        var sections = [Overlay.Section(title: applicationTitle, entries: [])]
        for case let menu as Menu in root.children where !isInlineMenu(menu) {
            let entries = menuEntries(menu)
            if menu.identifier == .application {
                sections[0].entries = entries
            } else {
                sections.append(Overlay.Section(title: menu.title, entries: entries))
            }
        }
        if engine.profile.overlayUnplaced == .helpMenu {
            addToHelp(own, &sections)
        } else {
            sections[0].entries += own
            markListedTwice(&sections)
        }
        return sections
    }

    /// What no menu has is listed in Help (spec I26-14).
    private func addToHelp(_ own: [Overlay.Entry], _ sections: inout [Overlay.Section]) {
        let placed = Set(sections.flatMap(\.entries).map(OverlayKey.init))
        let rest = own.filter { !placed.contains(OverlayKey($0)) }
        guard let help = sections.lastIndex(where: { $0.title == "Help" }) else {
            return sections.append(Overlay.Section(title: "Help", entries: rest))
        }
        sections[help].entries += rest
    }

    /// Marks entries with the same key and action in the menu and in a responder's list (spec MM-6, T-14).
    private func markListedTwice(_ sections: inout [Overlay.Section]) {
        var inMenu: Set<OverlayKey> = []
        var onChain: Set<OverlayKey> = []
        for entry in sections.flatMap(\.entries) {
            if entry.supplier == nil { inMenu.insert(OverlayKey(entry)) } else { onChain.insert(OverlayKey(entry)) }
        }
        for section in sections.indices {
            for index in sections[section].entries.indices {
                let key = OverlayKey(sections[section].entries[index])
                sections[section].entries[index].isListedTwice = inMenu.contains(key) && onChain.contains(key)
            }
        }
    }

    // MARK: Entries

    /// The first of the entries with one input and modifiers (spec HUD-3).
    func firstOfEachKey(_ entries: [Overlay.Entry]) -> [Overlay.Entry] {
        var seen: Set<CommandKey> = []
        return entries.filter { entry in
            let input = entry.input.map(CommandInput.init) ?? .none
            return seen.insert(CommandKey(input: input, modifiers: entry.modifiers)).inserted
        }
    }

    /// `nil` for what is left out: hidden, disabled, or without a target (spec HUD-2).
    private func entry(
        _ command: KeyCommand, _ form: Form, _ title: String, _ attributes: MenuElement.Attributes,
        supplier: Responder?, _ target: Responder?
    ) -> Overlay.Entry? {
        let isPerformed = target != nil || supplier == nil && engine.isPerformedBySystem(command)
        let isDimmed = attributes.contains(.disabled) || !isPerformed
        guard !attributes.contains(.hidden), !isDimmed || engine.profile.overlayDisabled == .dim else { return nil }
        let effective = engine.inputMoves.input(of: command)
        let shown = shownInput(effective)
        return Overlay.Entry(
            title: title, key: shortcuts.text(shown, command.input, form.modifiers), action: form.action,
            input: command.input, modifiers: form.modifiers, effectiveInput: effective.text ?? command.input,
            supplier: supplier, target: target,
            isSystem: supplier == nil && engine.menu.systemCommands.contains(ObjectIdentifier(command)),
            isDimmed: isDimmed, showsOtherKey: shown != effective)
    }

    /// The overlay of iOS 14 and before mirrors arrows in right-to-left interfaces, though events are not mirrored
    /// (spec MT-8, T-20).
    private func shownInput(_ input: CommandInput) -> CommandInput {
        guard engine.profile.overlay == .hud, engine.layoutDirection == .rtl else { return input }
        let isSideArrow = [KeyCommand.inputLeftArrow, KeyCommand.inputRightArrow].contains(input.text ?? "")
        return isSideArrow ? CommandLocalisation.mirrored[input] ?? input : input
    }
}

private struct OverlayKey: Hashable {
    let input: String?
    let modifiers: KeyModifiers
    let action: Selector

    init(_ entry: Overlay.Entry) {
        input = entry.input
        modifiers = entry.modifiers
        action = entry.action
    }
}
