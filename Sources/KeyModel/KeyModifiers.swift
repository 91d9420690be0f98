/// The modifiers of a key event, with the raw values of `UIKeyModifierFlags` (spec §1.1).
///
/// Left and right keys share a flag; `ModifierKeys` distinguishes them.
public struct KeyModifiers: NamedFlags, Hashable, Sendable {
    public let rawValue: UInt32
    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Caps Lock is on (`alphaShift` in UIKit).
    @inlinable public static var capsLock: KeyModifiers { KeyModifiers(rawValue: 1 << 16) }
    @inlinable public static var shift: KeyModifiers { KeyModifiers(rawValue: 1 << 17) }
    @inlinable public static var control: KeyModifiers { KeyModifiers(rawValue: 1 << 18) }
    /// Option, also called Alt (`alternate` in UIKit).
    @inlinable public static var option: KeyModifiers { KeyModifiers(rawValue: 1 << 19) }
    @inlinable public static var command: KeyModifiers { KeyModifiers(rawValue: 1 << 20) }
    @inlinable public static var numericPad: KeyModifiers { KeyModifiers(rawValue: 1 << 21) }

    /// The four that take part in matching a key command (spec §1.1, `matchMask`).
    @inlinable public static var matchMask: KeyModifiers { KeyModifiers(rawValue: 0xF << 17) }

    /// Flags and their names in the order used by JSON and scenes.
    public static let named: [(flag: KeyModifiers, name: String)] = [
        (.capsLock, "capsLock"), (.shift, "shift"), (.control, "control"),
        (.option, "option"), (.command, "command"), (.numericPad, "numericPad"),
    ]

    /// The six flags packed into the low six bits, in the order of `named`.
    @inlinable public var packed: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) & 0x3F }
    @inlinable public init(packed: UInt8) { rawValue = UInt32(packed & 0x3F) << 16 }

    /// Their keys on the left side, in the order ⌃ ⌥ ⇧ ⌘.
    package var leftKeys: [KeyUsage] {
        let keys: [(flag: KeyModifiers, key: KeyUsage)] = [
            (.control, .leftControl), (.option, .leftAlt), (.shift, .leftShift), (.command, .leftGUI),
        ]
        return keys.filter { contains($0.flag) }.map(\.key)
    }
}

/// The physical modifier keys that are down, one bit each, in the bit order of a HID boot report's first byte
/// (left Control, Shift, Alt, GUI, then the right ones).
public struct ModifierKeys: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The flags these keys give; a flag stays set until both of its keys are up (spec EV-17).
    @inlinable public var modifiers: KeyModifiers {
        let either = rawValue | rawValue >> 4
        var flags: UInt32 = 0
        if either & 1 != 0 { flags |= 1 << 18 }
        if either & 2 != 0 { flags |= 1 << 17 }
        if either & 4 != 0 { flags |= 1 << 19 }
        if either & 8 != 0 { flags |= 1 << 20 }
        return KeyModifiers(rawValue: flags)
    }
}

extension ModifierKeys {
    /// These keys, ascending.
    public var usages: [KeyUsage] {
        (0..<8).filter { rawValue >> UInt8($0) & 1 != 0 }.map { KeyUsage.keyboard(0xE0 + UInt16($0)) }
    }
}

/// The flag that each modifier key gives. A toolkit may give keys other roles than their names: Command is Alt in
/// GNUstep.
public struct ModifierRoles: Hashable, Sendable {
    /// Four bits for each of E0–E7, left Control first: how far the flag is from `capsLock` (1 shift … 4 command), 0
    /// none.
    @usableFromInline var bits: UInt32

    @inlinable init(bits: UInt32) { self.bits = bits }

    /// Each key has the role of its name.
    @inlinable public static var physical: ModifierRoles { ModifierRoles(bits: 0x4312_4312) }

    /// The flag that the key at this place (0 left Control … 7 right GUI) gives.
    @inlinable public subscript(place: Int) -> KeyModifiers {
        let shift = bits >> UInt32(truncatingIfNeeded: place * 4) & 0xF
        return shift == 0 ? [] : KeyModifiers(rawValue: 1 << (16 + shift))
    }

    /// The flag that a key gives; none for keys that are no modifiers.
    @inlinable public subscript(usage: KeyUsage) -> KeyModifiers {
        guard usage.isModifier else { return [] }
        return self[Int(usage.usage & 7)]
    }

    /// Assigns a modifier key one of the roles `shift`, `control`, `option`, `command`, or none. Other keys have no
    /// role.
    public mutating func set(_ usage: KeyUsage, to role: KeyModifiers) {
        guard usage.isModifier else { return }
        let shift = role.isEmpty ? 0 : UInt32(truncatingIfNeeded: role.rawValue.trailingZeroBitCount) &- 16
        guard shift <= 4 else { return }
        let place = UInt32(usage.usage & 7) * 4
        bits = bits & ~(0xF << place) | shift << place
    }

    /// The flags that these keys give together.
    @inlinable public func flags(_ keys: ModifierKeys) -> KeyModifiers {
        guard bits != ModifierRoles.physical.bits else { return keys.modifiers }
        var flags: KeyModifiers = []
        for place in 0..<8 where keys.rawValue >> UInt8(place) & 1 != 0 { flags.formUnion(self[place]) }
        return flags
    }

    /// The environment fact that states the role of a key is called `modifierRole.` and its usage on page 7 in
    /// hexadecimal; its value is the name of the modifier, or `none`.
    public static let factPrefix = "modifierRole."

