import KeyModel
import Libc

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
///    When nothing follows, or what cannot: Option and that character.
/// 5. A character that no key of the layout types: nothing, but it is counted.
/// Cases of a terminal with it:
/// 6. CSI key : shifted : position ; modifiers : event u. The position on a PC keyboard decides, else the key.
/// 7. CSI 1 ; modifiers : event LETTER and CSI number ; modifiers : event ~ as in case 4, with an event.
/// Cases of both:
/// 8. A sequence that names no known key, that a byte breaks off which none of its kind has, or that nothing follows:
///    nothing, but it is counted. The byte that broke it off begins what comes next, so ⌃C is always read.
/// 9. The same for the bytes of a character.
struct TerminalKeys {
    struct Key: Hashable {
        var usage: KeyUsage
        var phase: KeyPhase
        /// Modifiers that the key was pressed with.
        var modifiers: KeyModifiers
        /// Modifiers and releases are events of their own.
        var isEvent = false

        var impliedModifiers: KeyModifiers? { isEvent ? nil : modifiers }
    }

    /// The meaning of the bytes so far.
    enum Answer: Hashable {
        case key(Key)
        /// CSI ? flags u: the protocol is there.
        case protocolFlags
        /// CSI ? … c: the terminal has answered all questions before this one.
        case attributes
    }

    /// Bytes of a sequence or character that is not whole.
    let waiting = WipedArray<UInt8>()
    /// Characters that no key of the layout types, or that are none.
    private(set) var unknownCharacters: UInt64 = 0
    /// Sequences that name no known key, or are not whole.
    private(set) var unknownSequences: UInt64 = 0
    /// The protocol is on: a sequence without an event is a press.
    var reportsEvents = false
    /// The keys that type one character, by its scalar value.
    private let strokes: [UInt32: KeyStroke]

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>
    private static let escape: UInt8 = 0x1B
    /// No sequence of a keyboard has so many parameters: it is none, and they are passed over.
    private static let longest = 64
    /// Bytes read at once.
    private static let most = 256

    /// `layout`: the one that the terminal's keyboard is used with.
    init(layout: Layout) {
        var strokes: [UInt32: KeyStroke] = [:]
        for case .text(let text) in layout.keys.values.lazy.flatMap(\.symbols) {
            guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first, let character = text.first
            else { continue }
            strokes[scalar.value] = layout.keyStrokes(typing: character)?.first
        }
        self.strokes = strokes
    }

    /// Adds what can be read from a descriptor; returns false when that is nothing.
    func read(from descriptor: Int32) -> Bool {
        let before = waiting.count
        waiting.append(upTo: TerminalKeys.most) { Libc.read(descriptor, $0, TerminalKeys.most) }
        return waiting.count > before
    }

    /// Hands over what is whole.
    mutating func decode(_ emit: (Answer) -> Void) { decode(isLast: false, emit) }

    /// Nothing followed: hands over what the bytes so far mean, and none waits afterwards.
    mutating func flush(_ emit: (Answer) -> Void) { decode(isLast: true, emit) }

    private mutating func decode(isLast: Bool, _ emit: (Answer) -> Void) {
        var rest = waiting.elements[...]
        while !rest.isEmpty, let length = next(rest, isLast, emit) { rest = rest.dropFirst(length) }
        waiting.removeFirst(rest.startIndex)
        let most = 2 + TerminalKeys.longest
        if waiting.count > most { waiting.removeSubrange(most..<waiting.count) }
    }

    /// Reads what comes first; returns how many bytes it took, or `nil` when more must come.
    private mutating func next(_ bytes: Bytes, _ isLast: Bool, _ emit: (Answer) -> Void) -> Int? {
        let start = bytes.startIndex
        guard bytes[start] == TerminalKeys.escape else { return character(bytes, [], isLast, emit) }
        let second = bytes.count > 1 ? bytes[start + 1] : nil
        if second == TerminalKeys.escape || (second == nil && isLast) {
            emit(.key(Key(usage: .keyboard(0x29), phase: .down, modifiers: [])))
            return 1
        }
        switch second {
        case nil: return nil
        case 0x5B: return sequence(bytes, isLast, emit)
        case 0x4F where bytes.count == 2 && !isLast: return nil
        case 0x4F where bytes.count > 2 && TerminalKeys.isFinal(bytes[start + 2]):
            report(key(bytes.prefix(0), bytes[start + 2]), emit)
            return 3
        default: return character(bytes.dropFirst(), .option, isLast, emit).map { $0 + 1 }
        }
    }

