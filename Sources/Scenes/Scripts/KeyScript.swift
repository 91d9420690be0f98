public import KeyModel

/// A key script (`*.keys`): one step a line.
///
///     keys 1                 # version, may be left out
///     press cmd+w
///     hold DownArrow 1s
///     do focus field
public struct KeyScript: Hashable, Sendable {
    /// The path as it was given, for messages.
    public var file: String
    public var steps: [Line]

    /// One step and its line, 1-based.
    public struct Line: Hashable, Sendable {
        public var number: Int
        public var step: Step

        public init(number: Int, step: Step) {
            self.number = number
            self.step = step
        }
    }

    public enum Step: Hashable, Sendable {
        case press(KeyChord)
        case hold(KeyChord, TraceDuration)
        case down(Chord.Key)
        case up(Chord.Key)
        case wait(TraceDuration)
        case type(String)
        case insert(String)
        case context(ContextStep)
    }

    /// Modifiers and a key as the script names them: by position, or by what the layout types there.
    public struct KeyChord: Hashable, Sendable {
        public var modifiers: KeyModifiers
        public var key: Chord.Key

        public init(modifiers: KeyModifiers, key: Chord.Key) {
            self.modifiers = modifiers
            self.key = key
        }
    }

    public init(file: String, steps: [Line]) {
        self.file = file
        self.steps = steps
    }
}

extension KeyScript {
    /// Reads a script. `file` is the path for messages.
    public init(_ bytes: some Collection<UInt8>, file: String) throws(SourceTextError) {
        try self.init(text: try SourceText.decode(bytes, file: file), file: file)
    }

    public init(text: String, file: String) throws(SourceTextError) {
        self.init(file: file, steps: [])
        let bytes = Array(text.utf8)
        var start = 0
        var number = 0
        var isFirstStep = true
        while start < bytes.count {
            number += 1
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var line = bytes[start..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            start = end + 1
            var words = StepLexer(line)
            guard !words.isEmpty else { continue }
            var verb = ""
            do {
                verb = try words.next("a step")
                if verb == "keys", isFirstStep {
                    try KeyScript.version(&words)
                } else {
                    steps.append(Line(number: number, step: try KeyScript.step(verb, &words)))
                }
            } catch {
                throw SourceTextError(
                    file: file, line: number, subject: String(verb.prefix(40)), expected: error.expected,
                    found: error.found)
            }
            isFirstStep = false
        }
    }

    /// True when the first step is `keys`, which only a script has.
    public static func isDeclared(_ bytes: some Collection<UInt8>) -> Bool {
        for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1_000) {
            var words = StepLexer(Array(line.prefix(4_096))[...])
            guard !words.isEmpty else { continue }
            return (try? words.next()) == "keys"
        }
        return false
    }

    private static let verbs = ["press", "hold", "down", "up", "wait", "type", "insert", "do"]

    /// False for a text of several lines none of which begins as a step does.
    public static func mayBeOne(_ bytes: some Collection<UInt8>) -> Bool {
        var lines = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1_000) {
            var words = StepLexer(Array(line.prefix(4_096))[...])
            guard !words.isEmpty else { continue }
            if let verb = try? words.next(), verbs.contains(verb) || verb == "keys" { return true }
            lines += 1
        }
        return lines < 2
    }

    private typealias Problem = StepLexer.Problem

    private static func version(_ words: inout StepLexer) throws(Problem) {
        _ = try words.next("version 1") { $0 == "1" ? $0 : nil }
        try words.end()
    }

    private static func step(_ verb: String, _ words: inout StepLexer) throws(Problem) -> Step {
        let step: Step
        switch verb {
        case "press": step = .press(try chord(&words))
        case "hold":
            let held = try chord(&words)
            let duration = try duration(&words)
            guard duration > .zero else { throw Problem(expected: "a duration above 0", found: duration.text) }
            step = .hold(held, duration)
        case "down": step = .down(try key(&words))
        case "up": step = .up(try key(&words))
        case "wait": step = .wait(try duration(&words))
        case "type": step = .type(try words.remainder("the text to type"))
        case "insert": step = .insert(try words.remainder("the text to insert"))
        case "do": step = .context(try ContextStep.parse(&words))
        case "keys": throw Problem(expected: "keys as the first step only", found: "it after another step")
        default:
            throw Problem(
                expected: "one of " + verbs.joined(separator: ", "), found: SourceTextError.quoted(verb))
        }
        try words.end()
        return step
    }

    private static func chord(
        _ words: inout StepLexer, _ expected: String = "a chord such as cmd+shift+w"
    ) throws(Problem) -> KeyChord {
        let word = try words.next(expected)
        do {
            let (modifiers, key) = try Chord.parse(word)
            return KeyChord(modifiers: modifiers, key: key)
        } catch {
            throw Problem(expected: expected, found: found(word, error))
        }
    }

    private static func key(_ words: inout StepLexer) throws(Problem) -> Chord.Key {
        var ahead = words
        let chord = try chord(&words, "a key such as LeftGUI")
        guard chord.modifiers.isEmpty else {
            let word = try ahead.next() ?? ""
            throw Problem(expected: "one key without modifiers", found: SourceTextError.quoted(word))
        }
        return chord.key
    }

    private static func found(_ word: String, _ error: ChordError) -> String {
        let text = SourceTextError.quoted(word)
        switch error {
        case .empty: return "\(text) without a key"
        case .unknownModifier(let name): return "\(text), where \(SourceTextError.quoted(name)) is no modifier"
        case .unknownKey(let name): return "\(text), where \(SourceTextError.quoted(name)) is no key"
        case .repeatedModifier(let name): return "\(text) with \(name) twice"
        }
    }

    private static func duration(_ words: inout StepLexer) throws(Problem) -> TraceDuration {
        try words.next("a duration such as 400ms (integer and ns, us, ms or s)") { TraceDuration(text: $0) }
    }
}
