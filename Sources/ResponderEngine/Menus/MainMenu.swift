import KeyModel

/// The main menu as the engine keeps it (spec §3.1).
final class MainMenuState {
    var root = Menu()
    /// The application's key commands in menu order, without the default menu's. Built once and kept until a
    /// rebuild is asked for (spec MM-2).
    var commands: [KeyCommand] = []
    /// The default menu's commands.
    var systemCommands: Set<ObjectIdentifier> = []
    /// Actions of the default menu's keys, and those of them that are still there: a key goes with its menu.
    var systemActions: Set<Selector> = []
    var presentSystemActions: Set<Selector> = []
    /// The commands' own values when the menu was built; each validation begins with them.
    var unvalidated: [(title: String, attributes: MenuElement.Attributes, state: MenuElement.State)] = []
    var isBuilt = false
    /// What building left out while no press was resolved: an effect of the next one.
    var unreported: [Effect] = []
    /// Building raised an exception that ended the app (spec I26-9).
    var hasEndedApp = false
    var needsRebuild = false
    var needsRevalidate = false
    /// Counts buildings and validations.
    var version: UInt64 = 0

    /// Takes over a menu; `system` are the commands that the default one began with.
    func install(_ built: Menu, system: [Command]) {
        root = built
        version &+= 1
        systemCommands = Set(system.map(ObjectIdentifier.init))
        systemActions = Set(system.compactMap { ($0 as? KeyCommand)?.action })
        presentSystemActions = []
        commands = []
        commands.reserveCapacity(built.children.count)
        var rest: [MenuElement] = [built]
        while let element = rest.popLast() {
            if let command = element as? KeyCommand {
                if systemCommands.contains(ObjectIdentifier(command)) {
                    presentSystemActions.insert(command.action)
                } else {
                    commands.append(command)
                }
            }
            if let menu = element as? Menu { rest += menu.children.reversed() }
        }
        unvalidated = commands.map { ($0.title, $0.attributes, $0.state) }
    }
}

/// The sender that a menu passes to `canPerformAction` and `validate` for one of its commands: a command that is no
/// `KeyCommand`, whatever the menu's own is (spec DS-5). Code that casts its sender to `KeyCommand` meets this one.
final class ValidatableCommand: Command {
    init(_ command: Command) {
        super.init(title: command.title, action: command.action, propertyList: command.propertyList)
        attributes = command.attributes
        state = command.state
        discoverabilityTitle = command.discoverabilityTitle
    }
}

extension MainMenuState {
    /// False for the key of a default menu that was removed or replaced (spec MM-7).
    func keeps(_ action: Selector) -> Bool {
        !systemActions.contains(action) || presentSystemActions.contains(action)
    }
}

extension KeyboardEngine {
    /// Builds the menu before the first key event that needs it, as a launch does, without counting that; rebuilds
    /// and validates when asked, which counts for this press.
    func prepareMainMenu() {
        guard profile.mainMenu else { return }
        if !buildMenuOfLaunch(), menu.needsRebuild {
            buildMainMenu(counted: true)
            cache.dropIndex()
        }
        if menu.needsRevalidate {
            menu.needsRevalidate = false
            validateMainMenu()
        }
    }

    /// Builds the menu that a launch builds. False where it was built already, or is none.
    @discardableResult
    func buildMenuOfLaunch() -> Bool {
        guard profile.mainMenu, !menu.isBuilt else { return false }
        buildMainMenu(counted: false)
        return true
    }

