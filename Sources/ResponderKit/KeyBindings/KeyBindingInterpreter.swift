import KeyModel
import ResponderEngine

/// Looks strokes up in key bindings, the way of spec KB-9. One text has it, and one sequence of strokes at a time.
final class KeyBindingInterpreter: KeyBindingInterpreting {
    private let bindings: KeyBindings
    /// The table that the strokes so far lead to.
    private var table: KeyBindings.Table
    /// The strokes so far, and the keys that they were found as.
    private var pending: [(stroke: BindingStroke, key: BoundKey)] = []
    /// Since when the next stroke is literal.
    private var quotedSince: TraceTime?

    init(_ bindings: KeyBindings) {
        self.bindings = bindings
        table = bindings.root
    }

    var isPending: Bool { !pending.isEmpty || quotedSince != nil }

    func reset() {
        pending = []
        table = bindings.root
        quotedSince = nil
    }

    func interpret(_ stroke: BindingStroke) -> KeyBindingAnswer {
        var answer = KeyBindingAnswer()
        if let since = quotedSince {
            quotedSince = nil
            answer.operations = [.literal(stroke, insertsControl: bindings.insertsControlKeystrokes)]
            answer.isTaken = true
            answer.waitedSince = since
            answer.match = KeyBindingMatch(kind: .literal, keys: glyphs(of: stroke))
            return answer
        }
        let began = pending.first?.stroke.time
        let keys = stroke.boundKeys
        if began != nil, keys.contains(bindings.abortKey) {
            answer.match = KeyBindingMatch(kind: .abort, keys: text(of: pending.map(\.key) + [bindings.abortKey]))
            answer.isTaken = true
            answer.waitedSince = began
            reset()
            return answer
        }
        if keys.contains(bindings.quoteKey), !keys.contains(where: { table.entries[$0] != nil }) {
            quotedSince = stroke.time
            answer.isTaken = true
            answer.isPending = true
            answer.match = KeyBindingMatch(kind: .quote, keys: bindings.quoteKey.glyphs)
            return answer
        }
        feed(stroke, &answer)
        answer.isPending = isPending
        if began != nil, answer.match?.kind != .prefix { answer.waitedSince = began }
        return answer
    }

    /// Takes the stroke, and after a miss those before it again, without the first. A match ends it: what comes after
    /// it is lost.
    private func feed(_ stroke: BindingStroke, _ answer: inout KeyBindingAnswer) {
        var array = [stroke]
        var left = 0
        while left < array.count {
            let event = array[left]
            let isLast = left == array.count - 1
            if let (key, entry) = lookUp(event) {
                take(event, key, entry, &answer)
                if !isLast { answer.match?.kind = .lost }
                return
            }
            if pending.isEmpty {
                if isLast { return }
                answer.operations.append(literal(event))
                left += 1
            } else {
                let buffered = pending.map(\.stroke)
                answer.operations.append(literal(buffered[0]))
                array = Array(buffered.dropFirst()) + array[left...]
                left = 0
                pending = []
                table = bindings.root
            }
        }
    }

    private func literal(_ stroke: BindingStroke) -> KeyBindingAnswer.Operation {
        .literal(stroke, insertsControl: bindings.insertsControlKeystrokes)
    }

    private func take(
        _ stroke: BindingStroke, _ key: BoundKey, _ entry: KeyBindings.Entry, _ answer: inout KeyBindingAnswer
    ) {
        let keys = text(of: pending.map(\.key) + [key])
        answer.isTaken = true
        switch entry {
        case .table(let inner):
            pending.append((stroke, key))
            table = inner
            answer.match = KeyBindingMatch(
                kind: .prefix, keys: keys, file: inner.source.file, line: inner.source.line)
        case .binding(let binding):
            answer.operations += binding.operations.map { operation in
                switch operation {
                case .insert(let text): .insert(text)
                case .perform(let action): .perform(action, TextEditingCommands.command(for: action))
                }
            }
            answer.match = KeyBindingMatch(
                kind: .binding, keys: keys, file: binding.source.file, line: binding.source.line,
                action: binding.operations.last?.action)
            pending = []
            table = bindings.root
        }
    }

