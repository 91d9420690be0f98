import KeyModel

// Packed keys of the common form, decoded without a branch that depends on the key, on whether it goes down or up, or
// on what else is held: typed keys are as good as random, and a mispredicted branch at every second key costs more than
// all the rest.

extension TraceReader {
    /// Decodes packed keys that differ from the expectation in the press alone, as many as the buffer has room for, but
    /// not the last record of a block. Returns their number. The other keys, and all errors, are left to `next`.
    mutating func decodeKeyRun(into buffer: KeyRunBuffer) -> Int {
        guard left > 1, decoder.run.left == 0, let tag = decoder.cursor.place(of: KeyRun.reach),
            tag.load(as: UInt8.self) & 0x80 != 0
        else { return 0 }
        let limit = min(KeyRunBuffer.capacity, Int(left) - 1)
        guard
            var run = KeyRun(decoder.cursor, buffer, keys, time: time, at: decoder.model.at, limit: limit),
            case let count = run.read(&keys), count > 0
        else { return 0 }
        decoder.cursor = run.cursor
        time = run.time
        decoder.model.follow(run.phase, run.at, time)
        counted.note(run.counts)
        kinds.formUnion(.key)
        left &-= UInt32(truncatingIfNeeded: count)
        sequence &+= UInt64(count)
        records &+= UInt64(count)
        return count
    }
}

/// Keys that follow each other on one keyboard, and what is expected of the next one.
struct KeyRun {
    private(set) var cursor: ByteCursor
    private(set) var time: Int64
    /// The tick of the records after the last key.
    private(set) var at: PressTick
    private(set) var counts = PhaseCounts()
    private var held: HeldPresses
    // Positions of reading and of writing.
    private var start: UnsafeRawPointer
    private let last: UnsafeRawPointer
    private let first: UnsafeMutablePointer<PlainPlace>
    private var place: UnsafeMutablePointer<PlainPlace>
    private let end: UnsafeMutablePointer<PlainPlace>

    /// Bytes that a key of a run is looked for in.
    static let reach = 24

    /// At most `limit` keys from the cursor on; `nil` where none can be followed.
    init?(_ cursor: ByteCursor, _ buffer: KeyRunBuffer, _ keys: KeyState, time: Int64, at: PressTick, limit: Int) {
        guard limit <= KeyRunBuffer.capacity, time < KeyRunBuffer.lastTime, let start = cursor.place(of: KeyRun.reach),
            let held = HeldPresses(keys, buffer.codes)
        else { return nil }
        (self.cursor, self.time, self.at, self.held) = (cursor, time, at, held)
        (self.start, last) = (start, start + cursor.remaining - KeyRun.reach)
        (first, place, end) = (buffer.places, buffer.places, buffer.places + limit)
    }

    /// Decodes keys as far as they are plain. The result is how many.
    mutating func read(_ keys: inout KeyState) -> Int {
        let begin = start
        repeat { followPlain() } while followOther()
        cursor.pass(start - begin)
        let count = place - first
        counts.downs = UInt64(count) &- counts.ups &- counts.repeats
        held.give(&keys, UnsafeBufferPointer(start: first, count: count), counts)
        if count > 0, !place[-1].isRepeat { at = tick(of: place[-1]) }
        return count
    }

    private func tick(of place: PlainPlace) -> PressTick {
        PressTick(press: held.codes[Int(place.code)].isPressed ? place.press : 0, tick: 0)
    }

    /// The phase of the last key.
    var phase: KeyPhase { place == first ? .down : place[-1].phase }

    /// Follows keys that go down and up without a stored press, up to one that does neither.
    @inline(never) private mutating func followPlain() {
        // On their own, and with nothing called, they are kept in registers; for the same reason a place is filled from
        // the first field to the last, and counts when it is full.
        var (start, place, now, tally) = (start, place, time, UInt64(0))
        var (count, modifiers) = (held.count, held.modifiers)
        let codes = held.codes
        while place < end, start <= last {
            let tag = start.load(as: UInt8.self)
            let bytes = UInt64(tag & 7)
            // The shortest form of a time has no zero on top; where it takes no bytes, that is the tag.
            guard tag & 0xD0 == 0x80, bytes < 7, start.load(fromByteOffset: Int(bytes), as: UInt8.self) != 0
            else { break }
            let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            let then = now &+ Int64(bitPattern: word & (1 &<< (bytes &* 8) &- 1))
            place.pointee.time = then
            place.pointee.tag = tag
            let (isMasked, isUp) = (UInt64(tag & PackedKey.isMasked) &<< 3, UInt64(tag >> 3 & 1))
            let number = isMasked &+ UInt64(start.load(fromByteOffset: Int(bytes) &+ 1, as: UInt8.self))
            place.pointee.code = UInt16(truncatingIfNeeded: number)
            let code = codes + Int(number)
            guard let press = code.pointee.follow(&count, &modifiers, isUp: isUp) else { break }
            place.pointee.press = press
            place.pointee.modifiers = modifiers
            now = then
            // Masked keys count 256 each: a run has fewer ups.
            tally &+= isUp &+ isMasked
            place += 1
            start += Int(bytes) &+ 2
        }
        (self.start, self.place, time) = (start, place, now)
        (held.count, held.modifiers) = (count, modifiers)
        counts.ups &+= tally & 0xFF
        counts.masked &+= tally >> 8
    }

