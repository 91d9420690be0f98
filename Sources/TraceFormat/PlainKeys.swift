import KeyModel

// Packed keys as most of them are, decoded without a branch that depends on which key it is, whether it goes down or up
// and what else is held: what people type is as good as random, and a processor that guesses wrong at each second key
// spends more time on that than on all the rest.

/// Keys that follow each other on one keyboard, and what is expected of the next one.
struct KeyRun {
    var cursor: ByteCursor
    var time: Int64
    var at: PressTick
    private(set) var phase = KeyPhase.down
    private(set) var counts = PhaseCounts()

    init(cursor: ByteCursor, time: Int64, at: PressTick) {
        self.cursor = cursor
        self.time = time
        self.at = at
    }

    /// Bytes that a key of a run is looked for in.
    static let reach = 24

    /// Decodes keys as far as they are plain, at most `limit` of them. The result is how many.
    mutating func read(_ room: PlainKeyRoom, _ keys: inout KeyState, sequence: UInt64, limit: Int) -> Int {
        // No sum of so many times goes beyond the last time.
        guard limit <= PlainKeyRoom.keys, time < 1 << 59, var held = HeldLanes(keys), let first = cursor.place(of: 0)
        else { return 0 }
        // On their own, and not together in a structure, they are kept in registers.
        let (codes, device, end) = (room.codes, keys.device, room.placed + limit)
        let last = first + cursor.remaining - KeyRun.reach
        var (now, counts, number) = (time, PhaseCounts(), sequence)
        var (start, place) = (first, room.placed)
        while place < end, start <= last, let plain = PlainKey(start, codes) {
            guard let press = held.follow(plain) else { break }
            if plain.isRepeat { follow(press, room.placed, place) }
            start += plain.length
            now &+= plain.delta
            counts.note(tag: plain.tag)
            let record = KeyRecord(
                device: device, key: plain.code.pointee.key, phase: plain.phase,
                modifiers: KeyModifiers(rawValue: held.modifiers | plain.code.pointee.flags), press: press)
            place.initialize(to: PlacedKey(key: record, time: TraceTime(rawValue: now), sequence: number))
            place += 1
            number &+= 1
        }
        let count = place - room.placed
        guard count > 0 else { return 0 }
        let latest = place[-1].key
        if latest.phase != .repeat { at = PressTick(press: latest.press ?? 0, tick: 0) }
        (time, phase, self.counts) = (now, latest.phase, counts)
        cursor.pass(start - first)
        held.give(&keys)
        return count
    }

    /// Follows a repeat, whose tick is counted from the key before it on.
    @inline(never) private mutating func follow(
        _ press: UInt32?, _ first: UnsafeMutablePointer<PlacedKey>, _ place: UnsafeMutablePointer<PlacedKey>
    ) {
        if place > first, place[-1].key.phase != .repeat {
            at = PressTick(press: place[-1].key.press ?? 0, tick: 0)
        }
        at = at.following(.repeat, press)
    }
}

/// A packed key of which nothing differs from what is expected but the press.
private struct PlainKey {
    let tag: UInt8
    let code: UnsafePointer<PlainKeyCode>
    let delta: Int64
    /// One more than the press that is told; 0 where none is.
    private(set) var told: UInt32 = 0
    /// In bytes.
    private(set) var length: Int

    @inline(__always) var phase: KeyPhase { KeyPhase(rawValue: tag >> 3 & 3) ?? .down }

    /// Asked of the tag: comparing phases makes branches of its own.
    @inline(__always) var isRepeat: Bool { tag & 0x18 == 0x10 }

    /// `nil` where none stands. `KeyRun.reach` bytes must be there.
    @inline(__always) init?(_ start: UnsafeRawPointer, _ codes: UnsafeMutablePointer<PlainKeyCode>) {
        tag = start.load(as: UInt8.self)
        let bytes = Int(tag & 7)
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        delta = Int64(bitPattern: word & (1 &<< (UInt64(bytes) &* 8) &- 1))
        let number = start.load(fromByteOffset: 1 &+ bytes, as: UInt8.self)
        code = UnsafePointer(codes + (Int(tag & PackedKey.isMasked) &<< 3 | Int(number)))
        length = bytes &+ 2
        // The shortest form has no zero on top; where a time takes no bytes, this is the tag.
        guard tag & 0x80 != 0, start.load(fromByteOffset: bytes, as: UInt8.self) != 0 else { return nil }
        if tag & PackedKey.hasExtra != 0 {
            guard start.load(fromByteOffset: length, as: UInt8.self) == PackedKey.otherPress else { return nil }
            (told, length) = PlainKey.press(start.loadUnaligned(fromByteOffset: length &+ 1, as: UInt32.self), length)
            guard told != 0 else { return nil }
        }
    }

