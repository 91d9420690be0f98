import KeyModel

// What comes most often in a trace, decoded as far as it is plain: neither the last record of its block nor near the
// end of its bytes. Everything else, and everything wrong, is left where it stands, for `next`.

extension TraceReader {
    /// Packed keys of which nothing differs from what is expected but device and press, as many as there are room and
    /// records for. The result is how many.
    mutating func plainKeys(_ room: PlainKeyRoom) -> Int {
        guard left > 1, decoder.run.left == 0, decoder.cursor.isAtPlainKey else { return 0 }
        // The only reference to what is held, so that it changes in place.
        var run = KeyRun(cursor: decoder.cursor, time: time, sequence: sequence, at: decoder.model.at)
        swap(&run.keys, &keys)
        let count = run.read(room, limit: min(PlainKeyRoom.keys, Int(left) - 1))
        swap(&run.keys, &keys)
        guard count > 0 else { return 0 }
        decoder.cursor = run.cursor
        time = run.time
        decoder.model.follow(run.phase, run.at, time)
        counted.note(run.counts)
        pass(count, .key)
        return count
    }

    /// Packed calls that are as expected, shown to a visitor. The result is how many.
    mutating func plainCalls(_ visitor: inout some RecordVisitor) -> Int {
        guard decoder.run.left == 0 else { return 0 }
        var count = 0
        while Int(left) - count > 1, let call = decoder.plainCall(&time) {
            visitor.visit(call, at: TraceTime(rawValue: time), sequence: sequence &+ UInt64(count))
            count &+= 1
        }
        guard count > 0 else { return 0 }
        counted.note(.call, count)
        pass(count, .call)
        return count
    }

    /// Stages in runs, shown to a visitor. The result is how many.
    mutating func plainStages(_ visitor: inout some RecordVisitor) -> Int {
        var count = 0
        while Int(left) - count > 1, let stage = decoder.plainStage(&time) {
            visitor.visit(stage, at: TraceTime(rawValue: time), sequence: sequence &+ UInt64(count))
            count &+= 1
        }
        guard count > 0 else { return 0 }
        counted.note(.stage, count)
        pass(count, .stage)
        return count
    }

    /// So many records of a kind were decoded.
    private mutating func pass(_ count: Int, _ kind: RecordKinds) {
        kinds.formUnion(kind)
        left &-= UInt32(truncatingIfNeeded: count)
        sequence &+= UInt64(count)
        records &+= UInt64(count)
    }
}

/// Keys that follow each other, and what is expected of the next one.
struct KeyRun {
    var cursor: ByteCursor
    var time: Int64
    let sequence: UInt64
    var at: PressTick
    var phase = KeyPhase.down
    var keys = KeyState()
    var counts = PhaseCounts()

    /// What `KeyState.follow` does, with the keys that are held in a buffer.
    fileprivate mutating func read(_ room: PlainKeyRoom, limit: Int) -> Int {
        var holding = keys.held.count
        for (place, key) in keys.held.enumerated() { (room.held + place).initialize(to: key) }
        var count = 0
        while count < limit, let (record, time) = next(room.held, &holding) {
            (room.placed + count).initialize(
                to: PlacedKey(key: record, time: TraceTime(rawValue: time), sequence: sequence &+ UInt64(count)))
            count &+= 1
        }
        keys.held.removeAll(keepingCapacity: true)
        for place in 0..<holding { keys.held.append(room.held[place]) }
        return count
    }