    /// Follows one key that repeats, or goes up with its press stored. False, and nothing changes, for any other.
    @inline(never) private mutating func followOther() -> Bool {
        guard place < end, start <= last, let key = PackedPlain(start), key.isRepeat || key.stored != 0 else {
            return false
        }
        let press: UInt32
        if key.isRepeat {
            guard key.stored == 0, let held = held.repeated(key.number) else { return false }
            press = held
            if place > first, !place[-1].isRepeat { at = tick(of: place[-1]) }
            at = at.following(.repeat, press)
            counts.repeats &+= 1
        } else {
            press = key.stored &- 1
            guard key.isUp, held.release(key.number, press) else { return false }
            counts.ups &+= 1
        }
        time &+= key.delta
        counts.masked &+= key.number < 256 ? 0 : 1
        place.pointee = PlainPlace(
            time: time, press: press, modifiers: held.modifiers, code: UInt16(truncatingIfNeeded: key.number),
            tag: key.tag)
        place += 1
        start += key.length
        return true
    }
}

/// A packed key of which nothing differs from what is expected but the press.
private struct PackedPlain {
    let tag: UInt8
    /// The index of its code in `KeyRunBuffer.codes`.
    let number: Int
    let delta: Int64
    /// One more than the stored press; 0 where none is stored.
    private(set) var stored: UInt32 = 0
    /// In bytes.
    private(set) var length: Int

    var isRepeat: Bool { tag & 0x18 == 0x10 }
    var isUp: Bool { tag & 0x18 == 8 }

    /// `nil` where no such key is. `KeyRun.reach` bytes must be there.
    @inline(__always) init?(_ start: UnsafeRawPointer) {
        tag = start.load(as: UInt8.self)
        let bytes = Int(tag & 7)
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        delta = Int64(bitPattern: word & (1 &<< (UInt64(bytes) &* 8) &- 1))
        number = Int(tag & PackedKey.isMasked) &<< 3 | Int(start.load(fromByteOffset: 1 &+ bytes, as: UInt8.self))
        length = bytes &+ 2
        guard tag & 0x80 != 0, bytes < 7, start.load(fromByteOffset: bytes, as: UInt8.self) != 0 else { return nil }
        guard tag & PackedKey.hasExtra != 0 else { return }
        guard start.load(fromByteOffset: length, as: UInt8.self) == PackedKey.otherPress else { return nil }
        (stored, length) = PackedPlain.press(start.loadUnaligned(fromByteOffset: length &+ 1, as: UInt32.self), length)
        guard stored != 0 else { return nil }
    }

    /// The number in these bytes and its end, when an extra byte is between it and `place`; 0 where none is there in
    /// its shortest form.
    @inline(__always) private static func press(_ bytes: UInt32, _ place: Int) -> (UInt32, Int) {
        let word = UInt32(littleEndian: bytes)
        let bits = UInt32(truncatingIfNeeded: (~word & 0x8080_8080).trailingZeroBitCount &+ 1)
        let kept = word & (~0 &>> (32 &- bits))
        guard bits <= 32, bits == 8 || kept &>> (bits &- 8) != 0 else { return (0, place) }
        let number = kept & 0x7F | kept >> 1 & 0x3F80 | kept >> 2 & 0x1F_C000 | kept >> 3 & 0xFE0_0000
        return (number, place &+ 1 &+ Int(bits >> 3))
    }
}

/// A packed key of a run, decoded as far as those behind it need it.
struct PlainPlace {
    var time: Int64
    /// 0 for none; of a modifier key it means nothing.
    var press: UInt32
    /// Without `numericPad`, which belongs to the key.
    var modifiers: UInt32
    /// The index of its code in `KeyRunBuffer.codes`.
    var code: UInt16
    /// The tag of the packed key.
    var tag: UInt8

    var phase: KeyPhase { KeyPhase(rawValue: tag >> 3 & 3) ?? .down }

    /// Looks at the tag alone: comparing phases would add branches.
    @inline(__always) var isRepeat: Bool { tag & 0x18 == 0x10 }
}

/// The decoded keys of a run; the same memory serves all runs of a reading.
struct KeyRunBuffer {
    /// As long as a run may be: below 256, see `KeyRun.followPlain`.
    static let capacity = 0xE0
    /// Latest begin of a run: as many times of six bytes each do not go beyond the last one.
    static let lastTime = Int64.max - Int64(capacity) << 48
    let places = UnsafeMutablePointer<PlainPlace>.allocate(capacity: KeyRunBuffer.capacity)
    /// By code, those of masked keys behind the others.
    let codes = UnsafeMutablePointer<PlainKeyCode>.allocate(capacity: 512)

    init() {
        places.initialize(
            repeating: PlainPlace(time: 0, press: 0, modifiers: 0, code: 0, tag: 0), count: KeyRunBuffer.capacity)
        for code in 0..<512 {
            (codes + code).initialize(
                to: PlainKeyCode(code: UInt8(truncatingIfNeeded: code), isMasked: code >= 256))
        }
    }

    func deallocate() {
        places.deallocate()
        codes.deallocate()
    }
}

extension KeyRunBuffer {
    /// The key at this index of the run.
    @inline(__always) func key(_ index: Int, device: UInt16) -> KeyRecord {
        let place = places[index]
        let code = codes + Int(place.code)
        return KeyRecord(
            device: device, key: code.pointee.key, phase: place.phase,
            modifiers: KeyModifiers(rawValue: place.modifiers | code.pointee.flags),
            press: place.press != 0 && code.pointee.isPressed ? place.press : nil)
    }
}

/// Number of keys of each phase in a run; none is cancelled.
struct PhaseCounts {
    var downs: UInt64 = 0
    var ups: UInt64 = 0
    var repeats: UInt64 = 0
    /// Of any phase.
    var masked: UInt64 = 0
}