    public static func fact(_ usage: KeyUsage, _ role: KeyModifiers) -> (name: String, value: String) {
        (factPrefix + String(usage.usage, radix: 16), role.names.first ?? "none")
    }

    /// Follows an environment fact; false where it states no role.
    @discardableResult public mutating func apply(fact name: String, _ value: String) -> Bool {
        guard name.hasPrefix(ModifierRoles.factPrefix),
            let code = UInt16(name.dropFirst(ModifierRoles.factPrefix.count), radix: 16),
            KeyUsage.keyboard(code).isModifier, let role = value == "none" ? [] : KeyModifiers(name: value)
        else { return false }
        set(.keyboard(code), to: role)
        return true
    }
}

/// The modifier keys that are held, and Caps Lock, followed event by event (spec EV-17).
///
/// The system joins its keyboards: a flag stays until the last key that sets it is up, on whichever side and keyboard.
/// A modifier's own down carries its flag, its up does not. Caps Lock toggles at its down.
public struct ModifierState: Hashable, Sendable {
    /// The modifier keys that are held on one keyboard.
    public struct Keyboard: Hashable, Sendable {
        public let device: UInt16
        public internal(set) var keys: ModifierKeys
        /// Those of them whose down no source sent.
        fileprivate var unseen: ModifierKeys = []

        public init(device: UInt16, keys: ModifierKeys) {
            self.device = device
            self.keys = keys
        }
    }
    /// Keyboards with modifier keys held at once that are followed; the oldest is forgotten first.
    public static let keyboardLimit = 32

    /// Keyboards with modifier keys held, in the order of their first downs.
    public private(set) var keyboards: [Keyboard] = []
    public private(set) var isCapsLockOn: Bool
    /// The flags of the held keys, without Caps Lock.
    public private(set) var heldFlags: KeyModifiers = []
    /// The flags of the held keys that were seen to go down. A key that was only ever found to be held, such as a bit
    /// that is set in every report of a stream, is no evidence of a chord.
    public private(set) var seenFlags: KeyModifiers = []
    /// The flags that the keys give.
    public var roles = ModifierRoles.physical {
        didSet { if roles != oldValue { joinFlags() } }
    }

    public init(isCapsLockOn: Bool = false) { self.isCapsLockOn = isCapsLockOn }

    /// The flags of the held keys and of Caps Lock.
    @inlinable public var flags: KeyModifiers { isCapsLockOn ? heldFlags.union(.capsLock) : heldFlags }

    /// The flags that an event of this key carries, with numericPad for keypad keys (spec DT-2).
    @inlinable public func flags(for key: KeyIdentity) -> KeyModifiers {
        key.isKeypad ? flags.union(.numericPad) : flags
    }

    /// The keys that are held on this keyboard.
    public func keys(of device: UInt16) -> ModifierKeys { keyboards.first { $0.device == device }?.keys ?? [] }

    /// The flags that stay held when this key of this keyboard goes up.
    public func heldFlags(without key: ModifierKeys, of device: UInt16) -> KeyModifiers {
        var flags: KeyModifiers = []
        for keyboard in keyboards {
            let keys = keyboard.device == device ? keyboard.keys.subtracting(key) : keyboard.keys
            flags.formUnion(roles.flags(keys))
        }
        return flags
    }

    /// Follows an event; those of keys that are no modifiers change nothing. `isSynthetic`: no source sent it.
    @inlinable public mutating func apply(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, isSynthetic: Bool = false
    ) {
        if let key = usage.modifierKey {
            follow(key, phase, device, isSynthetic)
        } else if usage == .capsLock, phase == .down {
            toggleCapsLock()
        }
    }

    @usableFromInline mutating func toggleCapsLock() { isCapsLockOn.toggle() }

    @usableFromInline mutating func follow(
        _ key: ModifierKeys, _ phase: KeyPhase, _ device: UInt16, _ isSynthetic: Bool
    ) {
        var place = keyboards.firstIndex { $0.device == device }
        switch phase {
        case .repeat: return
        case .down:
            if place == nil {
                if keyboards.count >= ModifierState.keyboardLimit { keyboards.removeFirst() }
                keyboards.append(Keyboard(device: device, keys: []))
                place = keyboards.count - 1
            }
            guard let place else { return }
            keyboards[place].keys.insert(key)
            if isSynthetic { keyboards[place].unseen.insert(key) } else { keyboards[place].unseen.remove(key) }
        case .up, .cancel:
            guard let place else { return }
            keyboards[place].keys.remove(key)
            keyboards[place].unseen.remove(key)
            if keyboards[place].keys.isEmpty { keyboards.remove(at: place) }
        }
        joinFlags()
    }

    private mutating func joinFlags() {
        heldFlags = heldFlags(without: [], of: 0)
        seenFlags = []
        for keyboard in keyboards { seenFlags.formUnion(roles.flags(keyboard.keys.subtracting(keyboard.unseen))) }
    }

    /// Adds what a context snapshot stores of a keyboard, as it is, while there is room. `isSeen`: its keys were seen
    /// to go down.
    public mutating func restore(_ keyboard: Keyboard, isSeen: Bool = true) {
        guard keyboards.count < ModifierState.keyboardLimit else { return }
        keyboards.append(keyboard)
        if !isSeen { keyboards[keyboards.count - 1].unseen = keyboard.keys }
        joinFlags()
    }
}
