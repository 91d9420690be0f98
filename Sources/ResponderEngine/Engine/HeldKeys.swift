import KeyModel

/// The keys that are down: the modifiers of all keyboards, and the presses that have not ended, of which the oldest are
/// forgotten as in `KeyboardState`: a source need not report that keys come up.
final class HeldKeys {
    var modifiers = ModifierState() { didSet { flags = modifiers.flags } }
    /// Oldest first. The key is beside its press: reading it from there would take longer at every key event.
    private var entries: [(key: Key, press: PressesEvent)] = []

    var presses: [PressesEvent] { entries.map(\.press) }

    var count: Int { entries.count }
    subscript(place: Int) -> Key { entries[place].key }

    struct Key: Equatable {
        let key: KeyIdentity
        let device: UInt16
    }

    /// Held modifiers, Caps Lock included (spec EV-17).
    private(set) var flags: KeyModifiers = []

    func apply(_ usage: KeyUsage, _ phase: KeyPhase, device: UInt16) {
        if usage.isModifier || usage == .capsLock { modifiers.apply(usage, phase, device: device) }
    }

    func append(_ press: PressesEvent) {
        var entries = moveOut()
        if entries.count >= KeyboardState.usualLimit {
            entries.remove(at: entries.firstIndex { $0.key.key.usage?.isModifier != true } ?? 0)
        }
        entries.append((Key(key: press.key, device: press.device), press))
        self.entries = entries
    }

    /// For a change and to be put back: a change in place would be checked for overlaps at every read.
    private func moveOut() -> [(key: Key, press: PressesEvent)] {
        var moved: [(key: Key, press: PressesEvent)] = []
        swap(&moved, &entries)
        return moved
    }

    /// The oldest press of this key that repeats.
    func repeating(_ key: KeyIdentity, _ device: UInt16) -> PressesEvent? {
        entries.first { $0.key == Key(key: key, device: device) && $0.press.repeats }?.press
    }

    /// The oldest press of this key.
    func press(_ key: KeyIdentity, _ device: UInt16) -> PressesEvent? {
        entries.first { $0.key == Key(key: key, device: device) }?.press
    }

    /// Removes the oldest press of this key: masked keys of one class are indistinguishable.
    func take(_ key: KeyIdentity, _ device: UInt16) -> PressesEvent? {
        let wanted = Key(key: key, device: device)
        var entries = moveOut()
        defer { self.entries = entries }
        for place in entries.indices where entries[place].key == wanted { return entries.remove(at: place).press }
        return nil
    }

    /// Removes all presses and forgets the modifiers.
    func takeAll() -> [PressesEvent] {
        let (roles, all) = (modifiers.roles, presses)
        modifiers = ModifierState()
        modifiers.roles = roles
        entries = []
        return all
    }

    /// A later key ends the repeats of the earlier ones (spec EV-13).
    func endRepeats() {
        for place in entries.indices where entries[place].press.repeats { entries[place].press.repeats = false }
    }
}
