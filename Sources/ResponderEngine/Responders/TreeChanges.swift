/// Changes that responders report to the engine, and the caches they make invalid.
extension KeyboardEngine: ResponderTreeObserver {
    func structureChanged() {
        // A replay of a recording has the links, and no answers that follow them.
        for responder in cache.linksChanged() { probe?.engine(self, reports: .commandsChanged(of: responder)) }
    }

    func keyCommandsChanged(of responder: Responder) {
        cache.commandsChanged(of: responder)
        dropPressLists()
        probe?.engine(self, reports: .commandsChanged(of: responder))
    }

    func firstResponderChanged(from old: Responder?, to new: Responder?) {
        deadSequence = []
        focusFollowsFirstResponder()
        old?.textInput?.keyBindingInterpreter?.reset()
        probe?.engine(self, reports: .firstResponder(from: old, to: new))
        if let responder = new ?? old {
            report(Effect(id: responder.id, kind: .firstResponder, value: .flag(new != nil)))
        }
        if !tree.handsOverKeyboard { settleKeyboardClient() }
    }

    func inputViewsChanged(of responder: Responder) { reloadInputViews(of: responder) }

    func report(_ effect: Effect) {
        progress.report(effect)
        probe?.engine(self, reports: .effect(effect))
    }

    func leftWindow(_ responder: Responder) {
        focusLeaves(responder)
        progress.leftWindow(responder)
        cancelPresses(inside: responder)
    }

    func menuNeedsRebuild() { menu.needsRebuild = true }
    func menuNeedsRevalidate() { menu.needsRevalidate = true }

    func profileChanged() {
        application.windowsBelongToScenes = profile.windowScenes
        application.keyWindowScope = profile.keyWindowScope
        application.filtersActionsOfPresenters = profile.filtersActionsOfPresenters
        tree.systemBackCommand = profile.systemBackCommand
        tree.keyPressHandlers = profile.keyPressHandlers
        application.asksBeforeClosing = profile.closeConfirmation == .perScene
        application.nonInteractiveSceneCanBeKey = profile.nonInteractiveSceneCanBeKey
        application.handsBackFirstResponder = profile.applicationHandsBackFirstResponder
        tree.linkVersion &+= 1
        dropCaches()
    }

    func layoutChanged() {
        deadSequence = []
        dropCaches()
    }
}
