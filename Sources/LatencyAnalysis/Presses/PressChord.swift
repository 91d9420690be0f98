package import KeyModel
import TraceFormat
import TracePresses

/// A key with what was held, and what the layout makes of it.
package struct PressChord: Hashable, Sendable {
    package var modifiers: KeyModifiers
    /// `nil` where the key is not in the recording.
    package var key: KeyIdentity?
    /// `charactersIgnoringModifiers`; `nil` when masked or not decided.
    package var character: String?

    package init(modifiers: KeyModifiers, key: KeyIdentity?, character: String?) {
        self.modifiers = modifiers.intersection(.matchMask)
        self.key = key
        self.character = character
    }

    /// By position, as JSON has it: `shift+cmd+w`; `nil` for a masked key.
    package var text: String? { key?.usage.map { Chord(modifiers: modifiers, usage: $0).text } }

    /// The input of a command for it.
    var input: String? { character ?? key?.usage?.usInput }

    /// For sorting: the same for all presses that look the same.
    var order: String { (text ?? "~" + (key?.maskedClass?.name ?? "")) + "\u{0}" + (character ?? "") }
}

extension TracePress {
    /// Modifiers held while it was decided, of those that a command can require.
    var modifiers: KeyModifiers { (key?.modifiers ?? []).intersection(.matchMask) }

    /// The text input that had the keyboard; `nil` for one that cannot be edited.
    var textInput: ResponderRef? {
        context.environment[EnvironmentFact.textIsEditable] == "false" ? nil : context.textInput?.responder
    }

    /// More is recorded of it than a cache and a resolution.
    var wasOffered: Bool {
        !receivers.isEmpty || !candidates.isEmpty || !effects.isEmpty || !stages.isEmpty
    }

    /// Effect of the cache, with the lookups at the release; `nil` where no cache was recorded.
    package var cache: CacheEffectiveness? { CacheEffectiveness(cacheRecords) }

    /// The chord as findings and tables name it.
    func chord(_ definitions: TraceDefinitions) -> PressChord {
        PressChord(
            modifiers: modifiers, key: key?.key, character: resolution?.character.flatMap { definitions[$0] })
    }
}
