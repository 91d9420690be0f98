import KeyModel

// What comes most often in a trace, decoded as far as it is plain: neither the last record of its block nor near the
// end of its bytes. Everything else, and everything wrong, is left where it stands, for `next`.

extension TraceReader {
    /// Packed keys of which nothing differs from what is expected but device and press, as many as there are room and
    /// records for. The result is how many.
    mutating func plainKeys(_ room: PlainKeyRoom) -> Int {
        guard left > 1, decoder.run.left == 0, decoder.cursor.isAtPlainKey else { return 0 }
        let limit = min(PlainKeyRoom.keys, Int(left) - 1)
        guard
            var run = KeyRun(decoder.cursor, room, keys, time: time, at: decoder.model.at, limit: limit),
            case let count = run.read(&keys), count > 0
        else { return 0 }
        decoder.cursor = run.cursor
        time = run.time
        decoder.model.follow(run.phase, run.at, time)
        counted.note(run.counts)
        pass(count, .key)
        return count
    }

    /// The keys that `plainKeys` has just decoded.
    func placed(_ room: PlainKeyRoom, _ count: Int) -> PlacedKeys {
        PlacedKeys(room, count: count, device: keys.device, sequence: sequence &- UInt64(count))
    }

    /// Packed calls that are as expected, each with its time and number. The result is how many.
    @inline(__always) mutating func plainCalls(_ show: (CallRecord, TraceTime, UInt64) -> Void) -> Int {
        guard decoder.run.left == 0 else { return 0 }
        var count = 0
        while Int(left) - count > 1, let call = decoder.plainCall(&time) {
            show(call, TraceTime(rawValue: time), sequence &+ UInt64(count))
            count &+= 1
        }
        guard count > 0 else { return 0 }
        counted.note(.call, count)
        pass(count, .call)
        return count
    }

    /// Stages in runs, each with its time and number. The result is how many.
    @inline(__always) mutating func plainStages(_ show: (StageRecord, TraceTime, UInt64) -> Void) -> Int {
        var count = 0
        while Int(left) - count > 1, let stage = decoder.plainStage(&time) {
            show(stage, TraceTime(rawValue: time), sequence &+ UInt64(count))
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
        place(of: KeyRun.reach).map { $0.load(as: UInt8.self) & 0x80 != 0 } ?? false
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