    private func lookUp(_ stroke: BindingStroke) -> (BoundKey, KeyBindings.Entry)? {
        for key in stroke.boundKeys { if let entry = table.entries[key] { return (key, entry) } }
        return nil
    }

    func action(forAnyOf strokes: [BindingStroke]) -> (stroke: BindingStroke, action: Selector)? {
        for stroke in strokes {
            if let (_, entry) = lookUp(stroke) { return (stroke, KeyBindingInterpreter.firstAction(of: entry)) }
        }
        return nil
    }

    private static func firstAction(of entry: KeyBindings.Entry) -> Selector {
        guard case .binding(let binding) = entry, let first = binding.operations.first else { return "noop:" }
        return first.action
    }

    private func glyphs(of stroke: BindingStroke) -> String { stroke.boundKeys.first?.glyphs ?? "?" }
    private func text(of keys: [BoundKey]) -> String { keys.map(\.glyphs).joined(separator: " ") }
}

extension BindingStroke {
    /// The keys that a binding may have for this stroke, the likeliest first: Shift consumed by the character it
    /// makes, then written out.
    var boundKeys: [BoundKey] {
        guard let usage else { return [] }
        let flags = modifiers
        var found: [BoundKey] = []
        func add(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers) {
            for flags in [modifiers, modifiers.subtracting(.numericPad)] {
                let key = BoundKey(modifiers: flags, scalar: scalar)
                if !found.contains(key) { found.append(key) }
            }
        }
        if let special = BindingStroke.special[usage] {
            // AppKit has a character of its own for Shift and Tab.
            if usage == .tab, flags.contains(.shift) { add("\u{19}", flags.subtracting(.shift)) }
            for scalar in special { add(scalar, flags) }
            return found
        }
        let base = plain.onlyScalar
        if flags.contains(.shift), let raised = shifted.onlyScalar, raised != base {
            add(raised, flags.subtracting(.shift))
            add(raised, flags)
        }
        if let base { add(base, flags) }
        return found
    }

    /// The characters of keys that no layout changes (spec KB-2): AppKit's own first, then those of the guides.
    private static let special: [KeyUsage: [Unicode.Scalar]] = {
        var table: [KeyUsage: [Unicode.Scalar]] = [
            .returnOrEnter: ["\u{D}", "\u{A}"], .keypadEnter: ["\u{3}", "\u{D}", "\u{A}"], .escape: ["\u{1B}"],
            .deleteOrBackspace: ["\u{7F}"], .tab: ["\u{9}"], .spacebar: [" "], .deleteForward: ["\u{F728}"],
            .upArrow: ["\u{F700}"], .downArrow: ["\u{F701}"], .leftArrow: ["\u{F702}"], .rightArrow: ["\u{F703}"],
            .home: ["\u{F729}"], .end: ["\u{F72B}"], .pageUp: ["\u{F72C}"], .pageDown: ["\u{F72D}"],
            // Insert is Help on Apple's keyboards.
            .keyboard(0x49): ["\u{F727}", "\u{F746}"], .keyboard(0x75): ["\u{F746}"], .keyboard(0x76): ["\u{F735}"],
            .keyboard(0x65): ["\u{F735}"], .keyboard(0x9C): ["\u{F739}"], .keypadNumLock: ["\u{F739}"],
            .keyboard(0x46): ["\u{F72E}"], .keyboard(0x47): ["\u{F72F}"], .keyboard(0x48): ["\u{F730}"],
            .keyboard(0x77): ["\u{F741}"], .keyboard(0x74): ["\u{F742}"], .keyboard(0x7A): ["\u{F743}"],
            .keyboard(0x7E): ["\u{F745}"], .keyboard(0x78): ["\u{F734}"],
        ]
        for number in 1...24 {
            let usage: UInt16 = number <= 12 ? 0x39 + UInt16(number) : 0x5B + UInt16(number)
            if let scalar = Unicode.Scalar(0xF703 + UInt32(number)) { table[.keyboard(usage)] = [scalar] }
        }
        return table
    }()
}

extension String {
    fileprivate var onlyScalar: Unicode.Scalar? {
        guard let first = unicodeScalars.first, unicodeScalars.count == 1 else { return nil }
        return first
    }
}
