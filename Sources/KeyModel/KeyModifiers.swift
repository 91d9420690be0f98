/// The modifiers of a key event, with the raw values of `UIKeyModifierFlags` (spec §1.1).
///
/// Left and right keys share a flag; `ModifierKeys` tells them apart.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
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

    /// Names of the set flags, in the order of `named`.
    public var names: [String] { KeyModifiers.named.filter { contains($0.flag) }.map(\.name) }

    /// The flag with this name; `nil` for an unknown name.
    public init?(name: String) {
        guard let entry = KeyModifiers.named.first(where: { $0.name == name }) else { return nil }
        self = entry.flag
    }

    /// The six flags packed into the low six bits, in the order of `named`.
    @inlinable public var packed: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) & 0x3F }
    @inlinable public init(packed: UInt8) { rawValue = UInt32(packed & 0x3F) << 16 }
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

/// Modifier state followed event by event (spec EV-17): sides are counted apart, Caps Lock toggles on its down.
public struct ModifierState: Hashable, Sendable {
    public private(set) var keys: ModifierKeys = []
    public private(set) var isCapsLockOn = false

    public init(keys: ModifierKeys = [], isCapsLockOn: Bool = false) {
        self.keys = keys
        self.isCapsLockOn = isCapsLockOn
    }

    /// The flags held now.
    @inlinable public var flags: KeyModifiers { isCapsLockOn ? keys.modifiers.union(.capsLock) : keys.modifiers }

    /// Applies one event. A modifier's own down carries its flag, its up does not.
    public mutating func apply(_ usage: KeyUsage, _ phase: KeyPhase) {
        if let key = usage.modifierKey {
            switch phase {
            case .down: keys.insert(key)
            case .up, .cancel: keys.remove(key)
            case .repeat: break
            }
        } else if usage == .capsLock, phase == .down {
            isCapsLockOn.toggle()
        }
    }

    /// The flags an event of this key carries, numericPad included for keypad keys (spec DT-2).
    @inlinable public func flags(for usage: KeyUsage) -> KeyModifiers {
        usage.isKeypad ? flags.union(.numericPad) : flags
    }
}
