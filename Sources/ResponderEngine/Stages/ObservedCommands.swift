import KeyModel

/// Commands of an observer of the keyboard's events: React Native's developer commands, declared as the application's.
extension KeyboardEngine {
    /// Runs all that match, while there is no first responder, and returns them. The observer keeps its commands,
    /// and what they do, itself: no getter is read but apart from all counts, and no responder is asked. For a masked
    /// key, runs none and returns those that some key of its class matches.
    func observe(_ held: PressesEvent) -> [CollectedCommand] {
        guard firstResponder == nil, held.stroke.usage?.isModifier != true else { return [] }
        let offered = application.keyCommands ?? []
        progress.shadowReads += 1
        probe?.engine(self, reports: .keyCommands(of: application, pass: -1, commands: offered, source: .shadow))
        var commands: [CollectedCommand] = []
        commands.append(offered, supplier: application, engine: self)
        commands.removeAll(where: \.isDisabled)
        let matching = Matching(profile, plainMatchesAny: true)
        if let masked = held.stroke.maskedClass {
            let strokes = rules.strokes(of: masked, flags: held.stroke.flags)
            return commands.filter { command in strokes.contains { !matching.candidates([command], $0).isEmpty } }
        }
        let matches = matching.candidates(commands, held.stroke)
        for (index, match) in matches.enumerated() {
            if index > 0 { noteObserved(match) }
            perform(match.action, on: application, sender: match.command, held)
        }
        return matches
    }

    /// Makes what the observer ran the press's outcome, unless the system had a use for it as well.
    func note(_ observed: [CollectedCommand], _ held: PressesEvent, _ resolution: inout Resolution) {
        guard let first = observed.first else { return }
        if held.stroke.maskedClass != nil {
            guard resolution.takenBy == nil else { return }
            resolution.possible += observed.map(\.reference)
            return resolution.outcome = .undetermined
        }
        if let probe, probe.wantsCandidates {
            for match in observed { probe.engine(self, reports: .candidate(match.reference, .performed)) }
        }
        guard resolution.takenBy == nil else { return noteObserved(first) }
        resolution.outcome = .performed
        resolution.takenBy = .keyCommands
        resolution.decided = first
        resolution.action = first.action
        resolution.target = application
    }

    private func noteObserved(_ command: CollectedCommand) {
        report(Effect(id: application.id, kind: .alsoPerformed, value: .text(command.action.name)))
    }
}
