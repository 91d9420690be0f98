import KeyModel

/// The keys in the bytes that a terminal sends for its keyboard.
///
/// Terminals with the kitty keyboard protocol report press, repeat and release of every key, modifiers included. All
/// others send characters and escape sequences: of a key only that it was pressed, a modifier only together with
/// another key, and several keys cannot be told apart (Tab and ⌃I, Return and ⌃M, Escape and ⌃[, Backspace and ⌃?).
///
/// Cases of a terminal without the protocol:
/// 1. A character: the key that types it on the layout, with the Shift or level-3 modifier that it takes.
/// 2. 01–1A but Tab and Return: Control and a letter. 00: Control and Space. 1C–1F: Control and \ ] ^ _.
/// 3. ESC and then another of these at once: Option and it. ESC alone, when nothing follows: Escape.
/// 4. ESC O or ESC [: a key of the function or editing block, with the modifiers of its second number, if it has one.
/// 5. A character that no key of the layout types: nothing, but it is counted.
/// Cases of a terminal with it:
/// 6. CSI key : shifted : position ; modifiers : event u. The position on a PC keyboard decides, else the key.
/// 7. CSI 1 ; modifiers : event LETTER and CSI number ; modifiers : event ~ as in case 4, with an event.
/// 8. A sequence that is none of these: nothing.
struct TerminalKeys {
    struct Key: Hashable {
        var usage: KeyUsage
        var phase: KeyPhase
        /// Modifiers that the key was pressed with; `nil` where modifiers are keys with events of their own.
        var impliedModifiers: KeyModifiers?
    }

    /// The meaning of the bytes so far.
    enum Answer: Hashable {
        case key(Key)
        /// CSI ? flags u: the protocol is there.
        case protocolFlags
        /// CSI ? … c: the terminal has answered all questions before this one.
        case attributes
    }

    private let strokes: (Character) -> KeyStroke?
    /// Bytes of a sequence or character that is not whole.
    private(set) var waiting: [UInt8] = []
    /// Characters that no key of the layout types.
    private(set) var unknownCharacters: UInt64 = 0

    private static let escape: UInt8 = 0x1B
    /// No sequence of a keyboard is longer.
    private static let longest = 64

    /// `layout`: the one that the terminal's keyboard is used with.
    init(layout: Layout) {
        strokes = { character in
            guard let found = layout.keyStrokes(typing: character), found.count == 1 else { return nil }
            return found[0]
        }
    }

    /// True when an ESC waits for what may follow it.
    var hasLoneEscape: Bool { waiting == [TerminalKeys.escape] }

    mutating func add(_ bytes: some Sequence<UInt8>, _ emit: (Answer) -> Void) {
        waiting += bytes
        var taken = 0
        while taken < waiting.count, let length = next(waiting[taken...], isOption: false, emit) { taken += length }
        waiting.removeFirst(taken)
    }

    /// Nothing followed: an ESC that waits is the key.
    mutating func flush(_ emit: (Answer) -> Void) {
        guard waiting.first == TerminalKeys.escape else { return }
        waiting.removeFirst()
        emit(.key(Key(usage: .keyboard(0x29), phase: .down, impliedModifiers: [])))
        let rest = waiting
        waiting = []
        add(rest, emit)
    }

    /// Reads one key; returns how many bytes it took, or `nil` when more must come.
    private mutating func next(_ bytes: ArraySlice<UInt8>, isOption: Bool, _ emit: (Answer) -> Void) -> Int? {
        guard let first = bytes.first else { return nil }
        if first == TerminalKeys.escape {
            guard bytes.count > 1 else { return nil }
            switch bytes[bytes.startIndex + 1] {
            case 0x5B: return sequence(bytes, emit)
            case 0x4F:
                guard bytes.count > 2 else { return nil }
                if let usage = TerminalKeys.byLetter[bytes[bytes.startIndex + 2]] {
                    emit(.key(Key(usage: usage, phase: .down, impliedModifiers: [])))
                }
                return 3
            case TerminalKeys.escape:
                emit(.key(Key(usage: .keyboard(0x29), phase: .down, impliedModifiers: [])))
                return 1
            default: return next(bytes.dropFirst(), isOption: true, emit).map { $0 + 1 }
            }
        }
        let option: KeyModifiers = isOption ? .option : []
        if let (usage, modifiers) = TerminalKeys.control(first) {
            emit(.key(Key(usage: usage, phase: .down, impliedModifiers: modifiers.union(option))))
            return 1
        }
        return character(bytes, option, emit)
    }

