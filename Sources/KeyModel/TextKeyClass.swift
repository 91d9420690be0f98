/// The class of a key whose press types text, all that a masked recording keeps of it.
public enum TextKeyClass: UInt8, NamedCase, Hashable, Sendable {
    case letter, digit, punctuation, compose, space, keypad

    public static let names = ["letter", "digit", "punctuation", "compose", "space", "keypad"]

    /// Usages of page 7 that belong to this class, as inclusive ranges.
    public var usages: [ClosedRange<UInt16>] {
        switch self {
        case .letter: [0x04...0x1D]
        case .digit: [0x1E...0x27]
        case .punctuation: [0x2D...0x38, 0x64...0x64, 0x87...0x8F]
        case .compose: [0x90...0x98]
        case .space: [0x2C...0x2C]
        // Digits, brackets, signs and operators; Tab, Backspace and memory keys of the extended keypad are no text.
        case .keypad:
            [0x54...0x57, 0x59...0x63, 0x67...0x67, 0x85...0x86, 0xB0...0xB9, 0xBC...0xCF, 0xD7...0xD7]
        }
    }

    /// The key of a class that has no other: a mask hides nothing of it.
    package var onlyUsage: KeyUsage? { self == .space ? .spacebar : nil }

    /// The class of a key that types text; `nil` for every other key, which stays in clear.
    public init?(_ usage: KeyUsage) {
        guard usage.isKeyboardPage else {
            self.init(ofOtherPage: usage)
            return
        }
        switch usage.usage {
        case 0x04...0x1D: self = .letter
        case 0x1E...0x27: self = .digit
        case 0x2C: self = .space
        case 0x2D...0x38, 0x64, 0x87...0x8F: self = .punctuation
        case 0x90...0x98: self = .compose
        case 0x54...0x57, 0x59...0x63, 0x67, 0x85, 0x86, 0xB0...0xB9, 0xBC...0xCF, 0xD7: self = .keypad
        default: return nil
        }
    }

    /// True for a command's input that is the character of a masked key, held without ⌘ and ⌃. A space is a class of
    /// its own, and a key with a name is not masked.
    package static func isBareKey(_ input: String?, _ modifiers: KeyModifiers) -> Bool {
        guard let input, input.utf8.count <= 32, input.count == 1, input != " ",
            let category = input.unicodeScalars.first?.properties.generalCategory
        else { return false }
        return category != .control && category != .privateUse && modifiers.isDisjoint(with: [.command, .control])
    }

    /// Digits of telephones and remote controls, dots of braille keyboards, and signs that only Linux has a code for.
    private init?(ofOtherPage usage: KeyUsage) {
        switch usage.rawValue {
        case 0x000B_00B0...0x000B_00BF, 0xFFEC_026C...0xFFEC_026D, 0xFFEC_0076: self = .keypad
        case 0xFFEC_01F1...0xFFEC_01FA: self = .letter
        case 0xFFEC_01B2...0xFFEC_01B3: self = .punctuation
        default: return nil
        }
    }
}