    /// The number in these bytes and where it ends, when an extra byte stands between it and `place`; 0 where none
    /// stands in its shortest form.
    @inline(never) private static func press(_ bytes: UInt32, _ place: Int) -> (UInt32, Int) {
        let word = UInt32(littleEndian: bytes)
        let bits = UInt32(truncatingIfNeeded: (~word & 0x8080_8080).trailingZeroBitCount &+ 1)
        let kept = word & (~0 &>> (32 &- bits))
        guard bits <= 32, bits == 8 || kept &>> (bits &- 8) != 0 else { return (0, place) }
        let number = kept & 0x7F | kept >> 1 & 0x3F80 | kept >> 2 & 0x1F_C000 | kept >> 3 & 0xFE0_0000
        return (number, place &+ 1 &+ Int(bits >> 3))
    }
}

/// The keys that are held on one keyboard, eight bits for each in both numbers, in the order of their downs from the
/// lowest on; and its modifiers.
///
/// Of a press its low bits are enough: presses that are too far back are refused at first, and a run ends before others
/// could get there.
private struct HeldLanes {
    /// As `PlainKeyCode.lane` has them; 0 where none is held.
    private var lanes: UInt64 = 0
    private var presses: UInt64 = 0
    /// Eight for each key.
    private var bits: UInt64 = 0
    /// Presses so far.
    private var count: UInt32
    private(set) var modifiers: UInt32
    private var modifierKeys: ModifierKeys = []
    private let device: UInt16

    /// One lane stays free for the next key.
    private static let most = 6
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// `nil` when what is held does not fit.
    init?(_ keys: KeyState) {
        (device, count, modifiers) = (keys.device, keys.pressCount, keys.modifiers.rawValue)
        guard keys.held.count <= HeldLanes.most, keys.heldModifiers.count <= 1, count < .max &- 0x200,
            !keys.modifiers.contains(.numericPad)
        else { return nil }
        for held in keys.heldModifiers {
            guard held.device == device, !held.keys.isEmpty else { return nil }
            modifierKeys = held.keys
        }
        for key in keys.held {
            guard key.device == device, count &- key.press < 0x80, let lane = PlainKeyCode.lane(key.key) else {
                return nil
            }
            lanes |= UInt64(lane) &<< bits
            presses |= UInt64(key.press & 0xFF) &<< bits
            bits &+= 8
        }
    }

    func give(_ keys: inout KeyState) {
        (keys.pressCount, keys.modifiers) = (count, KeyModifiers(rawValue: modifiers))
        keys.heldModifiers.removeAll(keepingCapacity: true)
        if !modifierKeys.isEmpty { keys.heldModifiers.append(.init(device: device, keys: modifierKeys)) }
        keys.held.removeAll(keepingCapacity: true)
        var at: UInt64 = 0
        while at < bits {
            let key = PlainKeyCode.key(UInt8(truncatingIfNeeded: lanes &>> at))
            keys.held.append(KeyState.Held(device: device, key: key, press: press(at: at)))
            at &+= 8
        }
    }

    @inline(__always) private func press(at place: UInt64) -> UInt32 {
        count &- (count &- UInt32(truncatingIfNeeded: presses &>> place)) & 0xFF
    }

    /// Follows a key and tells its press; `nil`, and nothing changes, where it cannot be told here.
    @inline(__always) mutating func follow(_ key: PlainKey) -> UInt32?? {
        let code = key.code
        if code.pointee.nature != PlainKeyCode.plain {
            guard code.pointee.nature == PlainKeyCode.modifier, key.told == 0 else { return .none }
            (modifierKeys, modifiers) = HeldLanes.following(modifierKeys, modifiers, code.pointee.modifier, key.phase)
            return .some(nil)
        }
        // No difference in the lanes of this key.
        var others = lanes ^ code.pointee.lanes
        if key.told != 0 {
            guard key.tag & 8 != 0, count &- (key.told &- 1) < 0x100 else { return .none }
            others |= presses ^ UInt64((key.told &- 1) & 0xFF) &* HeldLanes.ones
        }
        if key.isRepeat { return HeldLanes.youngest(others).map { press(at: $0) } }
        // The lowest bit of these is that of the lowest lane without a difference.
        let same = (others &- HeldLanes.ones) & ~others & (HeldLanes.ones << 7)
        // Ups and cancels take a lane out, and downs put one in: all bits of one of the two.
        let isUp = UInt64(key.tag >> 3 & 1)
        let (up, down) = (0 &- isUp, isUp &- 1)
        guard same | down != 0, bits <= UInt64(HeldLanes.most) &* 8 else { return .none }
        let place = UInt64(truncatingIfNeeded: same.trailingZeroBitCount) & 0x38
        let older = 1 &<< place &- 1 | down
        count &-= UInt32(truncatingIfNeeded: down)
        let back = (count &- UInt32(truncatingIfNeeded: presses &>> place)) & UInt32(truncatingIfNeeded: up & 0xFF)
        lanes = without(lanes, older) | (code.pointee.lanes & 0xFF & down) &<< bits
        presses = without(presses, older) | (UInt64(count & 0xFF) & down) &<< bits
        bits = bits &+ 8 &- isUp &* 16
        return count &- back
    }

