import KeyModel
import Libc

/// The modifier keys that are held, compared with the flags of every event: a modal loop swallows releases.
struct HeldModifiers {
    var roles: ModifierRoles
    private var held: ModifierKeys = []
    private var locks: [KeyUsage] = []

    init(_ roles: ModifierRoles) { self.roles = roles }

    /// Records of one of a modifier's own events.
    struct Change {
        /// Its release was not observed: it comes first.
        var isReleasedBefore = false
        var phase: KeyPhase
    }

    /// `nil` for a release whose press was never seen.
    mutating func change(_ usage: KeyUsage, flags: UInt) -> Change? {
        // The press and the release of a lock are the same event.
        guard usage.isModifier else {
            let place = locks.firstIndex(of: usage)
            if let place { locks.remove(at: place) } else { locks.append(usage) }
            return Change(phase: place == nil ? .down : .up)
        }
        let key = HeldModifiers.key(usage)
        if flags & mask(usage) == 0 { return held.remove(key).map { _ in Change(phase: .up) } }
        guard !held.insert(key).inserted else { return Change(phase: .down) }
        // Another key gives the same flag: this one comes up. Else it went down again.
        let others = held.usages.contains { $0 != usage && mask($0) == mask(usage) }
        if others { held.remove(key) }
        return others ? Change(phase: .up) : Change(isReleasedBefore: true, phase: .down)
    }

    private static func key(_ usage: KeyUsage) -> ModifierKeys { ModifierKeys(rawValue: 1 << UInt8(usage.usage & 7)) }

    /// The keys that are up by the flags, which are no longer held.
    mutating func lost(_ flags: UInt, except own: KeyUsage?) -> [KeyUsage] {
        guard !held.isEmpty else { return [] }
        let lost = held.usages.filter { $0 != own && flags & mask($0) == 0 }
        for usage in lost { held.remove(HeldModifiers.key(usage)) }
        return lost
    }

    var all: [KeyUsage] { held.usages + locks }

    /// The flag of an event that the key gives; GNUstep's Help where it has no role.
    private func mask(_ usage: KeyUsage) -> UInt {
        let role = roles[usage]
        return role.isEmpty ? 1 << 22 : UInt(role.rawValue)
    }
}

/// The other keys that are held. X's repeats are not marked, and a release may never come: a window loses the keyboard,
/// or GNUstep takes a release and the press after it, of one key and within a millisecond, for a repeat. So a down of a
/// held key that is not marked is a repeat only of the key that went down last, not sooner than X begins to repeat, and
/// with the same window and no modal loop since, or as soon after the last one as X repeats.
struct AppKitHeldKeys {
    private struct Press {
        var usage: KeyUsage
        var place: UInt64
        /// Time of its first down, in seconds of the system's clock.
        var time: Double
        /// Time of its last down.
        var lastTime: Double
        var isRepeating: Bool
    }

    let held = WipedArray<KeyUsage>()
    private var last: Press?
    private var lastUp: (usage: KeyUsage, time: Double)?
    /// The shortest delay, in seconds, that a desktop's settings offer.
    private static let shortestDelay = 0.1

    enum Down { case first, again, lostRelease }

    /// `place`: changes with every key window and modal loop.
    mutating func down(_ usage: KeyUsage, place: UInt64, time: Double, isMarked: @autoclosure () -> Bool) -> Down {
        let shortest = AppKitHeldKeys.shortestDelay
        let before = last.flatMap { $0.usage == usage ? $0 : nil }
        let isLong = before.map { $0.isRepeating || time - $0.time >= shortest } ?? false
        let isElsewhere = before.map { $0.place != place } ?? true
        let mayRepeat = isLong && (!isElsewhere || time - (before?.lastTime ?? 0) < shortest)
        guard held.contains(usage) else {
            held.append(usage)
            // One that GNUstep gave as a release and a press: X repeats already.
            let isRepeat = mayRepeat && lastUp.map { $0.usage == usage && $0.time == time } ?? false
            last = Press(usage: usage, place: place, time: time, lastTime: time, isRepeating: isRepeat)
            return .first
        }
        if isMarked() { return .again }
        if mayRepeat {
            last = Press(usage: usage, place: place, time: before?.time ?? time, lastTime: time, isRepeating: true)
            return .again
        }
        // X goes on to repeat the key in the next window.
        let goesOn = isLong && isElsewhere
        last = Press(usage: usage, place: place, time: time, lastTime: time, isRepeating: goesOn)
        return .lostRelease
    }

    /// False for a release whose press was never seen.
    mutating func up(_ usage: KeyUsage, time: Double) -> Bool {
        lastUp = (usage, time)
        guard let place = held.firstIndex(of: usage) else { return false }
        held.remove(at: place)
        return true
    }
}