    /// Control characters.
    private static func control(_ byte: UInt8) -> (KeyUsage, KeyModifiers)? {
        switch byte {
        case 0x00: (.keyboard(0x2C), .control)
        case 0x09: (.keyboard(0x2B), [])
        case 0x0D: (.keyboard(0x28), [])
        case 0x01...0x1A: (.keyboard(UInt16(byte) + 3), .control)
        case 0x1C: (.keyboard(0x31), .control)
        case 0x1D: (.keyboard(0x30), .control)
        case 0x1E: (.keyboard(0x23), [.control, .shift])
        case 0x1F: (.keyboard(0x2D), [.control, .shift])
        case 0x7F: (.keyboard(0x2A), [])
        default: nil
        }
    }

    private mutating func character(
        _ bytes: ArraySlice<UInt8>, _ option: KeyModifiers, _ emit: (Answer) -> Void
    ) -> Int? {
        let length =
            switch bytes.first ?? 0 {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard bytes.count >= length else { return nil }
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        if let character = text.first, let stroke = strokes(character) {
            emit(.key(Key(usage: stroke.usage, phase: .down, impliedModifiers: stroke.modifiers.union(option))))
        } else {
            unknownCharacters += 1
        }
        return length
    }

    // MARK: Sequences

    private mutating func sequence(_ bytes: ArraySlice<UInt8>, _ emit: (Answer) -> Void) -> Int? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            // A sequence without an end is none: it is passed over.
            return bytes.count > TerminalKeys.longest ? bytes.count : nil
        }
        let length = end - bytes.startIndex + 1
        let parameters = body[..<end]
        let final = bytes[end]
        if parameters.first == 0x3F {
            if final == 0x75 { emit(.protocolFlags) } else if final == 0x63 { emit(.attributes) }
            return length
        }
        let numbers = String(decoding: parameters, as: UTF8.self)
            .split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0) } }
        if let key = key(numbers, final) { emit(.key(key)) }
        return length
    }

    private func key(_ numbers: [[UInt32?]], _ final: UInt8) -> Key? {
        let flags = (numbers.count > 1 ? numbers[1].first ?? nil : nil) ?? 1
        let event = numbers.count > 1 && numbers[1].count > 1 ? numbers[1][1] : nil
        let first = numbers.first?.first ?? nil
        var usage: KeyUsage?
        var modifiers = TerminalKeys.modifiers(flags)
        var isProtocol = event != nil
        switch final {
        case 0x75:
            isProtocol = true
            let position = numbers.first.flatMap { $0.count > 2 ? $0[2] : nil }
            usage = position.flatMap(TerminalKeys.usage(ofPC:)) ?? first.flatMap { self.usage(ofKitty: $0) }
        case 0x7E: usage = first.flatMap { TerminalKeys.byNumber[$0] }
        case 0x5A:
            usage = .keyboard(0x2B)
            modifiers.insert(.shift)
        default: usage = TerminalKeys.byLetter[final]
        }
        guard let usage else { return nil }
        let phase: KeyPhase = event == 3 ? .up : event == 2 ? .repeat : .down
        return Key(usage: usage, phase: phase, impliedModifiers: isProtocol ? nil : modifiers)
    }

    /// One more than a sum of 1 Shift, 2 Alt, 4 Control, 8 Super.
    private static func modifiers(_ number: UInt32) -> KeyModifiers {
        let bits = number > 0 ? number - 1 : 0
        var modifiers: KeyModifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 2 != 0 { modifiers.insert(.option) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        if bits & 8 != 0 { modifiers.insert(.command) }
        return modifiers
    }

    private func usage(ofKitty code: UInt32) -> KeyUsage? {
        if let usage = TerminalKeys.ofProtocol[code] { return usage }
        guard let scalar = Unicode.Scalar(code) else { return nil }
        return strokes(Character(scalar))?.usage ?? TerminalKeys.usage(ofPC: code)
    }
}

// MARK: Tables

extension TerminalKeys {
    /// Keys of a US keyboard by what they type without Shift.
    private static func usage(ofPC code: UInt32) -> KeyUsage? {
        switch code {
        case 0x61...0x7A: .keyboard(UInt16(code - 0x61) + 0x04)
        case 0x31...0x39: .keyboard(UInt16(code - 0x31) + 0x1E)
        case 0x30: .keyboard(0x27)
        default: ofProtocol[code] ?? punctuation[code]
        }
    }

