/// Chords that the system keeps to itself and that no app ever receives, as a profile lists them (spec §2.3, §12).
public struct ReservedChords: Hashable, Sendable {
    /// A letter, digit or punctuation key means the key that types its US character on the layout in use.
    public var chords: [Chord]

    public init(_ chords: [Chord]) { self.chords = chords }

    /// Reads chords separated by blanks, or `none`. `nil` where one of them is no chord of a named key.
    public init?(text: String) {
        chords = []
        guard text != "none" else { return }
        for word in text.split(separator: " ") {
            guard let parsed = try? Chord.parse(String(word)), case .usage(let usage) = parsed.key else { return nil }
            chords.append(Chord(modifiers: parsed.modifiers, usage: usage))
        }
    }

    public var text: String { chords.isEmpty ? "none" : chords.map(\.text).joined(separator: " ") }

    /// True where a command with this input and these modifiers is for one of the chords. `usage`: the key, which
    /// decides where its input is a constant.
    public func contains(input: String, modifiers: KeyModifiers, usage: KeyUsage? = nil) -> Bool {
        let input = KeyNames.lowercased(input)
        return chords.contains {
            $0.modifiers == modifiers && ($0.usage.usInput.map { $0 == input } ?? ($0.usage == usage))
        }
    }
}

extension KeyUsage {
    /// The `input` of a command for this key on a US keyboard, letters in lower case; `nil` for keys whose input is a
    /// constant.
    public var usInput: String? {
        switch self {
        case .tab: "\t"
        case .spacebar: " "
        case .returnOrEnter: "\r"
        default: KeyNames.usCharacter[self] ?? (name.utf8.count == 1 ? KeyNames.lowercased(name) : nil)
        }
    }
}

/// Keys of the system that no action of a responder names.
public enum SystemChord {
    private static let names = [
        "cmd+n": "New Window", "cmd+w": "Close", "cmd+m": "Minimise", "cmd+q": "Quit", "cmd+,": "Settings",
        "cmd+h": "Hide", "opt+cmd+h": "Hide Others", "cmd+\t": "the app switcher", "shift+cmd+\t": "the app switcher",
        "cmd+ ": "Spotlight", "ctrl+ ": "the input source", "shift+cmd+3": "a screenshot",
        "shift+cmd+4": "a screenshot", "ctrl+cmd+f": "Full Screen",
    ]

    /// The system's command for a chord, as a person calls it; `nil` for chords that the system does not use.
    public static func name(input: String?, modifiers: KeyModifiers) -> String? {
        guard let input else { return nil }
        let held = Chord(modifiers: modifiers.intersection(.matchMask), usage: .keyboard(0x04)).text.dropLast()
        return names[held + KeyNames.lowercased(input)]
    }
}
