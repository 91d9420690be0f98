/// The class of a key whose press types text, all that a masked recording keeps of it.
public enum TextKeyClass: UInt8, CaseIterable, Hashable, Sendable {
    case letter, digit, punctuation, compose, space, keypad

    public var name: String {
        switch self {
        case .letter: "letter"
        case .digit: "digit"
        case .punctuation: "punctuation"
        case .compose: "compose"
        case .space: "space"
        case .keypad: "keypad"
        }
    }

    public init?(name: String) {
        guard let match = TextKeyClass.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

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

/// Decides which key events keep their key and which keep only its class.
///
/// A key that types text is masked unless ⌘ or ⌃ is held at its down. The decision is taken at the down and
/// holds for the repeats, the up and the cancel of that press, so that a later ⌘ does not reveal a letter.
/// Secure entry drops events altogether and is not this type's business.
public struct KeyMask: Sendable {
    private struct Keyboard: Sendable {
        var modifiers = ModifierState()
        /// ⌘ or ⌃ is held.
        var isChording = false
        /// Text keys whose down was kept in clear and that are still down. A release without a known down is
        /// not among them, so it reveals nothing.
        var inClear = KeyboardUsageSet()
    }
    private var keyboards: [Keyboard] = []
    /// Place in `keyboards` by device, −1 for none: an event costs the same with one keyboard and with thousands.
    private var placeOfDevice: [Int32] = []
    /// Keyboards on which ⌘ or ⌃ is held.
    private var chordingKeyboards = 0

    public init() {}

    /// The identity to store for this event. All events must come, in order. ⌘ or ⌃ held on any keyboard
    /// counts, since the system joins the modifiers of its keyboards.
    public mutating func identity(of usage: KeyUsage, phase: KeyPhase, device: UInt16) -> KeyIdentity {
        let at = place(of: device)
        guard let textClass = TextKeyClass(usage) else {
            if usage.isModifier { follow(usage, phase, at) }
            return .clear(usage)
        }
        if phase == .down {
            let isChord = chordingKeyboards > 0
            keyboards[at].inClear.set(usage.usage, to: isChord)
            return isChord ? .clear(usage) : .masked(textClass)
        }
        let isClear = keyboards[at].inClear.contains(usage.usage)
        if phase != .repeat { keyboards[at].inClear.set(usage.usage, to: false) }
        return isClear ? .clear(usage) : .masked(textClass)
    }

    private mutating func follow(_ usage: KeyUsage, _ phase: KeyPhase, _ at: Int) {
        keyboards[at].modifiers.apply(usage, phase)
        let isChording = !keyboards[at].modifiers.flags.isDisjoint(with: [.command, .control])
        guard isChording != keyboards[at].isChording else { return }
        keyboards[at].isChording = isChording
        chordingKeyboards += isChording ? 1 : -1
    }

    private mutating func place(of device: UInt16) -> Int {
        let index = Int(device)
        if index < placeOfDevice.count, placeOfDevice[index] >= 0 { return Int(placeOfDevice[index]) }
        while placeOfDevice.count <= index { placeOfDevice.append(-1) }
        placeOfDevice[index] = Int32(truncatingIfNeeded: keyboards.count)
        keyboards.append(Keyboard())
        return keyboards.count - 1
    }
}

/// A set of usages 00–FF of the keyboard page.
public struct KeyboardUsageSet: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    public init() {}

    /// False for usages above FF, which the set never holds.
    public func contains(_ usage: UInt16) -> Bool {
        let bit = UInt64(1) << UInt64(usage & 63)
        switch usage >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        case 3: return words.3 & bit != 0
        default: return false
        }
    }

    public mutating func set(_ usage: UInt16, to isMember: Bool) {
        let bit = UInt64(1) << UInt64(usage & 63)
        switch usage >> 6 {
        case 0: words.0 = isMember ? words.0 | bit : words.0 & ~bit
        case 1: words.1 = isMember ? words.1 | bit : words.1 & ~bit
        case 2: words.2 = isMember ? words.2 | bit : words.2 & ~bit
        case 3: words.3 = isMember ? words.3 | bit : words.3 & ~bit
        default: break
        }
    }

    public static func == (a: Self, b: Self) -> Bool { a.words == b.words }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