    @inline(__always) private mutating func next(
        _ held: UnsafeMutablePointer<KeyState.Held>, _ holding: inout Int
    ) -> (KeyRecord, Int64)? {
        guard let start = cursor.place(of: 16) else { return nil }
        let tag = start.load(as: UInt8.self)
        let length = Int(tag & 7)
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        let delta = word & (1 << UInt64(length * 8) &- 1)
        let code = start.load(fromByteOffset: 1 &+ length, as: UInt8.self)
        let isMasked = tag & PackedKey.isMasked != 0
        guard tag & 0x80 != 0, length == 0 || delta >> UInt64(length * 8 &- 8) != 0,
            delta <= UInt64(Int64.max &- time), let phase = KeyPhase(rawValue: tag >> 3 & 3),
            !isMasked || TextKeyClass(rawValue: code) != nil
        else { return nil }
        var (passed, device) = (2 &+ length, keys.device)
        // One more than the press; 0 for none.
        var told: UInt64?
        if tag & PackedKey.hasExtra != 0 {
            let extra = start.load(fromByteOffset: passed, as: UInt8.self)
            guard extra != 0, extra & ~(PackedKey.otherDevice | PackedKey.otherPress) == 0 else { return nil }
            passed &+= 1
            if extra & PackedKey.otherDevice != 0 {
                let other = start.load(fromByteOffset: passed, as: UInt8.self)
                guard other < 0x80 else { return nil }
                device = UInt16(other)
                passed &+= 1
            }
            if extra & PackedKey.otherPress != 0 {
                guard let (number, bytes) = ByteCursor.shortNumber(start + passed) else { return nil }
                told = number
                passed &+= bytes
            }
        }
        let usage = KeyUsage.keyboard(UInt16(code))
        let key = isMasked ? KeyIdentity.masked(TextKeyClass(rawValue: code) ?? .letter) : .clear(usage)
        var (press, flags) = (UInt32?.none, keys.modifiers)
        if !isMasked, usage.isModifier || usage == .capsLock && phase == .down {
            // Caps Lock is one more key that is held, and changes a flag.
            guard usage.isModifier, told == nil else { return nil }
            keys.device = device
            flags = keys.follow(key, phase).modifiers
        } else {
            guard phase != .down || keys.pressCount < UInt32.max && holding < TraceLimits.heldKeys else { return nil }
            if isMasked ? code == TextKeyClass.keypad.rawValue : usage.isKeypad { flags.insert(.numericPad) }
            press = told.map { $0 == 0 ? nil : UInt32(truncatingIfNeeded: $0 - 1) } ?? expectedPress(
                KeyState.Held.code(device, key), phase, held, holding)
            follow(KeyState.Held.code(device, key), device, key, phase, press, held, &holding)
            keys.device = device
        }
        cursor.pass(passed)
        time &+= Int64(delta)
        self.phase = phase
        at = at.following(phase, press)
        counts.note(phase, isMasked: isMasked)
        return (KeyRecord(device: device, key: key, phase: phase, modifiers: flags, press: press), time)
    }

    @inline(__always) private func expectedPress(
        _ code: UInt64, _ phase: KeyPhase, _ held: UnsafeMutablePointer<KeyState.Held>, _ holding: Int
    ) -> UInt32? {
        switch phase {
        case .down: return keys.pressCount &+ 1
        case .repeat:
            var place = holding &- 1
            while place >= 0, held[place].code != code { place &-= 1 }
            return place >= 0 ? held[place].press : nil
        case .up, .cancel:
            var place = 0
            while place < holding, held[place].code != code { place &+= 1 }
            return place < holding ? held[place].press : nil
        }
    }

    @inline(__always) private mutating func follow(
        _ code: UInt64, _ device: UInt16, _ key: KeyIdentity, _ phase: KeyPhase, _ press: UInt32?,
        _ held: UnsafeMutablePointer<KeyState.Held>, _ holding: inout Int
    ) {
        guard phase != .repeat, let press else { return }
        guard phase != .down else {
            keys.pressCount = max(keys.pressCount, press)
            (held + holding).initialize(to: KeyState.Held(device: device, key: key, press: press, code: code))
            holding &+= 1
            return
        }
        var place = 0
        while place < holding, held[place].press != press || held[place].code != code { place &+= 1 }
        guard place < holding else { return }
        holding &-= 1
        while place < holding {
            held[place] = held[place &+ 1]
            place &+= 1
        }
    }
}

/// Where a run of keys is put together, used again for each.
struct PlainKeyRoom {
    static let keys = 256
    let placed = UnsafeMutablePointer<PlacedKey>.allocate(capacity: PlainKeyRoom.keys)
    let held = UnsafeMutablePointer<KeyState.Held>.allocate(capacity: TraceLimits.heldKeys)

    func deallocate() {
        placed.deallocate()
        held.deallocate()
    }
}

