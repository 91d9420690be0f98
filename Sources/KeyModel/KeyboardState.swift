/// The keys that are held on all keyboards, the presses that they belong to and the modifiers that they give, followed
/// event by event. All events must come, in order.
///
/// 1. The down of a key that is no modifier begins a press. Presses are numbered over all keyboards, from 1 on; where a
///    recording has numbered them, by its number, and the next one by the number after the highest so far. Modifier
///    keys (E0–E7) are held without a number.
/// 2. A repeat belongs to the youngest held key of its keyboard and identity, an up or cancel to the oldest; where the
///    number of the press is recorded, to that one. Masked keys of one class share an identity.
/// 3. A second down of a held key begins a press of its own. The first one stays held unless `endEarlier` is called.
/// 4. A repeat or release of a key that is not held changes nothing but the modifiers.
/// 5. Repeats of a press are numbered from 1 on, whatever comes in between (spec EV-13).
/// 6. A flag stays until the last key that sets it is up; Caps Lock toggles at its down (`ModifierState`, spec EV-17).
/// 7. A key that types text is recorded in clear only where ⌘ or ⌃ was held at its down, on any keyboard, and had been
///    seen to go down: a synthetic down is no evidence. That holds for the repeats, the up and the cancel of the press,
///    so that a later ⌘ does not reveal a letter. A key whose down is not known reveals nothing. Secure entry drops
///    events altogether and is not this type's business.
/// 8. At most `limit` keys are followed. The oldest is forgotten first, modifier keys last.
public struct KeyboardState: Hashable, Sendable {
    /// A key that is down.
    public struct HeldKey: Hashable, Sendable {
        /// Keyboard and identity as one number: every event looks for one.
        @usableFromInline let code: UInt64
        /// `nil` for modifier keys.
        public let press: UInt32?
        /// ⌘ or ⌃ was held at its down.
        public let isClear: Bool
        /// The number of its latest repeat, 0 before the first.
        public var repeats: UInt32 = 0
        /// The thread or trace that its events come from, for those that follow several: what one holds, another one's
        /// events do not release.
        public let source: UInt32

        @inlinable init(code: UInt64, press: UInt32?, isClear: Bool, source: UInt32) {
            self.code = code
            self.press = press
            self.isClear = isClear
            self.source = source
        }

        @inlinable static func code(_ key: KeyIdentity, _ device: UInt16) -> UInt64 {
            switch key {
            case .clear(let usage): UInt64(device) << 33 | UInt64(usage.rawValue)
            case .masked(let textClass): UInt64(device) << 33 | 1 << 32 | UInt64(textClass.rawValue)
            }
        }

        public var device: UInt16 { UInt16(truncatingIfNeeded: code >> 33) }
        public var key: KeyIdentity {
            if code >> 32 & 1 == 0 { return .clear(KeyUsage(rawValue: UInt32(truncatingIfNeeded: code))) }
            return .masked(TextKeyClass(rawValue: UInt8(truncatingIfNeeded: code)) ?? .letter)
        }
    }
    /// The most keys that are followed at once, unless a user sets another number.
    public static let usualLimit = 256

    public var modifiers: ModifierState
    /// The highest number of a press so far.
    public var pressCount: UInt32
    @usableFromInline var keys: [HeldKey] = []
    @usableFromInline let limit: Int

    /// `pressCount`: the presses before, in a recording that continues another.
    public init(pressCount: UInt32 = 0, isCapsLockOn: Bool = false, limit: Int = KeyboardState.usualLimit) {
        self.pressCount = pressCount
        self.limit = max(1, limit)
        modifiers = ModifierState(isCapsLockOn: isCapsLockOn)
    }

    /// The number of the next press that has none of its own. Past the last number there is, it stays that.
    @inlinable public var nextPress: UInt32 { pressCount < .max ? pressCount + 1 : .max }

    // MARK: Events

    /// Follows an event.
    /// `press`: its number, where that is recorded. `isSynthetic`: no source sent it. `isNumbered`: false for a down
    /// that begins no press, such as that of Caps Lock in an AppKit app.
    /// - Returns: the key that it belongs to, which an up or cancel has released; `nil` for those of keys that are not
    ///   held.
    @inlinable @discardableResult
    public mutating func apply(
        _ key: KeyIdentity, _ phase: KeyPhase, device: UInt16, press: UInt32? = nil, source: UInt32 = 0,
        isSynthetic: Bool = false, isNumbered: Bool = true
    ) -> HeldKey? {
        var isModifier = !isNumbered
        if case .clear(let usage) = key {
            isModifier = isModifier || usage.isModifier
            modifiers.apply(usage, phase, device: device, isSynthetic: isSynthetic)
        }
        switch phase {
        case .down: return hold(key, device: device, press: isModifier ? nil : press ?? nextPress, source: source)
        case .repeat:
            let place = place(HeldKey.code(key, device), press, source, in: keys.indices.reversed())
            guard let place else { return nil }
            keys[place].repeats &+= 1
            return keys[place]
        case .up, .cancel:
            return place(HeldKey.code(key, device), press, source, in: keys.indices).map { remove(at: $0) }
        }
    }