    /// Takes out the lane above the older ones.
    @inline(__always) private func without(_ all: UInt64, _ older: UInt64) -> UInt64 {
        all >> 8 ^ (all >> 8 ^ all) & older
    }

    /// What `KeyState` does about keys E0–E7.
    @inline(never) private static func following(
        _ held: ModifierKeys, _ flags: UInt32, _ key: ModifierKeys, _ phase: KeyPhase
    ) -> (ModifierKeys, UInt32) {
        switch phase {
        case .down: return (held.union(key), flags | key.modifiers.rawValue)
        case .repeat: return (held, flags)
        case .up, .cancel:
            let rest = held.subtracting(key)
            return (rest, flags & ~(key.modifiers.rawValue & ~rest.modifiers.rawValue))
        }
    }

    /// The lane of the latest press, in whose name a key repeats.
    @inline(never) private static func youngest(_ others: UInt64) -> UInt64? {
        let low = HeldLanes.ones &* 0x7F
        let same = ~((others & low &+ low) | others | low)
        return same == 0 ? nil : UInt64(truncatingIfNeeded: 63 &- same.leadingZeroBitCount) & 0x38
    }
}

/// What the code of a packed key means.
struct PlainKeyCode {
    let key: KeyIdentity
    let nature: UInt8
    /// Eight times what it is followed as: another number for every key, and never 0.
    let lanes: UInt64
    /// `numericPad` for keys of the keypad.
    let flags: UInt32

    static let plain: UInt8 = 0
    static let modifier: UInt8 = 1
    /// Left where it stands.
    static let other: UInt8 = 2
    /// Classes of masked keys come from here on.
    private static let masked: UInt8 = 0xE8

    init(code: UInt8, isMasked: Bool) {
        let number = isMasked ? PlainKeyCode.masked &+ code : code
        lanes = UInt64(~number) &* 0x0101_0101_0101_0101
        key = PlainKeyCode.key(~number)
        let (usage, known) = (KeyUsage.keyboard(UInt16(code)), TextKeyClass(rawValue: code))
        if isMasked {
            nature = known == nil ? PlainKeyCode.other : PlainKeyCode.plain
            flags = known == .keypad ? KeyModifiers.numericPad.rawValue : 0
        } else {
            // Caps Lock is one more key that is held, and changes a flag.
            let isOther = code >= PlainKeyCode.masked || usage == .capsLock
            nature = usage.isModifier ? PlainKeyCode.modifier : isOther ? PlainKeyCode.other : PlainKeyCode.plain
            flags = usage.isKeypad ? KeyModifiers.numericPad.rawValue : 0
        }
    }

    /// Of a code whose nature is `modifier`.
    @inline(__always) var modifier: ModifierKeys { ModifierKeys(rawValue: 1 &<< UInt8(truncatingIfNeeded: ~lanes & 7)) }

    static func key(_ lane: UInt8) -> KeyIdentity {
        ~lane < masked ? .clear(.keyboard(UInt16(~lane))) : .masked(TextKeyClass(rawValue: ~lane &- masked) ?? .letter)
    }

    /// `nil` for keys that none stands for.
    static func lane(_ key: KeyIdentity) -> UInt8? {
        switch key {
        case .masked(let known): ~(masked &+ known.rawValue)
        case .clear(let usage):
            usage.isKeyboardPage && usage.usage < UInt16(masked) ? ~UInt8(truncatingIfNeeded: usage.usage) : nil
        }
    }
}

/// Where a run of keys is put together, used again for each.
struct PlainKeyRoom {
    /// As long as a run may be, see `HeldLanes`.
    static let keys = 0x70
    let placed = UnsafeMutablePointer<PlacedKey>.allocate(capacity: PlainKeyRoom.keys)
    /// By code, those of masked keys behind the others.
    let codes = UnsafeMutablePointer<PlainKeyCode>.allocate(capacity: 512)

    init() {
        for code in 0..<512 {
            (codes + code).initialize(
                to: PlainKeyCode(code: UInt8(truncatingIfNeeded: code), isMasked: code >= 256))
        }
    }

    func deallocate() {
        placed.deallocate()
        codes.deallocate()
    }
}

/// How many keys of each phase there were in a run, which is shorter than 256.
struct PhaseCounts {
    /// Eight bits for each phase, those of masked keys behind the others.
    private var lanes: UInt64 = 0

    @inline(__always) mutating func note(tag: UInt8) { lanes &+= 1 &<< UInt64(tag & 0x38) }

    subscript(phase: KeyPhase) -> UInt64 {
        let at = UInt64(phase.rawValue) * 8
        return lanes >> at & 0xFF + lanes >> (at + 32) & 0xFF
    }

    var masked: UInt64 { (UInt64(0)..<4).reduce(0) { $0 + lanes >> ($1 * 8 + 32) & 0xFF } }
}
