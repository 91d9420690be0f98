import KeyModel

/// The presses that are held on one keyboard, each stored with the code of its key, for access without a search; and
/// the keyboard's modifiers.
///
/// The low bits of a press are sufficient: presses that are too far back are refused at first, and a run ends before
/// others could get there.
struct HeldPresses {
    let codes: UnsafeMutablePointer<PlainKeyCode>
    /// Presses so far.
    var count: UInt32
    /// Without `numericPad`, which belongs to the key.
    var modifiers: UInt32
    private let device: UInt16
    /// Presses before.
    private let before: UInt32
    private let modifierKeysBefore: Int

    /// The most keys held before a run: with those of a run they fit into a key state.
    private static let most = TraceLimits.heldKeys - KeyRunBuffer.capacity
    /// A press that is farther back than this cannot be identified by its low bits.
    private static let farthest: UInt32 = 0x8000

    /// `nil` when the held keys cannot be represented this way.
    init?(_ keys: KeyState, _ codes: UnsafeMutablePointer<PlainKeyCode>) {
        self.codes = codes
        (device, before) = (keys.device, keys.keyboard.pressCount)
        (count, modifiers) = (before, keys.modifiers.rawValue)
        let (own, held) = (keys.keyboard.modifiers.keyboards.first, keys.keyboard.held)
        modifierKeysBefore = own.map { $0.keys.rawValue.nonzeroBitCount } ?? 0
        guard held.count <= HeldPresses.most, before < .max &- 0x200, keys.keyboard.modifiers.keyboards.count <= 1,
            own == nil || own?.device == device && modifierKeysBefore > 0, !keys.modifiers.contains(.numericPad)
        else { return nil }
        if own == nil && held.isEmpty { return }
        guard hold(own?.keys ?? [], held) else {
            for number in 0..<512 { codes[number].removeAll() }
            return nil
        }
    }

    private func hold(_ own: ModifierKeys, _ held: [KeyboardState.HeldKey]) -> Bool {
        var flags: UInt32 = 0
        for number in PlainKeyCode.modifiers where own.contains(codes[number].modifier) {
            // Each must have a flag of its own, which it takes along when it goes up.
            guard modifiers & codes[number].toggles != 0, flags & codes[number].toggles == 0 else { return false }
            flags |= codes[number].toggles
            guard codes[number].push(0) else { return false }
        }
        var latest: UInt32 = 0
        for key in held {
            // Their order must be that of their numbers, by which it is found again.
            guard key.device == device, let press = key.press, press > latest,
                before &- press < HeldPresses.farthest, let number = PlainKeyCode.number(of: key.key),
                codes[number].push(press)
            else { return false }
            latest = press
        }
        return true
    }

    /// Writes the held keys to `keys`, and removes all presses from the codes. `places`: what was followed, so many of
    /// each phase.
    func give(_ keys: inout KeyState, _ places: UnsafeBufferPointer<PlainPlace>, _ counts: PhaseCounts) {
        var modifierKeys: ModifierKeys = []
        for number in PlainKeyCode.modifiers where codes[number].bits > 0 {
            modifierKeys.formUnion(codes[number].modifier)
            codes[number].removeAll()
        }
        // Of all that went down and up, the keys that are no modifiers.
        let downs = UInt64(count &- before)
        let modifierUps = counts.downs &- downs &+ UInt64(modifierKeysBefore)
            &- UInt64(modifierKeys.rawValue.nonzeroBitCount)
        let former = keys.keyboard.held
        let held = former.count &+ Int(truncatingIfNeeded: downs &- (counts.ups &- modifierUps))
        keys.modifiers = KeyModifiers(rawValue: modifiers)
        keys.keyboard = KeyboardState(pressCount: count, limit: TraceLimits.heldKeys)
        if !modifierKeys.isEmpty { keys.keyboard.modifiers.restore(.init(device: device, keys: modifierKeys)) }
        // A held key was held before, or is among those that went down last.
        var taken: [(key: KeyIdentity, press: UInt32)] = []
        for key in former { if let number = PlainKeyCode.number(of: key.key) { take(number, &taken) } }
        for place in places.reversed() {
            if taken.count >= held { break }
            take(Int(place.code), &taken)
        }
        if held > 1 { taken.sort { $0.press < $1.press } }
        for key in taken { keys.keyboard.restore(key.key, device: device, press: key.press) }
    }

    private func take(_ number: Int, _ taken: inout [(key: KeyIdentity, press: UInt32)]) {
        let code = codes[number]
        var at: UInt64 = 0
        while at < code.bits {
            at &+= 16
            taken.append((code.key, press(code.held &>> at)))
        }
        codes[number].removeAll()
    }

    /// The press with these low bits.
    private func press(_ low: UInt64) -> UInt32 {
        count &- (count &- UInt32(truncatingIfNeeded: low)) & 0xFFFF
    }

