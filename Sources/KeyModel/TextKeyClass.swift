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
        case .keypad: [0x54...0x57, 0x59...0x63, 0x67...0x67, 0x85...0x86]
        }
    }

    /// The class of a key that types text; `nil` for every other key, which stays in clear.
    public init?(_ usage: KeyUsage) {
        guard usage.isKeyboardPage else { return nil }
        switch usage.usage {
        case 0x04...0x1D: self = .letter
        case 0x1E...0x27: self = .digit
        case 0x2C: self = .space
        case 0x2D...0x38, 0x64, 0x87...0x8F: self = .punctuation
        case 0x90...0x98: self = .compose
        case 0x54...0x57, 0x59...0x63, 0x67, 0x85, 0x86: self = .keypad
        default: return nil
        }
    }
}
