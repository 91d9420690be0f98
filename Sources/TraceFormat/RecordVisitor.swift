public import KeyModel

/// Takes the records of a trace as `TraceReader.read(into:)` decodes them. Those that come most often come as what they
/// are, so that no `TraceRecord` is made of them.
public protocol RecordVisitor {
    mutating func visit(_ key: KeyRecord, at time: TraceTime, sequence: UInt64)
    mutating func visit(_ stage: StageRecord, at time: TraceTime, sequence: UInt64)
    mutating func visit(_ call: CallRecord, at time: TraceTime, sequence: UInt64)
    /// Any other record.
    mutating func visit(_ record: TraceRecord)
}

extension TraceReader {
    /// Reads the records that are still to come, in order, with all checks and reports of `next`.
    public mutating func read(into visitor: inout some RecordVisitor) {
        while true {
            while left > 0, let key = plainKey() {
                visitor.visit(key, at: TraceTime(rawValue: time), sequence: sequence &- 1)
            }
            guard let record = next() else { return }
            switch record.body {
            case .key(let key): visitor.visit(key, at: record.time, sequence: record.sequence)
            case .stage(let stage): visitor.visit(stage, at: record.time, sequence: record.sequence)
            case .call(let call): visitor.visit(call, at: record.time, sequence: record.sequence)
            default: visitor.visit(record)
            }
        }
    }

    /// The next record, where it is a packed key without an extra byte and neither the last one of its block nor near
    /// the end of its bytes; everything else, and everything wrong, is left to `next`.
    @inline(__always) private mutating func plainKey() -> KeyRecord? {
        guard left > 1, decoder.run.left == 0, let (tag, word, code) = decoder.cursor.plainKey else { return nil }
        let length = UInt64(tag & 7)
        let delta = word & (1 << (length * 8) &- 1)
        let isMasked = tag & PackedKey.isMasked != 0
        guard length == 0 || delta >> (length * 8 &- 8) != 0, delta <= UInt64(Int64.max &- time),
            let phase = KeyPhase(rawValue: tag >> 3 & 3)
        else { return nil }
        let key: KeyIdentity
        if isMasked {
            guard let textClass = TextKeyClass(rawValue: code) else { return nil }
            key = .masked(textClass)
        } else {
            key = .clear(.keyboard(UInt16(code)))
        }
        decoder.cursor.pass(2 + Int(length))
        time &+= Int64(delta)
        let (press, modifiers) = keys.follow(key, phase)
        decoder.model.follow(phase, press, time)
        kinds.formUnion(.key)
        left &-= 1
        sequence &+= 1
        records &+= 1
        let record = KeyRecord(device: keys.device, key: key, phase: phase, modifiers: modifiers, press: press)
        counted.note(record)
        return record
    }
}

extension ByteCursor {
    /// Tag, the eight bytes after it, and the byte after as many of them as the tag says, where they are those of a
    /// packed key without an extra byte.
    @inline(__always) fileprivate var plainKey: (tag: UInt8, word: UInt64, code: UInt8)? {
        guard let start = place(of: 16) else { return nil }
        let tag = start.load(as: UInt8.self)
        guard tag & 0xC0 == 0x80 else { return nil }
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        return (tag, word, start.load(fromByteOffset: 1 &+ Int(tag & 7), as: UInt8.self))
    }
}