    private static let punctuation: [UInt32: KeyUsage] = [
        0x2D: .keyboard(0x2D), 0x3D: .keyboard(0x2E), 0x5B: .keyboard(0x2F), 0x5D: .keyboard(0x30),
        0x5C: .keyboard(0x31), 0x3B: .keyboard(0x33), 0x27: .keyboard(0x34), 0x60: .keyboard(0x35),
        0x2C: .keyboard(0x36), 0x2E: .keyboard(0x37), 0x2F: .keyboard(0x38),
    ]

    /// Final bytes of CSI and SS3 (xterm, ctlseqs).
    private static let byLetter: [UInt8: KeyUsage] = [
        0x41: .keyboard(0x52), 0x42: .keyboard(0x51), 0x43: .keyboard(0x4F), 0x44: .keyboard(0x50),
        0x48: .keyboard(0x4A), 0x46: .keyboard(0x4D), 0x45: .keyboard(0x5D),
        0x50: .keyboard(0x3A), 0x51: .keyboard(0x3B), 0x52: .keyboard(0x3C), 0x53: .keyboard(0x3D),
    ]

    /// Numbers before the tilde.
    private static let byNumber: [UInt32: KeyUsage] = [
        1: .keyboard(0x4A), 2: .keyboard(0x49), 3: .keyboard(0x4C), 4: .keyboard(0x4D), 5: .keyboard(0x4B),
        6: .keyboard(0x4E), 7: .keyboard(0x4A), 8: .keyboard(0x4D), 11: .keyboard(0x3A), 12: .keyboard(0x3B),
        13: .keyboard(0x3C), 14: .keyboard(0x3D), 15: .keyboard(0x3E), 17: .keyboard(0x3F), 18: .keyboard(0x40),
        19: .keyboard(0x41), 20: .keyboard(0x42), 21: .keyboard(0x43), 23: .keyboard(0x44), 24: .keyboard(0x45),
        29: .keyboard(0x65),
    ]

    /// Keys of the protocol that type nothing, and those that always have the same number.
    private static let ofProtocol: [UInt32: KeyUsage] = {
        var table: [UInt32: KeyUsage] = [
            27: .keyboard(0x29), 13: .keyboard(0x28), 9: .keyboard(0x2B), 127: .keyboard(0x2A), 32: .keyboard(0x2C),
            57358: .keyboard(0x39), 57359: .keyboard(0x47), 57360: .keyboard(0x53), 57361: .keyboard(0x46),
            57362: .keyboard(0x48), 57363: .keyboard(0x65),
            57409: .keyboard(0x63), 57410: .keyboard(0x54), 57411: .keyboard(0x55), 57412: .keyboard(0x56),
            57413: .keyboard(0x57), 57414: .keyboard(0x58), 57415: .keyboard(0x67), 57416: .keyboard(0x85),
            57417: .keyboard(0x5C), 57418: .keyboard(0x5E), 57419: .keyboard(0x60), 57420: .keyboard(0x5A),
            57421: .keyboard(0x61), 57422: .keyboard(0x5B), 57423: .keyboard(0x5F), 57424: .keyboard(0x59),
            57425: .keyboard(0x62), 57426: .keyboard(0x63), 57427: .keyboard(0x5D),
            57428: .init(page: 0x0C, usage: 0xB0), 57429: .init(page: 0x0C, usage: 0xB1),
            57430: .init(page: 0x0C, usage: 0xCD), 57432: .init(page: 0x0C, usage: 0xB7),
            57433: .init(page: 0x0C, usage: 0xB3), 57434: .init(page: 0x0C, usage: 0xB4),
            57435: .init(page: 0x0C, usage: 0xB5), 57436: .init(page: 0x0C, usage: 0xB6),
            57438: .init(page: 0x0C, usage: 0xEA), 57439: .init(page: 0x0C, usage: 0xE9),
            57440: .init(page: 0x0C, usage: 0xE2),
            57441: .keyboard(0xE1), 57442: .keyboard(0xE0), 57443: .keyboard(0xE2), 57444: .keyboard(0xE3),
            57447: .keyboard(0xE5), 57448: .keyboard(0xE4), 57449: .keyboard(0xE6), 57450: .keyboard(0xE7),
            57453: .keyboard(0xE6),
        ]
        // F13 to F24, and the keypad's digits.
        for number in UInt32(0)..<12 { table[57376 + number] = .keyboard(0x68 + UInt16(number)) }
        for digit in UInt32(1)..<10 { table[57399 + digit] = .keyboard(0x58 + UInt16(digit)) }
        table[57399] = .keyboard(0x62)
        return table
    }()
}
