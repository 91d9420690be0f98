import KeyModel

/// The search for the responder that performs an action (spec §5).
extension KeyboardEngine {
    /// Tries the candidates of one stage in order (spec MT-9, MT-10, MT-11). True when one of them took the press.
    func runCommands(_ stage: DeliveryStage, _ held: PressesEvent, into resolution: inout Resolution) -> Bool {
        if stage == .priorityKeyCommands, profile.stageOrder == .textFirst,
            resolution.candidates?.hasPriority != true
        {
            return false
        }
        guard let candidates = resolution.candidates else { return false }
        return candidates.entries.indices.contains { place in
            take(held, by: candidates.entries[place], at: place, stage, into: &resolution)
        }
    }

    /// True where this candidate takes the press: its action is performed, or blocks the key.
    private func take(
        _ held: PressesEvent, by candidate: CollectedCommand, at place: Int, _ stage: DeliveryStage,
        into resolution: inout Resolution
    ) -> Bool {
        let isPriorityStage = stage == .priorityKeyCommands
        if profile.stageOrder == .textFirst, candidate.isPriority != isPriorityStage { return false }
        if candidate.isDisabled {
            noteFate(place, .disabled)
            return false
        }
        if profile.applicationCommandsNeedSecondPress, waitsForSecondPress(candidate) {
            noteFate(place, .notReached)
            return false
        }
        let sender: Any? = candidate.command
        let found = candidate.isHosted ? candidate.supplier : findTarget(of: candidate.action, sender: sender)
        if let target = consume found {
            noteFate(place, .performed)
            perform(candidate.action, on: target, sender: sender, held)
            resolution.outcome = .performed
            resolution.target = target
        } else if profile.blocksUnperformable {
            noteFate(place, .blocked)
            resolution.outcome = .blockedUnperformable
        } else {
            noteFate(place, .notPerformable)
            return false
        }
        resolution.takenBy =
            isPriorityStage ? .priorityKeyCommands : candidate.supplier == nil ? .mainMenu : .keyCommands
        resolution.action = candidate.action
        resolution.decidedIndex = place
        resolution.decided = candidate
        return true
    }

    private func noteFate(_ index: Int, _ verdict: CandidateVerdict) {
        if probe != nil { progress.fates.append((index, verdict)) }
    }

    /// iOS 8.1: commands of the application fire from the second press on (spec DS-10).
    private func waitsForSecondPress(_ entry: CollectedCommand) -> Bool {
        guard !applicationCommandsArmed, entry.supplier is Application else { return false }
        applicationCommandsArmed = true
        return true
    }

    /// The first responder from the start responder upwards that can perform the action, whichever supplied the command
    /// (spec DS-1). Controllers that present another one may be left out (spec DS-7).
    func findTarget(of action: Selector, sender: Any?) -> Responder? {
        var asked = 0
        let found = followed.members.first { member -> Responder?? in
            if member.skipsActions, profile.filtersActionsOfPresenters { return nil }
            member.targetSearch = .asking
            let found = member.target(forAction: action, withSender: sender).flatMap { $0 as? Responder }
            let reachedDefault = member.targetSearch == .reachedDefault
            member.targetSearch = .none
            if reachedDefault {
                asked += 1
                probe?.engine(self, reports: .canPerform(member, action: action, answer: found === member))
            }
            // An override that answers `nil` of its own accord ends the search (spec DS-4).
            return found == nil && reachedDefault ? nil : .some(found)
        }
        progress.calls.canPerformAction += asked
        return found ?? nil
    }

    func perform(_ action: Selector, on target: Responder, sender: Any?, _ event: PressesEvent?) {
        probe?.engine(self, reports: .actionBegan(action, target: target))
        target.answersPerform(action, sender: sender, event: event)
    }
}

/// The state of a responder in a target search of the engine.
enum TargetSearchState {
    case none
    /// The engine asks this responder for itself only, and goes on to `next` itself.
    case asking
    /// The default implementation answered.
    case reachedDefault
}

enum TargetSearch {
    /// The default answer: for the engine, this responder if it can perform the action; for everyone else, the
    /// first one up the chain that can (spec DS-2).
    static func defaultTarget(of responder: Responder, action: Selector, sender: Any?) -> Responder? {
        if responder.targetSearch == .asking {
            responder.targetSearch = .reachedDefault
            return responder.answersCanPerform(action, sender: sender) ? responder : nil
        }
        if responder.answersCanPerform(action, sender: sender) { return responder }
        return firstTarget(from: responder.next, action: action, sender: sender, skipsPresenters: false)
    }

    /// The first responder of a chain that takes the action, or the one that a member names for it (spec DS-1, DS-4).
    static func firstTarget(
        from start: Responder?, action: Selector, sender: Any?, skipsPresenters: Bool
    ) -> Responder? {
        var walk = ChainWalk(from: start)
        while let other = walk.step() {
            if skipsPresenters, other.skipsActions { continue }
            other.targetSearch = .asking
            let answer = other.target(forAction: action, withSender: sender).flatMap { $0 as? Responder }
            let reachedDefault = other.targetSearch == .reachedDefault
            other.targetSearch = .none
            if answer != nil || !reachedDefault { return answer }
        }
        return nil
    }
}
