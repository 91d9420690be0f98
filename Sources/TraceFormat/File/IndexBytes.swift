import KeyModel

/// Entries of the index as bytes.
extension TraceIndex.Block {
    /// The entry before the first one.
    static let none = TraceIndex.Block(offset: 0, firstTime: .zero, firstSequence: 0, firstPress: 0, kinds: [])

    /// Offset, time and sequence as differences to the entry before: they never decrease.
    func append(to out: inout ByteBuffer, after previous: TraceIndex.Block) {
        out.append(varint: offset &- previous.offset)
        out.append(varint: UInt64(bitPattern: firstTime.rawValue &- previous.firstTime.rawValue))
        out.append(varint: firstSequence &- previous.firstSequence)
        out.append(varint: UInt64(firstPress))
        out.append(varint: UInt64(kinds.rawValue))
    }

    /// Differences that are too large wrap round.
    init(_ cursor: inout ByteCursor, after previous: TraceIndex.Block) throws(TraceError) {
        let offset = previous.offset &+ (try cursor.varint("offset"))
        let time = previous.firstTime.rawValue &+ Int64(bitPattern: try cursor.varint("first_time_ns"))
        let sequence = previous.firstSequence &+ (try cursor.varint("first_sequence"))
        var (press, bits): (UInt32, UInt16) = (0, 0)
        try cursor.varint("first_press", &press)
        try cursor.varint("record_kinds", &bits)
        self.init(
            offset: offset, firstTime: TraceTime(rawValue: time), firstSequence: sequence, firstPress: press,
            kinds: RecordKinds(rawValue: bits))
    }
}
