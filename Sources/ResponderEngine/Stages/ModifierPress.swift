import KeyModel

/// The press of a modifier or of Caps Lock, which commands with an empty input hear (spec EV-11).
extension KeyboardEngine {
    /// Runs the command that hears this modifier, if there is one. Whether there is one is looked up apart from all
    /// counts: a modifier that no command hears yields no line to count in.
    func hear(_ held: PressesEvent, _ stroke: Stroke, isModifier: Bool, into resolution: inout Resolution) {
        guard profile.emptyInputMatchesModifier, hearsModifiers, hasListener(stroke) else { return }
        if isModifier { probe?.engine(self, reports: .pressBegan(resolution, start: followed.start)) }
        collect(for: held, isTick: false, into: &resolution)
        for stage in rules.stages where stage == .priorityKeyCommands || stage == .keyCommands {
            if run(stage, held, stroke, into: &resolution) { break }
        }
    }

    private func hasListener(_ stroke: Stroke) -> Bool {
        var commands: [CollectedCommand] = []
        for member in followed.members.array {
            func read() -> [KeyCommand] { member.keyCommands ?? [] }
            commands.append(member.declaredAnswers?.apart(read) ?? read(), supplier: member, engine: self)
        }
        if profile.mainMenu { commands.append(menu.commands, supplier: nil, engine: self) }
        return !rules.matching.candidates(commands, stroke).isEmpty
    }
}

extension Resolution {
    /// A modifier's own press that a command took.
    var isMatchedModifier: Bool { key?.usage?.isModifier == true && candidates != nil && takenBy != nil }
}