    private mutating func report(_ key: Key?, _ emit: (Answer) -> Void) {
        if let key { emit(.key(key)) } else { unknownSequences += 1 }
    }

    /// The last byte of a sequence (ECMA-48, 5.4).
    private static func isFinal(_ byte: UInt8) -> Bool { (0x40...0x7E).contains(byte) }

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

    /// A control character, or one in UTF-8.
    private mutating func character(
        _ bytes: Bytes, _ option: KeyModifiers, _ isLast: Bool, _ emit: (Answer) -> Void
    ) -> Int? {
        let first = bytes[bytes.startIndex]
        if let (usage, modifiers) = TerminalKeys.control(first) {
            emit(.key(Key(usage: usage, phase: .down, modifiers: modifiers.union(option))))
            return 1
        }
        // The length, and the lowest scalar that has it.
        let (length, lowest): (Int, UInt32) =
            switch first {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            case 0x80...0xFF: (1, .max)
            default: (1, 0)
            }
        var scalar = UInt32(first) & (length == 1 ? 0x7F : 0x7F >> UInt32(length))
        var count = 1
        for byte in bytes.dropFirst().prefix(length - 1) {
            guard byte & 0xC0 == 0x80 else { break }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            count += 1
        }
        guard count == length || count < bytes.count || isLast else { return nil }
        if count == length, scalar >= lowest, let stroke = strokes[scalar] {
            emit(.key(Key(usage: stroke.usage, phase: .down, modifiers: stroke.modifiers.union(option))))
        } else {
            unknownCharacters += 1
        }
        return count
    }

    // MARK: Sequences

    private mutating func sequence(_ bytes: Bytes, _ isLast: Bool, _ emit: (Answer) -> Void) -> Int? {
        let body = bytes.dropFirst(2)
        let parameters = body.prefix { (0x20...0x3F).contains($0) }
        let final = parameters.endIndex < body.endIndex ? body[parameters.endIndex] : nil
        if final == nil, !isLast { return nil }
        guard let final, TerminalKeys.isFinal(final) else {
            if parameters.isEmpty {
                return character(bytes.dropFirst().prefix(1), .option, true, emit).map { $0 + 1 }
            }
            unknownSequences += 1
            return 2 + parameters.count
        }
        switch (parameters.first, final) {
        case _ where parameters.count >= TerminalKeys.longest: unknownSequences += 1
        case (0x3F, 0x75): emit(.protocolFlags)
        case (0x3F, 0x63): emit(.attributes)
        case (0x3F, _): unknownSequences += 1
        default: report(key(parameters, final), emit)
        }
        return 3 + parameters.count
    }

    /// A number of `1:2:3;4:5`; `nil` where there is none.
    private static func number(_ parameters: Bytes, _ field: Int, _ part: Int = 0) -> UInt32? {
        var place = (field: 0, part: 0)
        var value: UInt32?
        for byte in parameters {
            switch byte {
            case 0x3B: place = (place.field + 1, 0)
            case 0x3A: place.part += 1
            default:
                guard place == (field, part) else { continue }
                guard (0x30...0x39).contains(byte), value ?? 0 < 100_000_000 else { return nil }
                value = (value ?? 0) * 10 + UInt32(byte - 0x30)
            }
        }
        return value
    }

    private func key(_ parameters: Bytes, _ final: UInt8) -> Key? {
        let event = TerminalKeys.number(parameters, 1, 1)
        let first = TerminalKeys.number(parameters, 0)
        var usage: KeyUsage?
        var modifiers = TerminalKeys.modifiers(TerminalKeys.number(parameters, 1) ?? 1)
        switch final {
        case 0x75:
            usage =
                TerminalKeys.number(parameters, 0, 2).flatMap(TerminalKeys.usage(ofPC:))
                ?? first.flatMap { self.usage(ofKitty: $0) }
        case 0x7E: usage = first.flatMap { TerminalKeys.byNumber[$0] }
        case 0x5A:
            usage = .keyboard(0x2B)
            modifiers.insert(.shift)
        default: usage = TerminalKeys.byLetter[final]
        }
        guard let usage else { return nil }
        return Key(
            usage: usage, phase: event == 3 ? .up : event == 2 ? .repeat : .down, modifiers: modifiers,
            isEvent: event != nil || final == 0x75 || reportsEvents)
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
        return strokes[code]?.usage ?? TerminalKeys.usage(ofPC: code)
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
