import KeyModel

/// What the next key record is expected to say. Press ordinals, modifiers and the device stand in the bytes only
/// where they differ from this, so a plain key event takes six bytes; any values at all round-trip.
struct KeyState: Hashable, Sendable {
    struct Held: Hashable, Sendable {
        var device: UInt16
        var key: KeyIdentity
        var press: UInt32
    }
    struct HeldModifiers: Hashable, Sendable {
        var device: UInt16
        var keys: ModifierKeys
    }

    /// That of the last key record.
    var device: UInt16 = 1
    /// The highest ordinal given to a down; the next down is expected to have the one after it.
    var pressCount: UInt32 = 0
    /// Those of the last key record, without `numericPad`, which belongs to the key.
    var modifiers: KeyModifiers = []
    /// In the order of their downs.
    var held: [Held] = []
    var heldModifiers: [HeldModifiers] = []

    var isInitial: Bool { self == KeyState() }

    private static func modifierKey(_ key: KeyIdentity) -> ModifierKeys? {
        if case .clear(let usage) = key { usage.modifierKey } else { nil }
    }

    private static func carriesNumericPad(_ key: KeyIdentity) -> Bool {
        switch key {
        case .clear(let usage): usage.isKeypad
        case .masked(let textClass): textClass == .keypad
        }
    }

    /// The ordinal expected: the next one for a down, that of the held key for its repeat (the youngest such key)
    /// and its release (the oldest), `nil` for modifier keys and keys that are not held.
    @inline(__always) func expectedPress(device: UInt16, key: KeyIdentity, phase: KeyPhase) -> UInt32? {
        if KeyState.modifierKey(key) != nil { return nil }
        switch phase {
        case .down: return pressCount < UInt32.max ? pressCount + 1 : nil
        case .repeat: return held.last { $0.device == device && $0.key == key }?.press
        case .up, .cancel: return held.first { $0.device == device && $0.key == key }?.press
        }
    }

    /// Those of the record before, changed by this event if it is one of a modifier key or Caps Lock.
    @inline(__always) func expectedModifiers(device: UInt16, key: KeyIdentity, phase: KeyPhase) -> KeyModifiers {
        var flags = modifiers
        if case .clear(let usage) = key {
            if let own = usage.modifierKey {
                switch phase {
                case .down: flags.formUnion(own.modifiers)
                case .up, .cancel: flags.subtract(own.modifiers.subtracting(flagsWithout(own, of: device)))
                case .repeat: break
                }
            } else if usage == .capsLock, phase == .down {
                flags.formSymmetricDifference(.capsLock)
            }
        }
        if KeyState.carriesNumericPad(key) { flags.insert(.numericPad) }
        return flags
    }

    /// The flags of the modifier keys that stay held when `key` of `device` goes up.
    private func flagsWithout(_ key: ModifierKeys, of device: UInt16) -> KeyModifiers {
        var flags: KeyModifiers = []
        for entry in heldModifiers {
            flags.formUnion((entry.device == device ? entry.keys.subtracting(key) : entry.keys).modifiers)
        }
        return flags
    }

    /// Follows a record.
    @inline(__always) mutating func apply(_ record: KeyRecord) {
        device = record.device
        modifiers = record.modifiers.subtracting(.numericPad)
        if let own = KeyState.modifierKey(record.key) {
            follow(own, record.phase, record.device)
            return
        }
        switch record.phase {
        case .repeat: return
        case .down:
            guard let press = record.press else { return }
            if press > pressCount { pressCount = press }
            if held.count >= TraceLimits.heldKeys { held.removeFirst() }
            held.append(Held(device: record.device, key: record.key, press: press))
        case .up, .cancel:
            guard let press = record.press else { return }
            if let index = held.firstIndex(where: {
                $0.press == press && $0.device == record.device && $0.key == record.key
            }) {
                held.remove(at: index)
            }
        }
    }

    private mutating func follow(_ key: ModifierKeys, _ phase: KeyPhase, _ device: UInt16) {
        let index = heldModifiers.firstIndex { $0.device == device }
        switch phase {
        case .repeat: return
        case .down:
            if let index {
                heldModifiers[index].keys.insert(key)
            } else {
                if heldModifiers.count >= TraceLimits.modifierKeyboards { heldModifiers.removeFirst() }
                heldModifiers.append(HeldModifiers(device: device, keys: key))
            }
        case .up, .cancel:
            guard let index else { return }
            heldModifiers[index].keys.remove(key)
            if heldModifiers[index].keys.isEmpty { heldModifiers.remove(at: index) }
        }
    }
}
