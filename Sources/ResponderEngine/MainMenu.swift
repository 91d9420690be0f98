/// The main menu's commands as the engine keeps them (spec §3.1).
struct MainMenuState {
    /// In menu order. Built once and kept until a rebuild is asked for (spec MM-2).
    var commands: [KeyCommand] = []
    var isBuilt = false
    var needsRebuild = false
    var needsRevalidate = false
}

extension KeyboardEngine {
    /// Builds the menu before the first key event that needs it, as a launch does, without counting that; rebuilds
    /// and validates when asked, which counts for this press.
    func prepareMainMenu() {
        guard profile.mainMenu else { return }
        if !menu.isBuilt {
            menu.isBuilt = true
            menu.needsRebuild = false
            menu.commands = buildMainMenu(counted: false)
        } else if menu.needsRebuild {
            menu.needsRebuild = false
            menu.commands = buildMainMenu(counted: true)
            dropIndex()
        }
        if menu.needsRevalidate {
            menu.needsRevalidate = false
            validateMainMenu()
        }
    }

    /// Only the application and its delegate are asked (spec MM-1).
    private func buildMainMenu(counted: Bool) -> [KeyCommand] {
        let builder = MenuBuilder()
        for responder in [application, application.delegate].compactMap(\.self) {
            responder.buildMenu(with: builder)
            guard counted else { continue }
            calls.buildMenu += 1
            probe?.engine(self, reports: .buildMenu(responder))
        }
        return builder.keyCommands
    }

    /// The would-be target of each command may change it (spec DS-8); a command that it disables does not fire.
    private func validateMainMenu() {
        for command in menu.commands {
            guard
                let target = chain.members.first(where: { $0.canPerformAction(command.action, sender: command) })
            else { continue }
            target.validate(command)
            calls.validate += 1
            probe?.engine(self, reports: .validated(target, command: command))
        }
        dropIndex()
    }
}