    /// Follows an event.
    @inlinable @discardableResult
    public mutating func apply(_ event: KeyEvent, press: UInt32? = nil) -> HeldKey? {
        apply(event.key, event.phase, device: event.device, press: press, isSynthetic: event.isSynthetic)
    }

    /// Ends the press of a key that goes down once more: its release was missed. That cannot be known of a masked key,
    /// which may be another one of its class.
    @inlinable @discardableResult
    public mutating func endEarlier(_ key: KeyIdentity, device: UInt16, source: UInt32 = 0) -> HeldKey? {
        guard case .clear = key else { return nil }
        return place(HeldKey.code(key, device), nil, source, in: keys.indices).map { remove(at: $0) }
    }

    /// Releases the key that has been held longest of those with this identity, on whichever keyboard: the system
    /// cancelled it.
    public mutating func cancel(_ key: KeyIdentity) -> HeldKey? {
        guard let place = keys.firstIndex(where: { $0.key == key }) else { return nil }
        let cancelled = remove(at: place)
        if let usage = key.usage { modifiers.apply(usage, .cancel, device: cancelled.device) }
        return cancelled
    }

    /// Counts presses from 1 on again. What is down stays down and gives its flags, without the numbers of its presses.
    package mutating func countAnew() {
        pressCount = 0
        keys = keys.map { HeldKey(code: $0.code, press: nil, isClear: $0.isClear, source: $0.source) }
    }

    /// No flag is held from now on, and Caps Lock is off, as after a deactivation (spec EV-17). Keys stay held until
    /// they are released or cancelled.
    public mutating func forgetModifiers() {
        let roles = modifiers.roles
        modifiers = ModifierState()
        modifiers.roles = roles
    }

    // MARK: Held keys

    /// In the order of their downs.
    @inlinable public var held: [HeldKey] { keys }

    /// The key that has been held longest of those with this keyboard and identity.
    @inlinable public func oldest(_ key: KeyIdentity, device: UInt16) -> HeldKey? {
        place(HeldKey.code(key, device), nil, 0, in: keys.indices).map { keys[$0] }
    }

    /// The key that went down last of those with this keyboard and identity.
    @inlinable public func youngest(_ key: KeyIdentity, device: UInt16) -> HeldKey? {
        place(HeldKey.code(key, device), nil, 0, in: keys.indices.reversed()).map { keys[$0] }
    }

    /// The key whose press has this number.
    public func key(ofPress press: UInt32) -> HeldKey? { keys.first { $0.press == press } }

    /// Adds a key that goes down, under this number or none, and changes no modifiers.
    @inlinable @discardableResult
    public mutating func hold(_ key: KeyIdentity, device: UInt16, press: UInt32?, source: UInt32 = 0) -> HeldKey {
        if let press { pressCount = max(pressCount, press) }
        if keys.count >= limit { keys.remove(at: keys.firstIndex { $0.press != nil } ?? 0) }
        let isClear = !modifiers.seenFlags.isDisjoint(with: [.command, .control])
        let new = HeldKey(code: HeldKey.code(key, device), press: press, isClear: isClear, source: source)
        keys.append(new)
        return new
    }

    /// Removes the key with this press, if it is held, and no other.
    @inlinable public mutating func release(_ key: KeyIdentity, device: UInt16, press: UInt32) {
        let code = HeldKey.code(key, device)
        if let place = keys.firstIndex(where: { $0.code == code && $0.press == press }) { remove(at: place) }
    }

    /// The first of these places with this press, else the first with this code.
    @inlinable func place(_ code: UInt64, _ press: UInt32?, _ source: UInt32, in places: some Sequence<Int>) -> Int? {
        var first: Int?
        for place in places where keys[place].code == code && keys[place].source == source {
            if press == nil || keys[place].press == press { return place }
            if first == nil { first = place }
        }
        return first
    }

    @inlinable @discardableResult mutating func remove(at place: Int) -> HeldKey {
        let removed = keys[place]
        for later in place + 1..<keys.count { keys[later - 1] = keys[later] }
        // The array keeps its memory, in which no released key is to be found.
        keys[keys.count - 1] = HeldKey(code: 0, press: nil, isClear: false, source: 0)
        keys.removeLast()
        return removed
    }

    /// Adds what a context snapshot stores of a held key, as it is, while there is room.
    public mutating func restore(_ key: KeyIdentity, device: UInt16, press: UInt32) {
        guard keys.count < limit else { return }
        keys.append(HeldKey(code: HeldKey.code(key, device), press: press, isClear: false, source: 0))
    }
}
