import KeyModel

/// The keys that are down: the modifiers of all keyboards, and the presses that have not ended.
struct HeldKeys {
    var modifiers = ModifierState()
    /// Oldest first.
    private(set) var presses: [HeldPress] = []
    /// The key of each press. Looked through at every key event, which reading it from the presses would make slower.
    private(set) var keys: [Key] = []

    struct Key: Equatable {
        let key: KeyIdentity
        let device: UInt16
    }

    /// Held modifiers, Caps Lock included (spec EV-17).
    var flags: KeyModifiers { modifiers.flags }

    mutating func apply(_ usage: KeyUsage, _ phase: KeyPhase, device: UInt16) {
        modifiers.apply(usage, phase, device: device)
    }

    mutating func append(_ press: HeldPress) {
        presses.append(press)
        keys.append(Key(key: press.key, device: press.device))
    }

    /// The oldest press of this key that repeats.
    func repeating(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        presses.first { $0.key == key && $0.device == device && $0.repeats }
    }

    /// The oldest press of this key.
    func press(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        presses.first { $0.key == key && $0.device == device }
    }

    /// Removes the oldest press of this key: masked keys of one class are indistinguishable.
    mutating func take(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        guard let place = keys.firstIndex(of: Key(key: key, device: device)) else { return nil }
        keys.remove(at: place)
        return presses.remove(at: place)
    }

    /// Removes all presses and forgets the modifiers.
    mutating func takeAll() -> [HeldPress] {
        defer {
            let roles = modifiers.roles
            self = HeldKeys()
            modifiers.roles = roles
        }
        return presses
    }

    /// A later key ends the repeats of the earlier ones (spec EV-13).
    func endRepeats() { for press in presses where press.repeats { press.repeats = false } }
}
