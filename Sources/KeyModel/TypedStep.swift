/// One step of an adapter's typing into its app: a line of the list that `KEYFLIGHT_KEYS` names.
///
///     0 0 role command down
///     0 0 key 1a down x77 x77
///     30000000 0 key 1a up x77 x77
///
/// Each line begins with the step's time in the script and the time to wait before it, in nanoseconds. Texts are their
/// UTF-8 in hexadecimal after an x.
public struct TypedStep: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// A key of the keyboard page by its place, with `characters` and `charactersIgnoringModifiers` of its event,
        /// both empty for modifier keys.
        case key(KeyUsage, KeyPhase, characters: String, unmodified: String)
        /// The key that gives this modifier in the app.
        case role(KeyModifiers, isDown: Bool)
        /// The window of this name, or with a title that begins so, becomes key.
        case activate(String)
        /// The script is over.
        case end
    }

    /// Since the begin of the script.
    public var time: TraceTime
    /// Waiting time before it, beyond the end of the step before.
    public var wait: TraceDuration
    public var action: Action

    public init(time: TraceTime, wait: TraceDuration = .zero, _ action: Action) {
        (self.time, self.wait, self.action) = (time, wait, action)
    }

    /// True for the press of a key that is no modifier: what a script's length is counted in.
    public var isPress: Bool {
        guard case .key(let usage, .down, _, _) = action else { return false }
        return !usage.isModifier && usage != .capsLock
    }
}

extension TypedStep {
    public var line: String {
        let words: String
        switch action {
        case .key(let usage, let phase, let characters, let unmodified):
            words =
                "key \(String(usage.usage, radix: 16)) \(phase.name) x\(characters.utf8.hexadecimal)"
                + " x\(unmodified.utf8.hexadecimal)"
        case .role(let role, let isDown): words = "role \(role.names.first ?? "none") \(isDown ? "down" : "up")"
        case .activate(let window): words = "activate x\(window.utf8.hexadecimal)"
        case .end: words = "end"
        }
        return "\(time.nanoseconds) \(wait.nanoseconds) \(words)"
    }

    /// `nil` for a line that is no step.
    public init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count > 2, let time = Int64(words[0]), let wait = Int64(words[1]) else { return nil }
        switch (words[2], words.count) {
        case ("key", 7):
            guard let code = UInt16(words[3], radix: 16), let phase = KeyPhase(name: String(words[4])),
                let characters = TypedStep.text(words[5]), let unmodified = TypedStep.text(words[6])
            else { return nil }
            action = .key(.keyboard(code), phase, characters: characters, unmodified: unmodified)
        case ("role", 5):
            guard let role = KeyModifiers(name: String(words[3])) else { return nil }
            action = .role(role, isDown: words[4] == "down")
        case ("activate", 4):
            guard let window = TypedStep.text(words[3]) else { return nil }
            action = .activate(window)
        case ("end", 3): action = .end
        default: return nil
        }
        self.time = TraceTime(nanoseconds: time)
        self.wait = TraceDuration(nanoseconds: wait)
    }

    private static func text(_ word: some StringProtocol) -> String? {
        let digits = Array(word.utf8)
        guard digits.first == UInt8(ascii: "x"), digits.count % 2 == 1 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 1, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
