public import KeyModel
public import TraceFormat

/// Turns key events into the key records of a trace: masks what types text, numbers the presses, and says which
/// modifiers are held.
///
/// A press is numbered at its down, counting the downs of all keyboards but those of modifier keys from 1 on; its
/// repeats, its up and its cancel have the same number. A release whose down never came has none, and so have
/// modifier keys. A second down of a key that is already down begins a new press.
/// Modifiers are those of all keyboards together, as the system joins them; a flag stays until the last key that
/// gives it is up (spec EV-17).
public struct MaskedKeyRecorder: Sendable {
    /// Keys that type text are recorded as such.
    public let showsKeys: Bool
    /// Presses so far.
    public private(set) var presses: UInt32

    private var mask = KeyMask()
    /// Keys E0–E7 that are down, by keyboard.
    private var modifierKeysOfKeyboard: [ModifierKeys] = []
    /// Of each keyboard 256, by usage of the keyboard page; 0 for keys that are up.
    private var pressOfKey: [UInt32] = []
    /// Number of the keyboard by device, −1 for none.
    private var keyboardOfDevice: [Int32] = []
    /// On how many keyboards each of the keys E0–E7 is down.
    private var holders: [UInt32] = Array(repeating: 0, count: 8)
    private var modifierKeys: ModifierKeys = []
    private var isCapsLockOn = false
    /// Presses of keys outside usages 00–FF of the keyboard page, and of keys that came masked.
    private var otherPresses: [OtherKey: UInt32] = [:]

    private struct OtherKey: Hashable {
        var device: UInt16
        var key: KeyIdentity
    }

    /// `presses`: how many there were before, in a recording that goes on. `isCapsLockOn`: before the first event.
    public init(showsKeys: Bool = false, presses: UInt32 = 0, isCapsLockOn: Bool = false) {
        self.showsKeys = showsKeys
        self.isCapsLockOn = isCapsLockOn
        self.presses = presses
    }

    /// The record of an event. All events must come, in order.
    public mutating func record(_ event: KeyEvent) -> KeyRecord {
        var key = event.key
        var press: UInt32?
        switch event.key {
        case .clear(let usage):
            let place = keyboard(event.device)
            if usage.isModifier {
                follow(usage, event.phase, place)
            } else {
                press = number(usage, event, place)
                if usage == .capsLock, event.phase == .down { isCapsLockOn.toggle() }
            }
            // The mask follows all events even when it is not asked for its answer: chords may begin at any time.
            if !showsKeys { key = mask.identity(of: usage, phase: event.phase, device: event.device) }
        case .masked:
            press = numberOther(event)
        }
        return KeyRecord(
            device: event.device, key: key, phase: event.phase, modifiers: modifiers(with: key), press: press,
            isSynthetic: event.isSynthetic)
    }

    /// Writes the records of events that are in the order of time. `definitions`: those of the trace so far.
    public mutating func record(
        _ events: [KeyEvent], into writer: inout TraceWriter, definitions: borrowing TraceDefinitions
    ) throws {
        for event in events { try writer.append(record(event), at: event.time, definitions: definitions) }
    }

    /// Flags held now, with numericPad for keys of the keypad: of a masked key its class alone decides, so that the
    /// flag tells no more than the class does.
    private func modifiers(with key: KeyIdentity) -> KeyModifiers {
        var flags = modifierKeys.modifiers
        if isCapsLockOn { flags.insert(.capsLock) }
        switch key {
        case .clear(let usage): if usage.isKeypad { flags.insert(.numericPad) }
        case .masked(let textClass): if textClass == .keypad { flags.insert(.numericPad) }
        }
        return flags
    }

    @inline(__always) private mutating func keyboard(_ device: UInt16) -> Int {
        if Int(device) < keyboardOfDevice.count {
            let known = keyboardOfDevice[Int(device)]
            if known >= 0 { return Int(known) }
        }
        return addKeyboard(device)
    }

    private mutating func addKeyboard(_ device: UInt16) -> Int {
        let place = modifierKeysOfKeyboard.count
        while keyboardOfDevice.count <= Int(device) { keyboardOfDevice.append(-1) }
        keyboardOfDevice[Int(device)] = Int32(place)
        modifierKeysOfKeyboard.append([])
        pressOfKey.append(contentsOf: repeatElement(0, count: 256))
        return place
    }

    private mutating func follow(_ usage: KeyUsage, _ phase: KeyPhase, _ place: Int) {
        guard let key = usage.modifierKey, phase != .repeat else { return }
        let isDown = phase == .down
        guard modifierKeysOfKeyboard[place].contains(key) != isDown else { return }
        let index = Int(usage.usage & 7)
        if isDown {
            modifierKeysOfKeyboard[place].insert(key)
            holders[index] += 1
            modifierKeys.insert(key)
        } else {
            modifierKeysOfKeyboard[place].remove(key)
            holders[index] -= 1
            if holders[index] == 0 { modifierKeys.remove(key) }
        }
    }

    @inline(__always)
    private mutating func number(_ usage: KeyUsage, _ event: KeyEvent, _ place: Int) -> UInt32? {
        guard usage.isKeyboardPage, usage.usage < 256 else { return numberOther(event) }
        let index = place * 256 + Int(usage.usage)
        if event.phase == .down {
            pressOfKey[index] = next()
            return presses
        }
        let press = pressOfKey[index]
        if event.phase != .repeat { pressOfKey[index] = 0 }
        return press == 0 ? nil : press
    }

    private mutating func numberOther(_ event: KeyEvent) -> UInt32? {
        let key = OtherKey(device: event.device, key: event.key)
        switch event.phase {
        case .down:
            otherPresses[key] = next()
            return presses
        case .repeat: return otherPresses[key]
        case .up, .cancel: return otherPresses.removeValue(forKey: key)
        }
    }

    private mutating func next() -> UInt32 {
        if presses < .max { presses += 1 }
        return presses
    }
}
