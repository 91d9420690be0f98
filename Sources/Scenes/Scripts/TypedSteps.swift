public import KeyModel
import ResponderEngine

extension KeyScript {
    /// Steps of one list at most: a key that is held for days repeats a million times.
    public static let typedStepLimit = 1_000_000

    /// The script as an adapter types it into a live app, which has windows and no scene.
    ///
    /// Modifiers of chords and of text go by their role in the app, `down` and `up` by position. A dead key types
    /// nothing: the key after it comes with what both type.
    ///
    /// - Throws: for a step that a live app cannot follow, a key that has no code on Linux, a character that the layout
    ///   does not type, and more than `typedStepLimit` steps.
    public func typedSteps(layout: Layout) throws(SourceTextError) -> [TypedStep] {
        var typist = Typist(layout: layout)
        for line in steps { try checkIsFollowed(line, &typist) }
        let timeline = try timeline(layout: layout) { _ in layout }
        var writer = TypedStepWriter(script: self, layout: layout)
        for input in timeline.inputs { try writer.add(input) }
        return try writer.finish(at: timeline.end)
    }

    private func checkIsFollowed(_ line: Line, _ typist: inout Typist) throws(SourceTextError) {
        let subject: String
        switch line.step {
        case .press, .hold, .down, .up, .wait, .context(.activate): return
        case .type(let text):
            guard let character = text.first(where: { typist.strokes(typing: $0) == nil }) else { return }
            throw SourceTextError(
                file: file, line: line.number, subject: "type",
                expected: "characters that layout \(typist.layout.name) types",
                found: SourceTextError.quoted(String(character)),
                remedy: "an app is typed into by keys alone: --layout names a layout that has one for it")
        case .insert: subject = "insert"
        case .context(let step): subject = "do \(step.text)"
        }
        throw SourceTextError(
            file: file, line: line.number, subject: subject,
            expected: "a step that a live app follows (press, hold, down, up, type, wait, do activate)",
            found: "another one")
    }
}

private struct TypedStepWriter {
    private let script: KeyScript
    private let layout: Layout
    private let rules = Profile()
    private let lines: [Int: KeyScript.Step]
    /// The waits before a line.
    private var waits: [Int: TraceDuration] = [:]
    private var lastWait = TraceDuration.zero
    private var steps: [TypedStep] = []
    /// Modifiers that a chord holds, and modifier keys that are held by position.
    private var roles: KeyModifiers = []
    private var held: Set<KeyUsage> = []
    private var isCapsLockOn = false
    /// Dead keys that wait for what they combine with, and those that are held.
    private var pending: [Layout.Symbol] = []
    private var silent: Set<KeyUsage> = []
    /// The texts of the held keys when they went down: a release has the same.
    private var texts: [KeyUsage: (characters: String, unmodified: String)] = [:]
    private var repeating: (usage: KeyUsage, next: TraceTime, line: Int)?

    init(script: KeyScript, layout: Layout) {
        (self.script, self.layout) = (script, layout)
        lines = Dictionary(script.steps.map { ($0.number, $0.step) }) { $1 }
        var sum = TraceDuration.zero
        for line in script.steps {
            if case .wait(let duration) = line.step {
                sum = sum + duration
            } else {
                waits[line.number] = sum
                sum = .zero
            }
        }
        lastWait = sum
    }

    mutating func add(_ input: TimedInput) throws(SourceTextError) {
        try addRepeats(until: input.time)
        switch input.input {
        case .key(let event): try add(event, at: input.time, line: input.line)
        case .step(.activate(let window)): try append(.activate(window), at: input.time, line: input.line)
        case .text, .step: break
        }
    }

    mutating func finish(at end: TraceTime) throws(SourceTextError) -> [TypedStep] {
        try addRepeats(until: end)
        steps.append(TypedStep(time: end, wait: lastWait, .end))
        return steps
    }

    private mutating func add(_ event: KeyEvent, at time: TraceTime, line: Int) throws(SourceTextError) {
        guard let usage = event.key.usage else { return }
        if let repeated = repeating, event.phase == .down ? !usage.isModifier : usage == repeated.usage {
            repeating = nil
        }
        if usage.isModifier, !isOwnKey(usage, of: line) {
            let role = ModifierRoles.physical[usage]
            if event.phase == .down { roles.formUnion(role) } else { roles.subtract(role) }
            return try append(.role(role, isDown: event.phase == .down), at: time, line: line)
        }
        guard let code = EvdevCodes.code(of: usage), code != EvdevCodes.unknown, usage.isKeyboardPage else {
            throw SourceTextError(
                file: script.file, line: line, subject: usage.name, expected: "a key with a code on Linux",
                found: "one without")
        }
        if event.phase == .down { press(usage) }
        if usage == .capsLock, event.phase == .down { isCapsLockOn.toggle() }
        if usage.isModifier { if event.phase == .down { held.insert(usage) } else { held.remove(usage) } }
        if silent.contains(usage) {
            if event.phase == .up { silent.remove(usage) }
            return
        }
        try append(key(usage, event.phase), at: time, line: line)
        if event.phase == .down, !usage.isModifier, usage != .capsLock {
            repeating = (usage, time.advanced(by: rules.repeatDelay), line)
        }
    }