    /// The press to which a key's repeat belongs, that of its youngest down; 0 for none. `nil` where it cannot be
    /// determined.
    func repeated(_ number: Int) -> UInt32? {
        let code = codes[number]
        if code.most == 0 { return nil }
        return code.bits == 0 || !code.isPressed ? 0 : press(code.held &>> code.bits)
    }

    /// Releases a press given by number. Others with the same code may be older. False, and nothing changes, when it is
    /// not held.
    @inline(__always) func release(_ number: Int, _ press: UInt32) -> Bool {
        codes[number].toggles == 0 && count &- press < HeldPresses.farthest && codes[number].remove(press)
    }
}

/// The key of a packed key's code, and its held presses.
struct PlainKeyCode {
    /// The low sixteen bits of each press, from that of the oldest down on; below them sixteen for each press.
    fileprivate(set) var held: UInt64 = 0
    /// The flag that a modifier key sets.
    let toggles: UInt32
    /// Presses that a down is: 0 for modifier keys.
    let step: UInt32
    /// `numericPad` for keys of the keypad.
    let flags: UInt32
    let key: KeyIdentity
    /// `bits` of as many presses as there is room for; 0 for codes that are not decoded here.
    let most: UInt8

    /// The codes of modifier keys.
    static let modifiers = 0xE0...0xE7
    private static let three: UInt8 = 48

    init(code: UInt8, isMasked: Bool) {
        let (usage, known) = (KeyUsage.keyboard(UInt16(code)), TextKeyClass(rawValue: code))
        if isMasked {
            key = .masked(known ?? .letter)
            flags = known == .keypad ? KeyModifiers.numericPad.rawValue : 0
            (toggles, step, most) = (0, 1, known == nil ? 0 : PlainKeyCode.three)
        } else {
            key = .clear(usage)
            flags = usage.isKeypad ? KeyModifiers.numericPad.rawValue : 0
            toggles = usage.modifierKey?.modifiers.rawValue ?? 0
            step = usage.isModifier ? 0 : 1
            // Caps Lock is one more key that is held, and changes a flag.
            let isOther = PlainKeyCode.number(of: key) == nil && !usage.isModifier
            most = isOther ? 0 : usage.isModifier ? 16 : PlainKeyCode.three
        }
    }

    /// True where downs are presses.
    var isPressed: Bool { step != 0 }

    fileprivate var bits: UInt64 { held & 0xFFFF }

    /// Follows a key that goes down or up and returns its press, which has no meaning for a modifier key; `nil`, and
    /// nothing changes, where it cannot be determined here. An up takes the oldest press out, and a down puts one in.
    /// `count`: presses so far.
    @inline(__always)
    mutating func follow(_ count: inout UInt32, _ modifiers: inout UInt32, isUp: UInt64) -> UInt32? {
        let (held, bits) = (held, bits)
        // All bits of one of the two.
        let (up, down) = (0 &- isUp, isUp &- 1)
        // A flag that another key has set already stays when this one goes up.
        guard bits != down & UInt64(most), modifiers & toggles & UInt32(truncatingIfNeeded: down) == 0
        else { return nil }
        modifiers ^= toggles
        count &+= UInt32(truncatingIfNeeded: down) & step
        let added: UInt64 = (UInt64(count & 0xFFFF) & down) &<< (bits &+ 16)
        self.held = ((held &>> (isUp &* 16)) & ~0xFFFF) | added | (bits &+ 16 &- isUp &* 32)
        let back = count &- UInt32(truncatingIfNeeded: held >> 16)
        return count &- (back & UInt32(truncatingIfNeeded: up & 0xFFFF))
    }

    /// Of the code of one.
    fileprivate var modifier: ModifierKeys { key.usage?.modifierKey ?? [] }

    /// False when there is no room.
    fileprivate mutating func push(_ press: UInt32) -> Bool {
        guard bits < UInt64(most) else { return false }
        held = (held | UInt64(press & 0xFFFF) &<< (bits &+ 16)) &+ 16
        return true
    }

    /// False when it is not there.
    @inline(__always) fileprivate mutating func remove(_ press: UInt32) -> Bool {
        // The lowest bit of these is that of the lowest press without a difference, for every number has 16 bits.
        let ones: UInt64 = 0x0001_0001_0001_0000
        let others = held ^ UInt64(press & 0xFFFF) &* ones
        let same = (others &- ones) & ~others & (ones << 15)
        let at = UInt64(truncatingIfNeeded: same.trailingZeroBitCount) & 0x30
        guard same != 0, at <= bits else { return false }
        let older: UInt64 = 1 &<< at &- 1
        held = (held & older | held >> 16 & ~older) &- 16
        return true
    }

    fileprivate mutating func removeAll() { held = 0 }

    /// The index of a key's code; `nil` for modifier keys, and for keys that are not held as others.
    static func number(of key: KeyIdentity) -> Int? {
        switch key {
        case .masked(let known): 256 + Int(known.rawValue)
        case .clear(let usage):
            usage.isKeyboardPage && usage.usage < UInt16(modifiers.lowerBound) && usage != .capsLock
                ? Int(usage.usage) : nil
        }
    }
}
