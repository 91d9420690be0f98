/// A keyboard layout: usage × level → text or dead key, and the compositions of dead keys. A value, so that a trace can
/// store the layout it was recorded with and a replay does not depend on the machine's keyboard files.
public struct Layout: Hashable, Sendable {
    /// `us`, `us:dvorak`, `us:pc`: an Apple layout, else an XKB layout or `layout:variant`.
    public var name: String
    /// Keys of page 7 that type something.
    public var keys: [UInt16: Key]
    /// Texts of symbol sequences that begin with a dead key.
    public var compose: [[Symbol]: String]
    /// Characters of keys while Command is held, where a layout has its own for that: the Latin ones of a layout
    /// without Latin letters, so that its users have the same shortcuts as all others (spec MT-5).
    public var commandLevel: [UInt16: CommandTexts]

    public init(
        name: String, keys: [UInt16: Key] = [:], compose: [[Symbol]: String] = [:],
        commandLevel: [UInt16: CommandTexts] = [:]
    ) {
        self.name = name
        self.keys = keys
        self.compose = compose
        self.commandLevel = commandLevel
    }

    /// The characters of a key under Command, without and with Shift; empty where it has none.
    public struct CommandTexts: Hashable, Sendable {
        public var plain: String
        public var shifted: String

        public init(plain: String, shifted: String) {
            self.plain = plain
            self.shifted = shifted
        }
    }

    /// The symbol of a key at one level.
    public enum Symbol: Hashable, Sendable {
        case none
        case text(String)
        /// A dead key by its X11 keysym name, such as `dead_acute`.
        case dead(String)
    }

    /// The four levels of a key: plain, Shift, level 3 (AltGr, Option), Shift + level 3.
    public struct Key: Hashable, Sendable {
        public var symbols: [Symbol]
        public var capsLock: CapsLockEffect

        public init(symbols: [Symbol], capsLock: CapsLockEffect = .none) {
            self.symbols = (symbols + [.none, .none, .none, .none]).prefix(4).map { $0 }
            self.capsLock = capsLock
        }

        fileprivate func symbol(hasShift: Bool, hasOption: Bool, hasCapsLock: Bool) -> Symbol {
            let effect = hasCapsLock ? capsLock : .none
            if hasOption {
                let isShifted = effect == .swaps ? !hasShift : hasShift || effect == .shifts || effect == .shiftsOption
                let symbol = symbols[isShifted ? 3 : 2]
                if symbol != .none { return symbol }
            }
            let isShifted = effect == .swaps ? !hasShift : hasShift || effect == .shifts || effect == .shiftsPlain
            let symbol = symbols[isShifted ? 1 : 0]
            if effect == .capitalises, !isShifted, case .text(let text) = symbol { return .text(text.uppercased()) }
            // A key without a symbol at the Shift level keeps its plain one, as XKB's one-level keys do.
            return symbol == .none ? symbols[0] : symbol
        }
    }

    /// The effect of Caps Lock on a key. The raw value is its word in the text form.
    public enum CapsLockEffect: String, Hashable, Sendable {
        case none = ""
        /// It swaps the Shift levels: with Shift, letters are small again. XKB's layouts do.
        case swaps = "caps"
        /// The Shift level of a letter in place of the plain one, also with Option; Shift then changes nothing. Apple's
        /// layouts do.
        case shifts = "lock"
        /// The same without Option: on Apple's `us`, ⌥W stays `∑`.
        case shiftsPlain = "baselock"
        /// The same with Option alone: on Apple's `us`, ⌥' becomes `Æ` and `'` stays.
        case shiftsOption = "optionlock"
        /// The capital of the plain level, which is not what Shift gives: `É` on the key of é and 2 on Apple's `fr`.
        case capitalises = "capital"
    }
}

extension Layout {
    /// The symbol that the key types with these modifiers. Option selects level 3 where the key has one; command and
    /// control do not change the level.
    public func symbol(for usage: KeyUsage, modifiers: KeyModifiers) -> Symbol {
        guard usage.isKeyboardPage, let key = keys[usage.usage] else { return .none }
        return key.symbol(
            hasShift: modifiers.contains(.shift), hasOption: modifiers.contains(.option),
            hasCapsLock: modifiers.contains(.capsLock))
    }

    /// The text of the plain level; empty for keys that type nothing and for dead keys.
    public func plainText(for usage: KeyUsage) -> String {
        if case .text(let text) = symbol(for: usage, modifiers: []) { text } else { "" }
    }

