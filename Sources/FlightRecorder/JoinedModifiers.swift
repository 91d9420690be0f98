import KeyModel

/// The modifiers of all keyboards together, as the system joins them: a flag stays until the last key that gives it is
/// up (spec EV-17).
struct JoinedModifiers: Sendable {
    private var keys: [UInt16: ModifierKeys] = [:]
    private var holders: [UInt32] = Array(repeating: 0, count: 8)
    private var isCapsLockOn = false
    /// Those held now.
    private(set) var flags: KeyModifiers = []

    mutating func apply(_ usage: KeyUsage, _ phase: KeyPhase, _ device: UInt16) {
        if usage == .capsLock, phase == .down { isCapsLockOn.toggle() }
        if let key = usage.modifierKey, phase != .repeat {
            let isDown = phase == .down
            guard keys[device, default: []].contains(key) != isDown else { return }
            if isDown { keys[device, default: []].insert(key) } else { keys[device]?.remove(key) }
            let index = Int(usage.usage & 7)
            if isDown { holders[index] += 1 } else if holders[index] > 0 { holders[index] -= 1 }
        } else if usage != .capsLock {
            return
        }
        var down: ModifierKeys = []
        for index in 0..<8 where holders[index] > 0 { down.insert(ModifierKeys(rawValue: 1 << UInt8(index))) }
        flags = isCapsLockOn ? down.modifiers.union(.capsLock) : down.modifiers
    }
}
