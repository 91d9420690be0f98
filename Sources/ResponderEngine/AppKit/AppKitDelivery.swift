import KeyModel

/// The path of a key event in an AppKit app: key equivalents, then `keyDown:` up the chain, with keyboard interface
/// control before or after it.
extension KeyboardEngine {
    enum AppKitStage { case keyEquivalents, mainMenu, services, interfaceControl, keyDown }

    /// The key window's first responder, the window, or the application.
    func appKitStart() -> Responder { firstResponder ?? application.keyWindow ?? application }

    func deliver(
        _ held: PressesEvent, _ stroke: Stroke, in appKit: AppKitRules, from start: Responder,
        into resolution: inout Resolution
    ) {
        progress.messages = []
        followChain(from: start)
        resolution.cycle = followed.chain.cycle
        probe?.engine(self, reports: .chain(followed.members.array, cycle: followed.chain.cycle))
        let receivers = recordedAnswers?.keyEventReceivers ?? LiveKeyEventReceivers(self, held)
        for stage in KeyboardEngine.stages(of: stroke, in: appKit) {
            let isOver =
                switch stage {
                case .keyEquivalents: askViews(receivers, &resolution)
                case .mainMenu: askMenu(.main, receivers, appKit, &resolution)
                case .services: askMenu(.services, receivers, appKit, &resolution)
                case .interfaceControl: controlInterface(receivers, stroke, &resolution)
                case .keyDown: climb(receivers, stroke, appKit, from: start, &resolution)
                }
            if isOver { break }
        }
        held.repeats = true
    }

    /// A repeat goes the way of a press of its own.
    func repeatTick(
        _ key: KeyIdentity, _ device: UInt16, in appKit: AppKitRules, at time: TraceTime
    ) -> Resolution? {
        guard let held = repeating(key, device) else { return nil }
        var (resolution, start) = beginRepeat(of: held, key, device, at: time)
        defer { progress.isResolving = false }
        if let start {
            deliver(held, held.stroke, in: appKit, from: start, into: &resolution)
        } else {
            resolution.outcome = .noStart
        }
        end(&resolution, held)
        return resolution
    }

    private static func stages(of stroke: Stroke, in appKit: AppKitRules) -> [AppKitStage] {
        let isEquivalent = appKit.keyEquivalents == .everyKey || stroke.flags.contains(.command)
        let equivalents: [AppKitStage] = isEquivalent ? [.keyEquivalents, .mainMenu, .services] : []
        let rest: [AppKitStage] =
            appKit.interfaceControl == .beforeKeyDown ? [.interfaceControl, .keyDown] : [.keyDown, .interfaceControl]
        return equivalents + rest
    }

    // MARK: Stages

    private func askViews(_ receivers: any KeyEventReceivers, _ resolution: inout Resolution) -> Bool {
        var taken: Resolution?
        receivers.keyEquivalents { view, answer in
            var found = resolution
            let isTaken = take(answer, .keyEquivalent, by: view, &found)
            report(answer, .keyEquivalent, of: view)
            if isTaken { taken = found }
            return isTaken
        }
        if let taken { resolution = taken }
        return taken != nil
    }

    private func askMenu(
        _ menu: AskedMenu, _ receivers: any KeyEventReceivers, _ appKit: AppKitRules, _ resolution: inout Resolution
    ) -> Bool {
        // A recording reports the main menu at the press that built it.
        if menu == .main { prepareMainMenu() }
        let answer = receivers.keyEquivalent(of: menu)
        report(answer, .keyEquivalent, of: nil)
        let stage = menu == .main ? TakenBy.mainMenu : .services
        guard case .disabled(let action) = answer else { return take(answer, stage, by: nil, &resolution) }
        guard appKit.disabledItemsKeepKeys else { return false }
        resolution.outcome = .blockedUnperformable
        resolution.takenBy = stage
        resolution.action = action
        resolution.isSentByMenu = true
        return true
    }

    private func controlInterface(
        _ receivers: any KeyEventReceivers, _ stroke: Stroke, _ resolution: inout Resolution
    ) -> Bool {
        guard stroke.usage == .tab, stroke.matchFlags.subtracting(.shift).isEmpty,
            followed.start?.textInput == nil
        else { return false }
        return take(
            receivers.moveFocus(backwards: stroke.matchFlags.contains(.shift)), .focus, by: nil, &resolution)
    }

    /// From the first responder on, each passes the key on or does something with it.
    private func climb(
        _ receivers: any KeyEventReceivers, _ stroke: Stroke, _ appKit: AppKitRules, from start: Responder,
        _ resolution: inout Resolution
    ) -> Bool {
        var met: Set<ObjectIdentifier> = []
        var asked: [(Responder, KeyEventAnswer)] = []
        var here: Responder? = start
        var isTaken = false
        while let responder = here, met.insert(ObjectIdentifier(responder)).inserted {
            let answer = receivers.keyDown(of: responder)
            asked.append((responder, answer))
            if case .forwarded(let next) = answer {
                here = next
                continue
            }
            // A recording answers by the rules that it was made under.
            if case .inserted = answer, !appKit.types(stroke) { break }
            isTaken = take(answer, .keyDown, by: responder, &resolution)
            break
        }
        // The first to be asked has answered last.
        for (place, (responder, answer)) in asked.enumerated().reversed() {
            report(answer, .keyDown, of: responder, depth: UInt8(clamping: place + 1))
        }
        return isTaken
    }

    // MARK: Answers

    /// True where the answer ends the search.
    private func take(
        _ answer: KeyEventAnswer, _ stage: TakenBy, by responder: Responder?, _ resolution: inout Resolution
    ) -> Bool {
        switch answer {
        case .passed, .forwarded, .disabled: return false
        case .unknown: return true
        case .kept:
            (resolution.outcome, resolution.takenBy, resolution.target) = (.performed, stage, responder)
            if stage == .keyEquivalent { resolution.sender = responder }
        case .sent(let sent):
            resolution.outcome = sent.isPerformed ? .performed : .blockedUnperformable
            resolution.takenBy = sent.isOfMenu && stage != .services ? .mainMenu : stage
            (resolution.action, resolution.target, resolution.sender) = (sent.action, sent.target, sent.sender)
            resolution.isSentByMenu = sent.isOfMenu
        case .command(let action, let target):
            (resolution.outcome, resolution.takenBy) = (.consumedByKeyBinding, .keyBinding)
            (resolution.action, resolution.target) = (action, target)
        case .inserted(let text, let target):
            (resolution.outcome, resolution.takenBy) = (.consumedByText, .text)
            (resolution.text, resolution.target) = (text, target)
        case .focusMoved: (resolution.outcome, resolution.takenBy) = (.consumedByFocus, .focus)
        }
        return true
    }
}