    /// Only the application and its delegate are asked (spec MM-1); from iOS 26 a build handler in their place, if
    /// there is one (spec MM-8).
    private func buildMainMenu(counted: Bool) {
        menu.isBuilt = true
        menu.needsRebuild = false
        // An AppKit app has the menus that it made itself.
        var rules = profile
        if !isPad { rules.windowMenuKeys = ReservedChords([]) }
        let defaults = profile.appKit == nil ? DefaultMenu.menus(rules) : []
        let builder = MenuTreeBuilder(system: .main, profile: profile, contents: defaults)
        if profile.overlay == .menuBar, let handler = application.mainMenuBuildHandler {
            build(with: builder, for: application, handler)
        } else {
            for responder in [application, application.delegate as Responder?].compactMap(\.self) {
                let isWhole = build(with: builder, for: responder, responder.buildMenu)
                if counted {
                    progress.calls.buildMenu += 1
                    probe?.engine(self, reports: .buildMenu(responder))
                }
                // The exception ends the building; what was built before it stays.
                if !isWhole { break }
            }
        }
        let root = recordedAnswers.map { Menu(title: "", children: $0.mainMenuCommands()) } ?? builder.root
        menu.install(root, system: recordedAnswers == nil ? KeyboardEngine.commands(in: defaults) : [])
    }

    /// False when building raised.
    @discardableResult
    private func build(
        with builder: MenuTreeBuilder, for responder: Responder, _ change: (any MenuBuilder) -> Void
    ) -> Bool {
        let before = builder.drops.count
        change(builder)
        for drop in builder.drops.dropFirst(before) {
            note(Effect(id: responder.id, kind: .menuDropped, value: .text(drop)), of: builder)
        }
        if let raise = builder.raise {
            note(Effect(id: responder.id, kind: .menuRaised, value: .text(raise)), of: builder)
        }
        if let repeated = builder.repeated {
            let words = "NSInvalidArgumentException: \(repeated)"
            note(Effect(id: responder.id, kind: .menuException, value: .text(words)), of: builder)
            menu.hasEndedApp = true
        }
        return !builder.hasRaised
    }

    /// Building the main menu raised, which ends the app under the rules of now (spec I26-9).
    package var hasEndedApp: Bool { menu.hasEndedApp && profile.insertionDuplicate == .exception }

    private func note(_ effect: Effect, of builder: MenuTreeBuilder) {
        if builder.system == .main, !progress.isResolving { return menu.unreported.append(effect) }
        report(effect)
    }

    /// The commands of menus in order.
    static func commands(in menus: [Menu]) -> [Command] {
        var found: [Command] = []
        var rest: [MenuElement] = menus.reversed()
        while let element = rest.popLast() {
            if let menu = element as? Menu { rest += menu.children.reversed() }
            if let command = element as? Command { found.append(command) }
        }
        return found
    }

    /// The would-be target of each command may change it (spec DS-8); a command that it disables does not fire.
    private func validateMainMenu() {
        for (command, built) in zip(menu.commands, menu.unvalidated) {
            command.title = built.title
            command.attributes = built.attributes
            command.state = built.state
            let sender = ValidatableCommand(command)
            guard let target = validationTarget(of: sender) else { continue }
            target.validate(sender)
            command.title = sender.title
            command.attributes = sender.attributes
            command.state = sender.state
            progress.calls.validate += 1
            probe?.engine(self, reports: .validated(target, command: command))
        }
        menu.version &+= 1
        cache.dropIndex()
    }

    /// The responder that would perform a command of a menu: asked with a sender that is no key command (spec DS-5).
    func validationTarget(of sender: ValidatableCommand) -> Responder? {
        followed.members.array.first {
            !($0.skipsActions && profile.filtersActionsOfPresenters)
                && $0.answersCanPerform(sender.action, sender: sender)
        }
    }

    /// The main menu as it is for the next key event.
    public var mainMenu: Menu {
        if profile.mainMenu, !menu.isBuilt || menu.needsRebuild {
            buildMainMenu(counted: false)
            cache.dropIndex()
        }
        return menu.root
    }

    /// A menu for one place: the responders of the chain from there are asked (spec MM-1).
    public func contextMenu(for responder: Responder) -> Menu {
        let builder = MenuTreeBuilder(system: .context, profile: profile)
        guard profile.mainMenu else { return builder.root }
        var walk = ChainWalk(from: responder)
        while let asked = walk.step() {
            probe?.engine(self, reports: .buildMenu(asked))
            guard build(with: builder, for: asked, asked.buildMenu) else { break }
        }
        return builder.root
    }
}
