import KeyModel

/// The keys that are down: the modifiers of all keyboards, and the presses that have not ended, of which the oldest are
/// forgotten as in `KeyboardState`: a source need not report that keys come up.
final class HeldKeys {
    var modifiers = ModifierState() { didSet { flags = modifiers.flags } }
    /// Oldest first. The key is beside its press: reading it from there would take longer at every key event.
    private var entries: [(key: Key, press: HeldPress)] = []

    var presses: [HeldPress] { entries.map(\.press) }
    var hashCodes: [UInt64] { entries.map(\.key.hashCode) }

    struct Key: Equatable {
        let key: KeyIdentity
        let device: UInt16
    }

    /// Held modifiers, Caps Lock included (spec EV-17).
    private(set) var flags: KeyModifiers = []

    func apply(_ usage: KeyUsage, _ phase: KeyPhase, device: UInt16) {
        if usage.isModifier || usage == .capsLock { modifiers.apply(usage, phase, device: device) }
    }

    func append(_ press: HeldPress) {
        var entries = moveOut()
        if entries.count >= KeyboardState.usualLimit {
            entries.remove(at: entries.firstIndex { $0.key.key.usage?.isModifier != true } ?? 0)
        }
        entries.append((Key(key: press.key, device: press.device), press))
        self.entries = entries
    }

    /// For a change and to be put back: a change in place would be checked for overlaps at every read.
    private func moveOut() -> [(key: Key, press: HeldPress)] {
        defer { entries = [] }
        return entries
    }

    /// The oldest press of this key that repeats.
    func repeating(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        entries.first { $0.key == Key(key: key, device: device) && $0.press.repeats }?.press
    }

    /// The oldest press of this key.
    func press(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        entries.first { $0.key == Key(key: key, device: device) }?.press
    }

    /// Removes the oldest press of this key: masked keys of one class are indistinguishable.
    func take(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        let wanted = Key(key: key, device: device)
        guard let place = entries.firstIndex(where: { $0.key == wanted }) else { return nil }
        var entries = moveOut()
        defer { self.entries = entries }
        return entries.remove(at: place).press
    }

    /// Removes all presses and forgets the modifiers.
    func takeAll() -> [HeldPress] {
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
