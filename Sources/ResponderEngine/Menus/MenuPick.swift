public import KeyModel

/// Picking an item of the main menu, without its key (spec I27-3).
extension KeyboardEngine {
    /// A person picks the first item with this action, else with this title. The action starts at the first responder,
    /// or at the application where the bar has taken first responder from the app's window. `nil` where there is no
    /// such item.
    public func pickMenuItem(_ name: String, at time: TraceTime) -> Resolution? {
        guard hasMenuBar || profile.overlay != .menuBar else { return nil }
        let items = KeyboardEngine.commands(in: [mainMenu]).filter { !$0.attributes.contains(.hidden) }
        guard let item = items.first(where: { $0.action.name == name }) ?? items.first(where: { $0.title == name })
        else { return nil }
        var resolution = Resolution(time: time, key: nil, device: 0, modifiers: heldKeys.flags, isRepeat: false)
        resolution.isSentByMenu = true
        resolution.action = item.action
        begin(at: time)
        for effect in menu.unreported { report(effect) }
        let left = leaveForMenuBar()
        defer {
            if profile.menuBarRestoresFirstResponder, firstResponder == nil { _ = left?.becomeFirstResponder() }
            progress.isResolving = false
        }
        let start = profile.menuPickStart == .application ? application : startResponder()
        if let start { followChain(from: start) }
        let sender = ValidatableCommand(item)
        let target = menuTarget(of: item.action, sender)
        target?.validate(sender)
        resolution.target = target
        if let target, !sender.attributes.contains(.disabled) {
            resolution.outcome = .performed
            resolution.takenBy = .mainMenu
            target.answersPerform(item.action, sender: sender, event: nil)
        } else if target == nil, let item = item as? KeyCommand, isPerformedBySystem(item) {
            resolution.takenBy = .system
        }
        end(&resolution, nil)
        return resolution
    }

    /// The first responder that has resigned, since the bar takes the focus from the app's window.
    private func leaveForMenuBar() -> Responder? {
        guard !profile.menuBarKeepsFirstResponder, let first = firstResponder, first.resignFirstResponder() else {
            return nil
        }
        return first
    }

    private func menuTarget(of action: Selector, _ sender: ValidatableCommand) -> Responder? {
        if hasEndedApp { return nil }
        return validationTarget(of: sender) ?? lastTarget(of: action)
    }

    /// A bar of menus: the Mac's, and an iPad's from iOS 26 on; an iPhone has none (spec I26-6).
    package var hasMenuBar: Bool { profile.overlay == .menuBar && (profile.macMenus || isPad) }

    /// Items of the app's main menu that the chain performs now and that a person picks in vain, since the bar takes
    /// first responder from the app's window, by action and responder (spec I27-3).
    package var itemsLostToMenuBar: [(action: Selector, responder: Responder)] {
        guard hasMenuBar, profile.menuPickStart == .application, let start = startResponder() else { return [] }
        let items = KeyboardEngine.commands(in: [mainMenu]).filter {
            !menu.systemCommands.contains(ObjectIdentifier($0))
                && $0.attributes.isDisjoint(with: [.disabled, .hidden])
        }
        func targets(from start: Responder) -> [Responder?] {
            followChain(from: start)
            return items.map { validationTarget(of: ValidatableCommand($0)) }
        }
        return zip(items, zip(targets(from: start), targets(from: application))).compactMap { item, ends in
            guard let responder = ends.0, ends.1 == nil else { return nil }
            return (item.action, responder)
        }
    }

    /// Picks as `pickMenuItem` does, and keeps what came of it until `takePicked`. False where there is no such item.
    public func pick(_ name: String, at time: TraceTime) -> Bool {
        picked = pickMenuItem(name, at: time)
        return picked != nil
    }

    /// What came of the last pick, once.
    public func takePicked() -> Resolution? {
        defer { picked = nil }
        return picked
    }
}