    /// The key that the step names, and not one of the modifiers that it holds.
    private func isOwnKey(_ usage: KeyUsage, of line: Int) -> Bool {
        switch lines[line] {
        case .press(let chord), .hold(let chord, _): chord.key == .usage(usage)
        case .type: false
        default: true
        }
    }

    private mutating func addRepeats(until time: TraceTime) throws(SourceTextError) {
        while let repeated = repeating, repeated.next <= time {
            try append(key(repeated.usage, .repeat), at: repeated.next, line: repeated.line)
            guard rules.repeatInterval > .zero else { return repeating = nil }
            repeating?.next = repeated.next.advanced(by: rules.repeatInterval)
        }
    }

    private mutating func append(
        _ action: TypedStep.Action, at time: TraceTime, line: Int
    ) throws(SourceTextError) {
        guard steps.count < KeyScript.typedStepLimit else {
            throw SourceTextError(
                file: script.file, line: line, subject: "steps",
                expected: "at most \(KeyScript.typedStepLimit) key events", found: "more")
        }
        steps.append(TypedStep(time: time, wait: waits.removeValue(forKey: line) ?? .zero, action))
    }

    // MARK: Characters

    private func key(_ usage: KeyUsage, _ phase: KeyPhase) -> TypedStep.Action {
        let text = texts[usage] ?? ("", "")
        return .key(usage, phase, characters: text.characters, unmodified: text.unmodified)
    }

    private var modifiers: KeyModifiers {
        var modifiers = roles
        if held.contains(.leftShift) || held.contains(.rightShift) { modifiers.insert(.shift) }
        if held.contains(.leftControl) || held.contains(.rightControl) { modifiers.insert(.control) }
        // The key of level 3.
        if held.contains(.rightAlt) { modifiers.insert(.option) }
        if isCapsLockOn { modifiers.insert(.capsLock) }
        return modifiers
    }

    private mutating func press(_ usage: KeyUsage) {
        guard !usage.isModifier, usage != .capsLock else { return texts[usage] = ("", "") }
        let modifiers = modifiers
        if let text = FunctionKeyText.of(usage, hasShift: modifiers.contains(.shift)) {
            return texts[usage] = (text, text)
        }
        var unmodified = ""
        let base = layout.symbol(for: usage, modifiers: modifiers.intersection([.shift, .capsLock]))
        if case .text(let text) = base { unmodified = text }
        let symbol = layout.symbol(for: usage, modifiers: modifiers)
        switch symbol {
        case .none: texts[usage] = ("", unmodified)
        case .dead:
            pending.append(symbol)
            silent.insert(usage)
        case .text(let text):
            let composed = pending.isEmpty ? nil : layout.compose[pending + [symbol]]
            pending = []
            texts[usage] = (composed ?? text, unmodified)
        }
    }
}

/// The texts of keys without a character of their own in AppKit's events.
private enum FunctionKeyText {
    static func of(_ usage: KeyUsage, hasShift: Bool) -> String? {
        guard usage.isKeyboardPage else { return nil }
        switch usage.usage {
        case 0x28, 0x58: return "\r"
        case 0x29: return "\u{1B}"
        case 0x2A: return "\u{7F}"
        // NSBackTabCharacter.
        case 0x2B: return hasShift ? "\u{19}" : "\t"
        case 0x3A...0x45: return unicode(0xF704 + usage.usage - 0x3A)
        case 0x68...0x73: return unicode(0xF710 + usage.usage - 0x68)
        default: return others[usage.usage].map(unicode)
        }
    }

    /// NSUpArrowFunctionKey and so on, by usage.
    private static let others: [UInt16: UInt16] = [
        0x46: 0xF72E, 0x47: 0xF72F, 0x48: 0xF730, 0x49: 0xF727, 0x4A: 0xF729, 0x4B: 0xF72C, 0x4C: 0xF728,
        0x4D: 0xF72B, 0x4E: 0xF72D, 0x4F: 0xF703, 0x50: 0xF702, 0x51: 0xF701, 0x52: 0xF700, 0x65: 0xF735,
        0x75: 0xF746,
    ]

    private static func unicode(_ code: UInt16) -> String {
        Unicode.Scalar(code).map { String(Character($0)) } ?? ""
    }
}
