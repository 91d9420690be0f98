import KeyModel

/// What the next key record is expected to say. Press ordinals, modifiers and the device stand in the bytes only
/// where they differ from this, so a plain key event takes six bytes; any values at all round-trip.
struct KeyState: Hashable, Sendable {
    struct Held: Hashable, Sendable {
        let device: UInt16
        let key: KeyIdentity
        let press: UInt32
        /// Device and key as one number: every key event looks for one.
        let code: UInt64

        init(device: UInt16, key: KeyIdentity, press: UInt32) {
            self.init(device: device, key: key, press: press, code: Held.code(device, key))
        }

        @inline(__always) init(device: UInt16, key: KeyIdentity, press: UInt32, code: UInt64) {
            self.device = device
            self.key = key
            self.press = press
            self.code = code
        }

        @inline(__always) static func code(_ device: UInt16, _ key: KeyIdentity) -> UInt64 {
            switch key {
            case .clear(let usage): UInt64(device) << 33 | UInt64(usage.rawValue)
            case .masked(let textClass): UInt64(device) << 33 | 1 << 32 | UInt64(textClass.rawValue)
            }
        }
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

    @inline(__always) private static func modifierKey(_ key: KeyIdentity) -> ModifierKeys? {
        if case .clear(let usage) = key { usage.modifierKey } else { nil }
    }

    @inline(__always) private static func carriesNumericPad(_ key: KeyIdentity) -> Bool {
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
        case .repeat: return press(of: Held.code(device, key), in: held.indices.reversed())
        case .up, .cancel: return press(of: Held.code(device, key), in: held.indices)
        }
    }

    @inline(__always) private func press(of code: UInt64, in indices: some Sequence<Int>) -> UInt32? {
        for index in indices where held[index].code == code { return held[index].press }
        return nil
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

    /// Follows a record. False when its press is not the one that `expectedPress` tells.
    @discardableResult @inline(__always) mutating func apply(_ record: KeyRecord) -> Bool {
        device = record.device
        modifiers = record.modifiers.subtracting(.numericPad)
        if let own = KeyState.modifierKey(record.key) {
            follow(own, record.phase, record.device)
            return record.press == nil
        }
        let code = Held.code(record.device, record.key)
        switch record.phase {
        case .down:
            let expected = pressCount < UInt32.max ? pressCount + 1 : nil
            if let press = record.press {
                pressCount = max(pressCount, press)
                if held.count >= TraceLimits.heldKeys { held.removeFirst() }
                held.append(Held(device: record.device, key: record.key, press: press, code: code))
            }
            return record.press == expected
        case .repeat: return record.press == press(of: code, in: held.indices.reversed())
        case .up, .cancel:
            guard let first = held.firstIndex(where: { $0.code == code }) else { return record.press == nil }
            if held[first].press == record.press {
                if first == held.count - 1 { held.removeLast() } else { held.remove(at: first) }
                return true
            }
            if let other = held.firstIndex(where: { $0.code == code && $0.press == record.press }) {
                held.remove(at: other)
            }
            return false
        }
    }

    /// Follows a record, and puts into its packed form what is not as expected.
    @inline(__always) mutating func follow(_ record: KeyRecord, packing packed: inout PackedKey) {
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
