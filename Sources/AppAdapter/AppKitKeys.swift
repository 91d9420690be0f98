import KeyModel

/// The modifier keys that are held, compared with the flags of every event: a modal loop swallows releases.
struct HeldModifiers {
    var roles: ModifierRoles
    private var held: UInt8 = 0
    private var isCapsLockDown = false

    init(_ roles: ModifierRoles) { self.roles = roles }

    /// Records of one of a modifier's own events.
    struct Change {
        /// Its release was not observed: it comes first.
        var isReleasedBefore = false
        var phase: KeyPhase
    }

    /// `nil` for a release whose press was never seen.
    mutating func change(_ usage: KeyUsage, flags: UInt) -> Change? {
        if usage == .keyboard(0x39) {
            isCapsLockDown.toggle()
            return Change(phase: isCapsLockDown ? .down : .up)
        }
        let bit = UInt8(1) << UInt8(usage.usage & 7)
        let wasHeld = held & bit != 0
        if flags & mask(usage) == 0 {
            held &= ~bit
            return wasHeld ? Change(phase: .up) : nil
        }
        guard wasHeld else {
            held |= bit
            return Change(phase: .down)
        }
        // Another key gives the same flag: this one comes up. Else it went down again.
        let others = (UInt16(0)..<8).contains { place in
            let other = KeyUsage.keyboard(0xE0 + place)
            return other != usage && held >> UInt8(place) & 1 != 0 && mask(other) == mask(usage)
        }
        if others { held &= ~bit }
        return others ? Change(phase: .up) : Change(isReleasedBefore: true, phase: .down)
    }

    /// The keys that are up by the flags, which are no longer held.
    mutating func lost(_ flags: UInt, except own: KeyUsage?) -> [KeyUsage] {
        var lost: [KeyUsage] = []
        guard held != 0 else { return lost }
        for place in UInt16(0)..<8 where held >> UInt8(place) & 1 != 0 {
            let usage = KeyUsage.keyboard(0xE0 + place)
            guard usage != own, flags & mask(usage) == 0 else { continue }
            held &= ~(1 << UInt8(place))
            lost.append(usage)
        }
        return lost
    }

    var all: [KeyUsage] {
        let keys = (UInt16(0)..<8).filter { held >> UInt8($0) & 1 != 0 }.map { KeyUsage.keyboard(0xE0 + $0) }
        return isCapsLockDown ? keys + [.keyboard(0x39)] : keys
    }

    /// The flag of an event that the key gives; GNUstep's Help where it has no role.
    private func mask(_ usage: KeyUsage) -> UInt {
        let role = roles[usage]
        return role.isEmpty ? 1 << 22 : UInt(role.rawValue)
    }
}

/// The other keys that are held. X's repeats are not marked, and a release may never come: a window loses the keyboard,
/// or GNUstep takes a release and the press after it, of one key and within a millisecond, for a repeat. So a down of a
/// held key that is not marked is a repeat only of the key that went down last, with the same window and no modal loop
/// since, and not sooner than X begins to repeat.
struct HeldKeys {
    private struct Press {
        var usage: KeyUsage
        var place: UInt64
        /// Time of its first down, in seconds of the system's clock.
        var time: Double
        var isRepeating: Bool
    }

    private var held: Set<KeyUsage> = []
    private var last: Press?
    private var lastUp: (usage: KeyUsage, time: Double)?
    /// The shortest delay, in seconds, that a desktop's settings offer.
    private static let shortestDelay = 0.1

    enum Down { case first, again, lostRelease }

    /// `place`: changes with every key window and modal loop.
    mutating func down(_ usage: KeyUsage, place: UInt64, time: Double, isMarked: @autoclosure () -> Bool) -> Down {
        let mayRepeat =
            last.map {
                $0.usage == usage && $0.place == place
                    && ($0.isRepeating || time - $0.time >= HeldKeys.shortestDelay)
            } ?? false
        guard !held.insert(usage).inserted else {
            // One that GNUstep gave as a release and a press: X repeats already.
            let isRepeat = mayRepeat && lastUp.map { $0.usage == usage && $0.time == time } ?? false
            last = Press(usage: usage, place: place, time: time, isRepeating: isRepeat)
            return .first
        }
        if isMarked() { return .again }
        if mayRepeat {
            last?.isRepeating = true
            return .again
        }
        last = Press(usage: usage, place: place, time: time, isRepeating: false)
        return .lostRelease
    }

    /// False for a release whose press was never seen.
    mutating func up(_ usage: KeyUsage, time: Double) -> Bool {
        lastUp = (usage, time)
        return held.remove(usage) != nil
    }

    var all: Set<KeyUsage> { held }
}
