import KeyModel
package import TraceFormat

/// A responder off the chain that offers the pressed chord, by its scene or by another press of the recording.
package struct UnaskedOffer: Hashable, Sendable {
    package var id: String
    package var command: CommandDefinition
}

extension PressExplanation {
    /// Adds those who offer the pressed chord among `offers` and were not asked for this press.
    package mutating func addUnasked(_ offers: [(id: String, commands: [CommandDefinition])]) {
        // Without the links of the chain none can be said to be off it.
        guard !ladder.isEmpty, missingCandidates != .firstResponder, missingCandidates != .links else { return }
        for offer in offers where !ladder.contains(where: { $0.id == offer.id }) {
            guard let command = offer.commands.first(where: isOfPressedKey),
                !notAsked.contains(where: { $0.id == offer.id && $0.command.action == command.action })
            else { continue }
            notAsked.append(UnaskedOffer(id: offer.id, command: command))
        }
    }

    private func isOfPressedKey(_ command: CommandDefinition) -> Bool {
        guard let key, let input = command.input, let character = resolution?.character, !input.isEmpty else {
            return false
        }
        return command.modifiers.intersection(.matchMask) == key.modifiers.intersection(.matchMask)
            && input.lowercased() == character.lowercased()
    }
}
