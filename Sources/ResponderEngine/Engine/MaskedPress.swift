import KeyModel

/// A press whose key is masked replays as an unknown character of its class: it matches no command by character, and
/// where a command could match some key of the class, the outcome is undetermined.
extension KeyboardEngine {
    /// Commands that some key of the masked class matches with these modifiers.
    func notePossible(
        _ commands: [CollectedCommand], _ maskedClass: TextKeyClass, _ flags: KeyModifiers,
        _ resolution: inout Resolution
    ) {
        let strokes = rules.strokes(of: maskedClass, flags: flags)
        resolution.possible = commands.filter { command in
            !command.isDisabled
                && strokes.contains { if case .match = rules.matching.match(command, $0) { true } else { false } }
        }.map(\.reference)
    }

    /// Keeps the possible commands that the press would have come to before the stage that took it, and marks the
    /// outcome as undetermined if there are any. `passed`: the stages that did not take it.
    func markUndetermined(
        _ resolution: inout Resolution, _ held: PressesEvent, passed: ArraySlice<DeliveryStage>
    ) {
        let (hasPriority, hasOthers) = (passed.contains(.priorityKeyCommands), passed.contains(.keyCommands))
        resolution.possible.removeAll { !(hasOthers || hasPriority && $0.command.wantsPriorityOverSystemBehavior) }
        guard !resolution.possible.isEmpty else { return }
        resolution.outcome = .undetermined
        resolution.takenBy = nil
        resolution.target = nil
        resolution.action = nil
        held.repeats = false
    }
}