/// How many keys of each phase there were in a few hundred.
struct PhaseCounts {
    /// Sixteen bits for each phase.
    private var lanes: UInt64 = 0
    private(set) var masked: UInt64 = 0

    @inline(__always) mutating func note(_ phase: KeyPhase, isMasked: Bool) {
        lanes &+= 1 << (UInt64(phase.rawValue) * 16)
        masked &+= isMasked ? 1 : 0
    }

    subscript(phase: KeyPhase) -> UInt64 { lanes >> (UInt64(phase.rawValue) * 16) & 0xFFFF }
}

extension RecordDecoder {
    /// A call of which nothing differs from what is expected but times; its tag is next.
    @inline(__always) fileprivate mutating func plainCall(_ time: inout Int64) -> CallRecord? {
        guard let start = cursor.place(of: 16) else { return nil }
        let tag = start.load(as: UInt8.self)
        guard tag & 0xE1 == 0x40 else { return nil }
        let code = tag >> 3 & 3
        let length = code == 3 ? 4 : Int(code)
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        let delta = word & (1 << UInt64(length * 8) &- 1)
        guard PackedCall.length(delta).code == code, delta <= UInt64(Int64.max &- time) else { return nil }
        let form = PackedCall.DurationForm(rawValue: tag >> 1 & 3) ?? .absent
        var (value, passed) = (UInt64(0), 1 &+ length)
        if form == .gap || form == .literal {
            guard let (number, bytes) = ByteCursor.shortNumber(start + passed) else { return nil }
            value = number
            passed &+= bytes
        }
        guard let call = model.calls.expectedCall(form, value, Int64(delta), at: model.at) else { return nil }
        cursor.pass(passed)
        time &+= Int64(delta)
        return call
    }

    /// The next stage of the open run, or the first one of a run whose tag is next.
    @inline(__always) fileprivate mutating func plainStage(_ time: inout Int64) -> StageRecord? {
        guard let start = cursor.place(of: 16) else { return nil }
        var (run, passed) = (run, 0)
        if run.left == 0 {
            let tag = start.load(as: UInt8.self)
            guard tag & 0xF8 == PackedDecisions.stagesInTurn else { return nil }
            run = (tag & 0xFC, tag & 3)
            passed = 1
        } else {
            guard run.tag != PackedDecisions.run else { return nil }
            run.left &-= 1
        }
        guard let stage = model.stages.expected, let (value, bytes) = ByteCursor.shortNumber(start + passed) else {
            return nil
        }
        var duration = Int64(value)
        if run.tag == PackedDecisions.stagesInTurn {
            guard value <= UInt64(Int64.max &- time) else { return nil }
            time &+= Int64(value)
            duration = time &- model.stages.end
        }
        cursor.pass(passed &+ bytes)
        self.run = run
        model.calls.isAfterCall = false
        model.stages.goOn(stage, time)
        return StageRecord(at: model.at, stage: stage, duration: TraceDuration(nanoseconds: duration))
    }
}

extension ByteCursor {
    /// A packed key is next, with bytes enough behind it.
    @inline(__always) fileprivate var isAtPlainKey: Bool {
        place(of: 16).map { $0.load(as: UInt8.self) & 0x80 != 0 } ?? false
    }

    /// A number of at most four bytes in its shortest form, and how many it takes; eight bytes must be there.
    @inline(__always) fileprivate static func shortNumber(_ start: UnsafeRawPointer) -> (value: UInt64, bytes: Int)? {
        let word = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
        if word & 0x80 == 0 { return (UInt64(word & 0x7F), 1) }
        let low = UInt64(word & 0x7F) | UInt64(word >> 8 & 0x7F) << 7
        if word & 0x8000 == 0 { return word & 0x7F00 == 0 ? nil : (low, 2) }
        let three = low | UInt64(word >> 16 & 0x7F) << 14
        if word & 0x80_0000 == 0 { return word & 0x7F_0000 == 0 ? nil : (three, 3) }
        guard word & 0x8000_0000 == 0, word & 0x7F00_0000 != 0 else { return nil }
        return (three | UInt64(word >> 24) << 21, 4)
    }
}
