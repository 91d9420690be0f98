/// The responder where a key event enters the chain (spec EV-1, §6.3), and the chain from there.
extension KeyboardEngine {
    /// The focused item, the key window's first responder, else by the profile; `nil` when the app gets no keys.
    func startResponder() -> Responder? {
        guard application.isActive, isKeyboardAttached, !hasEndedApp else { return nil }
        if !isRecorded, let window = application.keyWindow {
            let isWithoutScene = window.windowScene == nil && !application.connectedScenes.isEmpty
            if isWithoutScene && !profile.windowWithoutSceneGetsKeys || !application.takesInput(window) { return nil }
        }
        if profile.appKit != nil { return appKitStart() }
        if focus.isSet, usesFocus, let item = focus.item { return item }
        if let firstResponder { return firstResponder }
        switch profile.startWithoutFirstResponder {
        case .none: return nil
        case .windowTail: return application.keyWindow ?? application
        case .deepest: return deepestResponder()
        }
    }

    /// The deepest sensible responder from the key window's root controller down: presented controllers first, then
    /// each container's choice (spec §6.3).
    private func deepestResponder() -> Responder {
        if let recordedAnswers { return recordedAnswers.deepestResponder() ?? application }
        guard let window = application.keyWindow else { return application }
        guard var deepest = window.rootViewController else { return window }
        var visited: Set<ObjectIdentifier> = [ObjectIdentifier(deepest)]
        while let child = deepest.startDescent(profile.deepestResponderChildChoice),
            visited.insert(ObjectIdentifier(child)).inserted
        {
            // A change of what a container shows must be heard even where the chain does not go through it.
            if deepest.tree !== tree { deepest.tree = tree }
            deepest = child
        }
        if deepest.tree !== tree { deepest.tree = tree }
        return deepest
    }

    /// Reads `keyCommands` of all responders that a press would ask now, and returns the real time of that.
    package func timeOfKeyCommands() -> Duration {
        guard let start = startResponder() else { return .zero }
        followChain(from: start)
        let members = followed.members.array
        return ContinuousClock().measure { for member in members { _ = member.keyCommands } }
    }

    /// Follows the chain from this responder. Under `chain` policy a chain without overridden `next`s is followed anew
    /// only after a link changed.
    func followChain(from start: Responder) {
        guard !followed.isCurrent(from: start, linkVersion: tree.linkVersion) else { return }
        let chain = ResponderChain(from: start, tree: tree, reusing: followed.chain)
        followed.replace(chain, from: start, isAnnounced: cachePolicy == .chain && chain.isAnnounced)
    }
}