    /// The text of the Shift level; empty for keys that type nothing and for dead keys.
    public func shiftedText(for usage: KeyUsage) -> String {
        if case .text(let text) = symbol(for: usage, modifiers: .shift) { text } else { "" }
    }
}

extension Layout {
    /// The fact of a recording in which a layout's name alone means Apple's table, where Apple has one of that name.
    public static let tablesFact = (name: "layout.tables", value: "apple")

    /// True when some letter key types a Latin letter without modifiers.
    public var typesLatinLetters: Bool {
        (UInt16(0x04)...0x1D).contains { usage in
            let bytes = Array(plainText(for: .keyboard(usage)).utf8)
            return bytes.count == 1 && bytes[0] | 0x20 >= 0x61 && bytes[0] | 0x20 <= 0x7A
        }
    }

    /// The characters of another layout for the keys that type something else there, as a command level.
    public func commandLevel(from latin: Layout) -> [UInt16: CommandTexts] {
        var level: [UInt16: CommandTexts] = [:]
        for usage in latin.keys.keys {
            let key = KeyUsage.keyboard(usage)
            let texts = CommandTexts(plain: latin.plainText(for: key), shifted: latin.shiftedText(for: key))
            let own = CommandTexts(plain: plainText(for: key), shifted: shiftedText(for: key))
            if texts != own, !texts.plain.isEmpty { level[usage] = texts }
        }
        return level
    }
}

/// A key press that types part of a character: the key and the modifiers to hold (Shift, and Option for level 3).
public struct KeyStroke: Hashable, Sendable {
    public var usage: KeyUsage
    public var modifiers: KeyModifiers

    public init(usage: KeyUsage, modifiers: KeyModifiers) {
        self.usage = usage
        self.modifiers = modifiers
    }
}

extension Layout {
    /// The presses that type this character: one key, plus Shift or level 3, or dead keys before it. One key wins
    /// over a sequence, the shortest sequence over longer ones. `nil` when the layout cannot.
    public func keyStrokes(typing character: Character) -> [KeyStroke]? {
        let text = String(character)
        if let stroke = keyStroke(for: .text(text)) { return [stroke] }
        let sequences = compose.filter { $0.value == text }.keys
            .compactMap { sequence -> [KeyStroke]? in
                let strokes = sequence.compactMap(keyStroke(for:))
                return strokes.count == sequence.count ? strokes : nil
            }
        return sequences.min { order(of: $0) < order(of: $1) }
    }

    /// The key that has this character without Shift or level 3, for `char:` and matching by character.
    public func usage(ofPlain text: String) -> KeyUsage? {
        keys.filter { $0.value.symbols[0] == .text(text) }.keys.min { isMainKey($0, before: $1) }
            .map(KeyUsage.keyboard)
    }

    /// A key that every keyboard has comes before one that only some have (the ISO key beside the left Shift,
    /// international keys), and the keypad last, so that `type 1` presses the digit row and `type <` on `us` the
    /// comma key with Shift. Then the lowest level, then the lowest usage.
    private func keyStroke(for symbol: Symbol) -> KeyStroke? {
        guard symbol != .none else { return nil }
        let levels: [KeyModifiers] = [[], .shift, .option, [.option, .shift]]
        var best: (rank: (Int, Int, UInt16), stroke: KeyStroke)?
        for (usage, key) in keys {
            guard let level = key.symbols.firstIndex(of: symbol), level < levels.count else { continue }
            let rank = (Layout.rarity(usage, level: level), level, usage)
            if let best, best.rank <= rank { continue }
            best = (rank, KeyStroke(usage: .keyboard(usage), modifiers: levels[level]))
        }
        return best?.stroke
    }

    /// Even for a key that every keyboard has, odd for one that some have; 2 more at level 3; the keypad last.
    private static func rarity(_ usage: UInt16, level: Int = 0) -> Int {
        if KeyUsage.keyboard(usage).isKeypad { return 4 }
        let levelPart = level < 2 ? 0 : 2
        switch usage {
        case 0x32, 0x64, 0x85...0x98: return levelPart + 1
        default: return levelPart
        }
    }

    private func isMainKey(_ a: UInt16, before b: UInt16) -> Bool {
        (Layout.rarity(a), a) < (Layout.rarity(b), b)
    }

    private func order(of strokes: [KeyStroke]) -> String {
        let keys = strokes.map { "\(String($0.modifiers.packed + 100)):\(Int($0.usage.usage) + 1000)" }
        return "\(strokes.count + 100) " + keys.joined(separator: " ")
    }
}
