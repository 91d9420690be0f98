import KeyModel

/// The prediction model of key records: what the next one is expected to contain. Press ordinals, modifiers and the
/// device are in the bytes only where they differ from it, so a plain key event takes six bytes; any values round-trip.
struct KeyState: Hashable, Sendable {
    /// The device of the last key record.
    var device: UInt16 = 1
    /// The modifiers of the last key record, without `numericPad`, which belongs to the key.
    var modifiers: KeyModifiers = []
    /// Keys with a press, and modifier keys in `ModifierState` alone.
    var keyboard = KeyboardState(limit: TraceLimits.heldKeys)

    var isInitial: Bool { self == KeyState() }

    /// The next ordinal for a down, that of the held key for its repeat (the youngest such key) and its release (the
    /// oldest), `nil` for modifier keys and keys that are not held.
    @inline(__always) func expectedPress(device: UInt16, key: KeyIdentity, phase: KeyPhase) -> UInt32? {
        if key.usage?.isModifier == true { return nil }
        switch phase {
        case .down: return keyboard.pressCount < .max ? keyboard.nextPress : nil
        case .repeat: return keyboard.youngest(key, device: device)?.press
        case .up, .cancel: return keyboard.oldest(key, device: device)?.press
        }
    }

    /// Modifiers of the record before, changed by this event if it is one of a modifier key or Caps Lock.
    @inline(__always) func expectedModifiers(device: UInt16, key: KeyIdentity, phase: KeyPhase) -> KeyModifiers {
        var flags = modifiers
        if case .clear(let usage) = key {
            if let own = usage.modifierKey {
                switch phase {
                case .down: flags.formUnion(own.modifiers)
                case .up, .cancel:
                    flags.subtract(
                        own.modifiers.subtracting(keyboard.modifiers.heldFlags(without: own, of: device)))
                case .repeat: break
                }
            } else if usage == .capsLock, phase == .down {
                flags.formSymmetricDifference(.capsLock)
            }
        }
        if key.isKeypad { flags.insert(.numericPad) }
        return flags
    }

    /// Follows a record. False when its press is not the expected one.
    @discardableResult @inline(__always) mutating func apply(_ record: KeyRecord) -> Bool {
        let expected = expectedPress(device: record.device, key: record.key, phase: record.phase)
        device = record.device
        modifiers = record.modifiers.subtracting(.numericPad)
        if let usage = record.key.usage, usage.isModifier {
            keyboard.modifiers.apply(usage, record.phase, device: record.device)
        } else if let press = record.press {
            switch record.phase {
            case .down: keyboard.hold(record.key, device: record.device, press: press)
            case .up, .cancel: keyboard.release(record.key, device: record.device, press: press)
            case .repeat: break
            }
        }
        return record.press == expected
    }

    /// Follows a record, and puts into its packed form what is not as expected.
    @inline(__always) mutating func record(_ record: KeyRecord, packing packed: inout PackedKey) {
        if record.device != device {
            packed.extra |= PackedKey.otherDevice
            packed.device = record.device
        }
        let flags = expectedModifiers(device: record.device, key: record.key, phase: record.phase)
        if record.modifiers != flags {
            packed.extra |= PackedKey.otherModifiers
            packed.modifiers = record.modifiers.rawValue
        }
        if !apply(record) {
            packed.extra |= PackedKey.otherPress
            packed.press = record.press.map { UInt64($0) + 1 } ?? 0
        }
    }
}
