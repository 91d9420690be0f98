import KeyModel

/// What responders tell the engine, and what that makes invalid.
extension KeyboardEngine: ResponderTreeObserver {
    func structureChanged() {
        indexNeedsCheck = true
        forgetSteadyChain()
        dropPressLists()
        dropFollowers()
    }

    /// Forgets what components answered that looks at the first responder or at presentations.
    private func dropFollowers() {
        if index?.followsStructure == true { dropIndex() }
        guard !lists.isEmpty else { return }
        let followers = lists.filter { $0.value.responder.followsStructure }.map(\.key)
        for key in followers { lists[key] = nil }
        countDropped(followers.count)
    }

    func keyCommandsChanged(of responder: Responder) {
        if lists.removeValue(forKey: ObjectIdentifier(responder)) != nil { countDropped(1) }
        if let index, index.concerns(responder) { dropIndex() }
        dropPressLists()
    }

    func firstResponderChanged(from old: Responder?, to new: Responder?) {
        deadSequence = []
        old?.textInput?.keyBindingInterpreter?.reset()
        probe?.engine(self, reports: .firstResponder(from: old, to: new))
        if let responder = new ?? old {
            report(Effect(id: responder.id, kind: .firstResponder, value: .flag(new != nil)))
        }
        if !tree.handsOverKeyboard { settleKeyboardClient() }
    }

    func inputViewsChanged(of responder: Responder) { reloadInputViews(of: responder) }

    func report(_ effect: Effect) {
        if isResolving { pendingEffects.append(effect) }
        probe?.engine(self, reports: .effect(effect))
    }

    func leftWindow(_ responder: Responder) {
        // The receivers of a press that is still climbing are not known before it is at its end.
        if isClimbing { leftWhileClimbing = (leftWhileClimbing ?? []) + [responder] }
        cancelPresses(inside: responder)
    }

    func menuNeedsRebuild() { menu.needsRebuild = true }
    func menuNeedsRevalidate() { menu.needsRevalidate = true }

    func profileChanged() {
        application.windowsBelongToScenes = profile.windowScenes
        application.keyWindowScope = profile.keyWindowScope
        application.filtersActionsOfPresenters = profile.filtersActionsOfPresenters
        tree.systemBackCommand = profile.systemBackCommand
        earlyStandardKeys = StandardKey.early(profile)
        lateStandardKeys = StandardKey.late(profile)
        application.handsBackFirstResponder = profile.applicationHandsBackFirstResponder
        stages = DeliveryStage.order(of: profile)
        matching = Matching(profile)
        localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
        tree.linkVersion &+= 1
        dropCaches()
    }

    func layoutChanged() {
        keyTable = KeyTable(layout)
        tableNumber += 1
        localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
        deadSequence = []
        dropCaches()
    }
}
